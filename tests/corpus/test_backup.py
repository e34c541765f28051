"""Backups: taken while others write, whole or absent, and every id as it was."""

from __future__ import annotations

import asyncio
import io
import json
import os
import random
import signal
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from glossator.corpus import FILE_KINDS, BackupRefused, Corpus, NoEmbedder, Scope

from .plain import Paragraphs, WordHashes, add, corpus, found
from .test_crash import check, write_sources

pytestmark = pytest.mark.anyio


async def contents(opened: Corpus) -> dict[str, object]:
    """Documents, files, passages and collections with their ids."""
    async with await opened.snapshot() as snapshot:
        ids = list(snapshot.documents)
        page = await snapshot.search("word text", limit=1000, mode="fulltext")
        return {
            "documents": dict(snapshot.documents),
            **{kind: snapshot.read(kind, ids) for kind in FILE_KINDS},
            "chunks": sorted((result.chunk.id, result.chunk.content) for result in page.results),
            "collections": snapshot.collections(),
        }


@pytest.fixture
async def filled(tmp_path: Path):
    write_sources(tmp_path / "sources", 6)
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
        await opened.collections.create("Some", "of them", {"topic": "gates"})
        await add(opened, tmp_path / "sources", collections=["Some"], metadata={"team": "law"})
        await opened.remove(["005.txt"])
        yield opened


@pytest.fixture
def lamps(tmp_path: Path) -> Path:
    """A text of words, which has a vector."""
    (tmp_path / "lamps.txt").write_text("The lamps burn all night.")
    return tmp_path / "lamps.txt"


@pytest.mark.parametrize("name", ["b.tar", "deep/b.tar.gz"])
async def test_restored_is_what_was_backed_up(tmp_path: Path, filled: Corpus, lamps: Path, name: str) -> None:
    await add(filled, lamps)
    before, generation = await contents(filled), await filled.newest()
    done = await filled.backup(tmp_path / name)
    assert done.documents == 6 and done.path.stat().st_mode & 0o777 == 0o600
    restored = await Corpus.restore(tmp_path / name, tmp_path / "r")
    assert restored.documents == 6 and restored.generation >= generation
    async with await corpus(tmp_path / "r", embedder=WordHashes(), create=False) as opened:
        assert await contents(opened) == before
        assert await found(opened, "lamps burn", mode="semantic") == ["The lamps burn all night."]
        await opened.remove(["lamps.txt"])
        async with await opened.snapshot(Scope(collections=frozenset({"Some"}))) as snapshot:
            assert len(snapshot.documents) == 5
        await add(opened, tmp_path / "sources" / "005.txt")
        assert await check(opened) == 6
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


async def test_others_write_meanwhile(tmp_path: Path, filled: Corpus) -> None:
    write_sources(tmp_path / "more", 40, 1)  # equal passages would be folded

    async def writing() -> None:
        async with await corpus(tmp_path / "c", embedder=WordHashes()) as other:
            for path in sorted((tmp_path / "more").iterdir()):
                await add(other, path)
                await other.remove([path.as_uri()])

    busy = asyncio.create_task(writing())
    for number in range(4):
        await filled.backup(tmp_path / f"{number}.tar")
        await Corpus.restore(tmp_path / f"{number}.tar", tmp_path / f"r{number}")
    busy.cancel()
    await asyncio.wait([busy])
    for number in range(4):
        async with await corpus(tmp_path / f"r{number}", embedder=WordHashes(), create=False) as opened:
            assert await check(opened) in (5, 6)


async def test_what_is_there_stays(tmp_path: Path, filled: Corpus) -> None:
    (tmp_path / "b.tar").write_text("precious")
    with pytest.raises(BackupRefused, match=r"there is .* already"):
        await filled.backup(tmp_path / "b.tar")
    assert (tmp_path / "b.tar").read_text() == "precious"
    await filled.backup(tmp_path / "good.tar")
    with pytest.raises(BackupRefused, match="not empty"):
        await Corpus.restore(tmp_path / "good.tar", tmp_path / "c")
    (tmp_path / "empty").mkdir()
    await Corpus.restore(tmp_path / "good.tar", tmp_path / "empty")
    assert len((await contents(filled))["documents"]) == 5  # type: ignore[arg-type]


def tar(path: Path, *members: tuple[str, bytes | str]) -> None:
    """A tar of these members; a string is the target of a link."""
    with tarfile.open(path, "w") as file:
        for name, data in members:
            member = tarfile.TarInfo(name)
            if isinstance(data, str):
                member.type, member.linkname = tarfile.SYMTYPE, data
                file.addfile(member)
            else:
                member.size = len(data)
                file.addfile(member, io.BytesIO(data))


