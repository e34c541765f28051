"""A corpus's parts together, and the one way to change them.

A write puts its blobs and chunk rows in place first; then one transaction in state.sqlite names them, and readers see
all of it or nothing. What a killed writer left behind is undone by the next one, under the lock.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from .blobs import Blobs
from .catalogue import Collect, leave
from .documents import FILE_KINDS, HOT_BYTES
from .embed import Embedder, Identity, NoEmbedder, built_in
from .embed import remembered as embedder_of
from .errors import EmbedderMismatch
from .folder import Folder
from .lock import WriterLock
from .state import Generation, State, Stored

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .index import ChunkIndex, Entry

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Addition:
    """A document that is ready to be published."""

    stored: Stored
    files: tuple[bytes, ...]  # the five, in the order of FILE_KINDS
    entries: tuple[Entry, ...]

    @property
    def size(self) -> int:
        """Bytes that are to be stored."""
        return sum(map(len, self.files)) + sum(len(picture.data) for picture in self.stored.pictures)


class Store:
    """The parts of one corpus, opened."""

    def __init__(self, folder: Folder, state: State, blobs: Blobs, embedder: Embedder):
        self.folder = folder
        self.state = state
        self.blobs = blobs
        self.embedder = embedder
        self._index: ChunkIndex | None = None
        self._opening = asyncio.Lock()
        self._lock = WriterLock(folder.lock)

    @classmethod
    async def open(cls, path: Path, *, create: bool, embedder: Embedder | None, hot_bytes: int = HOT_BYTES) -> Store:
        """The corpus at `path`, made when there is none and `create` is set."""
        folder = Folder(path)
        if not await asyncio.to_thread(folder.is_corpus):
            await asyncio.to_thread(folder.prepare, create)
            async with WriterLock(folder.lock).held("creating the corpus"):
                await _create(folder, embedder or built_in("minilm"))
        await asyncio.to_thread(folder.check_access)
        state = State(folder.state)
        try:
            state.check()  # the format before the parts: another one may have others
            await asyncio.to_thread(folder.check_parts)
            await asyncio.to_thread(state.upgrade, blobs := Blobs(folder.files, hot_bytes))
            chosen = _matching(path, state.identity(), embedder)
            return cls(folder, state, blobs, chosen)
        except BaseException:
            state.close()
            raise

    async def index(self) -> ChunkIndex:
        """The chunks table, opened at the first call: listing and reading documents go without LanceDB's import."""
        async with self._opening:
            if self._index is None:
                self._index = await (await _chunk_index()).open(self.folder.index)
            return self._index

    async def write(self, purpose: str, change: Callable[[Writer], Awaitable[T]]) -> T:
        """Run `change` as the only writer of all processes; once it has begun it is not cancelled."""
        async with self._lock.held(purpose) as unfinished:
            return await _to_the_end(self._write(change, unfinished))

    async def _write(self, change: Callable[[Writer], Awaitable[T]], unfinished: bool) -> T:
        writer = Writer(self)
        await writer.recover(litter=unfinished)
        return await change(writer)

    def embedding(self) -> AbstractAsyncContextManager[None]:
        """Held by the one process that embeds; it takes the writer lock for each batch, others may write between."""
        return WriterLock(self.folder.embedding_lock, wait_s=math.inf).held("embedding")

    @asynccontextmanager
    async def leased(self) -> AsyncIterator[Generation]:
        """The newest generation, readable for the time of the block."""
        lease = await asyncio.to_thread(self.state.lease)
        try:
            yield lease.generation
        finally:
            self.state.release(lease.token)

    def close(self) -> None:
        self.blobs.close()
        self.state.close()


