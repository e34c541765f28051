"""Where the listing of one generation looks up what it does not hold: rows of state.sqlite, by the thousand."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson
import sqlalchemy as sa

from . import catalogue
from .listing import Columns

_ALIVE = "born <= :number AND (died IS NULL OR died > :number)"


class Shelf:
    """One generation in the state; meets `listing.Lookup`."""

    def __init__(self, engine: sa.Engine, number: int) -> None:
        self._engine = engine
        self._number = number

    def ids(self) -> list[str]:
        """Of all documents, in the order in which they were first stored."""
        return self._values(f"SELECT id FROM document INDEXED BY listed WHERE {_ALIVE} ORDER BY place")

    def columns(self) -> Columns:
        rows, facts = array("q"), bytearray()
        query = f"SELECT row, facts FROM document INDEXED BY listed WHERE {_ALIVE} ORDER BY place"
        with self._engine.connect() as connection:
            for row, packed in driver(connection).execute(query, {"number": self._number}):
                rows.append(row)
                facts += packed
        return Columns(rows, bytes(facts))

    def column(self, name: str, rows: Sequence[int]) -> list[bytes]:
        # CROSS: SQLite then keeps to the order asked.
        query = f"SELECT {name} FROM json_each(:asked) AS asked CROSS JOIN document ON row = asked.value"
        return self._values(query, asked=_json(rows))

    def pages(self, name: str, start: int, stop: int | None, size: int) -> Iterator[list[bytes]]:
        where = f"FROM document INDEXED BY listed WHERE place > :after AND {_ALIVE}"
        query = f"SELECT place, {name} {where} ORDER BY place LIMIT :size OFFSET :skipped"
        left, after, skipped = sys.maxsize if stop is None else stop - start, -1, start
        while left > 0:
            values = {"number": self._number, "after": after, "size": min(size, left), "skipped": skipped}
            with self._engine.connect() as connection:
                rows = driver(connection).execute(query, values).fetchall()
            if not rows:
                return
            yield [value for _, value in rows]
            left, after, skipped = left - len(rows), rows[-1][0], 0

    def unreadable(self) -> list[str]:
        query = f"SELECT id FROM document WHERE status = 'unreadable' AND {_ALIVE} ORDER BY place"
        return self._values(query)

    def collections(self) -> Mapping[str, frozenset[str]]:
        with self._engine.connect() as connection:
            return catalogue.members(connection, self._number)

    def languages(self, rows: Sequence[int] | None) -> set[str]:
        query = f"SELECT DISTINCT language FROM document WHERE chunk_count > 0 AND {_ALIVE}"
        if rows is None:
            return set(self._values(query))
        return set(self._values(f"{query} AND row IN (SELECT value FROM json_each(:asked))", asked=_json(rows)))

    def _values(self, query: str, **values: object) -> list[Any]:
        """The one column of a query. Rows are let go one by one: thousands at once set the garbage collector off."""
        with self._engine.connect() as connection:
            return [value for (value,) in driver(connection).execute(query, {"number": self._number, **values})]


def driver(connection: sa.Connection) -> Any:
    """The driver's own connection: rows in the thousands, without an object of SQLAlchemy for each."""
    return connection.connection.driver_connection


def _json(rows: Sequence[int]) -> str:
    return orjson.dumps(list(rows)).decode()
