"""The host half of `/documents`: answers the guest from one generation, and knows which files were opened."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import accumulate, compress, takewhile
from typing import Any, Protocol

from ..corpus.documents import FILE_KINDS, FileKind
from ..corpus.listing import MICROSECONDS, Files, Listing
from .guest.marks import unpacked
from .limits import MOST_READAHEAD, FileLimits

Header = dict[str, Any]
Reply = tuple[Header, Sequence[bytes]]

MOST_AT_ONCE = MOST_READAHEAD  # documents that one request may name
INLINE_BYTES = 1 << 20  # batches up to here are read on the event loop: cheaper than a thread


class Snapshot(Protocol):
    """What is needed of `glossator.corpus.Snapshot`: one generation, in which nothing changes."""

    @property
    def generation(self) -> int: ...
    @property
    def documents(self) -> Listing: ...
    def read_at(self, kind: FileKind, positions: Sequence[int]) -> list[bytes]: ...


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the corpus a cell has read."""

    documents: int  # in scope
    opened: int  # of which the cell that finished last has opened a file
    unreadable: int  # in scope, without readable text


_DEFAULTS = FileLimits()


class _Refused(Exception):
    """A request that an honest guest would not send."""


@dataclass(frozen=True, slots=True)
class _View:
    """One generation, narrowed to the scope, and what of it was delivered."""

    snapshot: Snapshot
    documents: Listing
    digest: str  # of the listing
    delivered: dict[FileKind, bytearray] = field(default_factory=dict)  # by kind a flag for each position

    @classmethod
    def of(cls, snapshot: Snapshot, documents: Listing) -> _View:
        unreadable = [f"{each.id} {each.status} {each.reason}\n".encode() for each in documents.unreadable]
        return cls(snapshot, documents, _hashed([documents.lines, b"\n", *unreadable]))

    def deliver(self, kind: FileKind, positions: Sequence[int]) -> None:
        flags = self.delivered.setdefault(kind, bytearray(len(self.documents)))
        for position in positions:
            flags[position] = 1

    def marked(self, kind: FileKind, digits: object) -> bytes:
        """Flags of the documents whose file the guest says it has opened (hostile), as far as it was delivered."""
        flags = self.delivered.get(kind, b"")
        both = int.from_bytes(flags) & int.from_bytes(unpacked(digits, len(flags)))
        return both.to_bytes(len(flags))

    def told(self, looked: bool, opened: Mapping[FileKind, bytes], described: bytes) -> dict[str, str]:
        """Digests of the listing if a cell looked at it, of the files that it opened, of the facts that it was told."""
        told = {"documents": self.digest} if looked else {}
        for kind, flags in opened.items():
            if any(flags):  # a blob has one content for ever
                told[kind] = self._digest(flags, self.documents.files.blobs(kind))
        if any(described):
            files = self.documents.files
            told["stat"] = self._digest(described, files.changed, *map(files.sizes, FILE_KINDS))
        return told

    def _digest(self, flags: bytes, *columns: Sequence[int]) -> str:
        ids = "\n".join(compress(self.documents.ids, flags)).encode()
        return _hashed([ids, *(array("Q", compress(column, flags)).tobytes() for column in columns)])

    async def files(self) -> Files:
        """The columns of sizes; looked up in a thread, as those of 100,000 documents take a tenth of a second."""
        if not self.documents.has_files:
            await asyncio.to_thread(getattr, self.documents, "files")
        return self.documents.files

    def rows(self) -> list[dict[str, str]]:
        """The unreadable ones as the guest lists them."""
        unreadable = self.documents.unreadable
        return [{"id": each.id, "title": each.title, "reason": each.reason or each.status} for each in unreadable]


