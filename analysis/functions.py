"""The host functions that cells may await: `search` and `list_documents`, within the session's scope and generation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from ..corpus.documents import SEARCH_MODES
from ..corpus.errors import CorpusError
from ..sandbox.contracts import GuestError, HostFunction

if TYPE_CHECKING:
    from ..corpus import Listing, Snapshot
    from ..corpus.documents import Chunk

PAGE = 2048  # documents that `list_documents` sends at once: the worker takes them in while the next ones are looked up
MAX_LIMIT = 200  # passages per search in a cell

_SEARCH = (
    "await search(query, limit=10, where=None, mode='hybrid'): passages, best first, a list of dicts; where as in"
    " list_documents, mode may also be 'fulltext' (by words alone) or 'semantic' (by meaning alone)"
)
_LIST = (
    "await list_documents(limit=None, offset=0, where=None): documents, a list of dicts with id, title, uri,"
    " created_at, metadata; where={'year': 2020} or {'year': {'>=': 2010}}"
)


@dataclass
class CorpusFunctions:
    """Answers the cells of one session and remembers what it delivered to the cell that is running."""

    snapshot: Callable[[], Awaitable[Snapshot]]  # opens the store at the first call
    found: list[Chunk] = field(default_factory=list)  # delivered by searches of this cell
    listed: bool = False  # whether this cell looked which documents there are

    def table(self) -> tuple[HostFunction, ...]:
        """The functions for a sandbox session."""
        return (
            HostFunction("search", self.search, _SEARCH),
            HostFunction("list_documents", self.list_documents, _LIST),
        )

    def begin(self) -> None:
        """A cell starts."""
        self.found, self.listed = [], False

    async def look(self) -> Snapshot:
        """The generation, for a cell that looks which documents there are, here or in `/documents`."""
        with _errors_of_the_cell():
            snapshot = await self.snapshot()
        self.listed = True
        return snapshot

    async def search(
        self, query: str, limit: int = 10, where: dict[str, Any] | None = None, mode: str = "hybrid"
    ) -> list[dict[str, Any]]:
        """Passages of the corpus, best first, with every key of a search result."""
        if not isinstance(query, str):
            raise GuestError("TypeError", f"search(query, limit=10): query must be a str, not {type(query).__name__}")
        if not isinstance(limit, int) or isinstance(limit, bool):
            raise GuestError("TypeError", f"search(query, limit=10): limit must be an int, not {type(limit).__name__}")
        if not 1 <= limit <= MAX_LIMIT:
            raise GuestError("ValueError", f"search(query, limit=10): limit must be from 1 to {MAX_LIMIT}, not {limit}")
        if mode not in SEARCH_MODES:
            raise GuestError("ValueError", f"search(…, mode={mode!r:.80}): the modes are {', '.join(SEARCH_MODES)}")
        with _errors_of_the_cell():
            snapshot = await self.snapshot()
        with _errors_of_the_cell("ValueError"):
            page = await snapshot.search(query, limit=limit, where=where, mode=mode)
        self.found += [result.chunk for result in page.results]
        return [result.as_dict() for result in page.results]

    async def list_documents(
        self, limit: int | None = None, offset: int = 0, where: dict[str, Any] | None = None
    ) -> AsyncIterator[Any]:
        """The documents in scope that meet `where`, in order of ingestion; in pages of raw JSON."""
        for name, value in (("limit", limit), ("offset", offset)):
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
                raise GuestError("TypeError", f"list_documents(): {name} must be an int from 0, not {value!r:.80}")
        snapshot = await self.look()
        with _errors_of_the_cell("ValueError"):
            documents = await asyncio.to_thread(snapshot.meeting, where) if where else snapshot.documents
        return _pages(documents, offset, None if limit is None else offset + limit)


async def _pages(documents: Listing, start: int, stop: int | None) -> AsyncIterator[Any]:
    pages = documents.briefs(start, stop, PAGE)
    while (page := await asyncio.to_thread(next, pages, None)) is not None:
        yield orjson.Fragment(b"[" + b",".join(page) + b"]")


@contextmanager
def _errors_of_the_cell(kind: str = "RuntimeError") -> Iterator[None]:
    """No corpus, one of another format, one without vectors: the cell says so, and the session lives."""
    try:
        yield
    except CorpusError as error:
        raise GuestError(kind, str(error)) from error
