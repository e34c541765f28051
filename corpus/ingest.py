"""The pipeline of `add`: find, compare, convert, analyse, publish in batches; then give the new chunks their vectors.

Conversion, analysis and embedding happen outside the writer lock. An outcome is told only when it is published, so
that an interruption at any moment leaves whole documents, and running `add` again completes the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from . import addition, backlog, index, ocr
from .catalogue import Catalogue
from .companions import Companions
from .convert import Converted
from .documents import FILE_KINDS, Document, Outcome, Progress
from .errors import ConversionFailed, MetadataMalformed
from .hooks import Hooks
from .listing import pictures_in
from .sources import Digest, Digests, Source, identify, walk
from .state import Stored
from .store import Addition, Store, Writer

WORKERS = 4  # documents under way at a time; the converter has its own, lower limit
BATCH_DOCUMENTS = 64
BATCH_BYTES = 16 << 20  # of rendered files
BATCH_S = 2.0  # seconds that a finished document waits for company
# What may be finished and wait in memory for a slow document before it; then the workers rest.
EARLY_DOCUMENTS = 256
EARLY_BYTES = 64 << 20


class DocumentConverter(Protocol):
    async def convert(self, path: Path, *, document_id: str, mime_type: str | None = None) -> Converted: ...


@dataclass(frozen=True, slots=True)
class _Result:
    """What has become of one file: what is to be told, and what is to be published before."""

    place: int  # among the files of this command
    outcome: Outcome
    addition: Addition | None = None
    was: str = ""  # uri under which the document was stored before, when it has moved

    @property
    def size(self) -> int:
        if self.addition is None:
            return 0
        return sum(map(len, self.addition.files)) + sum(len(each.data) for each in self.addition.stored.pictures)


@dataclass(frozen=True, slots=True)
class _Published:
    """What has become of a batch, and whose content is new."""

    outcomes: list[Outcome]
    created: list[Document]
    updated: list[Document]


class Ingest:
    """One run of `add`."""

    def __init__(
        self,
        store: Store,
        converter: DocumentConverter,
        companions: Companions,
        progress: Callable[[Progress], None] | None = None,
        collections: Sequence[str] = (),
        digests: Digests | None = None,
        hooks: Hooks | None = None,
    ):
        self._store = store
        self._converter = converter
        self._companions = companions
        self._progress = progress or (lambda _: None)
        self._digests = digests or Digests()
        self._hooks = hooks
        self._ids: Mapping[str, str] = {}  # by uri
        self._moved: Mapping[str, str] = {}  # from the uri where a file lies now to the one where it lay
        self._collections = collections  # names; what is added is in them from its first generation on

    async def add(self, paths: Sequence[str | Path]) -> AsyncGenerator[Outcome]:
        """Store the files at `paths`."""
        for path in await asyncio.to_thread(self._companions.lost):
            reason = "named by the table of metadata, and there is no such file"
            yield Outcome(str(path), "failed", None, reason)
        sources = await asyncio.to_thread(lambda: list(walk(paths)))
        async with aclosing(self.take(sources)) as outcomes:
            async for outcome in outcomes:
                yield outcome

    async def take(self, sources: Sequence[Source], moved: Mapping[str, str] | None = None) -> AsyncGenerator[Outcome]:
        """Store these files; `moved` leads from their uris to those under which some are stored, with equal content."""
        self._moved = moved or {}
        self._ids = await asyncio.to_thread(self._identify, [source.uri for source in sources])
        done = 0
        async with aclosing(self._batches(sources)) as batches:
            async for batch in batches:
                for outcome in await self._publish(batch):
                    done += 1
                    self._progress(Progress("convert", done, len(sources), Path(outcome.path).name))
                    yield outcome
        await backlog.embed(self._store, self._progress)
        await self._store.write("maintenance", lambda writer: writer.maintain())

    def _identify(self, uris: Sequence[str]) -> dict[str, str]:
        known = self._store.state.ids([*uris, *self._moved.values()])
        for uri, before in self._moved.items():
            if before in known:
                known.setdefault(uri, known[before])
        return identify(uris, known, self._store.state.listing(self._store.state.newest().number))

    async def _batches(self, sources: Sequence[Source]) -> AsyncGenerator[list[_Result]]:
        """Results in the order of the sources, grouped so that each publication is worth its cost.

        The order of a corpus must not hang on which conversion was the fastest, not even after an interruption.
        """
        todo = iter(enumerate(sources))
        running: set[asyncio.Task[_Result]] = set()
        early: dict[int, _Result] = {}  # finished before one that goes before them
        batch: list[_Result] = []
        following, since = 0, 0.0
        clock = asyncio.get_running_loop().time
        try:
            while self._refill(running, todo, early) or batch:
                patience = max(0.0, since + BATCH_S - clock()) if batch else None
                done, running = await _first(running, patience)
                early.update((task.result().place, task.result()) for task in done)
                since = since if batch else clock()
                while following in early:
                    batch.append(early.pop(following))
                    following += 1
                if batch and (not done or len(batch) >= BATCH_DOCUMENTS or _bytes(batch) >= BATCH_BYTES):
                    yield batch
                    batch = []
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _files(self, generation: int, id: str) -> Sequence[bytes]:
        listing = self._store.state.listing(generation)
        position = listing.positions[id]
        return self._store.blobs.get([listing.files.blobs(kind)[position] for kind in FILE_KINDS])

    def _refill(
        self, running: set[asyncio.Task[_Result]], todo: Iterator[tuple[int, Source]], early: Mapping[int, _Result]
    ) -> bool:
        """Keep the workers busy; False when nothing is under way any more."""
        has_room = len(early) < EARLY_DOCUMENTS and _bytes(early.values()) < EARLY_BYTES
        while has_room and len(running) < WORKERS and (following := next(todo, None)):
            running.add(asyncio.create_task(self._result(*following)))
        return bool(running)

    async def _result(self, place: int, source: Source) -> _Result:
        path, id = str(source.path), self._ids[source.uri]
        if source.refusal:
            return _Result(place, Outcome(path, "failed", None, source.refusal))
        try:
            found = await asyncio.to_thread(self._digests.of, source.path)
        except OSError as error:
            return _Result(place, Outcome(path, "failed", None, f"cannot be read: {error.strerror}"))
        old = (await asyncio.to_thread(self._store.state.stored, [id])).get(id)
        was = self._moved.get(source.uri, source.uri)
        if old and old.document.uri not in (source.uri, was):
            return _Result(place, _taken(path, old))
        try:
            given = await asyncio.to_thread(self._companions.given, source.path, old.given if old else {})
        except MetadataMalformed as error:
            return _Result(place, Outcome(path, "failed", old and id, str(error)))
        if old and _is_read(old.document) and _same(old, source.uri, found.hex, given):
            return _Result(place, Outcome(path, "unchanged", id))
        if old and _is_read(old.document) and addition.is_read_already(source, old, found.hex, given):
            status = "updated" if old.document.uri == source.uri else "renamed"
            return _Result(place, Outcome(path, status, id), await self._renewed(source, old, given), was)
        try:
            result = await self._converter.convert(source.path, document_id=id)
        except ConversionFailed as error:
            return _Result(place, *_failed(source, id, old, found, given, str(error)), was)
        ready = await asyncio.to_thread(addition.converted, source, id, result, old, given, self._store.embedder)
        if result.status == "unreadable":  # a picture that can be looked at, and was not read
            return _Result(place, *_unread(path, old, ready), was)
        status = "empty" if result.status == "empty" else "updated" if old else "added"
        return _Result(place, Outcome(path, status, id, result.reason), ready, was)

    async def _renewed(self, source: Source, old: Stored, given: Mapping[str, Any]) -> Addition:
        """The document as it was, under its new name or with its new metadata: nothing is converted."""
        store = self._store
        async with store.leased() as generation:
            table = await (await store.index()).at(generation.chunks_version)
            chunks = await index.chunks_of(table, old.document.id)
            files = await asyncio.to_thread(self._files, generation.number, old.document.id)
            listing = await asyncio.to_thread(store.state.listing, generation.number)
            shown = await asyncio.to_thread(pictures_in, listing, store.blobs, old.document.id)
        return await asyncio.to_thread(addition.renewed, source, old, given, files, shown, chunks, store.embedder)

    async def _publish(self, batch: Sequence[_Result]) -> list[Outcome]:
        if not self._collections and not any(result.addition for result in batch):
            return [result.outcome for result in batch]
        published = await self._store.write("adding documents", lambda writer: self._replace(writer, batch))
        if self._hooks is not None:
            await self._hooks.ingested(published.created, "create")
            await self._hooks.ingested(published.updated, "update")
        return published.outcomes

    async def _replace(self, writer: Writer, batch: Sequence[_Result]) -> _Published:
        """Publish the batch, but for what others have stored while we converted."""
        ids = [result.addition.stored.document.id for result in batch if result.addition]
        newest = await asyncio.to_thread(self._store.state.stored, ids)
        before = dict(newest)
        judged = [_judged(result, newest) for result in batch]
        additions = [result.addition for result in judged if result.addition]
        stored = [result.outcome.document_id for result in judged if result.outcome.document_id]

        def collect(catalogue: Catalogue) -> None:
            for name in self._collections:
                catalogue.add(name, stored)

        await (writer.replace(additions, collect=collect) if additions else writer.collect(collect))
        documents = [addition.stored.document for addition in additions]
        return _Published(
            [result.outcome for result in judged],
            [document for document in documents if document.id not in before],
            [document for document in documents if _has_new_content(before.get(document.id), document)],
        )


def _has_new_content(old: Stored | None, new: Document) -> bool:
    """Whether it is another text than before: a new title or other metadata alone is no news for hooks."""
    return old is not None and any(
        old.document.files[kind].digest != new.files[kind].digest for kind in ("content.txt", "items.jsonl")
    )


async def _first(
    running: set[asyncio.Task[_Result]], patience: float | None
) -> tuple[set[asyncio.Task[_Result]], set[asyncio.Task[_Result]]]:
    """The tasks that are done first, and the others."""
    if not running:
        return set(), set()
    return await asyncio.wait(running, timeout=patience, return_when=asyncio.FIRST_COMPLETED)


def _same(old: Stored, uri: str, found: str, given: Mapping[str, Any]) -> bool:
    """Whether this is what is stored."""
    return (old.document.uri, old.document.source_digest, dict(old.given)) == (uri, found, given)


def _is_read(document: Document) -> bool:
    """Whether reading it again is of no use; else the reader may have learnt, or have got the program it lacked."""
    wanting = document.status == "ok" and document.reason and ocr.ADVICE in document.reason
    return document.status != "unreadable" and not (wanting and ocr.program())


def _failed(
    source: Source, id: str, old: Stored | None, found: Digest, given: Mapping[str, Any], reason: str
) -> tuple[Outcome, Addition | None]:
    """A new source that cannot be read is stored as such; one that could be read before keeps what was read."""
    path = str(source.path)
    if old and old.document.status != "unreadable":
        return Outcome(path, "failed", id, f"{reason}; the version stored before is kept"), None
    ready = addition.unreadable(source, id, found, reason, old, given)
    told_before = old and _same(old, source.uri, found.hex, given) and old.document.reason == reason
    return Outcome(path, "failed", id, reason), None if told_before else ready


def _unread(path: str, old: Stored | None, ready: Addition) -> tuple[Outcome, Addition | None]:
    new = ready.stored.document
    is_told = old and _same(old, new.uri, new.source_digest, ready.stored.given) and old.document.reason == new.reason
    return Outcome(path, "failed", new.id, new.reason), None if is_told else ready


def _judged(result: _Result, newest: dict[str, Stored]) -> _Result:
    """What is left to publish of a result, when `newest` is stored by now; it is counted as stored from here on."""
    if result.addition is None:
        return result
    mine = result.addition.stored
    stored = newest.setdefault(mine.document.id, mine)
    if stored.document.uri not in (mine.document.uri, result.was):
        return _Result(result.place, _taken(result.outcome.path, stored))
    same = _same(stored, mine.document.uri, mine.document.source_digest, mine.given)
    if stored is not mine and same and _is_read(stored.document):
        return _Result(result.place, replace(result.outcome, status="unchanged", reason=None))
    return result


def _taken(path: str, by: Stored) -> Outcome:
    """Another process has used the id meanwhile that we had chosen: two sources must not replace each other."""
    document = by.document
    reason = f"its document id {document.id} was given to {document.uri} meanwhile: add it again"
    return Outcome(path, "failed", None, reason)


def _bytes(results: Iterable[_Result]) -> int:
    return sum(result.size for result in results)
