"""Another embedder for a corpus that has vectors: ids and texts stay, old readers read on, the old one is refused."""

from __future__ import annotations

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from glossator.corpus import Corpus, EmbedderMismatch, EmbedderUnavailable, NoEmbedder
from glossator.corpus.documents import Progress
from glossator.corpus.embed import Identity, built_in

from .plain import WordHashes, add, corpus, found

pytestmark = pytest.mark.anyio


class Wider(WordHashes):
    """Knows every language, in vectors of another length."""

    def __init__(self) -> None:
        super().__init__()
        self.identity = Identity("wider", 48, "2" * 64)

    def embed(self, texts):
        import numpy as np

        narrow = super().embed(texts)
        return np.concatenate([narrow, np.zeros((len(texts), 16), dtype=np.float32)], axis=1)

    def serves(self, language: str | None) -> bool:
        return True


async def test_vectors_of_another_length_take_the_place_of_the_old_ones(tmp_path: Path) -> None:
    (tmp_path / "dam.txt").write_text("A dam was built here.\n\nThe river is wide here.")
    (tmp_path / "haus.txt").write_text("lang:de Ein Haus aus Stein steht am See.")
    told: list[Progress] = []
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
        await add(opened, tmp_path / "dam.txt", tmp_path / "haus.txt")
        before = await found(opened, "dam built", mode="semantic")
        assert len(before) == 2
        async with await opened.snapshot() as old:
            wider = Wider()
            await opened.reembed(wider, progress=told.append)
            assert wider.texts == 3 and told[-1].done == told[-1].total == 3
            assert len((await old.search("dam built", mode="semantic")).results) == 2
        assert len(await found(opened, "dam built", mode="semantic")) == 3
        await add(opened, tmp_path / "dam.txt")
        assert wider.texts == 4  # the query
    with pytest.raises(EmbedderMismatch, match="rebuild --embed"):
        await corpus(tmp_path / "c", embedder=WordHashes())
    async with await corpus(tmp_path / "c", embedder=Wider()) as opened:
        assert len(await found(opened, "dam built", mode="semantic")) == 3


async def test_a_corpus_without_vectors_gets_them_and_gives_them_up(tmp_path: Path) -> None:
    (tmp_path / "dam.txt").write_text("A dam was built here.")
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, tmp_path / "dam.txt")
        await opened.reembed(WordHashes())
        assert await found(opened, "dam", mode="semantic") == ["A dam was built here."]
        await opened.reembed(NoEmbedder())
        assert await found(opened, "dam") == ["A dam was built here."]


class _Provider(BaseHTTPRequestHandler):
    """A stand-in for an OpenAI-compatible server: vectors of hashed words."""

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["content-length"])))["input"]
        vectors = WordHashes().embed(texts if isinstance(texts, list) else [texts]) * 3
        data = [{"object": "embedding", "index": n, "embedding": row.tolist()} for n, row in enumerate(vectors)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        body = json.dumps({"object": "list", "model": "words", "data": data, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


async def test_the_embedder_of_a_provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    (tmp_path / "dam.txt").write_text(
        "\n\n".join(["A dam was built here.", *(f"Note {n} of the day." for n in range(70))])
    )
    try:
        async with await corpus(tmp_path / "c") as opened:
            await add(opened, tmp_path / "dam.txt")
            await opened.reembed(await asyncio.to_thread(built_in, "openai:words"))
        async with await Corpus.open(tmp_path / "c") as opened:  # by the embedder that the corpus remembers
            assert (await found(opened, "dam built", mode="semantic"))[0] == "A dam was built here."
            monkeypatch.delenv("OPENAI_API_KEY")
            monkeypatch.delenv("OPENAI_BASE_URL")
            with pytest.raises(EmbedderUnavailable, match="openai:words gives no vectors: "):
                await found(opened, "dam built", mode="semantic")
            assert (await found(opened, "dam built", mode="fulltext"))[0] == "A dam was built here."
    finally:
        server.shutdown()
        server.server_close()
    for name in ("nobody:words", "word2vec"):
        with pytest.raises((EmbedderUnavailable, EmbedderMismatch)):
            await asyncio.to_thread(built_in, name)


async def test_who_still_has_the_old_embedder_writes_no_vectors_with_it(tmp_path: Path) -> None:
    (tmp_path / "dam.txt").write_text("A dam was built here.")
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as late:
        await add(late, tmp_path / "dam.txt")
        async with await corpus(tmp_path / "c") as other:
            await other.reembed(Wider())
        (tmp_path / "dam.txt").write_text("A dam was built there.")
        with pytest.raises(EmbedderMismatch, match="another embedder meanwhile"):
            await add(late, tmp_path / "dam.txt")
    async with await corpus(tmp_path / "c", embedder=Wider()) as opened:
        await add(opened, tmp_path / "dam.txt")
        assert await found(opened, "dam", mode="semantic") == ["A dam was built there."]
