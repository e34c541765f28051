"""Writers that die at any moment, and writers that meet: what is published is whole."""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from glossator.corpus import FILE_KINDS, Corpus, NoEmbedder

from .plain import Paragraphs, WordHashes, add, corpus

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
WORDS = "gate dam cap river stone house light tower lamp harbour".split()


def write_sources(folder: Path, count: int, round: int = 0) -> None:
    folder.mkdir(exist_ok=True)
    for number in range(count):
        paragraphs = (
            f"Mark {folder.name} {number} {round} {part} {WORDS[(number + part) % 10]} " + "word " * 30
            for part in range(8)
        )
        (folder / f"{number:03}.txt").write_text("\n\n".join(paragraphs))


async def start(folder: Path, *sources: Path) -> asyncio.subprocess.Process:
    command = (sys.executable, "-m", "tests.corpus.adder", str(folder), *map(str, sources))
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    assert process.stdout and await process.stdout.readline() == b"open\n"
    return process


async def _end(process: asyncio.subprocess.Process) -> None:
    await process.communicate()


async def check(opened: Corpus) -> int:
    """Every document of the newest generation is whole: its five files, its chunks, and no chunk without a document."""
    async with await opened.snapshot() as snapshot:
        ids = list(snapshot.documents)
        for kind in FILE_KINDS:
            assert len(snapshot.read(kind, ids)) == len(ids)
        total = 0
        for id, document in snapshot.documents.items():
            page = await snapshot.search("word", limit=20, mode="fulltext", document_ids=[id])
            assert page.total == document.chunk_count == 8
            content = snapshot.read("content.txt", [id])[0].decode()
            assert all(result.chunk.content in content for result in page.results)
            total += page.total
        assert (await snapshot.search("word", limit=0, mode="fulltext")).total == total
        return len(ids)


async def killed_at(tmp_path: Path, seconds: float, count: int) -> int:
    """Kill a writer so long after it has opened the corpus, check, and complete; how many documents survived."""
    folder, sources = tmp_path / "c", tmp_path / "sources"
    process = await start(folder, sources)
    with suppress(TimeoutError):
        await asyncio.wait_for(process.communicate(), seconds)
    if process.returncode is None:
        process.send_signal(signal.SIGKILL)
        await process.communicate()
    async with await corpus(folder, embedder=WordHashes()) as opened:
        survived = await check(opened)
        await add(opened, sources)
        assert await check(opened) == count
    return survived


@pytest.mark.parametrize("seed", range(2))
async def test_a_killed_writer_leaves_whole_documents(tmp_path: Path, seed: int) -> None:
    write_sources(tmp_path / "sources", 70)
    await killed_at(tmp_path, random.Random(seed).uniform(0.02, 0.6), 70)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
async def test_a_killed_writer_leaves_whole_documents_often(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for round in range(4):  # the first adds, the later ones replace
        write_sources(tmp_path / "sources", 200, round)
        await killed_at(tmp_path, chance.uniform(0.0, 2.5), 200)


async def test_a_table_ahead_of_the_newest_generation_is_not_seen_and_is_undone(tmp_path: Path) -> None:
    write_sources(tmp_path / "sources", 3)
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, tmp_path / "sources")
        index = await opened._store.index()
        await index.replace(list((await opened.snapshot()).documents), [])  # a writer that died here
        assert await check(opened) == 3
        write_sources(tmp_path / "sources", 4)
        await add(opened, tmp_path / "sources")
        assert await check(opened) == 4


async def test_writers_in_several_processes_lose_nothing(tmp_path: Path) -> None:
    folders = [tmp_path / f"sources{number}" for number in range(2)]
    for folder in folders:
        write_sources(folder, 25)
    async with await corpus(tmp_path / "c", embedder=WordHashes()):
        pass
    processes = [await start(tmp_path / "c", folder, folders[0]) for folder in folders]
    ending = [asyncio.create_task(_end(process)) for process in processes]
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
        while any(process.returncode is None for process in processes):
            await check(opened)  # readers meanwhile see whole documents only
            await asyncio.wait(ending, timeout=0.2)
        assert [process.returncode for process in processes] == [0, 0]
        assert await check(opened) == 50
        assert {outcome.status for outcome in await add(opened, *folders)} == {"unchanged"}


async def test_adders_and_removers_in_one_process(tmp_path: Path) -> None:
    folders = [tmp_path / f"sources{number}" for number in range(3)]
    for folder in folders:
        write_sources(folder, 10)
    async with await corpus(tmp_path / "c") as one, await corpus(tmp_path / "c") as two:
        await add(one, folders[0])
        keys = [str(path) for path in sorted(folders[0].iterdir())]
        await asyncio.gather(add(one, folders[1]), add(two, folders[2]), *(two.remove([key]) for key in keys))
        assert await check(one) == await check(two) == 20


async def test_the_same_file_added_twice_at_once_is_added_once(tmp_path: Path) -> None:
    write_sources(tmp_path / "sources", 5)
    async with await corpus(tmp_path / "c") as one, await corpus(tmp_path / "c") as two:
        outcomes = await asyncio.gather(add(one, tmp_path / "sources"), add(two, tmp_path / "sources"))
        statuses = [sorted(outcome.status for outcome in pair) for pair in zip(*outcomes, strict=True)]
        assert statuses == [["added", "unchanged"]] * 5
        assert await check(one) == 5


async def test_two_processes_may_create_the_same_corpus(tmp_path: Path) -> None:
    opened = await asyncio.gather(*(Corpus.open(tmp_path / "c", create=True, embedder=NoEmbedder()) for _ in range(4)))
    for one in opened:
        assert await one.newest() == 1
        await one.close()


async def test_a_cancelled_add_finishes_its_publication(tmp_path: Path) -> None:
    write_sources(tmp_path / "sources", 30)
    for pause in (0.0, 0.01, 0.03, 0.1):
        async with await Corpus.open(
            tmp_path / "c", create=True, embedder=NoEmbedder(), converter=Paragraphs()
        ) as opened:
            adding = asyncio.create_task(add(opened, tmp_path / "sources"))
            await asyncio.sleep(pause)  # how far it gets does not matter
            adding.cancel()
            await asyncio.wait([adding])
            await check(opened)
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, tmp_path / "sources")
        assert await check(opened) == 30
