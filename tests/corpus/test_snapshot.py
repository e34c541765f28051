"""Snapshots: one generation, whatever is written meanwhile, until it is closed."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from glossator.corpus import FILE_KINDS, SnapshotExpired

from .plain import WordHashes, add, corpus

pytestmark = pytest.mark.anyio


async def _everything(snapshot) -> list:
    """All that a snapshot can be asked."""
    ids = list(snapshot.documents)
    files = [snapshot.read(kind, ids) for kind in FILE_KINDS]
    page = await snapshot.search("gate", limit=50)
    chunk_ids = [result.chunk.id for result in page.results]
    chunks = await snapshot.chunks(chunk_ids)
    return [snapshot.generation, dict(snapshot.documents), files, page, chunks]


async def test_nothing_in_a_snapshot_changes(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    for number in range(6):
        (sources / f"{number}.txt").write_text(f"Gate {number} opens.\n\nGate {number} closes.")
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as writer:
        await add(writer, sources)
        async with await corpus(tmp_path / "c", create=False, embedder=WordHashes()) as reader:
            old = await reader.snapshot()
            before = await _everything(old)
            (sources / "0.txt").write_text("Gate 0 is gone.")
            await add(writer, sources)
            await writer.remove(["1.txt", "2.txt"])
            (sources / "6.txt").write_text("Gate 6 is new.")
            await add(writer, sources)
            await writer.remove(["3.txt"])
            assert await _everything(old) == before
            late = await corpus(tmp_path / "c", create=False, embedder=WordHashes())
            async with late, await late.snapshot() as new:
                assert [document.title for document in new.documents.values()] == [
                    *("0.txt", "4.txt", "5.txt", "1.txt", "2.txt", "6.txt")  # the removed ones were added anew
                ]
                assert new.generation > old.generation
            await old.close()


async def test_unchunked_reading_order_and_unknown_ids(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(f"Text of {name}.")
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, *(tmp_path / f"{name}.txt" for name in "abc"))
        async with await opened.snapshot() as snapshot:
            a, b, c = snapshot.documents
            assert snapshot.read("content.txt", [c, a, c, b]) == [
                b"Text of c.",
                b"Text of a.",
                b"Text of c.",
                b"Text of b.",
            ]
            assert snapshot.read("content.txt", []) == []
            with pytest.raises(KeyError, match="unknown"):
                snapshot.read("content.txt", [a, "unknown"])


async def test_any_thread_may_read(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number}.txt").write_text(f"Text {number}.")
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, *(tmp_path / f"{number}.txt" for number in range(20)))
        async with await opened.snapshot() as snapshot:
            ids = list(snapshot.documents)
            expected = snapshot.read("content.txt", ids)
            results: list[list[bytes]] = []
            threads = [
                threading.Thread(target=lambda: results.append(snapshot.read("content.txt", ids))) for _ in range(8)
            ]
            for thread in threads:
                thread.start()
            await asyncio.to_thread(lambda: [thread.join() for thread in threads])
            assert results == [expected] * 8


async def test_a_closed_snapshot_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Text.")
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, tmp_path / "a.txt")
        snapshot = await opened.snapshot()
        ids = list(snapshot.documents)
        await snapshot.close()
        await snapshot.close()
        with pytest.raises(SnapshotExpired, match="closed"):
            snapshot.read("content.txt", ids)
        with pytest.raises(SnapshotExpired, match="closed"):
            await snapshot.search("text")


async def test_a_lease_ends_after_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("Text.")
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, tmp_path / "a.txt")
        snapshot = await opened.snapshot()
        ids = list(snapshot.documents)
        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now + 25 * 3600)
        with pytest.raises(SnapshotExpired, match="day"):
            snapshot.read("content.txt", ids)
        await opened.remove(["a.txt"])
        connection = sqlite3.connect(tmp_path / "c" / "files.sqlite")
        assert connection.execute("SELECT count(*) FROM blob").fetchone() == (0,)
        connection.close()
        await snapshot.close()


async def test_what_a_lease_needs_is_kept_and_then_swept(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("The first text.")
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, path)
        snapshot = await opened.snapshot()
        ids = list(snapshot.documents)
        for number in range(3):
            path.write_text(f"Text {number}.")
            await add(opened, path)
        assert snapshot.read("content.txt", ids) == [b"The first text."]
        await snapshot.close()
        path.write_text("The last text.")
        await add(opened, path)
        connection = sqlite3.connect(tmp_path / "c" / "files.sqlite")
        contents = {data for (data,) in connection.execute("SELECT data FROM blob")}
        connection.close()
        assert b"The last text." in contents and b"The first text." not in contents
