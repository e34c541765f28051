"""Small real parts for the store's tests: a converter of plain paragraphs, and an embedder that hashes words."""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

from glossator.corpus import Chunk, ConversionFailed, Corpus, Document, Identity, NoEmbedder, Outcome
from glossator.corpus.conversion.job import Confinement
from glossator.corpus.convert import Converted
from glossator.corpus.sources import name_of, uri_of


class Paragraphs:
    """Makes a chunk of each paragraph. `# ` begins a heading, `!` fails with the rest, `lang:de` names the language."""

    async def convert(self, path: Path, *, document_id: str, mime_type: str | None = None) -> Converted:
        data = await asyncio.to_thread(path.read_bytes)
        text = data.decode()
        if text.startswith("!"):
            raise ConversionFailed(text[1:].strip())
        language, text = (text[5:7], text[7:]) if text.startswith("lang:") else (None, text)
        chunks = list(self._chunks(document_id, text))
        rows = [{"chunk_id": chunk.id, "content": chunk.content} for chunk in chunks]
        return Converted(
            title=None,
            mime_type=mime_type or "text/plain",
            page_count=None,
            language=language,
            metadata={},
            content=text.encode(),
            items=b"".join(orjson.dumps({"text": chunk.content}) + b"\n" for chunk in chunks),
            chunks_file=b"".join(orjson.dumps(row) + b"\n" for row in rows),
            toc=orjson.dumps({"doc_id": document_id, "title": name_of(uri_of(path)), "tree": []}) + b"\n",
            item_count=len(chunks),
            chunks=chunks,
            status="ok" if chunks else "empty",
            reason=None if chunks else "no text",
            source_digest=hashlib.sha256(data).hexdigest(),
            source_size=len(data),
            confinement=Confinement(files=False, sockets=False, programs=False),
        )

    def _chunks(self, document_id: str, text: str):
        headings: tuple[str, ...] = ()
        seen: Counter[str] = Counter()
        position = 0
        for paragraph in filter(None, map(str.strip, text.split("\n\n"))):
            if paragraph.startswith("# "):
                headings = (paragraph[2:],)
                continue
            key = "\x1f".join([document_id, *headings, paragraph])
            id = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{key}\x1f{seen[key]}"))
            seen[key] += 1
            yield Chunk(id, document_id, position, paragraph, headings, (), (f"#/texts/{position}",), ("text",))
            position += 1


class WordHashes:
    """Unit vectors of hashed words: texts that share words are near."""

    def __init__(self, digest: str = "1" * 64):
        self.identity = Identity("word-hashes", 32, digest)
        self.texts = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += len(texts)
        result = np.full((len(texts), 32), 1e-3, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                result[row, hashlib.sha256(word.encode()).digest()[0] % 32] += 1
        return result / np.linalg.norm(result, axis=1, keepdims=True)

    def serves(self, language: str | None) -> bool:
        return language in ("en", None)


async def corpus(folder: Path, *, embedder=None, create: bool = True) -> Corpus:
    """A corpus of paragraphs, without vectors unless an embedder is given."""
    return await Corpus.open(folder, create=create, embedder=embedder or NoEmbedder(), converter=Paragraphs())


async def add(corpus: Corpus, *paths: Path, **options) -> list[Outcome]:
    return [outcome async for outcome in corpus.add(paths, **options)]


async def documents(corpus: Corpus) -> dict[str, Document]:
    async with await corpus.snapshot() as snapshot:
        return dict(snapshot.documents)


async def found(corpus: Corpus, query: str, **options) -> list[str]:
    """The contents of the passages found, best first."""
    async with await corpus.snapshot() as snapshot:
        page = await snapshot.search(query, **options)
        return [result.chunk.content for result in page.results]
