"""Scopes: what is outside does not exist, and conditions on metadata."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from glossator.corpus import ConditionMalformed, Scope

from .plain import add, corpus

pytestmark = pytest.mark.anyio

METADATA: dict[str, dict[str, Any]] = {
    "a": {"year": 2019, "kind": "lease", "tags": ["old", "harbour"]},
    "b": {"year": 2021, "kind": "report", "tags": []},
    "c": {"year": "2021", "kind": "lease", "signed": True},
}


@pytest.mark.parametrize(
    ("where", "names"),
    [
        ({}, "abc"),
        ({"year": 2021}, "b"),
        ({"year": [2019, 2021]}, "ab"),
        ({"year": {">=": 2019, "<": 2021}}, "a"),
        ({"year": {"!=": 2019}}, "bc"),
        ({"tags": "harbour"}, "a"),
        ({"kind": "lease", "year": {"<=": 2030}}, "a"),
        ({"signed": True}, "c"),
        ({"signed": 1}, ""),
        ({"title": ["a.txt", "c.txt"]}, "ac"),
        ({"mime_type": "text/plain"}, "abc"),
        ({"nothing": 1}, ""),
        ({"source_digest": "x"}, ""),
        ({"year": {"=": [2021, "2021"]}}, "bc"),
        ({"year": {"!=": [2021, "2021"]}}, "a"),
        ({"year": {">=": [2020, "2020"]}}, "bc"),
        ({"tags": {"!=": ["new", "wet"]}}, "a"),
    ],
    ids=str,
)
async def test_conditions(tmp_path: Path, where: dict[str, Any], names: str) -> None:
    async with await corpus(tmp_path / "c") as opened:
        for name, metadata in METADATA.items():
            (tmp_path / f"{name}.txt").write_text(f"Text of {name}.")
            await add(opened, tmp_path / f"{name}.txt", metadata=metadata)
        async with await opened.snapshot(Scope(where=where)) as snapshot:
            assert [document.title[0] for document in snapshot.documents.values()] == list(names)


@pytest.mark.parametrize(
    ("where", "match"),
    [([], "must be a dict"), ({1: 2}, "names of metadata"), ({"year": {"~": 1}}, "the comparisons are = !=")],
    ids=str,
)
async def test_what_is_no_condition_is_refused(where: Any, match: str) -> None:
    if not where:
        where = ["year"]
    with pytest.raises(ConditionMalformed, match=match):
        Scope(where=where)


async def test_what_is_out_of_scope_does_not_exist(tmp_path: Path) -> None:
    async with await corpus(tmp_path / "c") as opened:
        for name in "abc":
            (tmp_path / f"{name}.txt").write_text(f"The gate of {name}.")
            await add(opened, tmp_path / f"{name}.txt", metadata={"name": name})
        async with await opened.snapshot() as whole:
            a, b, c = whole.documents
            chunks = {result.chunk.document_id: result.chunk.id for result in (await whole.search("gate")).results}
        async with await opened.snapshot(Scope(documents=frozenset({a, b}), where={"name": ["b", "c"]})) as snapshot:
            assert list(snapshot.documents) == [b] and snapshot.documents.lines == b.encode()
            assert [result.document.id for result in (await snapshot.search("gate")).results] == [b]
            assert (await snapshot.search("gate", document_ids=[a, c])).total == 0
            assert list(await snapshot.chunks(list(chunks.values()))) == [chunks[b]]
            for id, chunk in chunks.items():
                assert len(await snapshot.chunks_by_prefix(chunk[:8])) == (id == b)
            for outside in (a, c):
                with pytest.raises(KeyError):
                    snapshot.read("content.txt", [outside])
                assert outside not in snapshot.documents
        async with await opened.snapshot(Scope(documents=frozenset({"unknown"}))) as nothing:
            assert (len(nothing.documents), (await nothing.search("gate")).total) == (0, 0)


async def test_a_scope_is_found_anew_in_each_generation_and_tells_its_own_changes_only(tmp_path: Path) -> None:
    scope = Scope(where={"kind": "lease"})
    async with await corpus(tmp_path / "c") as opened:
        for name, kind in (("a", "lease"), ("b", "report"), ("c", "lease")):
            (tmp_path / f"{name}.txt").write_text(f"Text of {name}.")
            await add(opened, tmp_path / f"{name}.txt", metadata={"kind": kind})
        old = await opened.snapshot(scope)
        a, c = old.documents
        (tmp_path / "b.txt").write_text("A change outside.")
        await add(opened, tmp_path / "b.txt")
        async with await opened.snapshot(scope) as same:
            assert not any(same.documents.changes_since(old.documents))
        (tmp_path / "a.txt").write_text("A change inside.")
        await add(opened, tmp_path / "a.txt")
        await add(opened, tmp_path / "b.txt", metadata={"kind": "lease"})
        await opened.remove([c])
        async with await opened.snapshot(scope) as new:
            changes = new.documents.changes_since(old.documents)
            assert (changes.updated, changes.removed, len(changes.added)) == ([a], [c], 1)
            assert [old.documents[id].title for id in old.documents] == ["a.txt", "c.txt"]
        await old.close()


@pytest.mark.parametrize(
    ("where", "names"),
    [
        ({"year": {">=": 2020}}, "b"),
        ({"kind": "lease"}, "ac"),
        ({"kind": "lease' OR '1'='1"}, ""),
        ({"name": "a.txt"}, "a"),
        ({"title": ["a.txt", "b.txt"], "mime_type": "text/plain"}, "ab"),
        ({"created_at": {">=": "2000-01-01", "<": "2001"}}, ""),
        ({}, "abc"),
    ],
    ids=str,
)
async def test_searches_and_lists_by_condition(tmp_path: Path, where: dict[str, Any], names: str) -> None:
    async with await corpus(tmp_path / "c") as opened:
        for name, metadata in METADATA.items():
            (tmp_path / f"{name}.txt").write_text(f"A text of {name}.")
            await add(opened, tmp_path / f"{name}.txt", metadata=metadata)
        async with await opened.snapshot() as snapshot:
            for _ in range(2):
                page = await snapshot.search("text", where=where)
                assert "".join(sorted(result.document.name[0] for result in page.results)) == names
            one = next(iter(snapshot.documents))
            both = await snapshot.search("text", where=where, document_ids=[one])
            assert {result.document.id for result in both.results} == ({one} if "a" in names else set())


async def test_a_key_that_no_document_has_is_answered_with_those_that_exist(tmp_path: Path) -> None:
    async with await corpus(tmp_path / "c") as opened:
        async with await opened.snapshot() as snapshot:
            assert (await snapshot.search("text", where={"yaer": 2020})).total == 0
        (tmp_path / "a.txt").write_text("A text.")
        await add(opened, tmp_path / "a.txt", metadata=METADATA["a"])
        async with await opened.snapshot() as snapshot:
            with pytest.raises(
                ConditionMalformed, match=r"no document has 'yaer'; .*: kind, tags, year; .* name, id, title"
            ):
                await snapshot.search("text", where={"yaer": 2020})
            with pytest.raises(ConditionMalformed, match="comparisons are"):
                await snapshot.search("text", where={"year": {"$gt": 1}})
