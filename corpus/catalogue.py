"""Collections in the state: who is in which, at which generation, and how the next one differs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from collections.abc import Collection as Ids
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

import orjson
import sqlalchemy as sa

from .errors import CollectionExists, CollectionMalformed
from .finding import named
from .schema import alive_at, among, collection, document, member

LONGEST_NAME = 100  # characters
LONGEST_TEXT = 4000  # characters of a description, of an option's name or value
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class Option(NamedTuple):
    """What somebody noted of a collection."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Collection:
    """A named set of documents, as one generation has it."""

    id: int
    name: str
    description: str
    options: tuple[Option, ...]  # in the order given; a name may stand more than once
    created_at: str  # ISO 8601, UTC
    updated_at: str  # when its description, options or documents last changed
    document_count: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The keys that programs see."""
        return asdict(self) | {"options": [option._asdict() for option in self.options]}


def at(connection: sa.Connection, generation: int) -> list[Collection]:
    """The collections of a generation by name, with their counts."""
    counts = (
        sa.select(member.c.collection, sa.func.count().label("documents"))
        .where(alive_at(member, generation))
        .group_by(member.c.collection)
        .subquery()
    )
    query = (
        sa.select(collection.c.record, sa.func.coalesce(counts.c.documents, 0))
        .outerjoin(counts, counts.c.collection == collection.c.id)
        .where(alive_at(collection, generation))
        .order_by(collection.c.name)
    )
    return [replace(_of(record), document_count=count) for record, count in connection.execute(query)]


def members(connection: sa.Connection, generation: int) -> dict[str, frozenset[str]]:
    """The ids of the documents in each collection of a generation."""
    found: dict[str, set[str]] = {each.name: set() for each in at(connection, generation)}
    query = (
        sa.select(collection.c.name, member.c.document)
        .join(member, member.c.collection == collection.c.id)
        .where(alive_at(collection, generation), alive_at(member, generation))
    )
    for name, id in connection.execute(query):
        found[name].add(id)
    return {name: frozenset(ids) for name, ids in found.items()}


class Catalogue:
    """The collections of the generation that a transaction is about to publish; lives as long as that.

    Every method raises before it has changed anything.
    """

    def __init__(self, connection: sa.Connection, number: int):
        self._connection = connection
        self._number = number
        self.changed = False

    def all(self) -> list[Collection]:
        """What the collections are by now, without counts."""
        query = sa.select(collection.c.record).where(collection.c.died.is_(None)).order_by(collection.c.name)
        return [_of(record) for (record,) in self._connection.execute(query)]

    def get(self, name: str) -> Collection:
        known = {each.name: each for each in self.all()}
        return known[named(name, known)]

    def create(self, name: str, description: str, options: Iterable[tuple[str, str]]) -> None:
        """A new collection without documents."""
        name, known = _name(name), {each.name.casefold(): each.name for each in self.all()}
        if taken := known.get(name.casefold()):
            raise CollectionExists(f"there is a collection {taken!r} already")
        ids = self._connection.execute(sa.select(sa.func.max(collection.c.id))).scalar_one()
        now = _now()
        self._open(Collection((ids or 0) + 1, name, _text(description), _options(options), now, now))

    def describe(self, name: str, description: str | None, options: Iterable[tuple[str, str]]) -> None:
        """Another description, and other values of these options; an option without a value goes."""
        old = self.get(name)
        given = _options(options)
        kept = tuple(option for option in old.options if option.name not in {each.name for each in given})
        text = old.description if description is None else _text(description)
        new = replace(old, description=text, options=(*kept, *(each for each in given if each.value)))
        if new != old:
            self._close(old)
            self._open(replace(new, updated_at=_now()))

    def rename(self, name: str, new: str) -> None:
        old, new = self.get(name), _name(new)
        if any(each.name.casefold() == new.casefold() for each in self.all() if each.id != old.id):
            raise CollectionExists(f"there is a collection {new!r} already")
        if new != old.name:
            self._close(old)
            self._open(replace(old, name=new, updated_at=_now()))

    def delete(self, name: str) -> None:
        """End a collection; its documents stay."""
        old = self.get(name)
        self._close(old)
        self._end(member.c.collection == old.id)

    def add(self, name: str, documents: Ids[str]) -> list[str]:
        """Put documents into a collection; those that were not in it. What is not stored any more is left out."""
        old = self.get(name)
        there = sa.select(document.c.id).where(document.c.died.is_(None), among(document.c.id, documents))
        free = set(self._connection.execute(there).scalars()) - self._members(old.id)
        new = [id for id in dict.fromkeys(documents) if id in free]
        if new:
            rows = [{"collection": old.id, "document": id, "born": self._number} for id in new]
            self._connection.execute(member.insert(), rows)
            self._touch(old)
        return new

    def remove(self, name: str, documents: Ids[str]) -> list[str]:
        """Take documents out of a collection; those that were in it."""
        old = self.get(name)
        known = self._members(old.id)
        gone = [id for id in dict.fromkeys(documents) if id in known]
        if gone:
            self._end((member.c.collection == old.id) & among(member.c.document, gone))
            self._touch(old)
        return gone

    def forget(self, documents: Ids[str]) -> None:
        """Documents leave the corpus, and with it every collection."""
        if documents:
            self._end(among(member.c.document, documents))

    def _members(self, id: int) -> set[str]:
        query = sa.select(member.c.document).where(member.c.collection == id, member.c.died.is_(None))
        return set(self._connection.execute(query).scalars())

    def _touch(self, old: Collection) -> None:
        self._close(old)
        self._open(replace(old, updated_at=_now()))

    def _open(self, new: Collection) -> None:
        record = orjson.dumps(new.as_dict())
        row = {"id": new.id, "name": new.name, "record": record, "born": self._number}
        self._connection.execute(collection.insert(), [row])
        self.changed = True

    def _close(self, old: Collection) -> None:
        ending = (collection.c.id == old.id) & collection.c.died.is_(None)
        # A row that was born in this very transaction was never visible.
        self._connection.execute(collection.delete().where(ending, collection.c.born == self._number))
        self._connection.execute(collection.update().where(ending).values(died=self._number))
        self.changed = True

    def _end(self, which: sa.ColumnElement[bool]) -> None:
        self._connection.execute(member.delete().where(which, member.c.born == self._number))
        ended = self._connection.execute(
            member.update().where(which, member.c.died.is_(None)).values(died=self._number)
        )
        self.changed |= ended.rowcount > 0


Collect = Callable[[Catalogue], object]


def leave(_catalogue: Catalogue) -> None:
    """The collections stay as they are."""


def _of(record: bytes) -> Collection:
    fields = orjson.loads(record)
    return Collection(**fields | {"options": tuple(Option(**option) for option in fields["options"])})


def _name(name: str) -> str:
    tidy = unicodedata.normalize("NFC", name).strip()
    if not tidy or len(tidy) > LONGEST_NAME or _CONTROL.search(tidy):
        told = f"{name[:LONGEST_NAME]!r} is no name of a collection"
        raise CollectionMalformed(f"{told}: it must be one line of 1 to {LONGEST_NAME} characters")
    return tidy


def _options(options: Iterable[tuple[str, str]]) -> tuple[Option, ...]:
    return tuple(Option(_name(name), _text(value)) for name, value in options)


def _text(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise CollectionMalformed(f"a description or value has {len(text)} characters, {LONGEST_TEXT} are allowed")
    return unicodedata.normalize("NFC", text).strip()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
