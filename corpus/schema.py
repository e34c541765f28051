"""The tables of state.sqlite, and the number of the format that they belong to."""

from __future__ import annotations

from collections.abc import Iterable

import orjson
import sqlalchemy as sa

# Of everything in a corpus's folder; raised with every change of a schema. See tests/corpus/test_format.py.
FORMAT = 5

TABLES = sa.MetaData()
setting = sa.Table(
    "setting", TABLES, sa.Column("name", sa.String, primary_key=True), sa.Column("value", sa.JSON, nullable=False)
)
generation = sa.Table(
    "generation",
    TABLES,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("chunks_version", sa.Integer, nullable=False),  # of the LanceDB table
    sa.Column("published_at", sa.Float, nullable=False),
)
# A row is part of every generation from `born` until before `died`. An update closes a row and opens another.
document = sa.Table(
    "document",
    TABLES,
    sa.Column("row", sa.Integer, primary_key=True),
    sa.Column("id", sa.String, nullable=False, index=True),
    sa.Column("place", sa.Integer, nullable=False),  # in the order of first ingestion, kept by updates
    sa.Column("born", sa.Integer, nullable=False),
    sa.Column("died", sa.Integer, index=True),
    # What a listing needs of the record, so that a corpus of any size can be listed without reading records.
    sa.Column("status", sa.String, nullable=False, server_default=""),
    sa.Column("language", sa.String, nullable=False, server_default=""),
    sa.Column("chunk_count", sa.Integer, nullable=False, server_default="0"),
    sa.Column("facts", sa.LargeBinary, nullable=False, server_default=""),  # packed: see listing.py
    sa.Column("brief", sa.LargeBinary, nullable=False, server_default=""),
    sa.Column("record", sa.LargeBinary, nullable=False),  # the Document, as JSON
    sa.Column("given", sa.LargeBinary, nullable=False),  # the metadata given by whoever added it, as JSON
    sa.Column("uri", sa.String, nullable=False, server_default=""),  # of the record: its source is found by it
    sa.Column("pictures", sa.LargeBinary, nullable=False, server_default=""),  # as JSON: see listing.py
)
# In the order of a listing, and with all that is looked up of every document: SQLite walks this index alone.
listed = sa.Index("listed", *(document.c[name] for name in ("place", "born", "died", "id", "facts")))
# The few that could not be read, without a look at the others.
unreadable = sa.Index("unreadable", document.c.place, sqlite_where=sa.text("status = 'unreadable'"))
# The few that have pictures, likewise.
pictured = sa.Index("pictured", document.c.place, sqlite_where=sa.text("pictures != ''"))
by_uri = sa.Index("document_uri", document.c.uri)
lease = sa.Table(
    "lease",
    TABLES,
    sa.Column("token", sa.String, primary_key=True),
    sa.Column("generation", sa.Integer, nullable=False),
    sa.Column("expires_at", sa.Float, nullable=False),
)
# A named set of documents. Its rows and those of its members are born and die like those of documents.
collection = sa.Table(
    "collection",
    TABLES,
    sa.Column("row", sa.Integer, primary_key=True),
    sa.Column("id", sa.Integer, nullable=False),  # kept by changes
    sa.Column("name", sa.String, nullable=False, index=True),
    sa.Column("record", sa.LargeBinary, nullable=False),  # the Collection without its count, as JSON
    sa.Column("born", sa.Integer, nullable=False),
    sa.Column("died", sa.Integer, index=True),
)
member = sa.Table(
    "member",
    TABLES,
    sa.Column("row", sa.Integer, primary_key=True),
    sa.Column("collection", sa.Integer, nullable=False, index=True),  # id
    sa.Column("document", sa.String, nullable=False, index=True),  # id
    sa.Column("born", sa.Integer, nullable=False),
    sa.Column("died", sa.Integer, index=True),
)
VERSIONED = (document, collection, member)  # tables whose rows are born and die with generations


def alive_at(table: sa.Table, number: int) -> sa.ColumnElement[bool]:
    """Whether a row of a versioned table is part of a generation."""
    return (table.c.born <= number) & (table.c.died.is_(None) | (table.c.died > number))


def among(column: sa.ColumnElement[str], values: Iterable[str]) -> sa.ColumnElement[bool]:
    """Whether a column has one of `values`, however many: a statement takes 32,766 parameters at most."""
    given = sa.func.json_each(orjson.dumps(list(values)).decode()).table_valued("value")
    return column.in_(sa.select(given.c.value))
