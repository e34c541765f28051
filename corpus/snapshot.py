"""One generation of a corpus, for as long as it is leased: nothing in it ever changes."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Collection as Ids
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from .documents import FILE_KINDS, Chunk, FileKind, Picture, SearchMode, SearchPage
from .errors import HookFailed, NotACorpus, SnapshotExpired
from .hooks import Hooks, SearchRequest
from .query import analyse
from .scope import narrowed

if TYPE_CHECKING:
    import numpy as np
    from lancedb.table import AsyncTable
    from numpy.typing import NDArray

    from .catalogue import Collection
    from .export import Exported, Tell
    from .listing import Listing
    from .reranking import Reranker
    from .scope import Scope
    from .search import Searcher
    from .state import Lease
    from .store import Store

PREFIX_LENGTH = 8  # hexadecimal digits: the shortest beginning of a chunk id that is looked up
_PREFIX = re.compile(r"[0-9a-f]{8}[0-9a-f-]{0,28}")
_PREFIX_MATCHES = 3
_CONDITIONS = 16  # whose documents are kept for the next search
_PREFIX_DEPTH = 100  # chunks with one prefix that are looked through for those in scope


class Snapshot:
    """The documents, files and chunks of one generation; what is outside its scope does not exist here."""

    def __init__(
        self,
        store: Store,
        lease: Lease,
        documents: Listing,
        scope: Scope | None = None,
        hooks: Hooks | None = None,
        reranker: Reranker | None = None,
    ):
        self.generation: int = lease.generation.number
        self.documents: Listing = documents if scope is None else scope.of(documents)
        self._everything = len(documents)  # documents of the generation, in scope or not
        self._store = store
        self._embedder = store.embedder  # of the vectors of this generation; a later one may have another
        self._lease = lease
        self._hooks = hooks
        self._reranker = reranker
        self._closed = False
        self._opening = asyncio.Lock()
        self._table: AsyncTable | None = None
        self._searcher: Searcher | None = None
        self._meeting: dict[bytes, Listing] = {}  # by condition

    @property
    def expires_at(self) -> float:
        """When the lease ends, in seconds since 1970; from then on everything is a SnapshotExpired."""
        return self._lease.expires_at

    def read(self, kind: FileKind, ids: Sequence[str]) -> list[bytes]:
        """One file of each document, in the order asked; from any thread. KeyError names an unknown id."""
        positions = self.documents.positions
        return self.read_at(kind, [positions[id] for id in ids])

    def read_at(self, kind: FileKind, positions: Sequence[int]) -> list[bytes]:
        """One file of the documents at these positions in the listing, in the order asked; from any thread."""
        self._check()
        blobs = self.documents.files.blobs(kind)
        try:
            return self._store.blobs.get([blobs[position] for position in positions])
        except KeyError as error:
            raise self._ended() or error from error

    def picture(self, document_id: str, ref: str) -> Picture | None:
        """A picture by the self_ref of its item; None if the document keeps none of that name. From any thread."""
        self._check()
        file = next((file for file in self.documents.pictures([document_id]) if file.ref == ref), None)
        if file is None:
            return None
        try:
            return Picture(*file[:4], self._store.blobs.peek([file.number])[0])
        except KeyError as error:
            raise self._ended() or error from error

    async def export(
        self, folder: str | Path, kinds: Sequence[FileKind] = FILE_KINDS, *, tell: Tell | None = None
    ) -> Exported:
        """Write the documents' files into a new or empty folder, whole or not at all; `tell` hears how far it is."""
        self._check()
        from .export import export

        return await export(self, Path(folder), kinds, tell)

    async def search(
        self,
        query: str,
        *,
        limit: int = 10,
        offset: int = 0,
        mode: SearchMode = "hybrid",
        document_ids: Ids[str] | None = None,
        where: Mapping[str, Any] | None = None,
    ) -> SearchPage:
        """The passages that match best; any text is a query.

        `document_ids` narrows the search to those documents, `where` to those that meet a condition
        (`glossator.corpus.Scope`); ConditionMalformed names the keys that there are. Hooks may change what is asked
        and what is found, within the scope.
        """
        if not self._hooks:
            return await self._found(SearchRequest(query, where, mode, limit), offset, document_ids)
        request = await self._hooks.before_search(SearchRequest(query, where, mode, limit))
        page = await self._found(request, offset, document_ids)
        results = await self._hooks.after_search(request, page.results)
        if strangers := {result.document.id for result in results} - self.documents.keys():
            raise HookFailed(f"a hook gave results of documents that are not in scope: {', '.join(sorted(strangers))}")
        return replace(page, results=results)

    async def _found(self, asked: SearchRequest, offset: int, document_ids: Ids[str] | None) -> SearchPage:
        query, where, mode, limit = asked.query, asked.filter, asked.search_type, asked.limit
        if where:
            meeting = await asyncio.to_thread(self.meeting, where)
            document_ids = meeting.keys() if document_ids is None else meeting.keys() & document_ids
        request = analyse(query, mode, self._within(document_ids), self.documents, self._embedder)
        if request.is_empty:
            return SearchPage([], 0, 0)
        # The embedder loads while the table is opened: after a cold start each takes a part of a second.
        vector = asyncio.create_task(self._vector(query)) if request.by_vector else None
        try:
            searcher = await self._search()
            with self._guarded():
                return await searcher.search(request, vector, limit=limit, offset=offset)
        finally:
            if vector is not None:
                vector.cancel()

    def meeting(self, where: Mapping[str, Any]) -> Listing:
        """The documents that meet a condition; found once for the searches that follow each other."""
        key = orjson.dumps(where, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS, default=str)
        found = self._meeting.get(key)
        if found is None:
            found = narrowed(self.documents, where, strict=True)
            if len(self._meeting) >= _CONDITIONS:
                self._meeting.clear()
            self._meeting[key] = found
        return found

    async def _search(self) -> Searcher:
        table = await self._chunks()
        if self._searcher is None:
            from .search import Searcher

            self._searcher = Searcher(table, self.documents, self._reranker)
        return self._searcher

    async def _vector(self, query: str) -> NDArray[np.float32]:
        return (await asyncio.to_thread(self._embedder.embed, [query]))[0]

    def collections(self) -> list[Collection]:
        """The collections of this generation, counted within the scope; those without a document in it are not seen."""
        self._check()
        seen = self.documents.collections
        known = self._store.state.collections(self.generation)
        return [replace(each, document_count=len(seen[each.name])) for each in known if each.name in seen]

    async def chunks(self, ids: Sequence[str]) -> dict[str, Chunk]:
        """Those of the chunks that exist, in the order asked."""
        table = await self._chunks()
        from . import index

        with self._guarded():
            found = await index.chunks(table, ids)
        return {id: chunk for id, chunk in found.items() if chunk.document_id in self.documents}

    async def chunks_by_prefix(self, prefix: str) -> list[Chunk]:
        """Up to three chunks whose id begins with at least eight hexadecimal digits; else none."""
        if not _PREFIX.fullmatch(prefix := prefix.strip().lower()):
            return []
        table = await self._chunks()
        from . import index

        with self._guarded():
            found = await index.chunks_from(table, prefix, _PREFIX_DEPTH)
        return [chunk for chunk in found if chunk.document_id in self.documents][:_PREFIX_MATCHES]

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """What fails because documents were purged, and with them all that this snapshot reads, is told as that."""
        try:
            yield
        except (RuntimeError, ValueError, OSError) as error:
            raise self._ended() or error from error

    def _ended(self) -> SnapshotExpired | None:
        """The error of a snapshot whose lease somebody else has ended."""
        if self._store.state.has_leased(self._lease.token):
            return None
        told = "has ended because documents were purged"
        return SnapshotExpired(f"this view of the corpus (generation {self.generation}) {told}: take a new one")

    def _within(self, ids: Ids[str] | None) -> frozenset[str] | None:
        """The documents to search, None for all of the generation."""
        within = self.documents.keys() if ids is None else self.documents.keys() & ids
        return None if len(within) == self._everything else frozenset(within)

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await asyncio.to_thread(self._store.state.release, self._lease.token)

    async def __aenter__(self) -> Snapshot:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _chunks(self) -> AsyncTable:
        self._check()
        async with self._opening:
            if self._table is None:
                index = await self._store.index()
                try:
                    self._table = await index.at(self._lease.generation.chunks_version)
                except NotACorpus as error:
                    raise self._ended() or error from error
            return self._table

    def _check(self) -> None:
        if self._closed or time.time() > self._lease.expires_at:
            how = "was closed" if self._closed else "is older than a day and its lease has ended"
            raise SnapshotExpired(f"this view of the corpus (generation {self.generation}) {how}: take a new one")
