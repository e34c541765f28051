"""The documents of one generation, however many there are: ids at hand, records fetched when they are looked at."""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, ItemsView, Iterator, Mapping, Sequence, ValuesView
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import orjson

from .documents import FILE_KINDS, Document, File, FileKind
from .errors import SnapshotExpired

BRIEF = ("id", "title", "uri", "created_at", "metadata")  # what a listing tells of a document
PAGE = 512  # records that are fetched together when all are walked

_CHANGED = struct.Struct("<d")  # seconds since 1970, UTC
_FILE = struct.Struct("<32sQ")  # digest and size
_FACTS = struct.Struct(_CHANGED.format + _FILE.format[1:] * len(FILE_KINDS))
_DIGEST = 32

# Fetches one column of rows, in the order asked; rows that were swept meanwhile are left out.
Fetch = Callable[[str, Sequence[int]], list[bytes]]
# Looks up the documents of each collection.
Members = Callable[[], Mapping[str, frozenset[str]]]


class Entry(NamedTuple):
    """What a listing holds of a document."""

    id: str
    row: int
    status: str
    language: str  # "" when it is not known
    chunk_count: int
    facts: bytes  # packed: when it was changed, digests and sizes of its files


class Facts(NamedTuple):
    """What `stat` tells of a document's files."""

    changed: float  # seconds since 1970, UTC
    sizes: tuple[int, ...]  # bytes, in the order of FILE_KINDS


class Changes(NamedTuple):
    """What lies between two generations: ids of documents."""

    added: Sequence[str]
    updated: Sequence[str]
    removed: Sequence[str]


class Listing(Mapping[str, Document]):
    """Documents by id, in the order in which they were first stored. Never changes; shared between threads."""

    def __init__(self, entries: Mapping[str, Entry], fetch: Fetch, members: Members = dict) -> None:
        self._entries = entries
        self._fetch = fetch
        self._members = members

    def __getitem__(self, id: str) -> Document:
        return document_of(self._column("record", [self._entries[id]])[0])

    def __contains__(self, id: object) -> bool:
        return id in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def values(self) -> ValuesView[Document]:
        return _Values(self)

    def items(self) -> ItemsView[str, Document]:
        return _Items(self)

    def within(self, ids: Collection[str]) -> Listing:
        """The same without the documents that are not among `ids`."""
        entries = {id: entry for id, entry in self._entries.items() if id in ids}
        return Listing(entries, self._fetch, lambda: _meeting(self.collections, entries))

    @cached_property
    def collections(self) -> Mapping[str, frozenset[str]]:
        """Ids of the documents in each collection; a narrowed listing has the collections of its documents only."""
        return self._members()

    def among(self, ids: Sequence[str]) -> list[Document]:
        """These documents, in the order asked, at the price of one query."""
        return [document_of(record) for record in self._column("record", [self._entries[id] for id in ids])]

    def briefs(self, ids: Sequence[str]) -> list[bytes]:
        """JSON objects with the keys of `BRIEF`."""
        return self._column("brief", [self._entries[id] for id in ids])

    def facts(self, id: str) -> Facts:
        values = _FACTS.unpack(self._entries[id].facts)
        return Facts(values[0], values[2::2])

    def digests(self, kind: FileKind, ids: Sequence[str]) -> list[bytes]:
        """SHA-256 of one file of each document. KeyError names an unknown id."""
        start = _CHANGED.size + _FILE.size * FILE_KINDS.index(kind)
        entries = self._entries
        return [entries[id].facts[start : start + _DIGEST] for id in ids]

    def changes_since(self, before: Listing) -> Changes:
        """How this generation differs from an earlier one; new vectors and maintenance are no change."""
        new, old = self._entries, before._entries
        return Changes(
            added=[id for id in new if id not in old],
            updated=[id for id, entry in new.items() if id in old and entry.row != old[id].row],
            removed=[id for id in old if id not in new],
        )

    @cached_property
    def unreadable(self) -> Sequence[Document]:
        """The documents without text because reading them failed."""
        return self.among([entry.id for entry in self._entries.values() if entry.status == "unreadable"])

    @cached_property
    def languages(self) -> frozenset[str | None]:
        """Of all documents that can be searched; None stands for those of an unknown language."""
        return frozenset(entry.language or None for entry in self._entries.values() if entry.chunk_count)

    @cached_property
    def ids(self) -> bytes:
        """All ids in order, a line for each."""
        return "\n".join(self._entries).encode()

    def _column(self, name: str, entries: Sequence[Entry]) -> list[bytes]:
        values = self._fetch(name, [entry.row for entry in entries])
        if len(values) < len(entries):
            raise SnapshotExpired("this view of the corpus is older than what is kept: take a new one")
        return values

    def pages(self, start: int = 0, stop: int | None = None, size: int = PAGE) -> Iterator[list[str]]:
        """The ids from `start` to before `stop`, in portions whose records can be held at once."""
        following = islice(self._entries, start, stop)
        while page := list(islice(following, size)):
            yield page


class _Values(ValuesView[Document]):
    def __iter__(self) -> Iterator[Document]:
        listing: Any = self._mapping
        for page in listing.pages():
            yield from listing.among(page)


class _Items(ItemsView[str, Document]):
    def __iter__(self) -> Iterator[tuple[str, Document]]:
        return ((document.id, document) for document in _Values(self._mapping))


def _meeting(collections: Mapping[str, frozenset[str]], ids: Mapping[str, object]) -> dict[str, frozenset[str]]:
    """The collections of these documents; of the others not even the names."""
    return {name: met for name, members in collections.items() if (met := members & ids.keys())}


def facts_of(document: Document) -> bytes:
    """The packed facts of a document."""
    files = [document.files[kind] for kind in FILE_KINDS]
    changed = datetime.fromisoformat(document.updated_at).timestamp()
    return _FACTS.pack(changed, *(value for file in files for value in (bytes.fromhex(file.digest), file.size)))


def digests_of(facts: bytes) -> tuple[bytes, ...]:
    """Of the five files, from packed facts."""
    return _FACTS.unpack(facts)[1::2]


def brief_of(document: Document) -> bytes:
    return orjson.dumps({name: getattr(document, name) for name in BRIEF}, option=orjson.OPT_NON_STR_KEYS)


def document_of(record: bytes) -> Document:
    """The document of a stored record."""
    fields = orjson.loads(record)
    fields["files"] = {kind: File(**file) for kind, file in fields["files"].items()}
    return Document(**fields)
