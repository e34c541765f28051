"""Erasing documents: every byte of theirs leaves the corpus's folder, and that is proved by looking for them.

Removing a document ends it, but sessions may read its generation for a day, and databases keep what they deleted until
the room is used again. Purging ends those sessions' views and writes every database anew.
"""

from __future__ import annotations

import asyncio
import json
import mmap
import sqlite3
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from .documents import Document
from .errors import CorpusBusy
from .store import Store

TELLING = 24  # characters: a shorter line may stand anywhere by chance
_STRETCH = 48  # bytes
_PATIENCE_S = 30.0  # for readers in other processes to finish a read
_PAUSE_S = 0.05


@dataclass(frozen=True, slots=True)
class Purged:
    """Documents that are gone, and what is left to prove it."""

    documents: Sequence[Document]
    traces: frozenset[bytes]  # stretches of bytes that only they had: ids, places, lines of their text


async def purge(
    store: Store, documents: Sequence[Document], tell: Callable[[Sequence[Document]], Awaitable[None]]
) -> Purged:
    """Erase documents from the store. Snapshots that were taken before have expired.

    `tell` hears of them when they are gone, before the databases are written anew: hooks forget what they keep.
    """
    ids = [document.id for document in documents]
    traces = await asyncio.to_thread(_traces, store, documents)
    await store.write("purging documents", lambda writer: writer.purge(ids))
    await tell(documents)
    for database in (store.folder.state, store.folder.files, store.folder.hooks):
        if database.exists():
            await asyncio.to_thread(scrub, database)
    return Purged(documents, await asyncio.to_thread(_only_theirs, store, traces))


def scrub(database: Path) -> None:
    """Write a database anew without what was deleted from it, its log included."""
    deadline = time.monotonic() + _PATIENCE_S
    with closing(sqlite3.connect(database, timeout=_PATIENCE_S, isolation_level=None)) as connection:
        connection.execute("VACUUM")
        while connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            if time.monotonic() > deadline:
                raise CorpusBusy(f"{database} is being read: the documents are gone from it when you purge them again")
            time.sleep(_PAUSE_S)


def found(folder: Path, traces: Collection[bytes]) -> list[Path]:
    """The files below `folder` in which a trace stands."""
    return [file for file in sorted(folder.rglob("*")) if file.is_file() and holds(file, traces)]


def holds(file: Path, traces: Iterable[bytes]) -> bool:
    """Whether a trace stands in a file."""
    with file.open("rb") as opened:
        if not file.stat().st_size:
            return False
        with mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return any(data.find(trace) >= 0 for trace in traces)


def _traces(store: Store, documents: Sequence[Document]) -> set[bytes]:
    listing = store.state.listing(store.state.newest().number)
    texts = {text for document in documents for text in (document.id, document.uri) if text}
    for document in documents:
        number = listing.files.blobs("content.txt")[listing.positions[document.id]]
        content = store.blobs.get([number])[0].decode("utf-8", "replace")
        texts |= {line.strip() for line in content.splitlines() if len(line.strip()) >= TELLING}
    pictures = listing.pictures([document.id for document in documents])
    stretches = (_stretch(store.blobs.peek([picture.number])[0]) for picture in pictures)
    return {form for text in texts for form in _forms(text)} | {each for each in stretches if each}


def _stretch(picture: bytes) -> bytes:
    """Bytes out of the middle of a picture that stand in no other; none where they say too little."""
    middle = picture[len(picture) // 2 :][:_STRETCH]
    return middle if len(set(middle)) > _STRETCH // 3 else b""


def _forms(text: str) -> set[bytes]:
    """A text as it may stand in a file: plain, and inside JSON."""
    return {text.encode(), *(json.dumps(text, ensure_ascii=ascii)[1:-1].encode() for ascii in (True, False))}


def _only_theirs(store: Store, traces: set[bytes]) -> frozenset[bytes]:
    """Without what stands in a document that stays: a line of every letter that one company has sent."""
    listing = store.state.listing(store.state.newest().number)
    shared: set[bytes] = set()
    for kind in ("content.txt", "metadata.json", "items.jsonl", "chunks.jsonl"):
        for number in listing.files.blobs(kind):
            body = store.blobs.get([number])[0]
            shared |= {trace for trace in traces if trace in body}
    for page in listing.pages():
        for picture in listing.pictures(page):
            shared |= {trace for trace in traces if trace in store.blobs.peek([picture.number])[0]}
    return frozenset(traces - shared)
