"""Purging: every stored byte of a document leaves the folder."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from glossator.corpus import Corpus, DocumentNotFound, SnapshotExpired
from glossator.corpus.purge import found as traced

from .plain import WordHashes, add, corpus, documents, found

pytestmark = pytest.mark.anyio

SECRET = "The vault of Marrowgate opens at midnight with the word heliotrope."
EARLIER = "An older secret names the cellar of Wexcombe and its quillback key."
OPEN = "The harbour is open to everybody from dawn to dusk, and closed at night."


@pytest.fixture
async def filled(tmp_path: Path):
    for name, text in (
        ("secret.txt", EARLIER),
        ("open.txt", OPEN),
        ("many.txt", "\n\n".join(f"Quay {number}. {OPEN}" for number in range(300))),
    ):
        (tmp_path / name).write_text(text)
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
        await opened.collections.create("One")
        await add(opened, *(tmp_path / name for name in ("secret.txt", "open.txt", "many.txt")), collections=["One"])
        held = await opened.snapshot()  # keeps the older version readable
        (tmp_path / "secret.txt").write_text(f"{SECRET}\n\n{OPEN}")
        await add(opened, tmp_path / "secret.txt")
        yield opened
        await held.close()


def grep(folder: Path, *texts: str) -> set[str]:
    """What of `texts` stands anywhere below a folder, as UTF-8 in any case."""
    everything = b"\n".join(path.read_bytes() for path in folder.rglob("*") if path.is_file()).lower()
    return {text for text in texts if text.lower().encode() in everything}


def index_files(folder: Path) -> set[tuple[Path, int]]:
    files = [path for path in (folder / "index").rglob("*") if path.is_file()]
    return {(path, path.stat().st_mtime_ns) for path in files}


async def test_nothing_of_a_purged_document_is_left(tmp_path: Path, filled: Corpus) -> None:
    folder, words = tmp_path / "c", ("Marrowgate", "heliotrope", "Wexcombe", "quillback")
    id = (await filled.find("secret.txt")).id
    wanted = {id, "secret.txt", SECRET, EARLIER, *words}
    assert grep(folder, *wanted) == wanted  # so that not finding it means something
    before = index_files(folder)
    purged = await filled.purge(["secret.txt"])
    assert [document.id for document in purged.documents] == [id]
    assert grep(folder, *wanted) == set()
    assert traced(folder, purged.traces) == [] and OPEN.encode() not in purged.traces
    # LanceDB may compress: no file is left that was there before.
    assert before and not before & index_files(folder)
    left = await found(filled, "harbour", mode="fulltext", limit=1000)
    assert len(left) == 301 and all(OPEN in text for text in left)
    assert await found(filled, "heliotrope Marrowgate quillback", mode="fulltext") == []
    assert (await filled.collections.get("One")).document_count == 2


async def test_what_stays_is_as_it_was(tmp_path: Path, filled: Corpus) -> None:
    before = await documents(filled)
    async with await filled.snapshot() as snapshot:
        passages = {r.chunk.id for r in (await snapshot.search("harbour", limit=1000, mode="fulltext")).results}
    await filled.purge(["secret.txt"])
    after = await documents(filled)
    assert after == {id: document for id, document in before.items() if document.title != "secret.txt"}
    async with await filled.snapshot() as snapshot:
        page = await snapshot.search("harbour", limit=1000, mode="fulltext")
        assert page.total == 301 and {result.chunk.id for result in page.results} <= passages
        assert (await snapshot.search("harbour", mode="semantic", limit=1000)).total > 0
    embedder = filled._store.embedder
    assert isinstance(embedder, WordHashes) and (count := embedder.texts)
    await add(filled, tmp_path / "open.txt")
    assert embedder.texts == count, "vectors are kept"
    await filled.purge(["open.txt", "many.txt"])
    assert await documents(filled) == {} and grep(tmp_path / "c", OPEN) == set()
    await add(filled, tmp_path / "open.txt")
    assert await found(filled, "harbour") == [OPEN]


async def test_open_views_have_expired(tmp_path: Path, filled: Corpus) -> None:
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as other:
        old = await other.snapshot()
        ids = list(old.documents)
        assert len((await old.search("harbour", mode="fulltext")).results) > 0
        await filled.purge(["secret.txt"])
        for _ in range(2):
            with pytest.raises(SnapshotExpired, match="purged"):
                old.read("content.txt", ids)
        with pytest.raises(SnapshotExpired):
            await old.search("harbour lamp", mode="fulltext")
        await old.close()
        assert len(await documents(other)) == 2


async def test_an_unknown_name_purges_nothing(filled: Corpus) -> None:
    with pytest.raises(DocumentNotFound):
        await filled.purge(["secret.txt", "nothing"])
    assert len(await documents(filled)) == 3


async def test_a_reader_in_another_process_delays_it_only(tmp_path: Path, filled: Corpus) -> None:
    """The log of a database can be cut when nobody reads it; an old read that has ended leaves nothing behind."""
    reader = sqlite3.connect(tmp_path / "c" / "files.sqlite", check_same_thread=False)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM blob").fetchone()
    import threading

    ending = threading.Timer(0.5, reader.close)
    ending.start()
    await filled.purge(["secret.txt"])
    ending.join()
    assert grep(tmp_path / "c", SECRET) == set()
