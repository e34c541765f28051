"""Corpora of older formats, brought up to date when they are opened: whole or not at all, and only once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson
import sqlalchemy as sa

from . import schema
from .listing import brief_of, document_of, facts_of
from .schema import FORMAT


def upgrade(engine: sa.Engine, found: int) -> None:
    """Take a state from the format `found` to today's, in one transaction."""
    with engine.begin() as connection:
        old, new = (sa.cast(number, sa.JSON) for number in (found, FORMAT))
        mine = schema.setting.update().where(schema.setting.c.name == "format", schema.setting.c.value == old)
        # The first statement takes SQLite's write lock: whoever comes second finds the new number.
        if connection.execute(mine.values(value=new)).rowcount:
            for step in range(found, FORMAT):
                STEPS[step](connection)


def _two(connection: sa.Connection) -> None:
    """The columns of listings."""
    _add_columns(connection, "status", "language", "chunk_count", "facts", "brief")
    for row, record in connection.exec_driver_sql("SELECT row, record FROM document").all():
        document = document_of(record)
        values = (
            *(document.status, document.language or "", document.chunk_count),
            *(facts_of(document), brief_of(document), row),
        )
        connection.exec_driver_sql(
            "UPDATE document SET status = ?, language = ?, chunk_count = ?, facts = ?, brief = ? WHERE row = ?", values
        )
    schema.listed.create(connection)


def _three(connection: sa.Connection) -> None:
    """Collections, and documents by their uri."""
    _add_columns(connection, "uri")
    rows: list[Any] = connection.exec_driver_sql("SELECT row, record FROM document").all()
    for row, record in rows:
        connection.exec_driver_sql("UPDATE document SET uri = ? WHERE row = ?", (orjson.loads(record)["uri"], row))
    schema.by_uri.create(connection)
    schema.TABLES.create_all(connection, tables=[schema.collection, schema.member])


def _add_columns(connection: sa.Connection, *names: str) -> None:
    for name in names:
        column = sa.schema.CreateColumn(schema.document.c[name]).compile(dialect=connection.dialect)
        connection.exec_driver_sql(f"ALTER TABLE document ADD COLUMN {column}")


# From which format: what makes the next one of it.
STEPS: Mapping[int, Callable[[sa.Connection], None]] = {1: _two, 2: _three}
OLDEST = min(STEPS)
