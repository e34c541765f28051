"""What is published: generations, the documents of each, leases and settings, in one SQLite file."""

from __future__ import annotations

import itertools
import secrets
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DatabaseError, NoResultFound

from .documents import Document
from .embed import Identity
from .errors import FormatMismatch, NotACorpus
from .listing import Entry, Listing, brief_of, digests_of, document_of, facts_of

# Of everything in a corpus's folder; raised with every change of a schema. See tests/corpus/test_format.py.
FORMAT = 2
_OLDEST = 1  # format that is brought up to date when a corpus is opened
LEASE_S = 24 * 3600.0  # how long a generation stays readable for one who does not close his snapshot
_BUSY_S = 60.0
_LISTINGS = 2  # generations whose listings are kept for the next session

_tables = sa.MetaData()
_setting = sa.Table(
    "setting", _tables, sa.Column("name", sa.String, primary_key=True), sa.Column("value", sa.JSON, nullable=False)
)
_generation = sa.Table(
    "generation",
    _tables,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("chunks_version", sa.Integer, nullable=False),  # of the LanceDB table
    sa.Column("published_at", sa.Float, nullable=False),
)
# A row is part of every generation from `born` until before `died`. An update closes a row and opens another.
_document = sa.Table(
    "document",
    _tables,
    sa.Column("row", sa.Integer, primary_key=True),
    sa.Column("id", sa.String, nullable=False, index=True),
    sa.Column("place", sa.Integer, nullable=False),  # in the order of first ingestion, kept by updates
    sa.Column("born", sa.Integer, nullable=False),
    sa.Column("died", sa.Integer, index=True),
    # What a listing needs of the record, so that a corpus of any size can be listed without reading records.
    sa.Column("status", sa.String, nullable=False, server_default=""),
    sa.Column("language", sa.String, nullable=False, server_default=""),
    sa.Column("chunk_count", sa.Integer, nullable=False, server_default="0"),
    sa.Column("facts", sa.LargeBinary, nullable=False, server_default=""),
    sa.Column("brief", sa.LargeBinary, nullable=False, server_default=""),
    sa.Column("record", sa.LargeBinary, nullable=False),  # the Document, as JSON
    sa.Column("given", sa.LargeBinary, nullable=False),  # the metadata given by whoever added it, as JSON
)
_LISTED = ("id", "row", "status", "language", "chunk_count", "facts")
# In the order of a listing, and with all that it holds: SQLite walks this index alone.
_listed = sa.Index("listed", *(_document.c[name] for name in ("place", "born", "died", *_LISTED) if name != "row"))
_LISTING = f"SELECT {', '.join(_LISTED)} FROM document WHERE born <= ?1 AND (died IS NULL OR died > ?1) ORDER BY place"
_lease = sa.Table(
    "lease",
    _tables,
    sa.Column("token", sa.String, primary_key=True),
    sa.Column("generation", sa.Integer, nullable=False),
    sa.Column("expires_at", sa.Float, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Generation:
    number: int
    chunks_version: int


@dataclass(frozen=True, slots=True)
class Stored:
    """A document as its row holds it."""

    document: Document
    given: Mapping[str, Any]  # metadata that came with `add`, apart from what the source itself says


@dataclass(frozen=True, slots=True)
class Lease:
    token: str
    generation: Generation
    expires_at: float  # seconds since the epoch


@dataclass(frozen=True, slots=True)
class Swept:
    oldest: Generation  # that is left
    documents: int  # rows that went


class State:
    """The only place where a write becomes visible: one transaction that adds a generation row."""

    def __init__(self, path: Path):
        self._path = path
        self._engine = _engine(path, "FULL")  # a generation that was announced survives a power cut
        self._leasing = _engine(path, "NORMAL")  # a lease need not: no process that holds one does
        self._listings: dict[int, Listing] = {}  # by generation, the newest last
        self._listing = threading.Lock()

    def create(self, identity: Identity, chunks_version: int) -> None:
        """Make the tables and the first, empty generation; a corpus exists once this has committed."""
        with self._engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        with self._engine.begin() as connection:
            _tables.create_all(connection)
            rows = [{"name": "format", "value": FORMAT}, {"name": "embedder", "value": asdict(identity)}]
            connection.execute(_setting.insert(), rows)
            connection.execute(_generation_row(1, chunks_version))

    def check(self) -> None:
        """Raise unless this is a corpus in the format that this program writes."""
        try:
            found = self._setting("format")
        except (DatabaseError, NoResultFound) as error:
            told = error.orig if isinstance(error, DatabaseError) else "it names no format"
            raise NotACorpus(f"{self._path} is not the state of a corpus: {told}") from error
        if not isinstance(found, int):
            raise NotACorpus(f"{self._path} is not the state of a corpus: its format is {found!r}")
        if found > FORMAT:
            raise FormatMismatch(
                f"{self._path.parent} was written by a newer Glossator (format {found}, this one reads {FORMAT}):"
                " upgrade Glossator"
            )
        if found < _OLDEST:
            raise FormatMismatch(
                f"{self._path.parent} was written by an older Glossator (format {found}, this one reads {_OLDEST} to"
                f" {FORMAT}) and must be built anew: `glossator --corpus NEW_FOLDER add PATH…`"
            )
        if found < FORMAT:
            self._upgrade()

    def _upgrade(self) -> None:
        """From format 1, which had no columns for listings; whole or not at all, and only once."""
        with self._engine.begin() as connection:
            one, two = (sa.cast(number, sa.JSON) for number in (1, FORMAT))
            mine = _setting.update().where(_setting.c.name == "format", _setting.c.value == one).values(value=two)
            if not connection.execute(mine).rowcount:
                return  # somebody else was faster
            for name in ("status", "language", "chunk_count", "facts", "brief"):
                column = sa.schema.CreateColumn(_document.c[name]).compile(dialect=connection.dialect)
                connection.exec_driver_sql(f"ALTER TABLE document ADD COLUMN {column}")
            for row, record in connection.execute(sa.select(_document.c.row, _document.c.record)).all():
                values = _listed_columns(document_of(record))
                connection.execute(_document.update().where(_document.c.row == row).values(values))
            _listed.create(connection)

    def identity(self) -> Identity:
        return Identity(**self._setting("embedder"))

    def _setting(self, name: str) -> Any:
        with self._engine.connect() as connection:
            return connection.execute(sa.select(_setting.c.value).where(_setting.c.name == name)).scalar_one()

    def newest(self) -> Generation:
        with self._engine.connect() as connection:
            return _newest(connection)

    def listing(self, generation: int) -> Listing:
        """The documents of one generation, in the order in which they were first stored; one for all who ask."""
        with self._listing:
            found = self._listings.pop(generation, None) or self._listed(generation)
            self._listings[generation] = found
            if len(self._listings) > _LISTINGS:
                del self._listings[next(iter(self._listings))]
            return found

    def _listed(self, generation: int) -> Listing:
        with self._engine.connect() as connection:
            rows = _raw(connection).execute(_LISTING, [generation])
            return Listing({row[0]: Entry._make(row) for row in rows}, self._column)

    def _column(self, name: str, rows: Sequence[int]) -> list[bytes]:
        """One column of these rows, in their order; without those that are not there any more."""
        query = f"SELECT document.{name} FROM json_each(?) AS asked JOIN document ON document.row = asked.value"
        with self._engine.connect() as connection:
            return [value for (value,) in _raw(connection).execute(query, [orjson.dumps(rows).decode()])]

    def stored(self, ids: Collection[str]) -> dict[str, Stored]:
        """The newest rows of those of `ids` that are stored."""
        query = sa.select(_document.c.record, _document.c.given).where(
            _document.c.died.is_(None), _document.c.id.in_(ids)
        )
        with self._engine.connect() as connection:
            rows = [Stored(document_of(record), orjson.loads(given)) for record, given in connection.execute(query)]
        return {row.document.id: row for row in rows}

    def publish(self, chunks_version: int, *, stored: Sequence[Stored] = (), removed: Collection[str] = ()) -> int:
        """Add a generation: `stored` replace documents of the same id, `removed` end. Under the writer lock."""
        with self._engine.begin() as connection:
            number = _newest(connection).number + 1
            replaced = [row.document.id for row in stored]
            places = _places(connection, replaced)
            ending = _document.c.died.is_(None) & _document.c.id.in_([*replaced, *removed])
            connection.execute(_document.update().where(ending).values(died=number))
            if stored:
                rows = [_row(row, number, place) for row, place in zip(stored, places, strict=True)]
                connection.execute(_document.insert(), rows)
            connection.execute(_generation_row(number, chunks_version))
            return number

    def lease(self) -> Lease:
        """Keep the newest generation readable until the lease is released or has ended."""
        token, expires_at = secrets.token_hex(8), time.time() + LEASE_S
        newest = sa.select(sa.func.max(_generation.c.number)).scalar_subquery()
        with self._leasing.begin() as connection:
            # The insert takes SQLite's write lock before it looks: no sweep can fall between looking and leasing.
            connection.execute(_lease.insert().values(token=token, generation=newest, expires_at=expires_at))
            return Lease(token, _newest(connection), expires_at)

    def release(self, token: str) -> None:
        with self._leasing.begin() as connection:
            connection.execute(_lease.delete().where(_lease.c.token == token))

    def sweep(self) -> Swept:
        """Forget the generations and document rows that no lease and not the newest generation needs."""
        with self._engine.begin() as connection:
            connection.execute(_lease.delete().where(_lease.c.expires_at < time.time()))
            leased = connection.execute(sa.select(sa.func.min(_lease.c.generation))).scalar_one()
            floor = min(_newest(connection).number, leased or _newest(connection).number)
            gone = connection.execute(_document.delete().where(_document.c.died <= floor))
            connection.execute(_generation.delete().where(_generation.c.number < floor))
            return Swept(_newest(connection, oldest=True), gone.rowcount)

    def digests(self) -> set[bytes]:
        """Of every file of every document row that is left, of whatever generation."""
        with self._engine.connect() as connection:
            rows = _raw(connection).execute("SELECT facts FROM document")
            return {digest for (facts,) in rows for digest in digests_of(facts)}

    def close(self) -> None:
        self._engine.dispose()
        self._leasing.dispose()


def _engine(path: Path, synchronous: str) -> sa.Engine:
    engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": _BUSY_S})
    event.listen(engine, "connect", lambda connection, _: connection.execute(f"PRAGMA synchronous={synchronous}"))
    return engine


def _alive_at(generation: int) -> sa.ColumnElement[bool]:
    ended = _document.c.died.is_not(None) & (_document.c.died <= generation)
    return (_document.c.born <= generation) & ~ended


def _newest(connection: sa.Connection, *, oldest: bool = False) -> Generation:
    number = _generation.c.number
    query = sa.select(number, _generation.c.chunks_version).order_by(number if oldest else number.desc()).limit(1)
    return Generation(*connection.execute(query).one())


def _generation_row(number: int, chunks_version: int) -> sa.Insert:
    return _generation.insert().values(number=number, chunks_version=chunks_version, published_at=time.time())


def _places(connection: sa.Connection, ids: Sequence[str]) -> list[int]:
    """The place of each of `ids`: its own, or the next free one."""
    query = sa.select(_document.c.id, _document.c.place).where(_document.c.died.is_(None), _document.c.id.in_(ids))
    known = {id: place for id, place in connection.execute(query)}
    last = connection.execute(sa.select(sa.func.max(_document.c.place))).scalar_one() or 0
    free = itertools.count(last + 1)
    return [known[id] if id in known else next(free) for id in ids]


def _raw(connection: sa.Connection) -> Any:
    """The driver's connection: rows in the thousands, without an object of SQLAlchemy for each."""
    return connection.connection.driver_connection


def _listed_columns(document: Document) -> dict[str, Any]:
    return {
        "status": document.status,
        "language": document.language or "",
        "chunk_count": document.chunk_count,
        "facts": facts_of(document),
        "brief": brief_of(document),
    }


def _row(stored: Stored, born: int, place: int) -> dict[str, Any]:
    return {
        "id": stored.document.id,
        "place": place,
        "born": born,
        **_listed_columns(stored.document),
        "record": orjson.dumps(asdict(stored.document)),
        "given": orjson.dumps(stored.given),
    }
