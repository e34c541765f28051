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

from . import backlog
from .catalogue import Catalogue
from .companions import Companions
from .documents import Document, Outcome, Progress
from .family import DocumentConverter, Families, Result, is_read, same, taken
from .hooks import Hooks
from .sources import Digests, Source, identify, place_of, walk
from .state import Stored
from .store import Store, Writer

WORKERS = 4  # documents under way at a time; the converter has its own, lower limit
BATCH_DOCUMENTS = 64
BATCH_BYTES = 16 << 20  # of rendered files
BATCH_S = 2.0  # seconds that a finished document waits for company
# What may be finished and wait in memory for a slow document before it; then the workers rest.
EARLY_DOCUMENTS = 256
EARLY_BYTES = 64 << 20


Placed = tuple[int, Result]  # the place is that of the file among those of this command


@dataclass(frozen=True, slots=True)
class _Published:
    """What has become of a batch, and whose content is new."""

    outcomes: list[Outcome]
    created: list[Document]
    updated: list[Document]
    gone: list[Document]


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
        self._companions = companions
        self._families = Families(store, converter, companions, digests or Digests())
        self._progress = progress or (lambda _: None)
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
                outcomes = await self._publish(batch)
                for result in batch:
                    done += 1
                    self._progress(Progress("convert", done, len(sources), Path(result.outcome.path).name))
                for outcome in outcomes:
                    yield outcome
        await backlog.embed(self._store, self._progress)
        await self._store.write("maintenance", lambda writer: writer.maintain())

    def _identify(self, uris: Sequence[str]) -> dict[str, str]:
        known = self._store.state.ids([*uris, *self._moved.values()])
        for uri, before in self._moved.items():
            if before in known:
                known.setdefault(uri, known[before])
        return identify(uris, known, self._store.state.listing(self._store.state.newest().number))

    async def _batches(self, sources: Sequence[Source]) -> AsyncGenerator[list[Result]]:
        """Results in the order of the sources, grouped so that each publication is worth its cost.

        The order of a corpus must not hang on which conversion was the fastest, not even after an interruption.
        """
        todo = iter(enumerate(sources))
        running: set[asyncio.Task[Placed]] = set()
        early: dict[int, Result] = {}  # finished before one that goes before them
        batch: list[Result] = []
        following, since = 0, 0.0
        clock = asyncio.get_running_loop().time
        try:
            while self._refill(running, todo, early) or batch:
                patience = max(0.0, since + BATCH_S - clock()) if batch else None
                done, running = await _first(running, patience)
                early.update(task.result() for task in done)
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

    def _refill(
        self, running: set[asyncio.Task[Placed]], todo: Iterator[tuple[int, Source]], early: Mapping[int, Result]
    ) -> bool:
        """Keep the workers busy; False when nothing is under way any more."""
        has_room = len(early) < EARLY_DOCUMENTS and _bytes(early.values()) < EARLY_BYTES
        while has_room and len(running) < WORKERS and (following := next(todo, None)):
            running.add(asyncio.create_task(self._placed(*following)))
        return bool(running)

    async def _placed(self, place: int, source: Source) -> Placed:
        id, was = self._ids[source.uri], self._moved.get(source.uri, source.uri)
        return place, await self._families.read(source, id, was)

    async def _publish(self, batch: Sequence[Result]) -> list[Outcome]:
        results = [each for result in batch for each in result.all()]
        if not self._collections and not any(result.addition or result.gone for result in results):
            return [result.outcome for result in results]
        published = await self._store.write("adding documents", lambda writer: self._replace(writer, results))
        if self._hooks is not None:
            await self._hooks.ingested(published.created, "create")
            await self._hooks.ingested(published.updated, "update")
            await self._hooks.deleted(published.gone)
        return published.outcomes

    async def _replace(self, writer: Writer, results: Sequence[Result]) -> _Published:
        """Publish the results, but for what others have stored while we converted."""
        ids = [result.addition.stored.document.id for result in results if result.addition]
        newest = await asyncio.to_thread(self._store.state.stored, ids)
        before = dict(newest)
        judged = [_judged(result, newest) for result in results]
        gone = [document for result in judged for document in result.gone]
        additions = [result.addition for result in judged if result.addition]
        stored = [result.outcome.document_id for result in judged if result.outcome.document_id]

        def collect(catalogue: Catalogue) -> None:
            for name in self._collections:
                catalogue.add(name, stored)

        removed = [document.id for document in gone]
        await (writer.replace(additions, removed, collect) if additions or removed else writer.collect(collect))
        documents = [addition.stored.document for addition in additions]
        left = [Outcome(place_of(document.uri), "removed", document.id) for document in gone]
        return _Published(
            [*(result.outcome for result in judged), *left],
            [document for document in documents if document.id not in before],
            [document for document in documents if _has_new_content(before.get(document.id), document)],
            gone,
        )


def _has_new_content(old: Stored | None, new: Document) -> bool:
    """Whether it is another text than before: a new title or other metadata alone is no news for hooks."""
    return old is not None and any(
        old.document.files[kind].digest != new.files[kind].digest for kind in ("content.txt", "items.jsonl")
    )


async def _first(
    running: set[asyncio.Task[Placed]], patience: float | None
) -> tuple[set[asyncio.Task[Placed]], set[asyncio.Task[Placed]]]:
    """The tasks that are done first, and the others."""
    if not running:
        return set(), set()
    return await asyncio.wait(running, timeout=patience, return_when=asyncio.FIRST_COMPLETED)


def _judged(result: Result, newest: dict[str, Stored]) -> Result:
    """What is left to publish of a result, when `newest` is stored by now; it is counted as stored from here on."""
    if result.addition is None:
        return result
    mine = result.addition.stored
    stored = newest.setdefault(mine.document.id, mine)
    if stored.document.uri not in (mine.document.uri, result.was):
        return Result(taken(result.outcome.path, stored))
    is_there = same(stored, mine.document.uri, mine.document.source_digest, mine.given)
    if stored is not mine and is_there and is_read(stored.document):
        return Result(replace(result.outcome, status="unchanged", reason=None))
    return result


def _bytes(results: Iterable[Result]) -> int:
    return sum(result.size for result in results)
