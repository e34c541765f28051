"""The host functions that cells may await: `search` and `list_documents`, within the session's scope and generation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..corpus.errors import CorpusError
from ..sandbox.contracts import GuestError, HostFunction

if TYPE_CHECKING:
    from ..corpus import Snapshot
    from ..corpus.documents import Chunk

MAX_LIMIT = 200  # passages per search in a cell

_SEARCH = "await search(query, limit=10): passages, best first, a list of dicts"
_LIST = "await list_documents(): every document, a list of dicts with id, title, uri, created_at, metadata"


@dataclass
class CorpusFunctions:
    """Answers the cells of one session and remembers what it delivered to the cell that is running."""

    snapshot: Callable[[], Awaitable[Snapshot]]  # opens the store at the first call
    document_ids: frozenset[str] | None = None  # the scope; None is the whole corpus
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

    async def search(self, query: str, limit: int = 10) -> list[dict[str, Any]]:
        """Passages of the corpus, best first, with every key of a search result."""
        if not isinstance(query, str):
            raise GuestError("TypeError", f"search(query, limit=10): query must be a str, not {type(query).__name__}")
        if not isinstance(limit, int) or isinstance(limit, bool):
            raise GuestError("TypeError", f"search(query, limit=10): limit must be an int, not {type(limit).__name__}")
        if not 1 <= limit <= MAX_LIMIT:
            raise GuestError("ValueError", f"search(query, limit=10): limit must be from 1 to {MAX_LIMIT}, not {limit}")
        with _errors_of_the_cell():
            page = await (await self.snapshot()).search(query, limit=limit, document_ids=self.document_ids)
        self.found += [result.chunk for result in page.results]
        return [result.as_dict() for result in page.results]

    async def list_documents(self) -> list[dict[str, Any]]:
        """Every document in scope, in order of ingestion."""
        snapshot = await self.look()
        return [
            {
                "id": document.id,
                "title": document.title,
                "uri": document.uri,
                "created_at": document.created_at,
                "metadata": dict(document.metadata),
            }
            for document in snapshot.documents.values()
            if self.document_ids is None or document.id in self.document_ids
        ]


@contextmanager
def _errors_of_the_cell() -> Iterator[None]:
    """No corpus, one of another format, one without vectors: the cell says so, and the session lives."""
    try:
        yield
    except CorpusError as error:
        raise GuestError("RuntimeError", str(error)) from error
