"""One file on its way into the corpus, and what is in it: an archive's files, a message's attachments.

Each becomes a document of its own with the id of the one that holds it as `parent_id`; a family is published together,
so that what left an archive leaves the corpus with the archive's update.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from . import addition, index, ocr
from .companions import Companions
from .convert import Converted
from .documents import FILE_KINDS, Document, Outcome
from .errors import ConversionFailed, MetadataMalformed
from .listing import pictures_in
from .members import Members, Unpacked
from .sources import INSIDE, Digest, Digests, Source, digest_of, identify
from .state import Stored
from .store import Addition, Store

PARENT = "parent_id"  # the key in a member's metadata
MAX_DEPTH = 3  # archives inside each other that are opened
MAX_FILES = 2000  # in one file, at whatever depth
MAX_BYTES = 1 << 30  # of them
_AT_ONCE = 4  # members of one file under way at a time; the converter has its own, lower limit
_HOLDERS = ("application/zip", "message/rfc822", "application/vnd.ms-outlook")  # whose members may want another look


class DocumentConverter(Protocol):
    async def convert(self, path: Path, *, document_id: str, mime_type: str | None = None) -> Converted: ...


@dataclass(frozen=True, slots=True)
class Result:
    """What has become of one file: what is to be told, and what is to be published before."""

    outcome: Outcome
    addition: Addition | None = None
    was: str = ""  # uri under which the document was stored before, when it has moved
    members: tuple[Result, ...] = ()
    gone: tuple[Document, ...] = ()  # of members that are in it no more

    def all(self) -> Iterator[Result]:
        """This one and what is in it, in order."""
        yield self
        for member in self.members:
            yield from member.all()

    @property
    def size(self) -> int:
        """Bytes that wait to be stored."""
        return sum(each.addition.size for each in self.all() if each.addition is not None)


@dataclass(slots=True)
class _Room:
    """How much of one file has been unpacked."""

    files: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class _Met:
    """A source, and what is known of it."""

    source: Source
    id: str
    was: str  # uri under which it is stored
    found: Digest
    old: Stored | None
    given: Mapping[str, Any]


@dataclass
class Families:
    """Reads files for one run of `add`."""

    store: Store
    converter: DocumentConverter
    companions: Companions
    digests: Digests = field(default_factory=Digests)

    async def read(self, source: Source, id: str, was: str) -> Result:
        """One file with what is in it; `was` is the uri under which it may be stored."""
        path = source.place
        if source.refusal:
            return Result(Outcome(path, "failed", None, source.refusal))
        try:
            found = await asyncio.to_thread(self.digests.of, source.path)
        except OSError as error:
            return Result(Outcome(path, "failed", None, f"cannot be read: {error.strerror}"))
        old = (await asyncio.to_thread(self.store.state.stored, [id])).get(id)
        if old and old.document.uri not in (source.uri, was):
            return Result(taken(path, old))
        try:
            given = await asyncio.to_thread(self.companions.given, source.path, old.given if old else {})
        except MetadataMalformed as error:
            return Result(Outcome(path, "failed", old and id, str(error)))
        return await self._read(_Met(source, id, was, found, old, given), source.path, _Room(), 0)

    async def _read(self, met: _Met, file: Path, room: _Room, depth: int) -> Result:
        """`file` has the bytes of the source."""
        source, id, old = met.source, met.id, met.old
        if old and is_read(old.document) and same(old, source.uri, met.found.hex, met.given):
            if not await asyncio.to_thread(self._wants_ocr_inside, old.document):
                return Result(Outcome(source.place, "unchanged", id))
        elif old and is_read(old.document) and addition.is_read_already(source, old, met.found.hex, met.given):
            return await self._moved(met, old)
        try:
            result = await self.converter.convert(file, document_id=id)
        except ConversionFailed as error:
            return Result(*_failed(met, str(error)), met.was)
        with result.members as members:
            left = _left_in(members, room, depth)
            inside, gone = await self._members(met, Members([]) if left else members, room, depth)
        result = replace(result, reason=f"{left}; {result.reason}" if left and result.reason else left or result.reason)
        ready = await asyncio.to_thread(addition.converted, source, id, result, old, met.given, self.store.embedder)
        return Result(*_converted(met, result, ready), met.was, tuple(inside), tuple(gone))

    async def _members(
        self, parent: _Met, members: Members, room: _Room, depth: int
    ) -> tuple[list[Result], list[Document]]:
        """What has become of the files in a file, and the documents of those that are in it no more."""
        before = await asyncio.to_thread(self._inside, parent.was) if parent.old else {}
        if not members.files and not before:
            return [], []
        sources = [parent.source.inside(file.name) for file in members.files]
        earlier = [f"{parent.was}{source.uri.removeprefix(parent.source.uri)}" for source in sources]
        ids = await asyncio.to_thread(self._identify, sources, earlier, before)
        tasks = [
            (_Parted(file, source, ids[source.uri], was), parent, room, depth)
            for file, source, was in zip(members.files, sources, earlier, strict=True)
        ]
        results: list[Result] = []
        for start in range(0, len(tasks), _AT_ONCE):
            results += await asyncio.gather(*(self._member(*task) for task in tasks[start : start + _AT_ONCE]))
        direct = {f"{parent.was}{INSIDE}{uri[len(parent.was) + 1 :].partition(INSIDE)[0]}" for uri in before}
        lost = direct - {*earlier}
        gone = [document for uri, document in before.items() if any(_is_in(uri, each) for each in lost)]
        return results, gone

    async def _member(self, part: _Parted, parent: _Met, room: _Room, depth: int) -> Result:
        old = (await asyncio.to_thread(self.store.state.stored, [part.id])).get(part.id)
        given = {**parent.given, PARENT: parent.id}
        if part.file.path is None:
            met = _Met(part.source, part.id, part.was, Digest("", 0), old, given)
            return Result(*_failed(met, part.file.refusal), part.was)
        found = await asyncio.to_thread(digest_of, part.file.path)
        met = _Met(part.source, part.id, part.was, found, old, given)
        return await self._read(met, part.file.path, room, depth + 1)

    def _inside(self, uri: str) -> dict[str, Document]:
        """The documents of all that is in a file, at whatever depth, by uri."""
        return self.store.state.beneath(f"{uri}{INSIDE}")

    def _identify(
        self, sources: Sequence[Source], earlier: Sequence[str], before: Mapping[str, Document]
    ) -> dict[str, str]:
        state = self.store.state
        known = state.ids([source.uri for source in sources])
        for source, was in zip(sources, earlier, strict=True):
            if was in before:
                known.setdefault(source.uri, before[was].id)
        return identify([source.uri for source in sources], known, state.listing(state.newest().number))

    async def _moved(self, met: _Met, old: Stored) -> Result:
        """A file that lies elsewhere now, or of which more is known, with all that is in it: nothing is converted."""
        status = "updated" if old.document.uri == met.source.uri else "renamed"
        ready = await self._renewed(met.source, old, met.given)
        stored = await asyncio.to_thread(self._stored_inside, met.was)
        members = []
        for was, member in stored.items():
            source = replace(met.source, member=f"{met.source.member}{was.removeprefix(met.was)}")
            given = {**met.given, PARENT: member.given.get(PARENT, met.id)}
            outcome = Outcome(source.place, status, member.document.id)
            members.append(Result(outcome, await self._renewed(source, member, given), was))
        return Result(Outcome(met.source.place, status, met.id), ready, met.was, tuple(members))

    def _stored_inside(self, uri: str) -> dict[str, Stored]:
        ids = [document.id for document in self._inside(uri).values()]
        return {row.document.uri: row for row in self.store.state.stored(ids).values()}

    async def _renewed(self, source: Source, old: Stored, given: Mapping[str, Any]) -> Addition:
        """The document as it was, under its new name or with its new metadata."""
        store = self.store
        async with store.leased() as generation:
            table = await (await store.index()).at(generation.chunks_version)
            chunks = await index.chunks_of(table, old.document.id)
            files, shown = await asyncio.to_thread(_kept, store, generation.number, old.document.id)
        return await asyncio.to_thread(addition.renewed, source, old, given, files, shown, chunks, store.embedder)

    def _wants_ocr_inside(self, document: Document) -> bool:
        """Whether a scan in the file could be read by now."""
        if document.mime_type not in _HOLDERS or not ocr.program():
            return False
        return any(ocr.ADVICE in (member.reason or "") for member in self._inside(document.uri).values())


@dataclass(frozen=True, slots=True)
class _Parted:
    """A member, taken out of its file."""

    file: Unpacked
    source: Source
    id: str
    was: str


def _left_in(members: Members, room: _Room, depth: int) -> str:
    """Why the files in a file are not read, if they are not; else they take their room."""
    count = len(members.files) + members.left_in
    if not count:
        return ""
    told = "the file in it is" if count == 1 else f"the {count} files in it are"
    if depth >= MAX_DEPTH:
        return f"{told} not read: archives in archives are opened {MAX_DEPTH} deep"
    size = members.bytes
    if members.left_in or room.files + count > MAX_FILES or room.bytes + size > MAX_BYTES:
        most = f"{len(members.files) if members.left_in else MAX_FILES} files and {MAX_BYTES >> 20} MB"
        return f"{told} not read: of one file no more than {most} are unpacked"
    room.files += count
    room.bytes += size
    return ""


def _is_in(uri: str, holder: str) -> bool:
    return uri == holder or uri.startswith(f"{holder}{INSIDE}")


def _kept(store: Store, generation: int, id: str) -> tuple[list[bytes], list[Any]]:
    """The five files of a document, and its pictures."""
    listing = store.state.listing(generation)
    position = listing.positions[id]
    files = store.blobs.get([listing.files.blobs(kind)[position] for kind in FILE_KINDS])
    return files, pictures_in(listing, store.blobs, id)


def same(old: Stored, uri: str, found: str, given: Mapping[str, Any]) -> bool:
    """Whether this is what is stored."""
    return (old.document.uri, old.document.source_digest, dict(old.given)) == (uri, found, given)


def is_read(document: Document) -> bool:
    """Whether reading it again is of no use; else the reader may have learnt, or have got the program it lacked."""
    wanting = document.status == "ok" and document.reason and ocr.ADVICE in document.reason
    return document.status != "unreadable" and not (wanting and ocr.program())


def _converted(met: _Met, result: Converted, ready: Addition) -> tuple[Outcome, Addition | None]:
    path = met.source.place
    if result.status == "unreadable":  # a picture that can be looked at, and was not read
        return _unread(met, str(result.reason), lambda: ready)
    status = "empty" if result.status == "empty" else "updated" if met.old else "added"
    return Outcome(path, status, met.id, result.reason), ready


def _failed(met: _Met, reason: str) -> tuple[Outcome, Addition | None]:
    ready = addition.unreadable
    return _unread(met, reason, lambda: ready(met.source, met.id, met.found, reason, met.old, met.given))


def _unread(met: _Met, reason: str, ready: Callable[[], Addition]) -> tuple[Outcome, Addition | None]:
    """A new source that cannot be read is stored as such; one that could be read before keeps what was read."""
    path, old = met.source.place, met.old
    if old and old.document.status != "unreadable":
        return Outcome(path, "failed", met.id, f"{reason}; the version stored before is kept"), None
    told_before = old and same(old, met.source.uri, met.found.hex, met.given) and old.document.reason == reason
    return Outcome(path, "failed", met.id, reason), None if told_before else ready()


def taken(path: str, by: Stored) -> Outcome:
    """Another process has used the id meanwhile that we had chosen: two sources must not replace each other."""
    document = by.document
    reason = f"its document id {document.id} was given to {document.uri} meanwhile: add it again"
    return Outcome(path, "failed", None, reason)
