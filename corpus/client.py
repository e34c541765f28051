"""The corpus as its users hold it: open, add, remove, find, and take snapshots."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from collections.abc import Collection as Ids
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .collected import Collections
from .documents import HOT_BYTES, INSIDE, Document, Outcome, Progress
from .finding import find
from .hooks import Hook, Hooks, load
from .hookstore import HookStore
from .snapshot import Snapshot

if TYPE_CHECKING:
    from .backup import BackedUp
    from .embed import Embedder
    from .ingest import DocumentConverter, Ingest
    from .purge import Purged
    from .reranking import Reranker
    from .scope import Scope
    from .sources import Digests
    from .store import Store
    from .sync import Sync


class Corpus:
    """One folder of documents. Any number of processes may add, search and remove at once."""

    def __init__(
        self,
        store: Store,
        converter: DocumentConverter | None = None,
        hooks: Sequence[Hook] = (),
        reranker: Reranker | None = None,
    ):
        self.path: Path = store.folder.path
        self.collections = Collections(store)
        self.store = HookStore(store.folder.hooks)  # what hooks keep
        self._store = store
        self._converter = converter
        self._reranker = reranker
        self._hooks = Hooks(hooks, Corpus(store, converter, reranker=reranker) if hooks else self)

    @classmethod
    async def open(
        cls,
        path: str | Path,
        *,
        create: bool = False,
        embedder: Embedder | None = None,
        converter: DocumentConverter | None = None,
        hooks: Sequence[str | Hook] = (),
        reranker: str | Reranker | None = None,
        hot_bytes: int = HOT_BYTES,
    ) -> Corpus:
        """The corpus at `path`; CorpusNotFound when there is none and `create` is not set.

        Without `embedder` the corpus's own is used. `converter` takes the place of the jailed one.
        `hooks` are names of installed ones, or hooks (docs/hooks.md), in the order in which they are called.
        `reranker` reads the best passages of each search and orders them anew: one of your own, or a language model's
        as `provider:model`. `hot_bytes` of files that were opened one by one stay in memory, for all snapshots.
        """
        from . import reranking
        from .store import Store

        active = [hook for each in hooks for hook in ([each] if isinstance(each, Hook) else load([each]))]
        chosen = reranking.reranker(reranker)
        store = await Store.open(_absolute(path), create=create, embedder=embedder, hot_bytes=hot_bytes)
        return cls(store, converter, active, chosen)

    async def __aenter__(self) -> Corpus:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        self._store.close()

    async def add(
        self,
        paths: Sequence[str | Path],
        *,
        metadata: Mapping[str, Any] | None = None,
        metadata_table: str | Path | None = None,
        progress: Callable[[Progress], None] | None = None,
        collections: Sequence[str] = (),
    ) -> AsyncGenerator[Outcome]:
        """Store the files at `paths`, folders walked in sorted order; one outcome per file, once it is published.

        They are put into `collections`, which must exist: what is stored already as well. `metadata` is stored with
        each; `metadata_table` names a CSV or JSON lines with a `path` in each row (`glossator.corpus.companions`).
        """
        async with (
            self._ingest(metadata, metadata_table, progress, collections) as ingest,
            aclosing(ingest.add(paths)) as outcomes,
        ):
            async for outcome in outcomes:
                yield outcome

    async def sync(
        self,
        folder: str | Path,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        allow_empty: bool = False,
        metadata: Mapping[str, Any] | None = None,
        metadata_table: str | Path | None = None,
        progress: Callable[[Progress], None] | None = None,
        collections: Sequence[str] = (),
    ) -> AsyncGenerator[Outcome]:
        """Add, update, rename and remove documents until the corpus matches a folder; one outcome per file.

        Documents that came from elsewhere stay. `include` and `exclude` are patterns as in .gitignore
        (`glossator.corpus.patterns`). SyncRefused when the folder is gone or empty and documents came from it, unless
        `allow_empty`. A renamed file keeps its document, which is not converted again.
        """
        sync = self._sync(folder, include, exclude, allow_empty)
        ready = self._ingest(metadata, metadata_table, progress, collections, sync.digests)
        async with ready as ingest, aclosing(sync.run(ingest, self._end)) as outcomes:
            async for outcome in outcomes:
                yield outcome

    async def watch(
        self,
        folder: str | Path,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        allow_empty: bool = False,
        metadata: Mapping[str, Any] | None = None,
        metadata_table: str | Path | None = None,
        progress: Callable[[Progress], None] | None = None,
        collections: Sequence[str] = (),
    ) -> AsyncGenerator[list[Outcome]]:
        """`sync`, now and after each change of the folder, until it is closed; the outcomes of each round."""
        from .watch import rounds

        sync = self._sync(folder, include, exclude, allow_empty)
        ready = self._ingest(metadata, metadata_table, progress, collections, sync.digests)
        async with ready as ingest, aclosing(rounds(sync, self.path, lambda: sync.run(ingest, self._end))) as found:
            async for outcomes in found:
                yield outcomes

    def _sync(self, folder: str | Path, include: Sequence[str], exclude: Sequence[str], allow_empty: bool) -> Sync:
        from .patterns import Selection
        from .sync import Sync

        root = Path(os.path.realpath(os.path.expanduser(folder)))
        return Sync(self._store, root, Selection(tuple(include), tuple(exclude)), allow_empty)

    @asynccontextmanager
    async def _ingest(
        self,
        metadata: Mapping[str, Any] | None,
        metadata_table: str | Path | None,
        progress: Callable[[Progress], None] | None,
        collections: Sequence[str],
        digests: Digests | None = None,
    ) -> AsyncIterator[Ingest]:
        from .companions import Companions
        from .convert import Converter
        from .ingest import Ingest

        companions = await asyncio.to_thread(Companions.of, metadata, metadata_table)
        names = [(await self.collections.get(name)).name for name in collections]
        async with AsyncExitStack() as stack:
            converter = self._converter or await stack.enter_async_context(Converter())
            yield Ingest(self._store, converter, companions, progress, names, digests, self._hooks)

    async def remove(self, keys: Sequence[str]) -> list[Document]:
        """End the documents that `keys` name, with those of files in theirs; all, or none when one is unknown or
        ambiguous."""
        found = await asyncio.to_thread(self._named, keys)
        if found:
            await self._end(found.keys())
        return list(found.values())

    async def purge(self, keys: Sequence[str]) -> Purged:
        """Remove the documents that `keys` name, with those of files in theirs, all or none, and erase every byte of
        theirs from the corpus.

        Snapshots that were taken before have expired, whoever holds them. CorpusBusy when another process reads a
        database all the time: then purge again.
        """
        from .purge import purge

        found = await asyncio.to_thread(self._named, keys)
        purged = await purge(self._store, list(found.values()), self._hooks.deleted)
        self._store.blobs.forget()
        return purged

    def _named(self, keys: Sequence[str]) -> dict[str, Document]:
        state = self._store.state
        documents = state.listing(state.newest().number)
        named = [find(documents, key) for key in keys]
        inside = [member for each in named for member in state.beneath(f"{each.uri}{INSIDE}").values()]
        return {document.id: document for document in [*named, *inside]}

    async def backup(self, path: str | Path) -> BackedUp:
        """Write the newest generation into one new file while others go on. BackupRefused."""
        from .backup import backup

        return await backup(self._store, _absolute(path))

    @staticmethod
    async def restore(archive: str | Path, path: str | Path) -> BackedUp:
        """Make a corpus at `path`, new or empty, from a backup; every id is what it was. BackupRefused."""
        from .backup import restore

        return await restore(_absolute(archive), _absolute(path))

    async def _end(self, ids: Ids[str]) -> None:
        before = await asyncio.to_thread(self._store.state.stored, ids)
        await self._store.write("removing documents", lambda writer: writer.remove(ids))
        await self._hooks.deleted([row.document for row in before.values()])

    async def reembed(
        self, embedder: Embedder | None = None, *, progress: Callable[[Progress], None] | None = None
    ) -> None:
        """Make all vectors anew, by `embedder` from now on, or by the corpus's own.

        Search goes by words until they are there; what is interrupted is continued by the next `add`.
        """
        from . import backlog

        store = self._store
        chosen = embedder or store.embedder
        async with store.embedding():  # nobody makes vectors of the old kind meanwhile
            await store.write("taking the vectors away", lambda writer: writer.reset_vectors(chosen))
            store.embedder = chosen
        await backlog.embed(store, progress or (lambda _: None))
        await store.write("maintenance", lambda writer: writer.maintain())

    async def find(self, key: str) -> Document:
        """The document with this id, beginning of an id, uri, path, file name or title."""
        newest = await asyncio.to_thread(self._store.state.newest)
        return find(await asyncio.to_thread(self._store.state.listing, newest.number), key)

    async def snapshot(self, scope: Scope | None = None) -> Snapshot:
        """The newest generation, or what of it is in scope; kept readable until it is closed, for a day at most."""
        return await asyncio.to_thread(self._take, scope)

    def _take(self, scope: Scope | None) -> Snapshot:
        state = self._store.state
        lease = state.lease()
        try:
            documents = state.listing(lease.generation.number)
            return Snapshot(self._store, lease, documents, scope, self._hooks, self._reranker)
        except BaseException:
            state.release(lease.token)
            raise

    async def newest(self) -> int:
        """The number of the newest generation."""
        return self._store.state.newest().number


def _absolute(path: str | Path) -> Path:
    return Path(os.path.abspath(os.path.expanduser(path)))
