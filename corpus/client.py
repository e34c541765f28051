"""The corpus as its users hold it: open, add, remove, find, and take snapshots."""

from __future__ import annotations

import asyncio
import difflib
import os
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from .documents import Document, Outcome, Progress
from .errors import AmbiguousDocument, DocumentNotFound
from .snapshot import Snapshot

if TYPE_CHECKING:
    from .embed import Embedder
    from .ingest import DocumentConverter
    from .store import Store

_ID_PREFIX = 4  # characters: the shortest beginning of a document id that is taken for one
_CANDIDATES = 5


class Corpus:
    """One folder of documents. Any number of processes may add, search and remove at once."""

    def __init__(self, store: Store, converter: DocumentConverter | None = None):
        self.path: Path = store.folder.path
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
    ) -> AsyncGenerator[Outcome]:
        """Store the files at `paths`, folders walked in sorted order; one outcome per file, once it is published."""
        from .convert import Converter
        from .ingest import Ingest

        async with AsyncExitStack() as stack:
            converter = self._converter or await stack.enter_async_context(Converter())
            outcomes = Ingest(self._store, converter, metadata, progress).add(paths)
            async for outcome in await stack.enter_async_context(aclosing(outcomes)):
                yield outcome

    async def remove(self, keys: Sequence[str]) -> list[Document]:
        """End the documents that `keys` name; all of them, or none when one is unknown or ambiguous."""
        documents = self._store.state.documents(self._store.state.newest().number)
        found = {document.id: document for document in (_find(documents, key) for key in keys)}
        if found:
            await self._store.write("removing documents", lambda writer: writer.remove(found.keys()))
        return list(found.values())

    async def find(self, key: str) -> Document:
        """The document with this id, beginning of an id, uri, path, file name or title."""
        newest = await asyncio.to_thread(self._store.state.newest)
        return _find(await asyncio.to_thread(self._store.state.documents, newest.number), key)

    async def snapshot(self) -> Snapshot:
        """The newest generation, kept readable until it is closed, for a day at most."""
        lease = await asyncio.to_thread(self._store.state.lease)
        documents = await asyncio.to_thread(self._store.state.documents, lease.generation.number)
        return Snapshot(self._store, lease, documents)

    async def newest(self) -> int:
        """The number of the newest generation."""
        return self._store.state.newest().number


def _absolute(path: str | Path) -> Path:
    return Path(os.path.abspath(os.path.expanduser(path)))


def _find(documents: Mapping[str, Document], key: str) -> Document:
    if key in documents:
        return documents[key]
    for names in (_by_id, _by_place, _by_name):
        found = [document for document in documents.values() if names(document, key)]
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousDocument(key, [f"{document.id} {unquote(document.uri)}" for document in found[:_CANDIDATES]])
    raise DocumentNotFound(key, _near(documents, key))


def _by_id(document: Document, key: str) -> bool:
    return len(key) >= _ID_PREFIX and document.id.startswith(key)


def _by_place(document: Document, key: str) -> bool:
    return (
        key == document.uri
        or document.uri == "file://" + key
        or unquote(document.uri) == f"file://{Path(key).absolute()}"
    )


def _by_name(document: Document, key: str) -> bool:
    return key in _names(document)


def _near(documents: Mapping[str, Document], key: str) -> list[str]:
    names = dict.fromkeys(name for document in documents.values() for name in _names(document))
    return difflib.get_close_matches(key, names, n=_CANDIDATES)


def _names(document: Document) -> tuple[str, str]:
    """What people call it: its title, and the name of its file."""
    return document.title, unquote(document.uri.rsplit("/", 1)[-1])
