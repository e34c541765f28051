"""The chunks that wait for their vector, whoever added them and was interrupted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from . import index
from .addition import embedded_text
from .documents import Progress
from .index import Pending
from .store import Store

_BATCH = 64  # chunks per publication


async def embed(store: Store, progress: Callable[[Progress], None]) -> None:
    """Give every waiting chunk its vector, in batches; one process at a time, the others wait for it."""
    if not store.embedder.identity.dimension:
        return
    done = 0
    async with store.embedding():
        while found := await _waiting(store):
            part, left = found
            if not done:
                progress(Progress("embed", 0, len(part) + left))
            vectors = await asyncio.to_thread(store.embedder.embed, await _texts(store, part))
            ids = [chunk.id for chunk in part]
            await store.write("embedding", lambda writer, i=ids, v=vectors: writer.set_vectors(i, v))
            done += len(part)
            progress(Progress("embed", done, done + left))


async def _waiting(store: Store) -> tuple[list[Pending], int] | None:
    """Some of the waiting chunks, and how many others there are; None when there are none."""
    async with store.leased() as generation:
        table = await (await store.index()).at(generation.chunks_version)
        part = await index.pending(table, _BATCH)
        return (part, await index.count_pending(table) - len(part)) if part else None


async def _texts(store: Store, part: Sequence[Pending]) -> list[str]:
    stored = await asyncio.to_thread(store.state.stored, {chunk.document_id for chunk in part})
    titles = {id: row.document.title for id, row in stored.items()}  # without those removed in the meantime
    return [embedded_text(titles.get(chunk.document_id, ""), chunk.headings, chunk.content) for chunk in part]
