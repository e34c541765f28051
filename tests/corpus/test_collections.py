"""Collections: named sets of documents that are stored once, in every generation as it was."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from glossator.corpus import (
    CollectionExists,
    CollectionMalformed,
    CollectionNotFound,
    ConditionMalformed,
    Corpus,
    DocumentNotFound,
    Scope,
)
from glossator.corpus.scope import narrowed

from .plain import WordHashes, add, corpus

pytestmark = pytest.mark.anyio


@pytest.fixture
def sources(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / f"{name}.txt" for name in "abcd"]
    for path in paths:
        path.write_text(f"The gate of {path.stem}.")
    return paths


def only(*names: str) -> Scope:
    return Scope(collections=frozenset(names))


async def titles(opened: Corpus, scope: Scope | None = None) -> str:
    """The first letters of the documents in scope, and the same of what a search in it finds."""
    async with await opened.snapshot(scope) as snapshot:
        listed = "".join(document.title[0] for document in snapshot.documents.values())
        page = await snapshot.search("gate")
        assert sorted(result.document.title[0] for result in page.results) == sorted(listed)
        return listed


async def counts(opened: Corpus) -> dict[str, int]:
    return {each.name: each.document_count for each in await opened.collections.all()}


async def test_the_life_of_a_collection(tmp_path: Path, sources: list[Path]) -> None:
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, *sources)
        made = await opened.collections.create("Gates", "About gates", [("topic", "gates"), ("topic", "walls")])
        assert (made.name, made.description, made.options, made.document_count) == (
            *("Gates", "About gates"),
            *((("topic", "gates"), ("topic", "walls")), 0),
        )
        assert [each.title for each in await opened.collections.add("Gates", ["a.txt", "b.txt"])] == ["a.txt", "b.txt"]
        assert await opened.collections.add("Gates", ["a.txt"]) == []
        assert [each.title for each in await opened.collections.remove("Gates", ["a.txt", "c.txt"])] == ["a.txt"]
        changed = await opened.collections.describe("Gates", "Other", {"topic": "locks", "owner": "Ada"})
        assert changed.options == (("topic", "locks"), ("owner", "Ada")) and changed.id == made.id
        assert (await opened.collections.describe("Gates", options={"topic": ""})).options == (("owner", "Ada"),)
        assert (await opened.collections.get("Gates")).description == "Other"
        renamed = await opened.collections.rename("Gates", "Locks")
        assert (renamed.id, renamed.document_count) == (made.id, 1) and await counts(opened) == {"Locks": 1}
        await opened.collections.delete("Locks")
        assert await opened.collections.all() == [] and await titles(opened) == "abcd"


async def test_a_document_is_converted_and_embedded_once_for_all_collections(
    tmp_path: Path, sources: list[Path]
) -> None:
    embedder = WordHashes()
    async with await corpus(tmp_path / "c", embedder=embedder) as opened:
        for name in ("One", "Two"):
            await opened.collections.create(name)
        await add(opened, *sources[:2], collections=["One"])
        outcomes = await add(opened, *sources[:3], collections=["Two", "One"])
        assert [outcome.status for outcome in outcomes] == ["unchanged", "unchanged", "added"]
        assert await counts(opened) == {"One": 3, "Two": 3} and embedder.texts == 3


async def test_scope(tmp_path: Path, sources: list[Path]) -> None:
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
        await add(opened, *sources)
        for name, keys in (("One", ["a.txt", "b.txt"]), ("Two", ["b.txt", "c.txt"]), ("None", [])):
            await opened.collections.create(name)
            await opened.collections.add(name, keys)
        assert await titles(opened, only("One")) == "ab"
        assert await titles(opened, only("One", "Two")) == "abc"
        assert await titles(opened, only("None")) == await titles(opened, only()) == ""
        assert await titles(opened, Scope(collections=frozenset({"Two"}), where={"title": ["a.txt", "c.txt"]})) == "c"
        async with await opened.snapshot(only("One")) as snapshot:
            assert {each.name: each.document_count for each in snapshot.collections()} == {"One": 2, "Two": 1}


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"collection": "One"}, "ab"),
        ({"collection": ["One", "Two"]}, "abc"),
        ({"collection": {"!=": "One"}}, "cd"),
        ({"collection": {"=": "One", "!=": "Two"}}, "a"),
        ({"collection": "Two", "title": "c.txt"}, "c"),
        ({"collection": []}, ""),
    ],
    ids=str,
)
async def test_conditions(tmp_path: Path, sources: list[Path], where: dict[str, Any], expected: str) -> None:
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, *sources, metadata={"collection": "stamps"})  # a key of somebody's own
        for name, keys in (("One", ["a.txt", "b.txt"]), ("Two", ["b.txt", "c.txt"])):
            await opened.collections.create(name)
            await opened.collections.add(name, keys)
        assert await titles(opened, Scope(where=where)) == expected
        async with await opened.snapshot() as snapshot:
            found = narrowed(snapshot.documents, where)
            assert "".join(document.title[0] for document in found.values()) == expected


@pytest.mark.parametrize("where", [{"collection": 3}, {"collection": {">": "One"}}, {"collection": [["One"]]}], ids=str)
async def test_what_is_no_condition_is_refused(where: dict[str, Any]) -> None:
    with pytest.raises(ConditionMalformed, match="collection"):
        Scope(where=where)


async def test_a_scope_never_tells_of_collections_outside_it(tmp_path: Path, sources: list[Path]) -> None:
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, *sources)
        for name, key in (("Open", "a.txt"), ("Secret", "b.txt")):
            await opened.collections.create(name)
            await opened.collections.add(name, [key])
        async with await opened.snapshot(only("Open")) as snapshot:
            assert [each.name for each in snapshot.collections()] == ["Open"]
            told = []
            for name in ("Secret", "Sacred"):
                with pytest.raises(CollectionNotFound) as caught:
                    narrowed(snapshot.documents, {"collection": name})
                told.append(str(caught.value).replace(name, "?"))
            assert told == ["no collection '?' in this corpus; there is 'Open'"] * 2


async def test_a_snapshot_keeps_its_collections(tmp_path: Path, sources: list[Path]) -> None:
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, *sources)
        await opened.collections.create("One")
        await opened.collections.add("One", ["a.txt", "b.txt"])
        old, whole = await opened.snapshot(only("One")), await opened.snapshot()
        await opened.collections.remove("One", ["a.txt"])
        await opened.collections.add("One", ["c.txt"])
        async with await opened.snapshot(only("One")) as new:
            changes = new.documents.changes_since(old.documents)
            assert [len(ids) for ids in changes] == [1, 0, 1]
        await opened.remove(["b.txt"])
        await opened.collections.delete("One")
        assert [document.title for document in old.documents.values()] == ["a.txt", "b.txt"]
        assert [document.title for document in narrowed(whole.documents, {"collection": "One"}).values()] == [
            *("a.txt", "b.txt")
        ]
        assert [(each.name, each.document_count) for each in whole.collections()] == [("One", 2)]
        with pytest.raises(CollectionNotFound, match="there are none"):
            await opened.snapshot(only("One"))
        await old.close()
        await whole.close()


async def test_membership_outlives_updates_and_ends_with_the_document(tmp_path: Path, sources: list[Path]) -> None:
    async with await corpus(tmp_path / "c") as opened:
        await opened.collections.create("One")
        await add(opened, *sources, collections=["One"])
        sources[0].write_text("Another gate.")
        await add(opened, sources[0])
        assert await titles(opened, only("One")) == "abcd"
        await opened.remove(["a.txt"])
        assert await titles(opened, only("One")) == "bcd"
        await add(opened, sources[0])  # again, but nobody put it in
        assert await counts(opened) == {"One": 3}


async def test_all_or_nothing(tmp_path: Path, sources: list[Path]) -> None:
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, *sources)
        await opened.collections.create("One")
        generation = await opened.newest()
        with pytest.raises(DocumentNotFound, match="nothing"):
            await opened.collections.add("One", ["a.txt", "nothing"])
        with pytest.raises(CollectionNotFound, match="there is 'One'"):
            await opened.collections.add("Two", ["a.txt"])
        with pytest.raises(CollectionNotFound):
            await add(opened, *sources, collections=["One", "Two"])
        for name in ("One", "ONE ", "one"):
            with pytest.raises(CollectionExists, match="'One' already"):
                await opened.collections.create(name)
        await opened.collections.describe("One")
        await opened.collections.remove("One", ["a.txt"])
        assert await opened.newest() == generation and await counts(opened) == {"One": 0}


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "x" * 101, "a\x00b", "a\u202eb"], ids=repr)
async def test_what_is_no_name_is_refused(tmp_path: Path, name: str) -> None:
    async with await corpus(tmp_path / "c") as opened:
        with pytest.raises(CollectionMalformed, match="no name"):
            await opened.collections.create(name)


@pytest.mark.parametrize("name", ["x' OR 1=1 --", "O'Hara", 'a"b', "%_", "日本語", "📚", "Prüfung"])
async def test_hostile_names_are_names(tmp_path: Path, sources: list[Path], name: str) -> None:
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, *sources)
        await opened.collections.create("Other")
        await opened.collections.add("Other", ["b.txt"])
        await opened.collections.create(name)
        await opened.collections.add(name, ["a.txt"])
        assert await titles(opened, only(name)) == "a"
        await opened.collections.delete(name)
        assert await counts(opened) == {"Other": 1}


async def test_an_nfd_name_is_the_same_name(tmp_path: Path) -> None:
    async with await corpus(tmp_path / "c") as opened:
        await opened.collections.create("Pru\u0308fung")
        assert (await opened.collections.get("Pr\u00fcfung")).name == "Pr\u00fcfung"


async def test_many_writers_lose_nothing(tmp_path: Path, sources: list[Path]) -> None:
    async with await corpus(tmp_path / "c") as one, await corpus(tmp_path / "c") as two:
        await add(one, *sources)
        names = [f"Collection {number}" for number in range(6)]
        await asyncio.gather(*((one, two)[number % 2].collections.create(name) for number, name in enumerate(names)))
        both = [(name, path.name) for name in names for path in sources]
        await asyncio.gather(*((one, two)[n % 2].collections.add(name, [key]) for n, (name, key) in enumerate(both)))
        assert await counts(two) == dict.fromkeys(names, 4)
        assert len({each.id for each in await one.collections.all()}) == 6


async def test_more_documents_than_sqlite_takes_parameters(tmp_path: Path) -> None:
    """33,000 ids in one statement. Their rows are made by SQL: converting so many would take minutes."""
    (tmp_path / "a.txt").write_text("One gate.")
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, tmp_path / "a.txt")
        await opened.collections.create("All")
        state = opened._store.state
        with state._engine.begin() as connection:
            names = [name for name in _columns(connection) if name not in ("row", "id", "born")]
            connection.exec_driver_sql(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 33000)"
                f" INSERT INTO document (id, born, {', '.join(names)})"
                f" SELECT 'made' || i, 1, {', '.join(names)} FROM document, n"
            )
        ids = [f"made{number}" for number in range(1, 33_001)]
        number = state.newest().number
        await opened._store.write("test", lambda writer: writer.collect(lambda all: all.add("All", ids)))
        assert await counts(opened) == {"All": 33_000}
        await opened._store.write("test", lambda writer: writer.collect(lambda all: all.remove("All", ids[1:])))
        assert await counts(opened) == {"All": 1} and state.newest().number == number + 2


def _columns(connection: Any) -> list[str]:
    return [row[1] for row in connection.exec_driver_sql("PRAGMA table_info(document)")]
