"""A question sees one generation, whatever is written meanwhile; the next one is told what changed."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from glossator.analysis import Analysis
from glossator.corpus import Corpus
from glossator.sandbox import Sandbox

from ..corpus.plain import WordHashes, add
from ..corpus.plain import corpus as plain_corpus

pytestmark = pytest.mark.anyio

EVERYTHING = """
import os
names = sorted(os.listdir("/documents"))
files = {str(p): p.read_bytes() for p in sorted(Path("/documents").rglob("*.*"))}
sizes = {str(p): (p.stat().st_size, p.stat().st_mtime) for p in sorted(Path("/documents").rglob("*.*"))}
seen = [names, sizes, files, await list_documents(), [items(n) for n in names], [toc(n) for n in names], grep("berth"),
        sorted((r["chunk_id"], r["content"], r["document_uri"]) for r in await search("berth", limit=100)),
        list(_unreadable)]
same = "before" not in globals() or before == seen
before = seen
print(same, len(names), len(files))
"""


@pytest.fixture
async def harbour(tmp_path: Path) -> AsyncIterator[Corpus]:
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(await plain_corpus(tmp_path / "c", embedder=WordHashes()))
        for n in range(6):
            (tmp_path / f"{n}.txt").write_text(f"Berth {n} is free.\n\nThe berth costs {n} crowns.")
        (tmp_path / "scan.txt").write_text("! no text layer")
        await add(opened, *(tmp_path / f"{n}.txt" for n in range(6)), tmp_path / "scan.txt")
        yield opened


async def rewritten(opened: Corpus, folder: Path) -> None:
    """Through another handle, as another process: updates, an addition, deletions that clean, one readable now."""
    async with await plain_corpus(folder / "c", embedder=WordHashes()) as writer:
        for n in (0, 1):
            (folder / f"{n}.txt").write_text(f"Berth {n} is taken.")
        (folder / "new.txt").write_text("Berth 99 is new.")
        (folder / "scan.txt").write_text("Berth 7 was scanned.")
        await add(writer, *(folder / name for name in ("0.txt", "1.txt", "new.txt", "scan.txt")))
        await writer.remove([str(folder / "5.txt")])
        await writer.remove([str(folder / "4.txt")])


async def test_a_question_sees_one_generation_in_everything(harbour: Corpus, sandbox: Sandbox, tmp_path: Path) -> None:
    async def open_corpus() -> Corpus:
        return harbour

    analysis = Analysis(open_corpus, sandbox)
    await analysis.question("Which berths are free?")
    assert "> True 7 35" in (await analysis.execute_code(EVERYTHING)).text
    found = await analysis.search("berth 5 costs")
    ids = ids_in(found)
    await rewritten(harbour, tmp_path)
    assert "> True 7 35" in (await analysis.execute_code(EVERYTHING)).text
    assert await analysis.search("berth 5 costs") == found
    assert f"Cited {len(ids)} of {len(ids)}" in await analysis.cite(ids)
    answer = await analysis.check("Berth 5 is free.", lenient=True)
    assert {citation.title for citation in answer.citations} >= {"5.txt"}

    await analysis.question("And now?")
    reply = await analysis.execute_code(EVERYTHING)
    assert "> False 6 30" in reply.text
    told = reply.text.splitlines()[-1]
    assert told == (
        "The corpus has changed since the last question: 3 changed (0.txt, 1.txt, scan.txt), 1 new (new.txt),"
        " 2 gone (4.txt, 5.txt); variables may hold older data."
    )
    assert "The corpus has changed" not in (await analysis.execute_code(EVERYTHING)).text  # told once
    gone = [chunk for chunk in ids_in(found) if chunk not in ids_in(await analysis.search("berth 5 costs"))]
    assert gone and "deleted or changed since it was shown" in await analysis.cite(gone[:1])
    await analysis.close()


def ids_in(text: str) -> list[str]:
    return re.findall(r"\[([0-9a-f]{8})\]", text)


async def test_many_changes_are_counted_and_some_are_named(harbour: Corpus, sandbox: Sandbox, tmp_path: Path) -> None:
    async def open_corpus() -> Corpus:
        return harbour

    analysis = Analysis(open_corpus, sandbox)
    await analysis.search("berth")
    for n in range(20, 60):
        (tmp_path / f"{n}.txt").write_text(f"Berth {n} is new.")
    await add(harbour, *(tmp_path / f"{n}.txt" for n in range(20, 60)))
    await analysis.question("And now?")
    assert "40 new (20.txt, 21.txt, 22.txt, 23.txt, 24.txt, 35 more); variables may" in await analysis.search("berth")
    await analysis.close()
