"""A corpus keeps up with a folder: what is added, updated, renamed and removed, and what is never removed."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from glossator.corpus import Corpus, Outcome, SyncRefused
from glossator.corpus.sources import Digests

from .plain import Paragraphs, WordHashes, add, corpus, documents, found

pytestmark = pytest.mark.anyio


class Counting(Paragraphs):
    """Counts what it is asked to convert."""

    def __init__(self) -> None:
        self.names: list[str] = []

    async def convert(self, path, **given):
        self.names.append(path.name)
        return await super().convert(path, **given)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "folder"
    (root / "deep").mkdir(parents=True)
    (root / "a.txt").write_text("# Gates\n\nThe first gate.")
    (root / "b.txt").write_text("The second gate.")
    (root / "deep" / "c.txt").write_text("The third gate.")
    return root


async def sync(opened: Corpus, folder: Path, **options) -> dict[str, str]:
    """The status of each file, but for those that did not change."""
    outcomes = [outcome async for outcome in opened.sync(folder, **options)]
    return {Path(o.path).name: o.status for o in outcomes if o.status != "unchanged"}


async def ids(opened: Corpus) -> dict[str, str]:
    return {document.uri.rsplit("/", 1)[-1]: id for id, document in (await documents(opened)).items()}


async def test_the_corpus_matches_the_folder(tmp_path: Path, folder: Path) -> None:
    converter, embedder = Counting(), WordHashes()
    async with await Corpus.open(tmp_path / "c", create=True, embedder=embedder, converter=converter) as opened:
        assert await sync(opened, folder) == {"a.txt": "added", "b.txt": "added", "c.txt": "added"}
        assert await sync(opened, folder) == {}
        before = await ids(opened)
        (folder / "a.txt").write_text("# Gates\n\nAnother gate.")
        (folder / "b.txt").rename(folder / "deep" / "renamed.txt")
        (folder / "deep" / "c.txt").unlink()
        (folder / "d.txt").write_text("The fourth gate.")
        converter.names.clear()
        assert await sync(opened, folder) == {
            **{"a.txt": "updated", "d.txt": "added", "renamed.txt": "renamed", "c.txt": "removed"},
        }
        assert sorted(converter.names) == ["a.txt", "d.txt"]
        after = await ids(opened)
        assert set(after) == {"a.txt", "d.txt", "renamed.txt"}
        assert (after["a.txt"], after["renamed.txt"]) == (before["a.txt"], before["b.txt"])
        assert await sync(opened, folder) == {}
        assert sorted(await found(opened, "gate", mode="fulltext")) == [
            *("Another gate.", "The fourth gate.", "The second gate.")
        ]


async def test_a_renamed_document_is_whole_and_found_by_its_new_name(tmp_path: Path, folder: Path) -> None:
    embedder = WordHashes()
    async with await corpus(tmp_path / "c", embedder=embedder) as opened:
        await opened.collections.create("Gates")
        await sync(opened, folder, collections=["Gates"], metadata={"team": "law"})
        old = await opened.find("a.txt")
        async with await opened.snapshot() as snapshot:
            (chunk,) = (await snapshot.search("first", mode="fulltext")).results
        (folder / "a.txt").rename(folder / "portal.txt")
        assert await sync(opened, folder) == {"portal.txt": "renamed"}
        new = await opened.find("portal.txt")
        assert (new.id, new.created_at, new.metadata) == (old.id, old.created_at, {"team": "law"})
        async with await opened.snapshot() as snapshot:
            (found,) = (await snapshot.search("portal first", mode="fulltext", limit=1)).results
            assert found.chunk.id == chunk.chunk.id and (await snapshot.search('"a.txt"')).total == 0
            assert b'"title":"portal.txt"' in snapshot.read("toc.json", [new.id])[0]
            assert snapshot.read("content.txt", [new.id]) == [b"# Gates\n\nThe first gate."]
        assert (await opened.collections.get("Gates")).document_count == 3
        (folder / "a.txt").write_text("A stranger where a document lay.")
        assert await sync(opened, folder) == {"a.txt": "added"}
        assert (await opened.find("a.txt")).id != old.id and len(await documents(opened)) == 4


async def test_another_suffix_is_read_anew_and_keeps_its_id(tmp_path: Path, folder: Path) -> None:
    converter = Counting()
    async with await Corpus.open(tmp_path / "c", create=True, converter=converter, embedder=WordHashes()) as opened:
        await sync(opened, folder)
        before = await ids(opened)
        (folder / "a.txt").rename(folder / "a.md")
        converter.names.clear()
        assert await sync(opened, folder) == {"a.md": "updated"}
        assert converter.names == ["a.md"] and (await ids(opened))["a.md"] == before["a.txt"]


async def test_equal_files_keep_their_ids_one_by_one(tmp_path: Path, folder: Path) -> None:
    for name in ("one.txt", "two.txt", "three.txt"):
        (folder / name).write_text("The same text.")
    async with await corpus(tmp_path / "c") as opened:
        await sync(opened, folder)
        before = await ids(opened)
        (folder / "one.txt").rename(folder / "uno.txt")
        (folder / "two.txt").rename(folder / "deep" / "two.txt")
        (folder / "more.txt").write_text("The same text.")
        statuses = await sync(opened, folder)
        assert Counter(statuses.values()) == {"renamed": 2, "added": 1} and statuses["two.txt"] == "renamed"
        after = await ids(opened)
        assert after["two.txt"] == before["two.txt"] and after["three.txt"] == before["three.txt"]
        assert before["one.txt"] in (after["uno.txt"], after["more.txt"]) and len({*after.values()}) == 7


async def test_what_came_from_elsewhere_stays(tmp_path: Path, folder: Path) -> None:
    for beside in (tmp_path / "other.txt", tmp_path / "folder.txt", tmp_path / "folder2" / "e.txt"):
        beside.parent.mkdir(exist_ok=True)
        beside.write_text("A stranger.")
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, tmp_path / "other.txt", tmp_path / "folder.txt", tmp_path / "folder2")
        await sync(opened, folder)
        for path in (folder / "a.txt", tmp_path / "other.txt", tmp_path / "folder2" / "e.txt"):
            path.unlink()
        assert await sync(opened, folder) == {"a.txt": "removed"}
        assert set(await ids(opened)) == {"b.txt", "c.txt", "other.txt", "folder.txt", "e.txt"}


@pytest.mark.parametrize("how", ["empty", "missing", "hidden only", "emptied folders"])
async def test_an_empty_or_missing_folder_removes_nothing_unless_allowed(
    tmp_path: Path, folder: Path, how: str
) -> None:
    async with await corpus(tmp_path / "c") as opened:
        await sync(opened, folder)
        os.rename(folder, tmp_path / "away")
        if how != "missing":
            (folder / ("deep" if how == "emptied folders" else "")).mkdir(parents=True)
        if how == "hidden only":
            (folder / ".keep").write_text("")
        told = "is not there" if how == "missing" else "is empty"
        with pytest.raises(SyncRefused, match=rf"{told}, and 3 documents came from it.*--allow-empty"):
            await sync(opened, folder)
        assert len(await documents(opened)) == 3
        removed = await sync(opened, folder, allow_empty=True)
        assert {name for name, status in removed.items() if status == "removed"} == {"a.txt", "b.txt", "c.txt"}
        assert await documents(opened) == {}
        assert "removed" not in (await sync(opened, folder, allow_empty=True)).values()


async def test_folders_that_are_none(tmp_path: Path, folder: Path) -> None:
    async with await corpus(tmp_path / "c") as opened:
        with pytest.raises(SyncRefused, match="there is no folder"):
            await sync(opened, tmp_path / "nothing")
        with pytest.raises(SyncRefused, match="is a file"):
            await sync(opened, folder / "a.txt")
        with pytest.raises(SyncRefused, match="is a corpus"):
            await sync(opened, tmp_path / "c")


async def test_patterns_choose_and_never_remove(tmp_path: Path, folder: Path) -> None:
    (folder / "notes.md").write_text("Notes.")
    async with await corpus(tmp_path / "c") as opened:
        statuses = await sync(opened, folder, include=["*.txt"], exclude=["deep/"])
        assert statuses == {"a.txt": "added", "b.txt": "added", "deep": "skipped", "notes.md": "skipped"}
        assert await sync(opened, folder) == {"c.txt": "added", "notes.md": "added"}
        assert await sync(opened, folder, include=["*.pdf"]) == dict.fromkeys(
            ("a.txt", "b.txt", "c.txt", "notes.md"), "skipped"
        )
        (folder / "deep" / "c.txt").unlink()
        assert await sync(opened, folder, exclude=["*.md"]) == {"c.txt": "removed", "notes.md": "skipped"}
        assert set(await ids(opened)) == {"a.txt", "b.txt", "notes.md"}


async def test_a_folder_that_cannot_be_looked_into_keeps_its_documents(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may look into every folder, so rights alone would not refuse."""

    def refusing(call):
        def called(path, *rest, **options):
            if "deep" in Path(path).parts:
                raise PermissionError(13, "Permission denied")
            return call(path, *rest, **options)

        return called

    async with await corpus(tmp_path / "c") as opened:
        await sync(opened, folder)
        for name in ("scandir", "lstat"):
            monkeypatch.setattr(os, name, refusing(getattr(os, name)))
        assert await sync(opened, folder) == {"deep": "failed"}
        assert len(await documents(opened)) == 3


