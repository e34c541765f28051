"""Leases: cleaning never takes what a live snapshot reads, whatever its age, and waits a day at most for a dead one."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from glossator.corpus import Corpus, Snapshot, SnapshotExpired
from glossator.corpus.index import ChunkIndex

from .plain import WordHashes, add, corpus

pytestmark = pytest.mark.anyio

DAY_S = 24 * 3600
HOLDER = """
import asyncio, sys
from glossator.corpus import Corpus, NoEmbedder

async def hold():
    opened = await Corpus.open(sys.argv[1], embedder=NoEmbedder())
    await opened.snapshot()
    print("held", flush=True)
    await asyncio.sleep(600)

asyncio.run(hold())
"""


async def filled(folder: Path, days: float = 1) -> Corpus:
    """A corpus that was written so many days ago, as its index knows: what is a few seconds old is never cleaned."""
    for name in "abc":
        (folder / f"{name}.txt").write_text(f"The gate of {name}.")
    async with await corpus(folder / "c", embedder=WordHashes()) as opened:
        await add(opened, *(folder / f"{name}.txt" for name in "abc"))
    await age(folder, timedelta(days=days))
    return await corpus(folder / "c", embedder=WordHashes())


async def changed(opened: Corpus, folder: Path, times: int = 3) -> None:
    """Every document is replaced, over and over, and the last one removed: which cleans thoroughly."""
    for number in range(times):
        for name in "abc":
            (folder / f"{name}.txt").write_text(f"The wall {number} of {name}.")
        await add(opened, *(folder / f"{name}.txt" for name in "abc"))
    await opened.remove(["c.txt"])


async def texts(snapshot: Snapshot) -> list[Any]:
    """Of the files and of the passages found, and what is found by id."""
    page = await snapshot.search("gate wall", limit=10)
    chunks = await snapshot.chunks([result.chunk.id for result in page.results])
    bodies = snapshot.read("content.txt", list(snapshot.documents))
    return [bodies, sorted(result.chunk.content for result in page.results), sorted(c.content for c in chunks.values())]


def versions(folder: Path) -> int:
    """Of the index, on the disk."""
    return len(list((folder / "c" / "index").rglob("*.manifest")))


def blobs(folder: Path) -> int:
    with sqlite3.connect(folder / "c" / "files.sqlite") as connection:
        (count,) = connection.execute("SELECT count(*) FROM blob").fetchone()
    connection.close()
    return count


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


async def age(folder: Path, by: timedelta) -> None:
    """Every version of the index that is there now was written earlier: its manifest says when."""
    index = await ChunkIndex.open(folder / "c" / "index")
    listed = {entry["version"]: int(entry["timestamp"].timestamp()) for entry in await index._table.list_versions()}
    changed = 0
    for path in (folder / "c" / "index").rglob("*.manifest"):
        data = path.read_bytes()
        for written in listed.values():
            old, new = (b"\x08" + varint(int(second)) for second in (written, written - by.total_seconds()))
            assert len(old) == len(new)
            changed += old in data
            data = data.replace(old, new)
        path.write_bytes(data)
    assert changed >= len(listed)


async def test_cleaning_leaves_what_is_leased_and_takes_it_afterwards(tmp_path: Path) -> None:
    async with await filled(tmp_path) as opened:
        snapshot = await opened.snapshot()
        before = await texts(snapshot)
        await changed(opened, tmp_path)
        assert await texts(snapshot) == before
        kept = versions(tmp_path), blobs(tmp_path)
        await snapshot.close()
        await opened.remove(["b.txt"])
        assert versions(tmp_path) < kept[0] and blobs(tmp_path) < kept[1]


async def test_an_old_version_is_not_cleaned_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A corpus that nobody changed for a month is as old as that, and a session begins to read it today."""
    async with await filled(tmp_path, days=30) as opened, await opened.snapshot() as snapshot:
        before = await texts(snapshot)
        monkeypatch.setattr("glossator.corpus.index._FRAGMENTS", 0)  # so that the index is optimised at once
        await changed(opened, tmp_path)
        async with await corpus(tmp_path / "c", embedder=WordHashes()) as late:  # which has nothing in memory
            late_snapshot = Snapshot(late._store, snapshot._lease, snapshot.documents)
            assert await texts(late_snapshot) == before


async def test_a_lease_blocks_nothing_for_more_than_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with await filled(tmp_path) as opened:
        snapshot = await opened.snapshot()
        await changed(opened, tmp_path)
        kept = versions(tmp_path), blobs(tmp_path)
        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now + DAY_S + 1)
        with pytest.raises(SnapshotExpired, match="older than a day"):
            snapshot.read("content.txt", list(snapshot.documents))
        await opened.remove(["b.txt"])
        assert versions(tmp_path) < kept[0] and blobs(tmp_path) < kept[1]
        await snapshot.close()


async def test_a_reader_that_was_killed_holds_nothing_for_more_than_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with await filled(tmp_path):
        pass
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "c")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:  # noqa: ASYNC220
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        os.kill(holder.pid, signal.SIGKILL)
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
        await changed(opened, tmp_path)
        kept = versions(tmp_path), blobs(tmp_path)
        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now + DAY_S + 1)
        await opened.remove(["b.txt"])
        assert versions(tmp_path) < kept[0] and blobs(tmp_path) < kept[1]
        with sqlite3.connect(tmp_path / "c" / "state.sqlite") as connection:
            assert connection.execute("SELECT count(*) FROM lease").fetchone() == (0,)
        connection.close()


async def test_a_clock_that_was_set_back_loses_no_leased_version(tmp_path: Path) -> None:
    """Versions are forgotten by their age: a later one may bear an earlier time than the oldest that is leased."""
    async with await filled(tmp_path, days=-0.2) as opened:  # written by a clock that was five hours ahead
        first = await opened.snapshot()
        await add_one(opened, tmp_path, "e")
        second = await opened.snapshot()
        expected = [await texts(first), await texts(second)]
        await changed(opened, tmp_path)
        async with await corpus(tmp_path / "c", embedder=WordHashes()) as late:
            views = [Snapshot(late._store, each._lease, each.documents) for each in (first, second)]
            assert [await texts(view) for view in views] == expected
        await first.close()
        await second.close()


async def add_one(opened: Corpus, folder: Path, name: str) -> None:
    (folder / f"{name}.txt").write_text(f"The gate of {name}.")
    await add(opened, folder / f"{name}.txt")
