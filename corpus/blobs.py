"""The documents' files and pictures: bytes by number, equal bytes only once, in one SQLite file that any thread reads.

A number stands for its bytes for ever and is not given again when they are swept, so that what is cached by it is
never stale. Files of one kind that were stored together have numbers that follow each other, and are read in one go.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .documents import HOT_BYTES, File

# AUTOINCREMENT: the number of what was swept is not used again.
_SCHEMA = """
CREATE TABLE blob (number INTEGER PRIMARY KEY AUTOINCREMENT, digest BLOB NOT NULL UNIQUE, data BLOB NOT NULL)
"""
_BUSY_S = 60.0
_MMAP_BYTES = 1 << 40  # SQLite cuts this down to what the platform allows
_PAGE_BYTES = 16384  # files of tens of kilobytes: fewer overflow pages, and reads twice as fast as with 4096
_FEW = 8  # files read at once up to which they count as hot: a walk over the corpus would only flush the others
_PART = 500  # numbers per statement

_Row = tuple[int, bytes]  # number and bytes


def describe(data: bytes) -> File:
    """The name under which `data` is stored."""
    return File(digest=hashlib.sha256(data).hexdigest(), size=len(data))


class Blobs:
    """Numbered bytes. What is in is never changed, only swept when no document row names it."""

    def __init__(self, path: Path, hot_bytes: int = HOT_BYTES):
        self._path = path
        self._hot_bytes = hot_bytes
        self._hot = _Hot(hot_bytes)
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        self._opening = threading.Lock()

    def create(self) -> None:
        connection = self._connection()
        connection.execute(f"PRAGMA page_size={_PAGE_BYTES}")
        connection.execute("PRAGMA journal_mode=WAL")
        if not self._columns():
            connection.execute(_SCHEMA)

    def upgrade(self) -> None:
        """Number what a corpus of format 3 or older stored by digest alone; whole or not at all, and only once."""
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")  # before we look: somebody else may be at it
            if "number" not in self._columns():
                connection.execute("ALTER TABLE blob RENAME TO old")
                connection.execute(_SCHEMA)
                connection.execute("INSERT INTO blob SELECT rowid, digest, data FROM old ORDER BY rowid")
                connection.execute("DROP TABLE old")

    def _columns(self) -> set[str]:
        return {name for (name,) in self._connection().execute("SELECT name FROM pragma_table_info('blob')")}

    def all_numbers(self) -> dict[str, int]:
        """The numbers of everything that is stored, by hexadecimal digest."""
        rows = self._connection().execute("SELECT digest, number FROM blob")
        return {digest.hex(): number for digest, number in rows}

    def put(self, contents: Iterable[bytes]) -> dict[str, int]:
        """Store each of `contents`, all or none; their numbers by hexadecimal digest. Under the writer lock."""
        rows = [(hashlib.sha256(data).digest(), data) for data in contents]
        with self._connection() as connection:
            connection.executemany("INSERT OR IGNORE INTO blob (digest, data) VALUES (?, ?)", rows)
        stored = self._select("digest, number", "digest", [digest for digest, _ in rows])
        return {digest.hex(): number for digest, number in stored}

    def get(self, numbers: Sequence[int]) -> list[bytes]:
        """The files with these numbers, in the order asked; KeyError for one that is not there."""
        rows = self._hot_or_stored(numbers) if len(numbers) <= _FEW else self._stored(numbers)
        return [data for _, data in rows]

    def peek(self, numbers: Sequence[int]) -> list[bytes]:
        """`get` without keeping anything in memory: pictures would drive out the files."""
        return [data for _, data in self._stored(numbers)]

    def _hot_or_stored(self, numbers: Sequence[int]) -> list[_Row]:
        found = self._hot.get(numbers)
        missing = [number for number in numbers if number not in found]
        if missing:
            found.update((row[0], row) for row in self._stored(missing))
            self._hot.keep(found)
        return [found[number] for number in numbers]

    def _stored(self, numbers: Sequence[int]) -> list[_Row]:
        rows = self._select("number, data", "number", numbers)
        if [row[0] for row in rows] == list(numbers):  # as when a walk follows the order of storing
            return rows
        found = {row[0]: row for row in rows}
        return [found[number] for number in numbers]

    def _select(self, columns: str, key: str, values: Sequence[int] | Sequence[bytes]) -> list[Any]:
        """The rows whose `key` is one of `values`, in no order that counts."""
        execute, rows = self._connection().execute, list[Any]()
        for start in range(0, len(values), _PART):
            part = values[start : start + _PART]
            marks = ",".join("?" * len(part))
            rows += execute(f"SELECT {columns} FROM blob WHERE {key} IN ({marks})", part).fetchall()
        return rows

    def sweep(self, live: Iterable[int]) -> int:
        """Delete what no number of `live` names; under the writer lock. How many went."""
        connection = self._connection()
        (last,) = connection.execute("SELECT ifnull(max(number), 0) FROM blob").fetchone()
        named = bytearray(last + 1)  # a flag for each: a set of millions of numbers would take a hundred times as much
        for number in live:
            named[number] = 1
        with connection:
            dead = [row for row in connection.execute("SELECT number FROM blob") if not named[row[0]]]
            connection.executemany("DELETE FROM blob WHERE number = ?", dead)
        return len(dead)

    def forget(self) -> None:
        """Keep nothing in memory."""
        self._hot = _Hot(self._hot_bytes)

    def close(self) -> None:
        with self._opening:
            while self._open:
                self._open.pop().close()
            self._local = threading.local()

    def _connection(self) -> sqlite3.Connection:
        """One connection per thread: SQLite then reads in parallel, without a lock of ours."""
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self._path, timeout=_BUSY_S, check_same_thread=False)
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute(f"PRAGMA mmap_size={_MMAP_BYTES}")
            with self._opening:
                self._open.append(connection)
            self._local.connection = connection
        return connection


class _Hot:
    """Files by number, the least recently used first; never stale, since a number stands for its bytes for ever."""

    def __init__(self, most: int) -> None:
        self._most = most  # bytes
        self._held = 0
        self._rows: dict[int, _Row] = {}
        self._lock = threading.Lock()

    def get(self, numbers: Sequence[int]) -> dict[int, _Row]:
        with self._lock:
            found = {number: self._rows.pop(number) for number in {*numbers} if number in self._rows}
            self._rows.update(found)
        return found

    def keep(self, rows: Mapping[int, _Row]) -> None:
        with self._lock:
            for number, row in rows.items():
                before = self._rows.pop(number, None)
                self._held += len(row[1]) - (len(before[1]) if before is not None else 0)
                self._rows[number] = row
            while self._held > self._most:
                self._held -= len(self._rows.pop(next(iter(self._rows)))[1])
