"""Opening the configured corpus: for one command, or at the first need of a conversation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from .configuration import Configuration
from .scoping import WHOLE, Choice

if TYPE_CHECKING:
    from ..corpus import Corpus, Scope, Snapshot


@asynccontextmanager
async def existing(configuration: Configuration) -> AsyncIterator[Corpus]:
    """The configured corpus, open while the block runs; `CorpusNotFound` says how to make one."""
    async with await _opened(configuration) as corpus:
        yield corpus


async def _opened(configuration: Configuration) -> Corpus:
    from ..corpus import Corpus

    return await Corpus.open(
        configuration.corpus,
        hooks=configuration.hooks,
        reranker=configuration.reranker,
        hot_bytes=configuration.hot_bytes,
    )


@asynccontextmanager
async def newest(configuration: Configuration, choice: Choice = WHOLE) -> AsyncIterator[Snapshot]:
    """Its newest generation, or what was chosen of it, leased while the block runs."""
    async with existing(configuration) as corpus, await corpus.snapshot(await choice.scope(corpus)) as snapshot:
        yield snapshot


async def chosen(configuration: Configuration, choice: Choice) -> Scope | None:
    """The scope that was chosen; the corpus is opened only if there is one."""
    if not choice:
        return None
    async with existing(configuration) as corpus:
        return await choice.scope(corpus)


class LateCorpus:
    """The configured corpus, opened by whoever needs it first: opening costs more than a cell that needs no document.

    A failure to open is not remembered: a corpus that is made meanwhile is found.
    """

    def __init__(self, configuration: Configuration, scope: Scope | None = None) -> None:
        self._configuration = configuration
        self._scope = scope  # of `snapshot`
        self._opening = asyncio.Lock()
        self._corpus: Corpus | None = None
        self._snapshot: Snapshot | None = None

    async def __aenter__(self) -> LateCorpus:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._snapshot is not None:
            await self._snapshot.close()
        if self._corpus is not None:
            await self._corpus.close()

    async def open(self) -> Corpus:
        async with self._opening:
            if self._corpus is None:
                self._corpus = await _opened(self._configuration)
            return self._corpus

    async def snapshot(self) -> Snapshot:
        """The generation that was newest at the first call, the same one ever after."""
        corpus = await self.open()
        async with self._opening:
            if self._snapshot is None:
                self._snapshot = await corpus.snapshot(self._scope)
            return self._snapshot
