"""The host half of `/documents`: answers the guest from one generation, and knows which files were opened."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate, takewhile
from typing import Any, Protocol

from ..corpus.documents import FILE_KINDS, FileKind
from ..corpus.listing import Facts, Listing

Header = dict[str, Any]
Reply = tuple[Header, Sequence[bytes]]

BATCH_IDS = 4096  # documents that one request may name
INLINE_BYTES = 1 << 20  # batches up to here are read on the event loop: cheaper than a thread


class Snapshot(Protocol):
    """What is needed of `glossator.corpus.Snapshot`: one generation, in which nothing changes."""

    @property
    def generation(self) -> int: ...
    @property
    def documents(self) -> Listing: ...
    def read(self, kind: FileKind, ids: Sequence[str]) -> list[bytes]: ...


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the corpus a cell has read."""

    documents: int  # in scope
    opened: int  # of which the cell that finished last has opened a file
    unreadable: int  # in scope, without readable text


@dataclass(frozen=True, slots=True)
class FileLimits:
    """How much memory readahead may take: the bounds of one session."""

    batch_bytes: int = 4 << 20  # of one reply, in the service and on its way; a single larger file goes out whole
    cache_bytes: int = 32 << 20  # of bodies that the worker keeps; the oldest go first
    readahead: int = 512  # documents that a worker asks for at once when it reads in order


_DEFAULTS = FileLimits()


class _Refused(Exception):
    """A request that an honest guest would not send."""


@dataclass(frozen=True, slots=True)
class _View:
    """One generation, narrowed to the scope."""

    snapshot: Snapshot
    documents: Listing

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
        self._delivered: dict[FileKind, set[str]] = {kind: set() for kind in FILE_KINDS}  # of the generation in view
        self.opened: dict[str, set[FileKind]] = {}  # over the session: files that were delivered and then opened
        self.last: frozenset[str] = frozenset()  # documents that the cell that finished last has opened

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
                    return self._stat(self._named(header)[1]), ()
                case {"op": "read", "kind": kind} if kind in FILE_KINDS:
                    return await self._read(kind, *self._named(header))
            raise _Refused("unknown request")
        except _Refused as refusal:
            return {"error": str(refusal)}, ()

    def receipt(self, header: Header, reply: Header) -> Header:
        """What a session's journal keeps of an answer instead of it: equal for equal documents.

        The generation is told, and may be another one when the session is rebuilt.
        """
        kept = {"op": header.get("op"), "generation": reply.get("generation", header.get("generation"))}
        if "error" in reply:
            return {**kept, "error": reply["error"]}
        match header:
            case {"op": "list"}:
                view = self._view
                return {**kept, "hash": _digest([list(view.documents), view.rows()] if view is not None else [])}
            case {"op": "read", "kind": kind, "ids": ids}:
                view = self._view
                files = [digest.hex() for digest in view.documents.digests(kind, ids)] if view is not None else []
                return {**kept, "kind": kind, "documents": ids, "hash": _digest(files)}
        return {**kept, "hash": _digest([header.get("ids"), reply])}

    def finish(self, report: Header) -> None:
        """Note what the guest says it has opened, as far as it was delivered. `report` is hostile."""
        opened = report.get("opened") if isinstance(report, dict) else None
        seen: set[str] = set()
        for kind, ids in opened.items() if isinstance(opened, dict) else ():
            if kind not in FILE_KINDS or not isinstance(ids, list):
                continue
            for document in self._delivered[kind].intersection(each for each in ids if isinstance(each, str)):
                self.opened.setdefault(document, set()).add(kind)
                seen.add(document)
        self.last = frozenset(seen)

    async def _list(self, known: object) -> Reply:
        """The ids in order, a line for each, unless the guest knows this generation already."""
        snapshot = await self._snapshot()
        view = self._view
        if view is None or view.snapshot.generation != snapshot.generation:
            documents = snapshot.documents if self._scope is None else snapshot.documents.within(self._scope)
            view = _View(snapshot, documents)
            self._delivered = {kind: set() for kind in FILE_KINDS}
        self._view = _View(snapshot, view.documents)  # the newest lease, even on the same generation
        if known == snapshot.generation:
            return {"generation": snapshot.generation}, ()
        bounds = {"cache_bytes": self._limits.cache_bytes, "readahead": self._limits.readahead}
        return {"generation": snapshot.generation, "unreadable": view.rows(), **bounds}, [view.documents.ids]

    def _named(self, header: Header) -> tuple[list[str], list[Facts]]:
        """The documents that a request names, all of them in scope and in the generation that the guest knows."""
        view, ids = self._view, header.get("ids")
        if view is None or header.get("generation") != view.snapshot.generation:
            raise _Refused("another generation")
        if not isinstance(ids, list) or not 0 < len(ids) <= BATCH_IDS:
            raise _Refused(f"between 1 and {BATCH_IDS} documents can be asked for")
        try:
            return ids, list(map(view.documents.facts, ids))
        except (KeyError, TypeError) as error:
            raise _Refused("unknown document") from error

    def _stat(self, facts: Sequence[Facts]) -> Header:
        return {"modified": [each.changed for each in facts], "sizes": [each.sizes for each in facts]}

    async def _read(self, kind: FileKind, named: Sequence[str], facts: Sequence[Facts]) -> Reply:
        """The bodies of the first documents, as many as fit into a batch, at least one."""
        assert self._view is not None
        read, place = self._view.snapshot.read, FILE_KINDS.index(kind)
        delivered = self._delivered[kind]  # a list request while this one waits would begin another set
        ends = accumulate(each.sizes[place] for each in facts)
        fitting = max(1, sum(1 for _ in takewhile(lambda end: end <= self._limits.batch_bytes, ends)))
        ids, total = named[:fitting], sum(each.sizes[place] for each in facts[:fitting])
        bodies = read(kind, ids) if total <= INLINE_BYTES else await asyncio.to_thread(read, kind, ids)
        delivered.update(ids)
        return {}, bodies


def _digest(value: object) -> str:
    return blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=16).hexdigest()
