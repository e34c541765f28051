"""The corpus as its users hold it: open, add, remove, find, and take snapshots."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .collected import Collections
from .documents import Document, Outcome, Progress
from .finding import find
from .snapshot import Snapshot

if TYPE_CHECKING:
    from .embed import Embedder
    from .ingest import DocumentConverter
    from .scope import Scope
    from .store import Store


class Corpus:
    """One folder of documents. Any number of processes may add, search and remove at once."""

    def __init__(self, store: Store, converter: DocumentConverter | None = None):
        self.path: Path = store.folder.path
        self.collections = Collections(store)
        self._store = store
        self._converter = converter

    @classmethod
    async def open(
        cls,
        path: str | Path,
        *,
        create: bool = False,
        embedder: Embedder | None = None,
        converter: DocumentConverter | None = None,
    ) -> Corpus:
        """The corpus at `path`; CorpusNotFound when there is none and `create` is not set.

        Without `embedder` the corpus's own is used. `converter` takes the place of the jailed one.
        """
        from .store import Store

        store = await Store.open(_absolute(path), create=create, embedder=embedder)
        return cls(store, converter)

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
        progress: Callable[[Progress], None] | None = None,
        collections: Sequence[str] = (),
    ) -> AsyncGenerator[Outcome]:
        """Store the files at `paths`, folders walked in sorted order; one outcome per file, once it is published.

        They are put into `collections`, which must exist: what is stored already as well.
        """
        from .convert import Converter
        from .ingest import Ingest

        collections = [(await self.collections.get(name)).name for name in collections]
        async with AsyncExitStack() as stack:
            converter = self._converter or await stack.enter_async_context(Converter())
            outcomes = Ingest(self._store, converter, metadata, progress, collections).add(paths)
            async for outcome in await stack.enter_async_context(aclosing(outcomes)):
                yield outcome

    async def remove(self, keys: Sequence[str]) -> list[Document]:
        """End the documents that `keys` name; all of them, or none when one is unknown or ambiguous."""
        documents = self._store.state.listing(self._store.state.newest().number)
        found = {document.id: document for document in (find(documents, key) for key in keys)}
        if found:
            await self._store.write("removing documents", lambda writer: writer.remove(found.keys()))
        return list(found.values())

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
            return Snapshot(self._store, lease, state.listing(lease.generation.number), scope)
        except BaseException:
            state.release(lease.token)
            raise

    async def newest(self) -> int:
        """The number of the newest generation."""
        return self._store.state.newest().number


def _absolute(path: str | Path) -> Path:
    return Path(os.path.abspath(os.path.expanduser(path)))