HASH = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # SHA-256 of "abc"


@pytest.mark.parametrize(
    ("members", "match"),
    [
        ([], "not a backup"),
        ([("a.txt", b"abc")], "not a backup"),
        ([("backup.json", b"[1")], "not a backup"),
        ([("backup.json", json.dumps({"../out": HASH}).encode()), ("../out", b"abc")], "no place"),
        ([("backup.json", json.dumps({"/out": HASH}).encode()), ("/out", b"abc")], "no place"),
        ([("backup.json", json.dumps({"link": HASH}).encode()), ("link", "/etc/hostname")], "no place"),
        ([("backup.json", b"{}"), ("state.sqlite", b"abc")], "no place"),
        ([("backup.json", json.dumps({"state.sqlite": HASH}).encode()), ("state.sqlite", b"abd")], "hash"),
        ([("backup.json", json.dumps({"state.sqlite": HASH}).encode())], "missing"),
    ],
)
async def test_what_is_no_backup_makes_no_corpus(tmp_path: Path, members: list, match: str) -> None:
    tar(tmp_path / "b.tar", *members)
    with pytest.raises(BackupRefused, match=match):
        await Corpus.restore(tmp_path / "b.tar", tmp_path / "place" / "c")
    assert not list((tmp_path / "place").iterdir())


async def test_a_cut_backup_makes_no_corpus(tmp_path: Path, filled: Corpus) -> None:
    await filled.backup(tmp_path / "b.tar")
    data = (tmp_path / "b.tar").read_bytes()
    for share in (0.01, 0.3, 0.9):
        (tmp_path / "cut.tar").write_bytes(data[: int(len(data) * share)])
        with pytest.raises(BackupRefused):
            await Corpus.restore(tmp_path / "cut.tar", tmp_path / "r")
        assert not (tmp_path / "r").exists()


async def test_a_damaged_corpus_is_not_backed_up(tmp_path: Path, filled: Corpus) -> None:
    import sqlite3

    with sqlite3.connect(tmp_path / "c" / "files.sqlite") as files:
        files.execute("UPDATE blob SET data = CAST(data || 'x' AS BLOB) WHERE number = (SELECT min(number) FROM blob)")
    files.close()
    with pytest.raises(BackupRefused, match="damaged"):
        await filled.backup(tmp_path / "b.tar")
    assert not (tmp_path / "b.tar").exists()


async def killed(code: str, seconds: float) -> None:
    """Run a program, and kill it so long after it has begun."""
    command = (sys.executable, "-c", code)
    root = Path(__file__).parents[2]
    process = await asyncio.create_subprocess_exec(*command, cwd=root, stdout=subprocess.PIPE)
    assert process.stdout and await process.stdout.readline() == b"begun\n"
    try:
        await asyncio.wait_for(process.wait(), seconds)
    except TimeoutError:
        os.kill(process.pid, signal.SIGKILL)
        await process.wait()


@pytest.mark.parametrize("seed", [0, pytest.param(range(1, 40), marks=pytest.mark.slow)], ids=["once", "often"])
async def test_killed_backups_and_restores_leave_all_or_nothing(tmp_path: Path, filled: Corpus, seed) -> None:
    before = await contents(filled)
    for each in [seed] if isinstance(seed, int) else seed:
        chance, place = random.Random(each), tmp_path / f"p{each}"
        backup = f"await opened.backup({str(place / 'b.tar')!r})"
        restore = f"await Corpus.restore({str(place / 'good.tar')!r}, {str(place / 'r')!r})"
        place.mkdir()
        await filled.backup(place / "good.tar")
        for action in (backup, restore):
            await killed(
                f"""if True:
                import asyncio
                from glossator.corpus import Corpus, NoEmbedder
                from glossator.corpus import index, backup
                async def main():
                    async with await Corpus.open({str(tmp_path / "c")!r}, embedder=NoEmbedder()) as opened:
                        print("begun", flush=True)
                        {action}
                asyncio.run(main())
                """,
                chance.uniform(0.0, 0.6),
            )
        if not (place / "r").exists():
            await Corpus.restore(place / ("b.tar" if (place / "b.tar").exists() else "good.tar"), place / "r")
        async with await Corpus.open(place / "r", embedder=NoEmbedder(), converter=Paragraphs()) as opened:
            assert await contents(opened) == before
        if not (place / "b.tar").exists():
            await filled.backup(place / "b.tar")
        await Corpus.restore(place / "b.tar", place / "again")
        await filled.backup(place / "r.tar")
        left = [path.name for path in place.iterdir() if path.name.startswith((".b.tar", ".again"))]
        assert left == [], "what a killed process left is deleted by the next one at the same place"
