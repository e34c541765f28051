"""What is published: generations, the documents of each, leases and settings, in one SQLite file."""

from __future__ import annotations

import itertools
import secrets
import threading
import time
from collections.abc import Collection as Ids
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DatabaseError, NoResultFound

from . import catalogue, schema
from .blobs import Blobs, describe
from .catalogue import Catalogue, Collect, Collection, leave
from .documents import Document, Picture
from .embed import Identity
from .errors import FormatMismatch, NotACorpus
from .listing import Listing, blobs_of, brief_of, document_of, facts_of, packed_pictures, pictures_of
from .schema import FORMAT, among
from .shelf import Shelf, driver
from .upgrades import OLDEST, upgrade

LEASE_S = 24 * 3600.0  # how long a generation stays readable for one who does not close his snapshot
_BUSY_S = 60.0
_LISTINGS = 2  # generations whose listings are kept for the next session


@dataclass(frozen=True, slots=True)
class Generation:
    number: int
    chunks_version: int


@dataclass(frozen=True, slots=True)
class Stored:
    """A document as its row holds it."""

    document: Document
    given: Mapping[str, Any]  # metadata that came with `add`, apart from what the source itself says
    pictures: tuple[Picture, ...] = ()  # to be published with it; not looked up again


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
            schema.TABLES.create_all(connection)
            rows = [{"name": "format", "value": FORMAT}, {"name": "embedder", "value": asdict(identity)}]
            connection.execute(schema.setting.insert(), rows)
            connection.execute(_generation_row(1, chunks_version))

    def check(self) -> None:
        """Raise unless this is a corpus in a format that this program reads."""
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
        if found < OLDEST:
            raise FormatMismatch(
                f"{self._path.parent} was written by an older Glossator (format {found}, this one reads {OLDEST} to"
                f" {FORMAT}) and must be built anew: `glossator --corpus NEW_FOLDER add PATH…`"
            )

    def upgrade(self, blobs: Blobs) -> None:
        """Bring a corpus of an older format up to date; its parts must be there."""
        if (found := self._setting("format")) < FORMAT:
            upgrade(self._engine, found, blobs)

    def identity(self) -> Identity:
        return Identity(**self._setting("embedder"))

    def _setting(self, name: str) -> Any:
        with self._engine.connect() as connection:
            query = sa.select(schema.setting.c.value).where(schema.setting.c.name == name)
            return connection.execute(query).scalar_one()

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
        shelf = Shelf(self._engine, generation)
        return Listing(shelf.ids(), shelf)

    def collections(self, generation: int) -> list[Collection]:
        """The collections of one generation, by name."""
        with self._engine.connect() as connection:
            return catalogue.at(connection, generation)

    def stored(self, ids: Ids[str]) -> dict[str, Stored]:
        """The newest rows of those of `ids` that are stored."""
        document = schema.document.c
        query = sa.select(document.record, document.given).where(document.died.is_(None), among(document.id, ids))
        with self._engine.connect() as connection:
            rows = [Stored(document_of(record), orjson.loads(given)) for record, given in connection.execute(query)]
        return {row.document.id: row for row in rows}

    def ids(self, uris: Ids[str]) -> dict[str, str]:
        """The ids of the documents that are stored under these uris, by uri."""
        document = schema.document.c
        query = sa.select(document.uri, document.id).where(document.died.is_(None), among(document.uri, uris))
        with self._engine.connect() as connection:
            return {uri: id for uri, id in connection.execute(query)}

    def beneath(self, uri: str) -> dict[str, Document]:
        """The documents whose uri begins with `uri`, by uri, in the order of their ingestion."""
        document = schema.document.c
        # Behind every uri that goes on after `uri`: percent-encoding leaves no such character in one.
        within = (document.uri >= uri) & (document.uri < uri + "\U0010ffff")
        query = sa.select(document.record).where(document.died.is_(None), within).order_by(document.place)
        with self._engine.connect() as connection:
            documents = [document_of(record) for (record,) in connection.execute(query)]
        return {document.uri: document for document in documents}

    def publish(
        self,
        chunks_version: int,
        *,
        stored: Sequence[Stored] = (),
        removed: Ids[str] = (),
        blobs: Mapping[str, int] = MappingProxyType({}),
        collect: Collect = leave,
        embedder: Identity | None = None,
    ) -> int:
        """Add a generation: `stored` replace documents of the same id, `removed` end, and `collect` may change the
        collections. `blobs` has the numbers of the files of `stored` by digest; `embedder` is remembered instead of the
        one before. When nothing at all changes there is no new generation. Under the writer lock.
        """
        with self._engine.begin() as connection:
            newest = _newest(connection)
            number = newest.number + 1
            replaced = [row.document.id for row in stored]
            places = _places(connection, replaced)
            ending = schema.document.c.died.is_(None) & among(schema.document.c.id, [*replaced, *removed])
            connection.execute(schema.document.update().where(ending).values(died=number))
            if stored:
                rows = [_row(row, number, place, blobs) for row, place in zip(stored, places, strict=True)]
                connection.execute(schema.document.insert(), rows)
            changing = Catalogue(connection, number)
            changing.forget(removed)
            collect(changing)
            if not (stored or removed or changing.changed or chunks_version != newest.chunks_version):
                return newest.number
            if embedder is not None:
                mine = schema.setting.c.name == "embedder"
                connection.execute(schema.setting.update().where(mine).values(value=asdict(embedder)))
            connection.execute(_generation_row(number, chunks_version))
            return number

    def lease(self) -> Lease:
        """Keep the newest generation readable until the lease is released or has ended."""
        token, expires_at = secrets.token_hex(8), time.time() + LEASE_S
        newest = sa.select(sa.func.max(schema.generation.c.number)).scalar_subquery()
        with self._leasing.begin() as connection:
            # The insert takes SQLite's write lock before it looks: no sweep can fall between looking and leasing.
            connection.execute(schema.lease.insert().values(token=token, generation=newest, expires_at=expires_at))
            return Lease(token, _newest(connection), expires_at)

    def release(self, token: str) -> None:
        with self._leasing.begin() as connection:
            connection.execute(schema.lease.delete().where(schema.lease.c.token == token))

    def has_leased(self, token: str) -> bool:
        with self._leasing.connect() as connection:
            query = sa.select(sa.func.count()).where(schema.lease.c.token == token)
            return connection.execute(query).scalar_one() > 0

    def revoke(self) -> None:
        """End every lease, whoever holds it."""
        with self._engine.begin() as connection:
            connection.execute(schema.lease.delete())

    def sweep(self) -> Swept:
        """Forget the generations and document rows that no lease and not the newest generation needs."""
        with self._engine.begin() as connection:
            connection.execute(schema.lease.delete().where(schema.lease.c.expires_at < time.time()))
            leased = connection.execute(sa.select(sa.func.min(schema.lease.c.generation))).scalar_one()
            floor = min(_newest(connection).number, leased or _newest(connection).number)
            gone, *_ = [connection.execute(table.delete().where(table.c.died <= floor)) for table in schema.VERSIONED]
            connection.execute(schema.generation.delete().where(schema.generation.c.number < floor))
            return Swept(_newest(connection, oldest=True), gone.rowcount)

    def blobs(self) -> Iterator[int]:
        """The numbers of all files and pictures of every document row that is left, whatever its generation; some more
        than once."""
        with self._engine.connect() as connection:
            for (facts,) in driver(connection).execute("SELECT facts FROM document"):
                yield from blobs_of(facts)
            query = "SELECT pictures FROM document INDEXED BY pictured WHERE pictures != ''"
            for (packed,) in driver(connection).execute(query):
                yield from (picture.number for picture in pictures_of(packed))

    def close(self) -> None:
        self._engine.dispose()
        self._leasing.dispose()


