"""The documents of one generation, however many there are: ids at hand, everything else when it is looked at."""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Collection, ItemsView, Iterator, Mapping, Sequence, ValuesView
from datetime import datetime
from functools import cached_property
from itertools import compress, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import orjson

from .documents import FILE_KINDS, Document, File, FileKind, Picture
from .errors import SnapshotExpired

if TYPE_CHECKING:
    from .blobs import Blobs

BRIEF = ("id", "title", "uri", "created_at", "metadata")  # what a listing tells of a document
PAGE = 512  # records that are fetched together when all are walked

# A document's facts are words of 64 bits, so that a column of them is a slice: when it was changed, then of each file
# the number of its blob and its size.
_WORDS = 1 + 2 * len(FILE_KINDS)
_FACTS = struct.Struct(f"<{_WORDS}Q")
MICROSECONDS = 1_000_000  # of a second


class PictureFile(NamedTuple):
    """Where a picture of a document is kept, and what it is."""

    ref: str  # self_ref of its item
    media_type: str
    width: int  # pixels
    height: int
    digest: str  # SHA-256 of the bytes, hexadecimal
    number: int  # of its blob


class Columns(NamedTuple):
    """What is looked up of all documents at once, in their order."""

    rows: Sequence[int]
    facts: bytes  # packed, back to back


class Lookup(Protocol):
    """Where a listing looks up what it does not hold (`shelf.Shelf`)."""

    def columns(self) -> Columns: ...
    def column(self, name: str, rows: Sequence[int]) -> list[bytes]:
        """One column of rows, in the order asked; rows that were swept meanwhile are left out."""
        ...

    def pages(self, name: str, start: int, stop: int | None, size: int) -> Iterator[list[bytes]]:
        """One column of the documents from position `start` to before `stop`, `size` at a time."""
        ...

    def unreadable(self) -> list[str]:
        """The ids of documents without text because reading them failed, in order."""
        ...

    def collections(self) -> Mapping[str, frozenset[str]]:
        """The ids of the documents in each collection."""
        ...

    def languages(self, rows: Sequence[int] | None) -> set[str]:
        """Of those documents among `rows` (None: of all) that can be searched; "" stands for an unknown one."""
        ...


class Files:
    """Times, sizes and blobs of the documents' files, each a column by the documents' positions."""

    def __init__(self, facts: bytes) -> None:
        words = array("Q", facts)
        if sys.byteorder == "big":
            words.byteswap()
        self._words = memoryview(words)
        self.changed = self._words[::_WORDS]  # microseconds since 1970, UTC

    def blobs(self, kind: FileKind) -> Sequence[int]:
        """The numbers of the blobs."""
        return self._words[1 + 2 * FILE_KINDS.index(kind) :: _WORDS]

    def sizes(self, kind: FileKind) -> Sequence[int]:
        """In bytes."""
        return self._words[2 + 2 * FILE_KINDS.index(kind) :: _WORDS]


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

    def __init__(self, ids: Sequence[str], lookup: Lookup, *, whole: bool = True) -> None:
        self.ids = ids  # a document's position is its index in here
        self._lookup = lookup
        self._whole = whole  # True iff these are all documents of the generation

    def __getitem__(self, id: str) -> Document:
        return self.among([id])[0]

    def __contains__(self, id: object) -> bool:
        return id in self.positions

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def __len__(self) -> int:
        return len(self.ids)

    def values(self) -> ValuesView[Document]:
        return _Values(self)

    def items(self) -> ItemsView[str, Document]:
        return _Items(self)

    def within(self, ids: Collection[str]) -> Listing:
        """The same without the documents that are not among `ids`."""
        return Listing([id for id in self.ids if id in ids], _Narrowed(self, ids), whole=False)

    def among(self, ids: Sequence[str]) -> list[Document]:
        """These documents, in the order asked, at the price of one query. KeyError names an unknown id."""
        return [document_of(record) for record in self._column("record", ids)]

    def briefs(self, start: int = 0, stop: int | None = None, size: int = PAGE) -> Iterator[list[bytes]]:
        """JSON objects with the keys of `BRIEF`, of the documents from `start` to before `stop`, `size` at a time."""
        return self._lookup.pages("brief", start, stop, size)

    def facts(self, id: str) -> Facts:
        position, files = self.positions[id], self.files
        sizes = (files.sizes(kind)[position] for kind in FILE_KINDS)
        return Facts(files.changed[position] / MICROSECONDS, tuple(sizes))

    def pictures(self, ids: Sequence[str]) -> list[PictureFile]:
        """The pictures of documents, in their order."""
        return [picture for packed in self._column("pictures", ids) for picture in pictures_of(packed)]

    def changes_since(self, before: Listing) -> Changes:
        """How this generation differs from an earlier one; new vectors and maintenance are no change."""
        new, old = (dict(zip(each.ids, each.columns.rows, strict=True)) for each in (self, before))
        return Changes(
            added=[id for id in new if id not in old],
            updated=[id for id, row in new.items() if id in old and row != old[id]],
            removed=[id for id in old if id not in new],
        )

    def pages(self, start: int = 0, stop: int | None = None, size: int = PAGE) -> Iterator[Sequence[str]]:
        """The ids from `start` to before `stop`, in portions whose records can be held at once."""
        following = islice(self.ids, start, stop)
        while page := list(islice(following, size)):
            yield page

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """By id."""
        return {id: position for position, id in enumerate(self.ids)}

    @cached_property
    def lines(self) -> bytes:
        """All ids in order, a line for each."""
        return "\n".join(self.ids).encode()

    @cached_property
    def columns(self) -> Columns:
        found = self._lookup.columns()
        if len(found.rows) != len(self.ids):
            raise _expired()
        return found

    @cached_property
    def files(self) -> Files:
        return Files(self.columns.facts)

    @property
    def has_files(self) -> bool:
        """Whether `files` was looked up already."""
        return "files" in vars(self)

    @cached_property
    def unreadable(self) -> Sequence[Document]:
        """The documents without text because reading them failed."""
        return self.among(self._lookup.unreadable())

    @cached_property
    def collections(self) -> Mapping[str, frozenset[str]]:
        """Ids of the documents in each collection; a narrowed listing has the collections of its documents only."""
        return self._lookup.collections()

    @cached_property
    def languages(self) -> frozenset[str | None]:
        """Of all documents that can be searched; None stands for those of an unknown language."""
        found = self._lookup.languages(None if self._whole else self.columns.rows)
        return frozenset(language or None for language in found)

    def _column(self, name: str, ids: Sequence[str]) -> list[bytes]:
        positions, rows = self.positions, self.columns.rows if ids else ()
        values = self._lookup.column(name, [rows[positions[id]] for id in ids])
        if len(values) < len(ids):
            raise _expired()
        return values


