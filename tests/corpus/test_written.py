"""What a write costs on the disk: as much as it brings, however large the corpus is already."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from glossator.corpus import Corpus

from .plain import add, corpus, documents

pytestmark = pytest.mark.anyio

DOCUMENTS = 60
CHARACTERS = 20_000  # of each document


def text(seed: int) -> str:
    source = random.Random(seed)
    words = ("".join(source.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(CHARACTERS // 8))
    return " ".join(words)


def contents(folder: Path) -> dict[Path, bytes]:
    """Every file of the corpus, with what lay in write-ahead logs in its place."""
    for name in ("state.sqlite", "files.sqlite"):
        connection = sqlite3.connect(folder / name)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
    paths = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(("-shm", "-wal")))
    return {path: path.read_bytes() for path in paths}


def written(before: dict[Path, bytes], after: dict[Path, bytes]) -> int:
    """Bytes of new files, and of the 4,096-byte blocks that differ in others."""
    blocks = 0
    for path, now in after.items():
        old = before.get(path, b"")
        starts = range(0, len(now), 4096)
        blocks += sum(now[start : start + 4096] != old[start : start + 4096] for start in starts)
    return blocks * 4096


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    for number in range(DOCUMENTS):
        (folder / f"{number}.txt").write_text(text(number))
    return folder


async def filled(folder: Path, sources: Path) -> Corpus:
    opened = await corpus(folder)
    await add(opened, sources)
    return opened


async def test_one_more_document_rewrites_nothing_of_the_others(tmp_path: Path, sources: Path) -> None:
    folder = tmp_path / "c"
    async with await filled(folder, sources) as opened:
        before = contents(folder)
        (sources / "new.txt").write_text(text(-1))
        await add(opened, sources / "new.txt")
        after = contents(folder)
    everything = sum(map(len, before.values()))
    assert everything > DOCUMENTS * CHARACTERS * 3  # its text is in three of its files at least
    assert CHARACTERS * 3 < written(before, after) < everything / 5
    index = {path for path in before if "index" in path.relative_to(folder).parts and "data" in path.parts}
    assert index and all(after[path] == before[path] for path in index)


async def test_an_update_stores_no_unchanged_file_again(tmp_path: Path, sources: Path) -> None:
    folder = tmp_path / "c"
    async with await filled(folder, sources) as opened:
        before, old = contents(folder), await documents(opened)
        (sources / "7.txt").write_text("# A heading\n\n" + text(7))
        await add(opened, sources / "7.txt")
        after, new = contents(folder), await documents(opened)
        assert written(before, after) < sum(map(len, before.values())) / 5
        (changed,) = [id for id in new if new[id] != old[id]]
        toc = [each[changed].files["toc.json"].digest for each in (old, new)]
        assert toc[0] == toc[1]
        connection = sqlite3.connect(folder / "files.sqlite")
        found = connection.execute("SELECT count(*) FROM blob WHERE digest = ?", [bytes.fromhex(toc[0])]).fetchone()
        connection.close()
        assert found == (1,)
