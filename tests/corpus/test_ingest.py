"""The run of `add`: the order of documents, ids that collide, and machines on which nothing can be converted."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

from glossator.corpus import ConversionUnavailable, Corpus, NoEmbedder, Snapshot, sources

from .plain import Paragraphs, WordHashes, add, corpus, documents

pytestmark = pytest.mark.anyio


class Racing(Paragraphs):
    """Ends conversions in an order that has nothing to do with the one in which they began."""

    def __init__(self, seed: int):
        self._chance = random.Random(seed)

    async def convert(self, path, **given):
        for _ in range(self._chance.choice([0, 0, 0, 300])):
            await asyncio.sleep(0)
        return await super().convert(path, **given)


class Waiting(Paragraphs):
    """Converts everything but the first file, until that one is let go."""

    def __init__(self):
        self.first = asyncio.Event()
        self.finished = Counter[str]()

    async def convert(self, path, **given):
        if path.name == "000.txt":
            await self.first.wait()
        converted = await super().convert(path, **given)
        self.finished[path.name] += 1
        return converted


def write(folder: Path, count: int) -> Path:
    folder.mkdir(parents=True)
    for number in range(count):
        (folder / f"{number:03}.txt").write_text(f"Text {number}.")
    return folder


async def titles(opened: Corpus) -> list[str]:
    return [document.title for document in (await documents(opened)).values()]


@pytest.mark.parametrize("seed", range(3))
async def test_documents_stand_in_the_order_in_which_they_were_given(tmp_path: Path, seed: int) -> None:
    folder, last = write(tmp_path / "many", 40), write(tmp_path / "b", 2)
    (last / "000.txt").write_text("! broken")
    path = tmp_path / "c"
    async with await Corpus.open(path, create=True, embedder=NoEmbedder(), converter=Racing(seed)) as opened:
        outcomes = await add(opened, folder / "007.txt", folder, last)
        names = ["007.txt", *(f"{n:03}.txt" for n in range(40) if n != 7), "000.txt", "001.txt"]
        assert [Path(outcome.path).name for outcome in outcomes] == names
        assert await titles(opened) == names


async def test_the_order_survives_an_interruption(tmp_path: Path) -> None:
    folder = write(tmp_path / "many", 150)
    async with await Corpus.open(tmp_path / "c", create=True, embedder=NoEmbedder(), converter=Racing(1)) as opened:
        outcomes = opened.add([folder])
        await anext(outcomes)
        await outcomes.aclose()
        stored = await titles(opened)
        assert 0 < len(stored) < 150
        await add(opened, folder)
        assert await titles(opened) == [f"{number:03}.txt" for number in range(150)]


async def test_what_waits_behind_a_slow_document_is_bounded(tmp_path: Path) -> None:
    folder = write(tmp_path / "many", 400)
    converter = Waiting()
    async with await Corpus.open(tmp_path / "c", create=True, embedder=NoEmbedder(), converter=converter) as opened:
        adding = asyncio.create_task(add(opened, folder))
        before = -1
        while before != len(converter.finished) or before < 200:  # until the workers rest
            before = len(converter.finished)
            await asyncio.sleep(0.2)
        assert before < 300
        assert await titles(opened) == []
        converter.first.set()
        assert len(await adding) == 400
        assert len(await titles(opened)) == 400


async def test_a_source_never_replaces_another_one_with_the_same_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_ID_LENGTH", 1)  # 32 ids
    many, other = write(tmp_path / "many", 2), write(tmp_path / "other", 200)
    twin = next(n for n in range(200) if _id_of(other, n) == _id_of(many, 0))
    async with await corpus(tmp_path / "c") as opened:
        (first,) = await add(opened, other / f"{twin:03}.txt")
        for status in ("added", "unchanged"):
            outcomes = await add(opened, many)
            assert [outcome.status for outcome in outcomes] == [status] * 2
            assert len({first.document_id, *(outcome.document_id for outcome in outcomes)}) == 3
        assert len(await documents(opened)) == 3


def _id_of(folder: Path, number: int) -> str:
    return sources.document_id((folder / f"{number:03}.txt").as_uri())


async def test_an_id_that_another_process_uses_meanwhile_is_not_taken_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_ID_LENGTH", 1)
    one, other = write(tmp_path / "one", 1), write(tmp_path / "other", 200)
    twin = next(n for n in range(200) if _id_of(other, n) == _id_of(one, 0))

    class Late(Paragraphs):
        async def convert(self, path, **given):
            async with await corpus(tmp_path / "c") as beside:
                await add(beside, other / f"{twin:03}.txt")
            return await super().convert(path, **given)

    async with await Corpus.open(tmp_path / "c", create=True, embedder=NoEmbedder(), converter=Late()) as opened:
        (outcome,) = await add(opened, one)
        assert outcome.status == "failed" and "add it again" in (outcome.reason or "")
        assert await titles(opened) == [f"{twin:03}.txt"]
        assert (await add(opened, one))[0].status == "added"


async def test_a_server_that_cannot_start_stops_the_run_and_stores_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "many", 10)
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho 'no module named docling' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(broken))
    async with await Corpus.open(tmp_path / "c", create=True, embedder=NoEmbedder()) as opened:
        with pytest.raises(ConversionUnavailable, match=r"no module named docling.*doctor") as caught:
            await add(opened, folder)
        assert "\n" not in str(caught.value)
        assert await documents(opened) == {}


def changed(now: Snapshot, before: Snapshot) -> bool:
    changes = now.documents.changes_since(before.documents)
    return bool(changes.added or changes.updated or changes.removed)


async def test_new_vectors_and_maintenance_are_no_change_of_the_documents(tmp_path: Path) -> None:
    folder = write(tmp_path / "many", 3)
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
        adding = opened.add([folder])
        for _ in range(3):
            await anext(adding)
        async with await opened.snapshot() as first:  # stored, and without vectors yet
            await anext(adding, None)
            async with await opened.snapshot() as embedded:
                assert embedded.generation > first.generation
                assert not changed(embedded, first)
            for change in (
                lambda: (folder / "001.txt").write_text("Another text."),
                lambda: (folder / "new.txt").write_text("New."),
            ):
                async with await opened.snapshot() as before:
                    change()
                    await add(opened, folder)
                    async with await opened.snapshot() as after:
                        assert changed(after, before)
                        assert not changed(before, before)
            async with await opened.snapshot() as before:
                await opened.remove(["new.txt"])
                async with await opened.snapshot() as after:
                    assert changed(after, before)
