"""Corpora of older formats, brought up to date when they are opened: whole or not at all, and only once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson
import sqlalchemy as sa

from . import schema
from .blobs import Blobs
from .listing import brief_of, document_of, facts_of
from .schema import FORMAT


def upgrade(engine: sa.Engine, found: int, blobs: Blobs) -> None:
    """Take a state from the format `found` to today's, in one transaction; its files are brought up to date before."""
    blobs.upgrade()
    with engine.begin() as connection:
        old, new = (sa.cast(number, sa.JSON) for number in (found, FORMAT))
        mine = schema.setting.update().where(schema.setting.c.name == "format", schema.setting.c.value == old)
        # The first statement takes SQLite's write lock: whoever comes second finds the new number.
        if connection.execute(mine.values(value=new)).rowcount:
            for step in range(found, FORMAT):
                STEPS[step](connection, blobs)


def _two(connection: sa.Connection, _blobs: Blobs) -> None:
    """The columns of listings."""
    _add_columns(connection, "status", "language", "chunk_count", "facts", "brief")
    for row, record in connection.exec_driver_sql("SELECT row, record FROM document").all():
        document = document_of(record)
        values = (document.status, document.language or "", document.chunk_count, brief_of(document), row)
        connection.exec_driver_sql(
            "UPDATE document SET status = ?, language = ?, chunk_count = ?, brief = ? WHERE row = ?", values
        )


def _three(connection: sa.Connection, _blobs: Blobs) -> None:
    """Collections, and documents by their uri."""
    _add_columns(connection, "uri")
    rows: list[Any] = connection.exec_driver_sql("SELECT row, record FROM document").all()
    for row, record in rows:
        connection.exec_driver_sql("UPDATE document SET uri = ? WHERE row = ?", (orjson.loads(record)["uri"], row))
    schema.by_uri.create(connection)
    schema.TABLES.create_all(connection, tables=[schema.collection, schema.member])


def _four(connection: sa.Connection, blobs: Blobs) -> None:
    """Files by the numbers of their blobs."""
    connection.exec_driver_sql("DROP INDEX IF EXISTS listed")
    numbers = blobs.all_numbers()
    for row, record in connection.exec_driver_sql("SELECT row, record FROM document").all():
        facts = facts_of(document_of(record), numbers)
        connection.exec_driver_sql("UPDATE document SET facts = ? WHERE row = ?", (facts, row))
    schema.listed.create(connection)
    schema.unreadable.create(connection)


def _five(connection: sa.Connection, _blobs: Blobs) -> None:
    """Pictures; a document that is stored has none until it is read again."""
    _add_columns(connection, "pictures")
    schema.pictured.create(connection)


def _add_columns(connection: sa.Connection, *names: str) -> None:
    for name in names:
        column = sa.schema.CreateColumn(schema.document.c[name]).compile(dialect=connection.dialect)
        connection.exec_driver_sql(f"ALTER TABLE document ADD COLUMN {column}")


# From which format: what makes the next one of it.
STEPS: Mapping[int, Callable[[sa.Connection, Blobs], None]] = {1: _two, 2: _three, 3: _four, 4: _five}
OLDEST = min(STEPS)
