"""What is published: generations, the documents of each, leases and settings, in one SQLite file."""

from __future__ import annotations

import itertools
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DatabaseError, NoResultFound

from .documents import Document, File
from .embed import Identity
from .errors import FormatMismatch, NotACorpus

# Of everything in a corpus's folder; raised with every change of a schema. See tests/corpus/test_format.py.
FORMAT = 1
LEASE_S = 24 * 3600.0  # how long a generation stays readable for one who does not close his snapshot
_BUSY_S = 60.0

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
    sa.Column("record", sa.LargeBinary, nullable=False),  # the Document, as JSON
    sa.Column("given", sa.LargeBinary, nullable=False),  # the metadata given by whoever added it, as JSON
)
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
        self._engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": _BUSY_S})
        event.listen(self._engine, "connect", _configure)

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
        if found < FORMAT:
            raise FormatMismatch(
                f"{self._path.parent} was written by an older Glossator (format {found}, this one reads {FORMAT}) and"
                " must be built anew: `glossator --corpus NEW_FOLDER add PATH…`"
            )

    def identity(self) -> Identity:
        return Identity(**self._setting("embedder"))

    def _setting(self, name: str) -> Any:
        with self._engine.connect() as connection:
            return connection.execute(sa.select(_setting.c.value).where(_setting.c.name == name)).scalar_one()

    def newest(self) -> Generation:
        with self._engine.connect() as connection:
            return _newest(connection)

    def documents(self, generation: int) -> dict[str, Document]:
        """The documents of one generation by id, in the order in which they were first stored."""
        query = sa.select(_document.c.record).where(_alive_at(generation)).order_by(_document.c.place)
        with self._engine.connect() as connection:
            documents = map(_document_of, connection.execute(query).scalars())
            return {document.id: document for document in documents}

    def changed(self, after: int, until: int) -> bool:
        """Whether documents came, changed or went in the generations after `after`, up to and with `until`.

        True as well when `after` has been swept: what went since is no longer known.
        """
        known = sa.exists().where(_generation.c.number == after)
        within = [column.between(after + 1, until) for column in (_document.c.born, _document.c.died)]
        with self._engine.connect() as connection:
            return bool(connection.execute(sa.select(~known | sa.exists().where(sa.or_(*within)))).scalar_one())

    def stored(self, ids: Collection[str]) -> dict[str, Stored]:
        """The newest rows of those of `ids` that are stored."""
        query = sa.select(_document.c.record, _document.c.given).where(
            _document.c.died.is_(None), _document.c.id.in_(ids)
        )
        with self._engine.connect() as connection:
            rows = [Stored(_document_of(record), orjson.loads(given)) for record, given in connection.execute(query)]
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
        with self._engine.begin() as connection:
            # The insert takes SQLite's write lock before it looks: no sweep can fall between looking and leasing.
            connection.execute(_lease.insert().values(token=token, generation=newest, expires_at=expires_at))
            return Lease(token, _newest(connection), expires_at)

    def release(self, token: str) -> None:
        with self._engine.begin() as connection:
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

    def digests(self) -> set[str]:
        """Of every file of every document row that is left, of whatever generation."""
        with self._engine.connect() as connection:
            records = map(orjson.loads, connection.execute(sa.select(_document.c.record)).scalars())
            return {file["digest"] for record in records for file in record["files"].values()}

    def close(self) -> None:
        self._engine.dispose()


def _configure(connection: Any, _record: Any) -> None:
    # FULL: a generation that was announced survives a power cut.
    connection.execute("PRAGMA synchronous=FULL")


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


def _row(stored: Stored, born: int, place: int) -> dict[str, Any]:
    return {
        "id": stored.document.id,
        "place": place,
        "born": born,
        "record": orjson.dumps(asdict(stored.document)),
        "given": orjson.dumps(stored.given),
    }


def _document_of(record: bytes) -> Document:
    fields = orjson.loads(record)
    fields["files"] = {kind: File(**file) for kind, file in fields["files"].items()}
    return Document(**fields)
