"""How fast search is, by the size of the corpus, on chunks that nobody wrote.

    python benchmarks/speed.py FOLDER CHUNKS [--queries 200] [--ingest]

The corpus is made in FOLDER through the store's own write path, unless it is there. Words follow Zipf's law, vectors
lie in clusters; queries go through `Snapshot.search` and are embedded by the default model. With --ingest another
process keeps adding and embedding documents while the queries run.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import itertools
import os
import random
import resource
import subprocess
import sys
import time
import uuid
from bisect import bisect
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from glossator.corpus import Corpus, MiniLM, SearchMode, addition, backlog
from glossator.corpus.conversion.job import Confinement
from glossator.corpus.convert import Converted
from glossator.corpus.documents import Chunk
from glossator.corpus.sources import Source, document_id
from glossator.corpus.store import Addition, Store

CHUNKS_PER_DOCUMENT = 50
WORDS_PER_CHUNK = 120
VOCABULARY = 50_000
CLUSTERS = 500
BATCH = 200  # documents per publication
MODES: tuple[SearchMode, ...] = ("hybrid", "fulltext", "semantic")
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "el", "ir", "ost", "un")]
_NAMESPACE = uuid.UUID("a2b3c4d5-0000-5000-8000-000000000001")


class Clustered:
    """Vectors around random centres in place of the default model's, under its name: what a million chunks allow."""

    identity = MiniLM.identity

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        seed = int.from_bytes(hashlib.sha256(texts[0].encode()).digest()[:8])
        source = np.random.default_rng(seed)
        near = _centres()[source.integers(CLUSTERS, size=len(texts))]
        vectors = near + 0.7 * source.standard_normal(near.shape, dtype=np.float32) / np.sqrt(near.shape[1])
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def serves(self, language: str | None) -> bool:
        return True


@lru_cache(maxsize=1)
def _centres() -> NDArray[np.float32]:
    centres = np.random.default_rng(0).standard_normal((CLUSTERS, MiniLM.identity.dimension), dtype=np.float32)
    return centres / np.linalg.norm(centres, axis=1, keepdims=True)


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[list[str], list[float]]:
    """Invented words, and the sums of their frequencies."""
    source = random.Random(0)
    words = list(
        dict.fromkeys("".join(source.choices(_SYLLABLES, k=source.randint(2, 4))) for _ in range(2 * VOCABULARY))
    )
    return words[:VOCABULARY], list(itertools.accumulate(1 / (rank + 10) for rank in range(VOCABULARY)))


def text(source: random.Random, count: int) -> str:
    words, sums = _vocabulary()
    return " ".join(words[bisect(sums, source.random() * sums[-1])] for _ in range(count))


def document(number: int, seed: str = "") -> Addition:
    """Document `number`, ready to be published."""
    random_source = random.Random(f"{seed}/{number}")
    source = Source(Path(f"/generated{seed}/{number:06d}.md"))
    id = document_id(source.uri)
    chunks = list(_chunks(id, random_source))
    content = "\n\n".join(chunk.content for chunk in chunks).encode()
    made = Converted(
        title=text(random_source, 4),
        mime_type="text/markdown",
        page_count=None,
        language="en",
        metadata={"year": 2000 + number % 27},
        content=content,
        items=b"",
        chunks_file=b"",
        toc=b"{}\n",
        item_count=len(chunks),
        chunks=chunks,
        status="ok",
        reason=None,
        source_digest=hashlib.sha256(content).hexdigest(),
        source_size=len(content),
        confinement=Confinement(files=False, sockets=False, programs=False),
    )
    return addition.converted(source, id, made, None, {}, Clustered())


def _chunks(document: str, source: random.Random) -> Iterator[Chunk]:
    for position in range(CHUNKS_PER_DOCUMENT):
        yield Chunk(
            id=str(uuid.uuid5(_NAMESPACE, f"{document}/{position}")),
            document_id=document,
            position=position,
            content=text(source, WORDS_PER_CHUNK) + f" (ref. GL-{source.randrange(10**6):06d})",
            headings=(text(source, 3),) if position % 5 else (),
            page_numbers=(),
            doc_item_refs=(f"#/texts/{position}",),
            labels=("text",),
        )


async def build(folder: Path, documents: int, *, seed: str = "") -> None:
    """Make or fill the corpus; prints how far it has come."""
    store = await Store.open(folder, create=True, embedder=Clustered())
    started = time.perf_counter()
    try:
        for start in range(0, documents, BATCH):
            batch = [document(number, seed) for number in range(start, min(start + BATCH, documents))]
            await store.write("generating", lambda writer, batch=batch: writer.replace(batch))
            print(
                f"  {(start + len(batch)) * CHUNKS_PER_DOCUMENT:>9,} chunks  {time.perf_counter() - started:6.1f} s",
                flush=True,
            )
        await backlog.embed(store, lambda _: None)
        print(f"  {'vectors':>16}  {time.perf_counter() - started:6.1f} s", flush=True)
        await store.write("maintenance", lambda writer: writer.maintain())
        print(f"  {'maintenance':>16}  {time.perf_counter() - started:6.1f} s", flush=True)
    finally:
        store.close()


def questions(count: int, documents: int) -> list[str]:
    """Queries of words that stand together in some chunk, as a question would have them; every tenth a code."""
    source = random.Random(1)
    found = []
    for number in range(count):
        chunk = next(_chunks("", random.Random(f"/{source.randrange(documents)}")))
        words = source.sample(chunk.content.split()[:-2], source.randint(3, 8))
        found.append(chunk.content.split()[-1].rstrip(")") if number % 10 == 9 else f"what is the {' '.join(words)}")
    return found


async def measure(folder: Path, asked: Sequence[str], modes: Sequence[SearchMode] = MODES) -> None:
    async with await Corpus.open(folder) as corpus, await corpus.snapshot() as snapshot:
        for mode in modes:
            await snapshot.search(asked[0], mode=mode)
            took, cpu = [], time.process_time()
            for query in asked:
                start = time.perf_counter()
                await snapshot.search(query, limit=10, mode=mode)
                took.append(time.perf_counter() - start)
            cpu = (time.process_time() - cpu) / len(asked)
            print(f"{mode:9} {speed(took)}, CPU {cpu * 1e3:.1f} ms a query", flush=True)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB")


def speed(seconds: Sequence[float]) -> str:
    ordered = sorted(seconds)
    return f"p50 {ordered[len(ordered) // 2] * 1e3:.1f} ms, p95 {ordered[int(len(ordered) * 0.95)] * 1e3:.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("chunks", type=int)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--ingest", action="store_true", help="measure while another process adds documents")
    parser.add_argument("--keep-adding", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    folder, documents = given.folder.absolute(), max(1, given.chunks // CHUNKS_PER_DOCUMENT)
    if given.keep_adding:
        for turn in itertools.count():
            asyncio.run(build(folder, BATCH // 4, seed=f"/more{turn % 4}"))
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {documents * CHUNKS_PER_DOCUMENT:,} chunks")
    if not folder.exists():
        asyncio.run(build(folder, documents))
    asked = questions(given.queries, documents)
    if not given.ingest:
        asyncio.run(measure(folder, asked))
        return
    adder = subprocess.Popen([sys.executable, __file__, str(folder), "1", "--keep-adding"], stdout=subprocess.DEVNULL)
    try:
        asyncio.run(measure(folder, asked, ["hybrid"]))
    finally:
        adder.terminate()
        adder.wait()


if __name__ == "__main__":
    main()