def _engine(path: Path, synchronous: str) -> sa.Engine:
    engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": _BUSY_S})
    event.listen(engine, "connect", lambda connection, _: connection.execute(f"PRAGMA synchronous={synchronous}"))
    return engine


def _newest(connection: sa.Connection, *, oldest: bool = False) -> Generation:
    number = schema.generation.c.number
    query = sa.select(number, schema.generation.c.chunks_version).order_by(number if oldest else number.desc()).limit(1)
    return Generation(*connection.execute(query).one())


def _generation_row(number: int, chunks_version: int) -> sa.Insert:
    return schema.generation.insert().values(number=number, chunks_version=chunks_version, published_at=time.time())


def _places(connection: sa.Connection, ids: Sequence[str]) -> list[int]:
    """The place of each of `ids`: its own, or the next free one."""
    document = schema.document.c
    query = sa.select(document.id, document.place).where(document.died.is_(None), among(document.id, ids))
    known = {id: place for id, place in connection.execute(query)}
    last = connection.execute(sa.select(sa.func.max(document.place))).scalar_one() or 0
    free = itertools.count(last + 1)
    return [known[id] if id in known else next(free) for id in ids]


def _row(stored: Stored, born: int, place: int, blobs: Mapping[str, int]) -> dict[str, Any]:
    document = stored.document
    return {
        "id": document.id,
        "place": place,
        "born": born,
        "status": document.status,
        "language": document.language or "",
        "chunk_count": document.chunk_count,
        "facts": facts_of(document, blobs),
        "brief": brief_of(document),
        "record": orjson.dumps(asdict(document)),
        "given": orjson.dumps(stored.given),
        "uri": document.uri,
        "pictures": packed_pictures(stored.pictures, [describe(each.data).digest for each in stored.pictures], blobs),
    }
