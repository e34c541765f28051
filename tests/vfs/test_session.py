"""The file system with real parts on both sides: a stored corpus, and cells in the jail."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from glossator.corpus import Corpus, NoEmbedder, Snapshot
from glossator.corpus.documents import FileKind
from glossator.sandbox import Limits, Sandbox, Session
from glossator.vfs import Coverage, DocumentFiles

from ..corpus.plain import add
from ..corpus.plain import corpus as plain_corpus
from ..sandbox.test_rebuild import kill_workers
from .fakes import MemorySnapshot
from .fakes import corpus as memory_corpus

pytestmark = pytest.mark.anyio

FILES = "['chunks.jsonl', 'content.txt', 'items.jsonl', 'metadata.json', 'toc.json']"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def sandbox(anyio_backend: str) -> AsyncIterator[Sandbox]:
    async with Sandbox(guest_modules=["glossator.vfs.guest"]) as started:
        yield started


async def newest(opened: Corpus, leases: AsyncExitStack) -> Snapshot:
    return await leases.enter_async_context(await opened.snapshot())


async def output(session: Session, code: str) -> str:
    result = await session.run(code)
    assert result.error is None, result.error.traceback
    return result.stdout.strip()


@pytest.mark.slow  # starts the real converter
async def test_cells_read_a_stored_corpus(sandbox: Sandbox, tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    (sources / "gates.md").write_text(
        "# Gates\n\nGate 44 closes at noon.\n\n| gate | open |\n|---|---|\n| 45 | yes |\n"
    )
    (sources / "dams.md").write_text("# Dams\n\nA dam was built in 1931.\n")
    (sources / "empty.txt").write_text("")
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(await Corpus.open(tmp_path / "c", create=True, embedder=NoEmbedder()))
        assert len([outcome async for outcome in opened.add([sources])]) == 3
        files = DocumentFiles(lambda: newest(opened, stack))
        session = await sandbox.session(filesystem=files)
        listed = "print([sorted(p.name for p in d.iterdir()) for d in Path('/documents').iterdir()])"
        assert await output(session, listed) == f"[{FILES}, {FILES}, {FILES}]"
        walk = """
            for d in sorted(Path("/documents").iterdir()):
                meta = json.loads((d / "metadata.json").read_text())
                rows = [json.loads(line) for line in open(d / "items.jsonl")]
                assert rows == items(meta) and toc(d)["doc_id"] == d.name == meta["id"]
                assert all((d / kind).stat().st_size == len((d / kind).read_bytes()) for kind in KINDS)
                print(meta["title"], len(rows), [m["line"] for m in grep("noon|1931", d)])
            print(len(_unreadable), _unreadable[0]["title"])
        """
        code = f"KINDS = {FILES}\n" + "\n".join(line[12:] for line in walk.splitlines())
        lines = sorted((await output(session, code)).splitlines())
        assert lines[0].startswith("1 ") and "['A dam was built in 1931.']" in lines[1]
        assert files.coverage() == Coverage(documents=3, opened=3, unreadable=1)
        assert files.last == set((await newest(opened, stack)).documents)
        await session.close()


async def test_a_changed_corpus_is_seen_by_the_next_cell(sandbox: Sandbox, tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_text("Old text.\n")
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(await plain_corpus(tmp_path / "c"))
        await add(opened, source)
        session = await sandbox.session(filesystem=DocumentFiles(lambda: newest(opened, stack)))
        read = "print([p.read_text().strip() for p in Path('/documents').glob('*/content.txt')])"
        assert await output(session, read) == "['Old text.']"
        source.write_text("New text.\n")
        await add(opened, source)
        assert await output(session, read) == "['New text.']"
        await opened.remove([str(source)])
        assert await output(session, read) == "[]"
        await session.close()


async def test_cells_meet_the_policy_and_the_file_system_together(sandbox: Sandbox) -> None:
    async def snapshot():
        return memory_corpus(40)

    files = DocumentFiles(snapshot)
    session = await sandbox.session(filesystem=files)
    code = """
import csv, glob, io, itertools, os, os.path, pathlib, shutil
from pathlib import Path, PurePosixPath

class Document(Path):
    @property
    def title(self):
        return json.loads((self / "metadata.json").read_text(encoding="utf-8"))["title"]

