"""Opening, adding, updating and removing: what a corpus promises about its documents."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from glossator.corpus import (
    FILE_KINDS,
    AmbiguousDocument,
    Corpus,
    CorpusError,
    CorpusNotFound,
    CorpusNotWritable,
    DocumentNotFound,
    EmbedderMismatch,
    NoEmbedder,
    NotACorpus,
)

from .plain import Paragraphs, WordHashes, add, corpus, documents, found

pytestmark = pytest.mark.anyio


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "a.txt").write_text("# Gates\n\nGate 44 closes at noon.\n\nGate 45 stays open.")
    (folder / "b.txt").write_text("A dam was built in 1931.")
    return folder


async def test_added_documents_have_five_files_and_are_found(tmp_path: Path, sources: Path) -> None:
    async with await corpus(tmp_path / "c") as opened:
        outcomes = await add(opened, sources)
        assert [(Path(o.path).name, o.status) for o in outcomes] == [("a.txt", "added"), ("b.txt", "added")]
        async with await opened.snapshot() as snapshot:
            ids = list(snapshot.documents)
            assert ids == [outcome.document_id for outcome in outcomes]
            for kind in FILE_KINDS:
                assert all(snapshot.read(kind, ids)) and len(snapshot.read(kind, ids)) == 2
            metadata = json.loads(snapshot.read("metadata.json", ids[:1])[0])
            assert metadata["uri"] == (sources / "a.txt").as_uri() and metadata["chunk_count"] == 2
        assert await found(opened, "dams") == ["A dam was built in 1931."]


async def test_readding_changes_and_publishes_nothing(tmp_path: Path, sources: Path) -> None:
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
        await add(opened, sources)
        before, generation = await documents(opened), await opened.newest()
        for _ in range(2):
            assert {outcome.status for outcome in await add(opened, sources)} == {"unchanged"}
        assert (await documents(opened), await opened.newest()) == (before, generation)


async def test_update_keeps_the_document_and_the_ids_of_unchanged_chunks(tmp_path: Path, sources: Path) -> None:
    async with await corpus(tmp_path / "c") as opened:
        first = await add(opened, sources)
        old = await documents(opened)
        ids = await _chunk_ids(opened, "Gate 45")
        (sources / "a.txt").write_text("# Gates\n\nGate 45 stays open.\n\nGate 46 is new.")
        outcomes = await add(opened, sources)
        assert [outcome.status for outcome in outcomes] == ["updated", "unchanged"]
        assert outcomes[0].document_id == first[0].document_id
        new = await documents(opened)
        assert list(new) == list(old)  # keeps its place
        changed = new[first[0].document_id or ""]
        assert changed.created_at == old[changed.id].created_at and changed.chunk_count == 2
        assert await _chunk_ids(opened, "Gate 45") == ids
        assert await found(opened, '"gate 44 closes"') == []


async def _chunk_ids(opened: Corpus, start: str) -> set[str]:
    async with await opened.snapshot() as snapshot:
        page = await snapshot.search(start, mode="fulltext")
        return {result.chunk.id for result in page.results if result.chunk.content.startswith(start)}


async def test_a_document_of_250_sections_keeps_them_all(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("\n\n".join(f"# S{i}\n\nmark{i} " + "word " * 150 for i in range(250)))
    async with await corpus(tmp_path / "c") as opened:
        for text in ("", "\n\none more"):
            path.write_text(path.read_text() + text)
            await add(opened, path)
            (document,) = (await documents(opened)).values()
            for number in (0, 99, 100, 101, 249):
                assert len(await found(opened, f"mark{number}", mode="fulltext")) == 1
        assert document.chunk_count == 251


async def test_what_was_added_after_the_index_was_built_is_found(tmp_path: Path) -> None:
    async with await corpus(tmp_path / "c") as opened:
        for number, text in enumerate(["Zebra", "Склады на проспекте", "温度记录仪"]):
            path = tmp_path / f"{number}.txt"
            path.write_text(text)
            await add(opened, path)
            assert await found(opened, text, mode="fulltext") == [text]


async def test_removed_documents_are_gone_from_disk(tmp_path: Path, sources: Path) -> None:
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, sources)
        assert [document.title for document in await opened.remove(["a.txt"])] == ["a.txt"]
        assert [document.title for document in (await documents(opened)).values()] == ["b.txt"]
        assert await found(opened, "gate") == []
        with sqlite3.connect(tmp_path / "c" / "files.sqlite") as connection:
            (count,) = connection.execute("SELECT count(*) FROM blob").fetchone()
        connection.close()
        assert count == len({file.digest for d in (await documents(opened)).values() for file in d.files.values()})


async def test_removing_one_unknown_key_removes_nothing(tmp_path: Path, sources: Path) -> None:
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, sources)
        with pytest.raises(DocumentNotFound, match="nothing"):
            await opened.remove(["a.txt", "nothing"])
        assert len(await documents(opened)) == 2


@pytest.mark.parametrize("name", ["x' OR 1=1 --.txt", "O'Hara's notes.txt", 'a"b.txt', "%_.txt", "new\nline.txt"])
async def test_hostile_names_are_names(tmp_path: Path, sources: Path, name: str) -> None:
    (sources / name).write_text("A stranger.")
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, sources)
        assert (await opened.find(name)).title == name
        await opened.remove([name])
        assert [document.title for document in (await documents(opened)).values()] == ["a.txt", "b.txt"]


async def test_find_by_every_name(tmp_path: Path, sources: Path) -> None:
    async with await corpus(tmp_path / "c") as opened:
        outcomes = await add(opened, sources)
        id = outcomes[0].document_id or ""
        for key in (id, id[:6], (sources / "a.txt").as_uri(), str(sources / "a.txt"), "a.txt"):
            assert (await opened.find(key)).id == id
        with pytest.raises(DocumentNotFound, match="did you mean a"):
            await opened.find("a.tx")
        other = sources / "deeper"
        other.mkdir()
        (other / "a.txt").write_text("Another.")
        await add(opened, other)
        with pytest.raises(AmbiguousDocument, match=id):
            await opened.find("a.txt")


async def test_an_unreadable_new_source_is_stored_as_such(tmp_path: Path, sources: Path) -> None:
    (sources / "c.txt").write_text("! encrypted with a password")
    async with await corpus(tmp_path / "c") as opened:
        *_, outcome = await add(opened, sources)
        assert (outcome.status, outcome.reason) == ("failed", "encrypted with a password")
        document = (await documents(opened))[outcome.document_id or ""]
        assert (document.status, document.reason, document.chunk_count) == ("unreadable", outcome.reason, 0)
        async with await opened.snapshot() as snapshot:
            assert [snapshot.read(kind, [document.id])[0] for kind in FILE_KINDS[1:4]] == [b"", b"", b""]
            assert json.loads(snapshot.read("metadata.json", [document.id])[0])["status"] == "unreadable"
        generation = await opened.newest()
        assert (await add(opened, sources))[-1] == outcome  # told again, published once
        assert await opened.newest() == generation
        (sources / "c.txt").write_text("readable now")
        assert (await add(opened, sources))[-1].status == "updated"


async def test_a_failed_update_keeps_what_was_stored(tmp_path: Path, sources: Path) -> None:
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, sources)
        (sources / "b.txt").write_text("! truncated")
        *_, outcome = await add(opened, sources)
        assert outcome.status == "failed" and outcome.reason == "truncated; the version stored before is kept"
        assert await found(opened, "dam") == ["A dam was built in 1931."]


async def test_empty_documents_are_stored_and_say_so(tmp_path: Path) -> None:
    (tmp_path / "blank.txt").write_text(" \n")
    async with await corpus(tmp_path / "c") as opened:
        (outcome,) = await add(opened, tmp_path / "blank.txt")
        assert (outcome.status, outcome.reason) == ("empty", "no text")
        assert (await documents(opened))[outcome.document_id or ""].status == "empty"


async def test_given_metadata_stays_until_given_anew(tmp_path: Path, sources: Path) -> None:
    path = sources / "b.txt"
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, path, metadata={"team": "law", "year": 2020})
        assert (await add(opened, path))[0].status == "unchanged"
        assert (await add(opened, path, metadata={"year": 2021}))[0].status == "updated"
        path.write_text("A dam was rebuilt.")
        await add(opened, path)
        (document,) = (await documents(opened)).values()
        assert document.metadata == {"team": "law", "year": 2021}


async def test_progress_is_told_per_file_and_per_batch_of_vectors(tmp_path: Path, sources: Path) -> None:
    told = []
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
        await add(opened, sources, progress=told.append)
    assert [(p.phase, p.done, p.total) for p in told] == [
        ("convert", 1, 2),
        ("convert", 2, 2),
        ("embed", 0, 3),
        ("embed", 3, 3),
    ]


async def test_an_abandoned_add_leaves_whole_documents(tmp_path: Path, sources: Path) -> None:
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
        outcomes = opened.add([sources])
        first = await anext(outcomes)
        await outcomes.aclose()
        assert first.document_id in await documents(opened)
        assert {outcome.status for outcome in await add(opened, sources)} <= {"added", "unchanged"}
        assert len(await documents(opened)) == 2


async def test_vectors_of_unchanged_chunks_are_kept(tmp_path: Path, sources: Path) -> None:
    embedder = WordHashes()
    async with await corpus(tmp_path / "c", embedder=embedder) as opened:
        await add(opened, sources)
        assert embedder.texts == 3
        (sources / "a.txt").write_text("# Gates\n\nGate 44 closes at noon.\n\nGate 46 is new.")
        await add(opened, sources)
        assert embedder.texts == 4


async def test_interrupted_embedding_is_resumed_by_the_next_add(tmp_path: Path, sources: Path) -> None:
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
        pass
    code = f"""if True:
        import asyncio, sys
        sys.path.insert(0, {str(Path(__file__).parents[2])!r})
        from tests.corpus.plain import Paragraphs, WordHashes, corpus, add
        from pathlib import Path
        class Dying(WordHashes):
            def embed(self, texts):
                import os; os._exit(9)
        async def main():
            async with await corpus(Path({str(tmp_path / "c")!r}), embedder=Dying()) as opened:
                await add(opened, Path({str(sources)!r}))
        asyncio.run(main())
    """
    assert (await asyncio.to_thread(subprocess.run, [sys.executable, "-c", code], check=False)).returncode == 9
    embedder = WordHashes()
    async with await corpus(tmp_path / "c", embedder=embedder) as opened:
        assert await found(opened, "dam", mode="fulltext") == ["A dam was built in 1931."]
        assert {outcome.status for outcome in await add(opened, sources)} == {"unchanged"}
        assert embedder.texts == 3
        assert await found(opened, "dam was built", mode="semantic", limit=1) == ["A dam was built in 1931."]


async def test_no_corpus_here(tmp_path: Path) -> None:
    with pytest.raises(CorpusNotFound, match="add PATH"):
        await Corpus.open(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()
    (tmp_path / "empty").mkdir()
    with pytest.raises(CorpusNotFound):
        await Corpus.open(tmp_path / "empty")
    assert not list((tmp_path / "empty").iterdir())


async def test_something_else_is_here(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("I am a file.")
    with pytest.raises(NotACorpus, match="is a file"):
        await Corpus.open(tmp_path / "file", create=True)
    with pytest.raises(NotACorpus, match="not empty"):
        await Corpus.open(tmp_path, create=True)
    folder = tmp_path / "fake"
    folder.mkdir()
    (folder / "state.sqlite").write_bytes(b"no database at all, but long enough to be looked at" * 20)
    with pytest.raises(NotACorpus):
        await Corpus.open(folder)


async def test_another_embedder_is_a_clear_error(tmp_path: Path, sources: Path) -> None:
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
        await add(opened, sources)
    for other in (WordHashes(digest="2" * 64), None):
        with pytest.raises(EmbedderMismatch, match="word-hashes"):
            await Corpus.open(tmp_path / "c", embedder=other)
    async with await Corpus.open(tmp_path / "c", embedder=NoEmbedder(), converter=Paragraphs()) as opened:
        assert await found(opened, "dam") == ["A dam was built in 1931."]


@pytest.fixture
def nobody() -> Iterator[None]:
    """Rights are only refused to those who have not all of them."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def closed_corpus() -> Iterator[Path]:
    """A corpus that may be read and not written, in a folder that everybody may enter."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = Path(folder) / "c"
        asyncio.run(_make(path))
        path.chmod(0o555)
        yield path
        path.chmod(0o755)


async def _make(path: Path) -> None:
    async with await corpus(path):
        pass


@pytest.mark.usefixtures("closed_corpus", "nobody")
async def test_a_folder_that_cannot_be_written_is_named(closed_corpus: Path) -> None:
    with pytest.raises(CorpusNotWritable, match="make it writable"):
        await Corpus.open(closed_corpus)
    with pytest.raises(CorpusNotWritable, match="cannot make"):
        await Corpus.open(closed_corpus / "deeper", create=True)


async def test_a_lost_part_is_named(tmp_path: Path) -> None:
    async with await corpus(tmp_path / "c"):
        pass
    (tmp_path / "c" / "files.sqlite").unlink()
    with pytest.raises(CorpusError, match="damaged"):
        await Corpus.open(tmp_path / "c")


async def test_a_part_that_is_something_else_is_named(tmp_path: Path) -> None:
    for name, kind in (("files.sqlite", "file"), ("index", "folder")):
        folder = tmp_path / name / "c"
        async with await corpus(folder):
            pass
        part = folder / name
        part.rename(tmp_path / name / "aside")
        part.mkdir() if kind == "file" else part.write_text("")
        with pytest.raises(NotACorpus, match=f"damaged: {name} is no {kind}"):
            await Corpus.open(folder)


async def test_a_lost_or_broken_index_is_named_by_who_needs_it(tmp_path: Path, sources: Path) -> None:
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, sources)
    for path in (tmp_path / "c" / "index").rglob("*.manifest"):
        path.write_bytes(b"no manifest")
    async with await corpus(tmp_path / "c") as opened:
        assert len(await documents(opened)) == 2  # needs none
        with pytest.raises(NotACorpus, match="damaged: index cannot be read"):
            await found(opened, "gate")


def test_importing_the_room_is_cheap() -> None:
    code = """if True:
        import sys, glossator.corpus as corpus
        from glossator.corpus import CorpusError, Document
        heavy = {"lancedb", "pyarrow", "numpy", "sqlalchemy", "onnxruntime", "docling_core", "docling", "tokenizers"}
        print(sorted(heavy & set(sys.modules)))
        print(sorted(corpus.__all__) == sorted(set(dir(corpus))), all(hasattr(corpus, name) for name in corpus.__all__))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "True True"]


async def test_the_real_converter_and_embedder_feed_the_store(tmp_path: Path) -> None:
    path = tmp_path / "contract.md"
    path.write_text("---\nstatus: final\n---\n# Contract\n\n## Liability\n\nThe cap is EUR 2,000,000.\n")
    async with await Corpus.open(tmp_path / "c", create=True) as opened:
        (outcome,) = await add(opened, path, metadata={"team": "law"})
        assert outcome.status == "added", outcome
        (document,) = (await documents(opened)).values()
        assert document.title == "Contract" and document.metadata == {"status": "final", "team": "law"}
        async with await opened.snapshot() as snapshot:
            (result, *_) = (await snapshot.search("what is the limit of liability")).results
            assert "2,000,000" in result.chunk.content and "Liability" in result.chunk.headings
            lines = snapshot.read("chunks.jsonl", [document.id])[0].splitlines()
            assert result.chunk.id in {json.loads(line)["chunk_id"] for line in lines}