class _Narrowed:
    """What a listing looks up that is part of another one."""

    def __init__(self, whole: Listing, ids: Collection[str]) -> None:
        self._whole = whole
        self._ids = ids
        self.column = whole._lookup.column
        self.languages = whole._lookup.languages

    def columns(self) -> Columns:
        rows, facts = self._whole.columns
        wanted = [id in self._ids for id in self._whole.ids]
        parts = (facts[start : start + _FACTS.size] for start in range(0, len(facts), _FACTS.size))
        return Columns(array("q", compress(rows, wanted)), b"".join(compress(parts, wanted)))

    def pages(self, name: str, start: int, stop: int | None, size: int) -> Iterator[list[bytes]]:
        rows = self._rows[start:stop]
        return (self.column(name, rows[first : first + size]) for first in range(0, len(rows), size))

    @cached_property
    def _rows(self) -> Sequence[int]:
        return self.columns().rows

    def collections(self) -> Mapping[str, frozenset[str]]:
        """Of the documents outside not even the names."""
        mine = {id for id in self._whole.ids if id in self._ids}
        return {name: met for name, members in self._whole.collections.items() if (met := members & mine)}

    def unreadable(self) -> list[str]:
        return [document.id for document in self._whole.unreadable if document.id in self._ids]


class _Values(ValuesView[Document]):
    def __iter__(self) -> Iterator[Document]:
        listing: Any = self._mapping
        for page in listing.pages():
            yield from listing.among(page)


class _Items(ItemsView[str, Document]):
    def __iter__(self) -> Iterator[tuple[str, Document]]:
        return ((document.id, document) for document in _Values(self._mapping))


def _expired() -> SnapshotExpired:
    return SnapshotExpired("this view of the corpus is older than what is kept: take a new one")


def facts_of(document: Document, blobs: Mapping[str, int]) -> bytes:
    """The packed facts of a document; `blobs` has the numbers of its files by digest."""
    files = [document.files[kind] for kind in FILE_KINDS]
    changed = round(datetime.fromisoformat(document.updated_at).timestamp() * MICROSECONDS)
    return _FACTS.pack(changed, *(word for file in files for word in (blobs[file.digest], file.size)))


def blobs_of(facts: bytes) -> tuple[int, ...]:
    """The numbers of the five files, from packed facts."""
    return _FACTS.unpack(facts)[1::2]


def pictures_of(packed: bytes) -> list[PictureFile]:
    """The pictures of a document, from what its row says of them."""
    return [PictureFile(*fields) for fields in orjson.loads(packed)] if packed else []


def pictures_in(listing: Listing, blobs: Blobs, id: str) -> list[Picture]:
    """The pictures of a document with their bytes; KeyError when they were swept."""
    files = listing.pictures([id])
    bodies = blobs.peek([file.number for file in files])
    return [Picture(*file[:4], body) for file, body in zip(files, bodies, strict=True)]


def packed_pictures(pictures: Sequence[Picture], digests: Sequence[str], blobs: Mapping[str, int]) -> bytes:
    """What a document's row says of its pictures; nothing if it has none."""
    told = [
        PictureFile(picture.ref, picture.media_type, picture.width, picture.height, digest, blobs[digest])
        for picture, digest in zip(pictures, digests, strict=True)
    ]
    return orjson.dumps([tuple(each) for each in told]) if told else b""


def brief_of(document: Document) -> bytes:
    return orjson.dumps({name: getattr(document, name) for name in BRIEF}, option=orjson.OPT_NON_STR_KEYS)


def document_of(record: bytes) -> Document:
    """The document of a stored record."""
    fields = orjson.loads(record)
    fields["files"] = {kind: File(**file) for kind, file in fields["files"].items()}
    return Document(**fields)