first = sorted(Path("/documents").iterdir())[0]
print(Document(first).title == f"Title of {first.name}", isinstance(first, PurePosixPath), pathlib.Path is Path)
with open(first / "content.txt") as f:
    print(f.name == f"{first}/content.txt", [n for n, _ in enumerate(f, 1)], isinstance(f, io.TextIOBase))
print(sum(1 for row in csv.reader(open(first / "content.txt"))), len(glob.glob("/documents/*/toc.json")))
print(sum(len(files) for _, _, files in os.walk("/documents")), os.path.join("a", "b"), os.getcwd())
for change in (lambda: (first / "x").touch(), lambda: os.remove(first / "toc.json"), lambda: open("/tmp/x", "w")):
    try:
        change()
    except PermissionError as error:
        print(error.errno)
for missing in ("/etc/passwd", "/documents/../etc/passwd", "/proc/self/environ"):
    print(os.path.exists(missing), end=" ")
"""
    assert (await output(session, code)).splitlines() == [
        "True True True",
        "True [1, 2] True",
        "2 40",
        "200 a/b /",
        *["13"] * 3,
        "False False False",
    ]
    assert files.coverage() == Coverage(documents=40, opened=1, unreadable=0)
    for leak in ("first.parser.os", "os.path.os", "pathlib.os", "glob.os", "open('/documents').x", "io.open_code"):
        result = await session.run(leak)
        assert result.error is not None
        assert result.error.type in ("AttributeError", "IsADirectoryError")
    refused = await session.run("Path('/documents/x/toc.json').read_text()")
    assert refused.error is not None
    assert refused.error.message == "[Errno 2] No such file or directory: '/documents/x/toc.json'"
    await session.close()


KINDS_OF_READING = {
    "opened": "read = [p.read_text() for p in sorted(Path('/documents').glob('*/content.txt'))[:12]]",
    "described": "import os\nread = [os.stat(p).st_size for p in sorted(Path('/documents').glob('*/toc.json'))[:12]]",
    "listed": "read = len(list(Path('/documents').iterdir()))",
}


@pytest.mark.parametrize("reading", KINDS_OF_READING.values(), ids=KINDS_OF_READING)
async def test_what_the_guest_still_holds_makes_no_difference_when_a_session_is_rebuilt(reading: str) -> None:
    """From data kept after a slow cell, or on a newer generation of the same documents, cells ask for more or less."""
    snapshots = [memory_corpus(40, generation=n) for n in (1, 2, 3)]
    now = snapshots[0]

    async def snapshot():
        return now

    for checkpoint_s in (0.0, 100.0):
        async with Sandbox(guest_modules=["glossator.vfs.guest"], limits=Limits(checkpoint_s=checkpoint_s)) as sandbox:
            session = await sandbox.session(filesystem=DocumentFiles(snapshot))
            await output(session, "import os\nos.chdir('/documents')\n" + reading)
            now = snapshots[1]
            await output(session, "first = read\ndef f(): return first\n" + reading)
            now = snapshots[2]
            await output(session, reading)
            kill_workers()
            after = await session.run("read == first and (f() == first, os.getcwd())")
            assert (after.value, after.session_lost) == ("(True, '/documents')", False), after.note


@pytest.mark.parametrize("reading", KINDS_OF_READING.values(), ids=KINDS_OF_READING)
async def test_only_changes_of_what_a_cell_looked_at_stop_the_rebuilding(reading: str) -> None:
    now = before = memory_corpus(40, generation=1)

    async def snapshot():
        return now

    ids = sorted(before.files)
    changed: dict[FileKind, bytes] = {kind: body + b" " for kind, body in before.files[ids[0]].items()}
    async with Sandbox(guest_modules=["glossator.vfs.guest"]) as sandbox:
        for document, lost in ((ids[20], False), (ids[0], reading != KINDS_OF_READING["listed"])):
            now = before
            session = await sandbox.session(filesystem=DocumentFiles(snapshot))
            await output(session, reading)
            now = MemorySnapshot({**before.files, document: changed}, generation=2)
            kill_workers()
            after = await session.run("1")
            assert after.session_lost is lost, after.note
            assert ("the documents that it read have changed" in after.note) is lost
            await session.close()
