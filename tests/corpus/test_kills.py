"""Processes that add, change, remove, embed and optimise at once, killed at random: nothing lost, nothing half."""

from __future__ import annotations

import multiprocessing
import random
import sqlite3
from pathlib import Path

import pytest

from glossator.corpus import FILE_KINDS, Corpus

from .plain import WordHashes, add, corpus
from .toiler import DOCUMENTS, GONE, PARAGRAPHS, text, toil

pytestmark = pytest.mark.anyio

TOILERS = 3


def allowed(before: str, after: str) -> dict[int, set[int]]:
    """By document the versions that may be stored at a moment between two states of a toiler's log."""
    states: dict[int, set[int]] = {number: {GONE} for number in range(DOCUMENTS)}
    for line in before.splitlines():
        what, number, version = line.split()
        states[int(number)] = {int(version)} | (states[int(number)] if what == "begin" else set())
    for line in after.removeprefix(before).splitlines():
        _, number, version = line.split()
        states[int(number)].add(int(version))
    return states


def read(logs: list[Path]) -> list[str]:
    return [log.read_text() if log.exists() else "" for log in logs]


async def check(opened: Corpus, sources: list[Path], logs: list[Path]) -> None:
    """Every document is one that may be there, whole; there is no chunk without its document."""
    before = read(logs)
    async with await opened.snapshot() as snapshot:
        after = read(logs)
        stored = {document.uri: id for id, document in snapshot.documents.items()}
        page = await snapshot.search("word", limit=10_000, mode="fulltext")
        chunks: dict[str, list[str]] = {id: [] for id in snapshot.documents}
        for result in page.results:
            chunks[result.chunk.document_id].append(result.chunk.content)
        for folder, *noted in zip(sources, before, after, strict=True):
            for number, versions in allowed(*noted).items():
                id = stored.pop((folder / f"{number}.txt").as_uri(), None)
                if id is None:
                    assert GONE in versions, (folder.name, number, versions)
                    continue
                metadata, content, *others = (snapshot.read(kind, [id])[0] for kind in FILE_KINDS)
                assert metadata and all(others)
                assert content.decode() in {text(number, version) for version in versions - {GONE}}
                assert sorted(chunks[id]) == sorted(content.decode().split("\n\n")) and len(chunks[id]) == PARAGRAPHS
        assert not stored
        assert (await snapshot.search("word", limit=0, mode="fulltext")).total == sum(map(len, chunks.values()))


async def toil_and_die(tmp_path: Path, kills: int, seed: int) -> None:
    place, chance = tmp_path / "c", random.Random(seed)
    sources = [tmp_path / f"sources{number}" for number in range(TOILERS)]
    logs = [tmp_path / f"{number}.log" for number in range(TOILERS)]
    for folder in sources:
        folder.mkdir()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([toil.__module__])

    def start(number: int):
        seeds = (place, sources[number], logs[number], chance.randrange(1 << 30))
        process = context.Process(target=toil, args=seeds, daemon=True)
        process.start()
        return process

    async with await corpus(place, embedder=WordHashes()) as opened:
        at_work = [start(number) for number in range(TOILERS)]
        for _ in range(kills):
            number = chance.randrange(TOILERS)
            at_work[number].join(chance.uniform(0.0, 1.0))
            assert at_work[number].exitcode is None, "it ended by itself"
            at_work[number].kill()
            at_work[number].join()
            if chance.random() < 0.3:
                await check(opened, sources, logs)  # while the others go on
            at_work[number] = start(number)
        for process in at_work:
            process.kill()
            process.join()
        await check(opened, sources, logs)
        for folder, log in zip(sources, logs, strict=True):  # and all of them can be worked on as if nothing had been
            for number in range(DOCUMENTS):
                (folder / f"{number}.txt").write_text(text(number, 0))
            log.write_text("".join(f"done {number} 0\n" for number in range(DOCUMENTS)))
        await add(opened, *sources)
        await check(opened, sources, logs)
        await opened._store.write("test", lambda writer: writer.maintain(thorough=True))
        numbers = set(opened._store.state.blobs())
    with sqlite3.connect(place / "files.sqlite") as files:
        assert {number for (number,) in files.execute("SELECT number FROM blob")} == numbers  # no litter is left
    files.close()


async def test_a_few_random_kills(tmp_path: Path) -> None:
    await toil_and_die(tmp_path, 8, seed=1)


@pytest.mark.slow
async def test_five_hundred_random_kills(tmp_path: Path) -> None:
    await toil_and_die(tmp_path, 500, seed=2)