async def test_a_file_that_became_a_link_or_hidden_keeps_its_document(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "secret.txt").write_text("Secret.")
    async with await corpus(tmp_path / "c") as opened:
        await sync(opened, folder)
        (folder / "a.txt").unlink()
        (folder / "a.txt").symlink_to(tmp_path / "secret.txt")
        assert await sync(opened, folder) == {"a.txt": "skipped"}
        assert await found(opened, "first", mode="fulltext") == ["The first gate."]
        assert await found(opened, "secret", mode="fulltext") == []


async def test_names_are_bytes(tmp_path: Path, folder: Path) -> None:
    name = os.fsdecode(b"caf\xe9 %41 #?.txt")
    (folder / name).write_text("Coffee.")
    async with await corpus(tmp_path / "c") as opened:
        assert (await sync(opened, folder))[name] == "added"
        assert await sync(opened, folder) == {}
        (folder / name).unlink()
        assert await sync(opened, folder) == {name: "removed"}


def test_a_file_is_read_again_only_when_something_about_it_has_changed(tmp_path: Path) -> None:
    path, digests = tmp_path / "a", Digests()
    path.write_text("one")
    before = digests.of(path)
    assert digests.of(path) is before
    path.write_text("two")
    os.utime(path, ns=(0, 0))
    again = digests.of(path)
    assert again.hex != before.hex and digests.of(path) is again


