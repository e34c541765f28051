"""The chunks that wait for their vector, whoever added them and was interrupted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from . import index
from .addition import embedded_text
from .documents import Progress
from .index import Pending
from .store import Store

_FIRST = 64  # chunks in the first publication
_MOST = 4096  # and at most
_QUICK_S = 1.0  # seconds: a batch that took less is followed by one twice as large, as each publication has its price


async def embed(store: Store, progress: Callable[[Progress], None]) -> None:
    """Give every waiting chunk its vector, in batches; one process at a time, the others wait for it."""
    if not store.embedder.identity.dimension:
        return
    done, size = 0, _FIRST
    async with store.embedding():
        while found := await _waiting(store, size):
            started = time.perf_counter()
            part, left = found
            if not done:
                progress(Progress("embed", 0, len(part) + left))
            vectors = await asyncio.to_thread(store.embedder.embed, await _texts(store, part))
            ids = [chunk.id for chunk in part]
            await store.write("embedding", lambda writer, i=ids, v=vectors: writer.set_vectors(i, v))
            done += len(part)
            progress(Progress("embed", done, done + left))
            if time.perf_counter() - started < _QUICK_S:
                size = min(size * 2, _MOST)


async def _waiting(store: Store, size: int) -> tuple[list[Pending], int] | None:
    """Up to `size` of the waiting chunks, and how many others there are; None when there are none."""
    async with store.leased() as generation:
        table = await (await store.index()).at(generation.chunks_version)
        part = await index.pending(table, size)
        return (part, await index.count_pending(table) - len(part)) if part else None


async def _texts(store: Store, part: Sequence[Pending]) -> list[str]:
    stored = await asyncio.to_thread(store.state.stored, {chunk.document_id for chunk in part})
    titles = {id: row.document.title for id, row in stored.items()}  # without those removed in the meantime
    return [embedded_text(titles.get(chunk.document_id, ""), chunk.headings, chunk.content) for chunk in part]
