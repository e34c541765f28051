"""A corpus of any number of generated documents, through the store's own write path.

    python benchmarks/scale.py FOLDER DOCUMENTS [--embedder none|words] [--seed 0]

Conversion and chunking are left out; everything behind them is what `glossator add` does: rendered files, terms, the
full-text index, generations, maintenance. `words` gives vectors of hashed words instead of a model's.
"""

from __future__ import annotations

import argparse
import asyncio
import time
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from generated import converted
from numpy.typing import NDArray

from glossator.corpus import Embedder, Identity, NoEmbedder, addition, backlog
from glossator.corpus.sources import Source, document_id
from glossator.corpus.store import Addition, Store

BATCH = 1000  # documents per publication
DIMENSION = 384  # as the default model's


class WordVectors:
    """Unit vectors of hashed words: a fake as fast as the rest of the write path."""

    identity = Identity("word-vectors", DIMENSION, "0" * 64)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        result = np.full((len(texts), DIMENSION), 1e-3, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.split():
                result[row, zlib.crc32(word.encode()) % DIMENSION] += 1
        return result / np.linalg.norm(result, axis=1, keepdims=True)

    def serves(self, language: str | None) -> bool:
        return language in ("en", None)


EMBEDDERS = {"none": NoEmbedder, "words": WordVectors}


async def build(folder: Path, documents: int, *, embedder: Embedder | None = None, seed: int = 0) -> None:
    """Make the corpus; prints how far it has come."""
    embedder = embedder or NoEmbedder()
    store = await Store.open(folder, create=True, embedder=embedder)
    started = time.perf_counter()
    try:
        for start in range(0, documents, BATCH):
            stop = min(start + BATCH, documents)
            batch = [document(number, embedder, seed) for number in range(start, stop)]
            await store.write("generating", lambda writer, batch=batch: writer.replace(batch))
            print(f"  {stop:>7,} documents  {time.perf_counter() - started:6.1f} s", flush=True)
        await backlog.embed(store, lambda _: None)
        await store.write("maintenance", lambda writer: writer.maintain(thorough=True))
        print(f"  {'maintenance':>17}  {time.perf_counter() - started:6.1f} s", flush=True)
    finally:
        store.close()


def document(number: int, embedder: Embedder, seed: int = 0) -> Addition:
    """Document `number`, ready to be published."""
    source = Source(Path(f"/generated/{seed}/{number:07d}.md"))
    id = document_id(source.uri)
    return addition.converted(source, id, converted(number, id, seed), None, {}, embedder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("documents", type=int)
    parser.add_argument("--embedder", choices=sorted(EMBEDDERS), default="none")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    asyncio.run(build(given.folder.absolute(), given.documents, embedder=EMBEDDERS[given.embedder](), seed=given.seed))


if __name__ == "__main__":
    main()