class DocumentFiles:
    """The documents of one session, or those of `document_ids` among them.

    `snapshot` is awaited at the first look of a cell at `/documents`, never earlier; the generation that it gives stays
    until the next cell looks.
    """

    def __init__(
        self,
        snapshot: Callable[[], Awaitable[Snapshot]],
        document_ids: frozenset[str] | None = None,
        limits: FileLimits = _DEFAULTS,
    ) -> None:
        self._limits = limits
        self._snapshot = snapshot
        self._scope = document_ids
        self._view: _View | None = None
        self._looked = False  # whether the cell that runs has asked for the listing
        self._told: dict[str, str] = {}
        self.opened: Mapping[FileKind, frozenset[str]] = {}  # documents by the files that the last cell has opened

    @property
    def last(self) -> frozenset[str]:
        """Documents of which the cell that finished last has opened a file."""
        return frozenset().union(*self.opened.values())

    def coverage(self) -> Coverage | None:
        """Counts for the footer of a cell; None as long as no cell has looked at `/documents`."""
        if self._view is None:
            return None
        return Coverage(len(self._view.documents), len(self.last), len(self._view.documents.unreadable))

    async def request(self, header: Header) -> Reply:
        """Answer `list`, `stat` or `read`; a refusal is a reply with the key `error`. `header` is hostile."""
        try:
            match header:
                case {"op": "list"}:
                    return await self._list(header.get("generation"))
                case {"op": "stat"}:
                    return await self._stat(*self._asked(header)), ()
                case {"op": "read", "kind": kind} if kind in FILE_KINDS:
                    return await self._read(kind, *self._asked(header))
            raise _Refused("unknown request")
        except _Refused as refusal:
            return {"error": str(refusal)}, ()

    def finish(self, report: Header) -> None:
        """Note what the guest says it has opened, as far as it was delivered. `report` is hostile."""
        report = report if isinstance(report, dict) else {}
        named, view = report.get("opened"), self._view
        self.opened, self._told = {}, {}
        if view is None:
            return
        named = named if isinstance(named, dict) else {}
        opened = {kind: view.marked(kind, named[kind]) for kind in FILE_KINDS if kind in named}
        self.opened = {kind: frozenset(compress(view.documents.ids, flags)) for kind, flags in opened.items()}
        self._told = view.told(self._looked, opened, unpacked(report.get("described"), len(view.documents)))
        self._looked = False

    def told(self) -> Mapping[str, str]:
        """What the cell that finished last learnt, for a session's journal: equal for equal documents.

        Another generation is as good, as are changes in what the cell did not look at.
        """
        return self._told

    async def _list(self, known: object) -> Reply:
        """The ids in order, a line for each, unless the guest knows this generation already."""
        snapshot = await self._snapshot()
        view = self._view
        if view is None or view.snapshot.generation != snapshot.generation:
            documents = snapshot.documents if self._scope is None else snapshot.documents.within(self._scope)
            view = _View.of(snapshot, documents)
        self._view = replace(view, snapshot=snapshot)  # the newest lease, even on the same generation
        self._looked = True
        if known == snapshot.generation:
            return {"generation": snapshot.generation}, ()
        bounds = {"cache_bytes": self._limits.cache_bytes, "readahead": self._limits.readahead}
        return {"generation": snapshot.generation, "unreadable": view.rows(), **bounds}, [view.documents.lines]

    def _asked(self, header: Header) -> tuple[_View, Sequence[int]]:
        """The positions that a request names, all of them in scope and in the generation that the guest knows."""
        view, at = self._view, header.get("at")
        if view is None or header.get("generation") != view.snapshot.generation:
            raise _Refused("another generation")
        if not isinstance(at, list) or not 0 < len(at) <= MOST_AT_ONCE:
            raise _Refused(f"between 1 and {MOST_AT_ONCE} documents can be asked for")
        try:
            positions = array("I", at)  # nothing but integers from 0
        except (TypeError, OverflowError) as error:
            raise _Refused("no positions") from error
        if max(positions) >= len(view.documents):
            raise _Refused("no such document")
        return view, positions

    async def _stat(self, view: _View, at: Sequence[int]) -> Header:
        """Times and sizes, the sizes of each kind together."""
        files = await view.files()
        columns = [files.sizes(kind) for kind in FILE_KINDS]
        sizes = [[column[position] for position in at] for column in columns]
        return {"modified": [files.changed[position] / MICROSECONDS for position in at], "sizes": sizes}

    async def _read(self, kind: FileKind, view: _View, at: Sequence[int]) -> Reply:
        """The bodies of the first documents, as many as fit into a batch, at least one."""
        sizes = (await view.files()).sizes(kind)
        ends = list(takewhile(self._limits.batch_bytes.__ge__, accumulate(sizes[position] for position in at)))
        fitting, total = (at[: len(ends)], ends[-1]) if ends else (at[:1], sizes[at[0]])
        read = view.snapshot.read_at
        bodies = read(kind, fitting) if total <= INLINE_BYTES else await asyncio.to_thread(read, kind, fitting)
        view.deliver(kind, fitting)
        return {}, bodies


def _hashed(parts: Sequence[bytes]) -> str:
    return blake2b(b"".join(parts), digest_size=16).hexdigest()
