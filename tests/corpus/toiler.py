"""Run by tests in processes of their own, to be killed at any moment: adds, changes, removes, embeds, optimises.

Each has documents of its own and notes in a log what it begins and what is done, so that whoever killed it knows what
must be stored: what was done last, or for what was begun, the one or the other.
"""

from __future__ import annotations

import asyncio
import os
import random
import warnings
from pathlib import Path

from glossator.corpus import index as _index  # noqa: F401  # loaded once, before the processes are forked

from .plain import WordHashes, add, corpus

# They are forked from a process that has only imported it and never used it.
warnings.filterwarnings("ignore", message="lancedb fork support")

WORDS = "gate dam cap river stone house light tower lamp harbour".split()
PARAGRAPHS = 8
DOCUMENTS = 6  # of each toiler
GONE = -1  # the version of a document that is not stored


def text(number: int, version: int) -> str:
    marks = (f"Mark {number} {version} {part} {WORDS[(number + part) % 10]} word" for part in range(PARAGRAPHS))
    return "\n\n".join(marks)


def toil(place: Path, sources: Path, log: Path, seed: int) -> None:
    asyncio.run(_toil(place, sources, log, random.Random(seed)))


async def _toil(place: Path, sources: Path, log: Path, chance: random.Random) -> None:
    notes = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def note(what: str, number: int, version: int) -> None:
        os.write(notes, f"{what} {number} {version}\n".encode())

    async with await corpus(place, embedder=WordHashes()) as opened:
        while True:
            number, version = chance.randrange(DOCUMENTS), chance.randrange(1 << 30)
            path = sources / f"{number}.txt"
            deed = chance.choices(["add", "rm", "optimise"], [6, 3, 1])[0]
            if deed == "optimise":
                await opened._store.write("test", lambda writer: writer.maintain(thorough=True))
            elif deed == "add":
                path.write_text(text(number, version))
                note("begin", number, version)
                (outcome,) = await add(opened, path)
                assert outcome.status in ("added", "updated"), outcome
                note("done", number, version)
            elif path.as_uri() in await _uris(opened):
                note("begin", number, GONE)
                await opened.remove([path.as_uri()])
                note("done", number, GONE)


async def _uris(opened) -> set[str]:
    async with await opened.snapshot() as snapshot:
        return {document.uri for document in snapshot.documents.values()}