async def _next(rounds: AsyncGenerator[list[Outcome]]) -> dict[str, str]:
    outcomes = await asyncio.wait_for(anext(rounds), 60)
    return {Path(outcome.path).name: outcome.status for outcome in outcomes if outcome.status != "unchanged"}


async def test_watching_follows_changes(tmp_path: Path, folder: Path) -> None:
    async with await corpus(folder / "corpus") as opened, aclosing(opened.watch(folder)) as rounds:
        assert await _next(rounds) == {"a.txt": "added", "b.txt": "added", "c.txt": "added", "corpus": "skipped"}
        (folder / "a.txt").rename(folder / "x.txt")
        assert (await _next(rounds))["x.txt"] == "renamed"
        (folder / "deep" / "new").mkdir()
        (folder / "deep" / "new" / "d.txt").write_text("A fourth gate.")
        assert (await _next(rounds))["d.txt"] == "added"
        (folder / "b.txt").unlink()
        assert (await _next(rounds))["b.txt"] == "removed"
        assert set(await ids(opened)) == {"x.txt", "c.txt", "d.txt"}


async def test_a_watched_folder_may_go_and_come_back(tmp_path: Path, folder: Path) -> None:
    async with await corpus(tmp_path / "c") as opened, aclosing(opened.watch(folder)) as rounds:
        await _next(rounds)
        os.rename(folder, tmp_path / "away")
        assert await _next(rounds) == {"folder": "failed"}
        assert len(await documents(opened)) == 3
        (tmp_path / "away" / "a.txt").unlink()
        (tmp_path / "away").rename(folder)
        while (statuses := await _next(rounds)) == {"folder": "failed"}:
            pass
        assert statuses == {"a.txt": "removed"}


async def test_watching_begins_with_an_error_where_nothing_can_be_watched(tmp_path: Path) -> None:
    async with await corpus(tmp_path / "c") as opened, aclosing(opened.watch(tmp_path / "no")) as rounds:
        with pytest.raises(SyncRefused, match="there is no folder"):
            await anext(rounds)


class Folders(RuleBasedStateMachine):
    """Any order of changes: after a sync the corpus holds what the folder holds."""

    def __init__(self) -> None:
        super().__init__()
        import tempfile

        self.place = tempfile.TemporaryDirectory()
        self.root = Path(self.place.name) / "folder"
        (self.root / "sub").mkdir(parents=True)
        (self.root / "kept.txt").write_text("kept")
        self.runner = asyncio.Runner()
        self.corpus = self.runner.run(corpus(Path(self.place.name) / "c"))
        self.dirty = True

    names = st.sampled_from(["a.txt", "b.txt", "sub/a.txt", "sub/c.txt"])

    @rule(name=names, text=st.sampled_from(["one", "two", "three"]))
    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text)

    @rule(name=names)
    def delete(self, name: str) -> None:
        (self.root / name).unlink(missing_ok=True)

    @rule(name=names, to=names)
    def move(self, name: str, to: str) -> None:
        if (self.root / name).exists():
            (self.root / name).rename(self.root / to)

    @rule()
    def sync(self) -> None:
        self.runner.run(self._sync())

    async def _sync(self) -> None:
        before = {document.uri: id for id, document in (await documents(self.corpus)).items()}
        assert "failed" not in (await sync(self.corpus, self.root)).values()
        held = await documents(self.corpus)
        files = {path.as_uri(): path.read_bytes() for path in self.root.rglob("*.txt")}
        async with await self.corpus.snapshot() as snapshot:
            assert {document.uri: snapshot.read("content.txt", [id])[0] for id, document in held.items()} == files
        assert all(before[document.uri] == id for id, document in held.items() if document.uri in before)
        assert await sync(self.corpus, self.root) == {}

    def teardown(self) -> None:
        self.runner.run(self.corpus.close())
        self.runner.close()
        self.place.cleanup()


Folders.TestCase.settings = settings(max_examples=6, stateful_step_count=12, deadline=None)
TestFolders = Folders.TestCase