class Writer:
    """Changes a corpus; lives only while the writer lock is held."""

    def __init__(self, store: Store):
        self._store = store

    async def recover(self, *, litter: bool = False) -> None:
        """Undo what a writer has left who died between his first write and his publication; with `litter` delete it."""
        published = self._store.state.newest().chunks_version
        await self._publish_if_new(await (await self._store.index()).recover(published))
        if litter:
            await self._sweep(thorough=True)

    async def replace(
        self, additions: Sequence[Addition], removed: Collection[str] = (), collect: Collect = leave
    ) -> int:
        """Publish these documents in place of those with the same ids, and end those of `removed`.

        `collect` changes the collections in the same generation.
        """
        store = self._store
        # Files of a kind together, as they are read.
        files = (addition.files[kind] for kind in range(len(FILE_KINDS)) for addition in additions)
        pictures = (picture.data for addition in additions for picture in addition.stored.pictures)
        blobs = await asyncio.to_thread(store.blobs.put, chain(files, pictures))
        stored = [addition.stored for addition in additions]
        known = await asyncio.to_thread(store.state.stored, [row.document.id for row in stored])
        entries = [entry for addition in additions for entry in addition.entries]
        retitled = {row.document.id for row in stored if _retitled(known.get(row.document.id), row)}
        index = await store.index()
        version = await index.replace([*known, *removed], entries, keep_vectors=known.keys() - retitled)
        return await self._publish(version, stored, removed, blobs, collect)

    async def collect(self, collect: Collect) -> int:
        """Change the collections."""
        return await self._publish(self._store.state.newest().chunks_version, collect=collect)

    async def remove(self, ids: Collection[str]) -> None:
        """End these documents, and delete from the disk what no snapshot reads."""
        await self.replace([], ids)
        await self.maintain(thorough=True)

    async def purge(self, ids: Collection[str]) -> None:
        """End these documents and everything that still reads them, and write the index anew."""
        index, state = await self._store.index(), self._store.state
        await self.replace([], ids)
        await asyncio.to_thread(state.revoke)
        await self._publish(await index.rewrite())
        await asyncio.to_thread(state.sweep)
        await asyncio.to_thread(lambda: self._store.blobs.sweep(state.blobs()))
        await self._publish_if_new(await index.forget_all_but_newest())

    async def set_vectors(self, ids: Sequence[str], vectors: NDArray[np.float32]) -> int:
        if self._store.embedder.identity != self._store.state.identity():
            raise EmbedderMismatch(f"{self._store.folder.path} was given another embedder meanwhile: run this again")
        return await self._publish(await (await self._store.index()).set_vectors(ids, vectors))

    async def reset_vectors(self, embedder: Embedder) -> int:
        """Take all vectors away and remember `embedder`, whose vectors follow; full text is found meanwhile."""
        store = self._store
        newest = await asyncio.to_thread(lambda: store.state.listing(store.state.newest().number))
        served = {document.id for document in newest.values() if embedder.serves(document.language)}
        from .addition import is_embeddable

        identity = embedder.identity
        version = await (await store.index()).reset_vectors(
            identity.dimension, lambda id, text: id in served and is_embeddable(text)
        )
        return await asyncio.to_thread(store.state.publish, version, embedder=identity)

    async def maintain(self, *, thorough: bool = False) -> None:
        """Bring indices up to date and forget what nobody can read any more; `thorough`: whatever it costs."""
        await self._publish_if_new(await (await self._store.index()).maintain())
        await self._sweep(thorough=thorough)

    async def _sweep(self, *, thorough: bool) -> None:
        index, state = await self._store.index(), self._store.state
        swept = await asyncio.to_thread(state.sweep)
        if swept.documents or thorough:
            await asyncio.to_thread(lambda: self._store.blobs.sweep(state.blobs()))
        if thorough or await index.is_littered():
            await self._publish_if_new(await index.forget_before(swept.oldest.chunks_version))

    async def _publish_if_new(self, version: int) -> None:
        if version != self._store.state.newest().chunks_version:
            await self._publish(version)

    async def _publish(
        self,
        version: int,
        stored: Sequence[Stored] = (),
        removed: Collection[str] = (),
        blobs: Mapping[str, int] = MappingProxyType({}),
        collect: Collect = leave,
    ) -> int:
        publish = self._store.state.publish
        change = partial(publish, version, stored=stored, removed=removed, blobs=blobs, collect=collect)
        return await asyncio.to_thread(change)


async def _create(folder: Folder, embedder: Embedder) -> None:
    """Make an empty corpus; the state comes last: without it a folder is no corpus, and creation begins anew."""
    if folder.is_corpus():
        return  # somebody else was faster
    await asyncio.to_thread(Blobs(folder.files).create)
    index = await (await _chunk_index()).create(folder.index, embedder.identity.dimension)
    draft = await asyncio.to_thread(folder.draft)
    state = State(draft)
    await asyncio.to_thread(state.create, embedder.identity, await index.version())
    state.close()
    await asyncio.to_thread(draft.rename, folder.state)


async def _chunk_index() -> type[ChunkIndex]:
    module = await asyncio.to_thread(import_module, ".index", __package__)  # half a second: not in the event loop
    return module.ChunkIndex


async def _to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """Await `work` whole, even when cancelled: half a publication would go on in a thread without the lock."""
    task = asyncio.create_task(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        task.exception()  # looked at, so that it is not reported as lost
        raise cancelled
    return task.result()


def _retitled(old: Stored | None, new: Stored) -> bool:
    """Whether the text that the vectors were made of has changed with the title."""
    return old is not None and old.document.title != new.document.title


def _matching(path: Path, remembered: Identity, given: Embedder | None) -> Embedder:
    """The embedder to use: the one given, else the one that the corpus remembers, and they must be the same."""
    embedder = given or embedder_of(remembered)
    if embedder.identity == remembered or (given and given.identity == NoEmbedder.identity):
        return embedder
    raise EmbedderMismatch(
        f"{path} was embedded by {_described(remembered)}, not by {_described(embedder.identity)}:"
        " use that embedder, or give the corpus this one: `glossator rebuild --embed --embedder NAME`"
    )


def _described(identity: Identity) -> str:
    return f"{identity.name} ({identity.dimension} dimensions, {identity.digest[:12] or 'no weights'})"
