"""Hooks: classes of other packages that see writes and may change searches, wherever the client runs.

A hook is registered in the entry-point group `glossator.hooks` and activated by name; see docs/hooks.md.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from .documents import Document, SearchMode, SearchResult
from .errors import HookFailed, HookUnknown

if TYPE_CHECKING:
    from .client import Corpus

GROUP = "glossator.hooks"
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class IngestEvent:
    """Documents whose content was stored, in one batch; changing the event changes nothing stored."""

    documents: list[Document]
    operation: Literal["create", "update"]


@dataclass(slots=True)
class DeleteEvent:
    """Documents that were removed, as they were."""

    documents: list[Document]


@dataclass(slots=True)
class SearchRequest:
    """A search by text, for hooks to change; never beyond the scope of who asks."""

    query: str
    filter: Mapping[str, Any] | None  # a condition on documents, as in `Scope.where`
    search_type: SearchMode
    limit: int  # of the results


class Hook:
    """Override any of these. `client` is the corpus, without hooks."""

    async def after_ingest(self, client: Corpus, event: IngestEvent) -> None:
        """Content was stored: derive from the documents whatever you keep of them, in place of what you had."""

    async def after_delete(self, client: Corpus, event: DeleteEvent) -> None:
        """Documents are gone: forget what you keep of them."""

    async def before_search(self, client: Corpus, request: SearchRequest) -> SearchRequest:
        """The request to search with."""
        return request

    async def after_search(
        self, client: Corpus, request: SearchRequest, results: list[SearchResult]
    ) -> list[SearchResult]:
        """The results to give: annotated, reordered, or fewer."""
        return results


class Hooks:
    """The active hooks in their order, and the client that they are given."""

    def __init__(self, hooks: Sequence[Hook], client: Corpus):
        self._hooks = hooks
        self._client = client

    def __bool__(self) -> bool:
        return bool(self._hooks)

    async def ingested(self, documents: Sequence[Document], operation: Literal["create", "update"]) -> None:
        if documents:
            await self._observe(lambda hook: hook.after_ingest(self._client, IngestEvent([*documents], operation)))

    async def deleted(self, documents: Sequence[Document]) -> None:
        if documents:
            await self._observe(lambda hook: hook.after_delete(self._client, DeleteEvent([*documents])))

    async def before_search(self, request: SearchRequest) -> SearchRequest:
        for hook in self._hooks:
            request = await hook.before_search(self._client, request)
            if not isinstance(request, SearchRequest):
                raise HookFailed(f"{_name(hook)}.before_search returned no SearchRequest")
        return request

    async def after_search(self, request: SearchRequest, results: Sequence[SearchResult]) -> list[SearchResult]:
        found = [*results]
        for hook in self._hooks:
            found = await hook.after_search(self._client, request, found)
            if not isinstance(found, list):
                raise HookFailed(f"{_name(hook)}.after_search returned no list of results")
        return found

    async def _observe(self, tell: Callable[[Hook], Awaitable[None]]) -> None:
        for hook in self._hooks:
            try:
                await tell(hook)
            except Exception:  # boundary: the write stands, whatever becomes of who was told of it
                _log.exception("the hook %s failed; what it keeps may be out of date", _name(hook))


def load(names: Sequence[str]) -> list[Hook]:
    """The hooks registered under these names, in this order; only they are imported. HookUnknown."""
    from importlib.metadata import entry_points

    known = {point.name: point for point in entry_points(group=GROUP)} if names else {}
    for name in names:
        if name not in known:
            there = ", ".join(sorted(known)) or "none is installed"
            raise HookUnknown(f"no hook {name!r} is installed (there is: {there}): install it or leave it out")
    return [_made(name, known[name].load()) for name in names]


def _made(name: str, factory: Callable[[], object]) -> Hook:
    hook = factory()
    if not isinstance(hook, Hook):
        raise HookFailed(f"the hook {name!r} is not a glossator.corpus.hooks.Hook but a {type(hook).__name__}")
    return hook


def _name(hook: Hook) -> str:
    return type(hook).__name__
