"""The pipeline of `add`: find, compare, convert, analyse, publish in batches; then give the new chunks their vectors.

Conversion, analysis and embedding happen outside the writer lock. An outcome is told only when it is published, so
that an interruption at any moment leaves whole documents, and running `add` again completes the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from . import addition, backlog
from .convert import Converted
from .documents import Outcome, Progress
from .errors import ConversionFailed
from .sources import Source, digest, walk
from .state import Stored
from .store import Addition, Store, Writer

WORKERS = 4  # documents under way at a time; the converter has its own, lower limit
BATCH_DOCUMENTS = 64
BATCH_BYTES = 16 << 20  # of rendered files
BATCH_S = 2.0  # seconds that a finished document waits for company


class DocumentConverter(Protocol):
    async def convert(self, path: Path, *, document_id: str, mime_type: str | None = None) -> Converted: ...


@dataclass(frozen=True, slots=True)
class _Result:
    """What has become of one file: what is to be told, and what is to be published before."""

    place: int  # among the files of this command
    outcome: Outcome
    addition: Addition | None = None

    @property
    def size(self) -> int:
        return sum(map(len, self.addition.files)) if self.addition else 0


class Ingest:
    """One run of `add`."""

    def __init__(
        self,
        store: Store,
        converter: DocumentConverter,
        metadata: Mapping[str, Any] | None = None,
        progress: Callable[[Progress], None] | None = None,
    ):
        self._store = store
        self._converter = converter
        self._given = dict(metadata or {})
        self._progress = progress or (lambda _: None)

    async def add(self, paths: Sequence[str | Path]) -> AsyncGenerator[Outcome]:
        sources = await asyncio.to_thread(lambda: list(walk(paths)))
        done = 0
        async with aclosing(self._batches(sources)) as batches:
            async for batch in batches:
                for outcome in await self._publish(batch):
                    done += 1
                    self._progress(Progress("convert", done, len(sources), Path(outcome.path).name))
                    yield outcome
        await backlog.embed(self._store, self._progress)
        await self._store.write("maintenance", lambda writer: writer.maintain())

    async def _batches(self, sources: Sequence[Source]) -> AsyncGenerator[list[_Result]]:
        """Results as they come, grouped so that each publication is worth its cost."""
        todo = iter(enumerate(sources))
        running: set[asyncio.Task[_Result]] = set()
        batch: list[_Result] = []
        since = 0.0
        clock = asyncio.get_running_loop().time
        try:
            while self._refill(running, todo) or batch:
                patience = max(0.0, since + BATCH_S - clock()) if batch else None
                done, running = await _first(running, patience)
                since = since if batch else clock()
                batch.extend(task.result() for task in done)
                if not done or len(batch) >= BATCH_DOCUMENTS or sum(r.size for r in batch) >= BATCH_BYTES:
                    yield sorted(batch, key=lambda result: result.place)
                    batch = []
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _refill(self, running: set[asyncio.Task[_Result]], todo: Iterator[tuple[int, Source]]) -> bool:
        """Keep the workers busy; False when nothing is under way any more."""
        while len(running) < WORKERS and (following := next(todo, None)):
            running.add(asyncio.create_task(self._result(*following)))
        return bool(running)

    async def _result(self, place: int, source: Source) -> _Result:
        path, id = str(source.path), source.document_id
        if source.refusal:
            return _Result(place, Outcome(path, "failed", None, source.refusal))
        try:
            found = await asyncio.to_thread(digest, source.path)
        except OSError as error:
            return _Result(place, Outcome(path, "failed", None, f"cannot be read: {error.strerror}"))
        old = (await asyncio.to_thread(self._store.state.stored, [id])).get(id)
        given = {**(old.given if old else {}), **self._given}
        if old and _same(old, found.hex, given):
            return _Result(place, Outcome(path, "unchanged", id))
        try:
            result = await self._converter.convert(source.path, document_id=id)
        except ConversionFailed as error:
            return _Result(place, *_failed(source, old, found.hex, found.size, given, str(error)))
        ready = await asyncio.to_thread(addition.converted, source, result, old, given, self._store.embedder)
        status = "empty" if result.status == "empty" else "updated" if old else "added"
        return _Result(place, Outcome(path, status, id, result.reason), ready)

    async def _publish(self, batch: Sequence[_Result]) -> list[Outcome]:
        if any(result.addition for result in batch):
            return await self._store.write("adding documents", lambda writer: self._replace(writer, batch))
        return [result.outcome for result in batch]

    async def _replace(self, writer: Writer, batch: Sequence[_Result]) -> list[Outcome]:
        """Publish the batch, but for what another process has stored while we converted the same file."""
        additions = [result.addition for result in batch if result.addition]
        ids = [ready.stored.document.id for ready in additions]
        newest = await asyncio.to_thread(self._store.state.stored, ids)
        twice = {ready.stored.document.id for ready in additions if _is_stored(ready.stored, newest)}
        await writer.replace([ready for ready in additions if ready.stored.document.id not in twice])
        return [_told(result.outcome, twice) for result in batch]


async def _first(
    running: set[asyncio.Task[_Result]], patience: float | None
) -> tuple[set[asyncio.Task[_Result]], set[asyncio.Task[_Result]]]:
    """The tasks that are done first, and the others."""
    if not running:
        return set(), set()
    return await asyncio.wait(running, timeout=patience, return_when=asyncio.FIRST_COMPLETED)


def _same(old: Stored, found: str, given: Mapping[str, Any]) -> bool:
    """Whether adding again would change nothing. What could not be read is tried again: the reader may have learnt."""
    return old.document.source_digest == found and dict(old.given) == given and old.document.status != "unreadable"


def _failed(
    source: Source, old: Stored | None, found: str, size: int, given: Mapping[str, Any], reason: str
) -> tuple[Outcome, Addition | None]:
    """A new source that cannot be read is stored as such; one that could be read before keeps what was read."""
    path, id = str(source.path), source.document_id
    if old and old.document.status != "unreadable":
        return Outcome(path, "failed", id, f"{reason}; the version stored before is kept"), None
    ready = addition.unreadable(source, found, size, reason, old, given)
    told_before = old and old.document.source_digest == found and old.document.reason == reason and old.given == given
    return Outcome(path, "failed", id, reason), None if told_before else ready


def _is_stored(mine: Stored, newest: Mapping[str, Stored]) -> bool:
    """Whether what was stored last came from the same bytes and metadata as `mine`."""
    stored = newest.get(mine.document.id)
    return stored is not None and _same(stored, mine.document.source_digest, mine.given)


def _told(outcome: Outcome, twice: set[str]) -> Outcome:
    return replace(outcome, status="unchanged", reason=None) if outcome.document_id in twice else outcome
