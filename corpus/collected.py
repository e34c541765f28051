"""The collections of a corpus as its users hold them: each change is one generation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Collection as Ids

from .catalogue import Catalogue, Collect, Collection
from .documents import Document
from .finding import find, named
from .store import Store

Move = Callable[[Catalogue, str, Ids[str]], Sequence[str]]


class Collections:
    """Named sets of documents. A document may be in any number of them, and is stored once."""

    def __init__(self, store: Store):
        self._store = store

    async def all(self) -> list[Collection]:
        """All of them, by name."""
        return await asyncio.to_thread(self._listed)

    async def get(self, name: str) -> Collection:
        """CollectionNotFound names the nearest."""
        known = {each.name: each for each in await self.all()}
        return known[named(name, known)]

    async def create(
        self, name: str, description: str = "", options: Mapping[str, str] | Iterable[tuple[str, str]] = ()
    ) -> Collection:
        """A new collection without documents. CollectionExists, CollectionMalformed."""
        await self._change("creating a collection", lambda all: all.create(name, description, _pairs(options)))
        return await self.get(name)

    async def describe(
        self,
        name: str,
        description: str | None = None,
        options: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    ) -> Collection:
        """Give it another description, and these options in place of those called the same; one without value goes."""
        await self._change("describing a collection", lambda all: all.describe(name, description, _pairs(options)))
        return await self.get(name)

    async def rename(self, name: str, new: str) -> Collection:
        """Call it `new`; its documents stay in it. CollectionExists."""
        await self._change("renaming a collection", lambda all: all.rename(name, new))
        return await self.get(new)

    async def delete(self, name: str) -> None:
        """Delete a collection; its documents stay in the corpus."""
        await self._change("deleting a collection", lambda all: all.delete(name))

    async def add(self, name: str, keys: Sequence[str]) -> list[Document]:
        """Put the documents that `keys` name into it, all or none; those that were not in it before."""
        return await self._move(name, keys, Catalogue.add)

    async def remove(self, name: str, keys: Sequence[str]) -> list[Document]:
        """Take the documents that `keys` name out of it; they stay in the corpus. Those that were in it."""
        return await self._move(name, keys, Catalogue.remove)

    async def _move(self, name: str, keys: Sequence[str], move: Move) -> list[Document]:
        documents = await asyncio.to_thread(self._found, keys)
        moved: list[str] = []
        await self._change("changing a collection", lambda all: moved.extend(move(all, name, documents.keys())))
        return [documents[id] for id in moved]

    async def _change(self, purpose: str, change: Collect) -> None:
        await self._store.write(purpose, lambda writer: writer.collect(change))

    def _listed(self) -> list[Collection]:
        state = self._store.state
        return state.collections(state.newest().number)

    def _found(self, keys: Sequence[str]) -> dict[str, Document]:
        listing = self._store.state.listing(self._store.state.newest().number)
        return {document.id: document for document in (find(listing, key) for key in keys)}


def _pairs(options: Mapping[str, str] | Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    return options.items() if isinstance(options, Mapping) else options
