"""Tables of hooks, in one SQLite file of the corpus that travels with its backups; their names begin with `hook_`."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from .errors import HookFailed

PREFIX = "hook_"
_BUSY_S = 60.0
# What names a table, in the first or second argument; everything else that may be done names none.
_NAMING = {
    sqlite3.SQLITE_CREATE_TABLE,
    sqlite3.SQLITE_DROP_TABLE,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_INSERT,
    sqlite3.SQLITE_UPDATE,
    sqlite3.SQLITE_DELETE,
}
_INDEXING = {sqlite3.SQLITE_CREATE_INDEX, sqlite3.SQLITE_DROP_INDEX, sqlite3.SQLITE_ALTER_TABLE}
_PLAIN = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_TRANSACTION,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_REINDEX,
    sqlite3.SQLITE_RECURSIVE,
}


class HookStore:
    """SQL over the tables of hooks. Each call is one transaction; any number of processes may call at once."""

    def __init__(self, path: Path):
        self._path = path

    async def execute(self, sql: str, rows: Iterable[Sequence[Any]] = ((),)) -> None:
        """Run one statement, for each of `rows` when there are parameters; all or nothing."""
        await asyncio.to_thread(self._execute, sql, list(rows))

    async def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows that a statement finds."""
        return await asyncio.to_thread(self._query, sql, parameters)

    def _execute(self, sql: str, rows: list[Sequence[Any]]) -> None:
        with closing(self._connection()) as connection, connection:
            for row in rows:
                self._run(connection, sql, row)

    def _query(self, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        with closing(self._connection()) as connection, connection:
            return self._run(connection, sql, parameters).fetchall()

    def _run(self, connection: sqlite3.Connection, sql: str, row: Sequence[Any]) -> sqlite3.Cursor:
        try:
            return connection.execute(sql, row)
        except sqlite3.DatabaseError as error:
            if "not authorized" in str(error) or "prohibited" in str(error):
                told = f"tables of hooks are called {PREFIX}…, and nothing else can be touched"
                raise HookFailed(f"{told}: {sql}") from error
            raise

    def _connection(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=_BUSY_S)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.set_authorizer(_allowed)
        return connection


def _allowed(action: int, first: str | None, second: str | None, _database: str | None, _source: str | None) -> int:
    """Deny by default: no other table, no attached file, no pragma."""
    schema = first in ("sqlite_master", "sqlite_temp_master")  # what SQLite itself does for a statement that is allowed
    if action in _NAMING:
        fine = schema or (first or "").startswith((PREFIX, "sqlite_autoindex_" + PREFIX))
    elif action in _INDEXING:
        fine = (second or "").startswith(PREFIX)
    else:
        fine = action in _PLAIN
    return sqlite3.SQLITE_OK if fine else sqlite3.SQLITE_DENY
