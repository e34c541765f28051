"""Hooks: what they are told and when, what they may change, and what becomes of their failures."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from glossator.corpus import Corpus, Hook, HookFailed, HookUnknown, NoEmbedder, Scope

from .plain import Paragraphs, add, documents

pytestmark = pytest.mark.anyio


class Noting(Hook):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.notes: list[tuple[str, list[str]]] = []

    async def after_ingest(self, client, event):
        async with await client.snapshot() as snapshot:  # published, and the lock is free
            assert all(document.id in snapshot.documents for document in event.documents)
        await client.store.execute("CREATE TABLE IF NOT EXISTS hook_seen (name TEXT)")
        await client.store.execute("INSERT INTO hook_seen VALUES (?)", [(d.title,) for d in event.documents])
        self.notes.append((event.operation, [document.title for document in event.documents]))
        event.documents.clear()

    async def after_delete(self, client, event):
        self.notes.append(("delete", sorted(document.title for document in event.documents)))


class Failing(Hook):
    async def after_ingest(self, client, event):
        raise ValueError("broken on purpose")

    async def before_search(self, client, request):
        if "boom" in request.query:
            raise ValueError("broken on purpose")
        return request


class Adding(Hook):
    """Adds a word to the query and a note to each result."""

    def __init__(self, word: str) -> None:
        self.word = word

    async def before_search(self, client, request):
        request.query += f" {self.word}"
        return request

    async def after_search(self, client, request, results):
        note = f"{self.word}: {request.query}"
        return [replace(result, annotations=(*result.annotations, note)) for result in results]


async def opened(folder: Path, *hooks: Hook) -> Corpus:
    return await Corpus.open(folder, create=True, embedder=NoEmbedder(), converter=Paragraphs(), hooks=hooks)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    for name, text in (("a", "The gate closes."), ("b", "The dam holds."), ("c", "The lamp burns.")):
        (folder / f"{name}.txt").write_text(text)
    return folder


async def test_writes_are_told_in_batches(tmp_path: Path, sources: Path) -> None:
    hook = Noting()
    async with await opened(tmp_path / "c", hook) as corpus:
        await add(corpus, sources)
        await add(corpus, sources)
        await add(corpus, sources, metadata={"team": "law"})  # metadata alone is no news
        (sources / "b.txt").write_text("The dam breaks.")
        (sources / "d.txt").write_text("The oar floats.")
        await add(corpus, sources)
        (sources / "a.txt").rename(sources / "x.txt")  # neither is a name
        [outcome async for outcome in corpus.sync(sources)]
        await corpus.remove(["b.txt", "c.txt"])
        await corpus.purge(["d.txt"])
        assert hook.notes == [
            ("create", ["a.txt", "b.txt", "c.txt"]),
            ("create", ["d.txt"]),
            ("update", ["b.txt"]),
            ("delete", ["b.txt", "c.txt"]),
            ("delete", ["d.txt"]),
        ]
        assert [d.title for d in (await documents(corpus)).values()] == ["x.txt"]
        assert await corpus.store.query("SELECT count(*) FROM hook_seen") == [(5,)]


async def test_a_failure_after_a_write_is_logged_and_the_others_run(
    tmp_path: Path, sources: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hook = Noting()
    async with await opened(tmp_path / "c", Failing(), hook) as corpus:
        with caplog.at_level(logging.ERROR):
            assert {outcome.status for outcome in await add(corpus, sources)} == {"added"}
        assert "Failing" in caplog.text and len(hook.notes) == 1 and len(await documents(corpus)) == 3


async def test_searches_pass_through_all_hooks_in_order(tmp_path: Path, sources: Path) -> None:
    async with await opened(tmp_path / "c", Adding("gate"), Adding("lamp")) as corpus:
        await add(corpus, sources)
        async with await corpus.snapshot() as snapshot:
            page = await snapshot.search("dam", mode="fulltext")
            assert sorted(result.document.title for result in page.results) == ["a.txt", "b.txt", "c.txt"]
            assert {result.annotations for result in page.results} == {("gate: dam gate lamp", "lamp: dam gate lamp")}
            assert page.results[0].as_dict()["annotations"] == ["gate: dam gate lamp", "lamp: dam gate lamp"]


async def test_a_failure_in_a_search_reaches_who_asked(tmp_path: Path, sources: Path) -> None:
    async with await opened(tmp_path / "c", Failing()) as corpus:
        await add(corpus, sources)
        async with await corpus.snapshot() as snapshot:
            with pytest.raises(ValueError, match="on purpose"):
                await snapshot.search("boom")
            assert (await snapshot.search("gate", mode="fulltext")).total == 1


async def test_no_hook_leads_out_of_the_scope(tmp_path: Path, sources: Path) -> None:
    class Wide(Hook):
        async def before_search(self, client, request):
            request.filter = {"title": ["a.txt", "b.txt"]}
            return request

    class Smuggling(Hook):
        async def after_search(self, client, request, results):
            async with await client.snapshot() as everything:
                return [*results, *(await everything.search("dam", mode="fulltext")).results]

    scope = Scope(where={"title": ["a.txt", "c.txt"]})
    async with await opened(tmp_path / "c", Wide()) as corpus:
        await add(corpus, sources)
        async with await corpus.snapshot(scope) as snapshot:
            found = (await snapshot.search("gate dam lamp", mode="fulltext")).results
            assert [result.document.title for result in found] == ["a.txt"]
    async with await opened(tmp_path / "c", Smuggling()) as corpus, await corpus.snapshot(scope) as snapshot:
        with pytest.raises(HookFailed, match="not in scope"):
            await snapshot.search("gate", mode="fulltext")


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE mine (x)",
        "ATTACH 'elsewhere.sqlite' AS other",
        "PRAGMA journal_mode=OFF",
        "CREATE VIEW hook_v AS SELECT 1",
        "CREATE TRIGGER hook_t AFTER INSERT ON hook_seen BEGIN SELECT 1; END",
    ],
)
async def test_hooks_touch_their_tables_only(tmp_path: Path, sql: str) -> None:
    async with await opened(tmp_path / "c") as corpus:
        await corpus.store.execute("CREATE TABLE hook_seen (name TEXT PRIMARY KEY)")
        await corpus.store.execute("CREATE INDEX hook_seen_by ON hook_seen (name)")
        with pytest.raises(HookFailed, match="tables of hooks are called hook_"):
            await corpus.store.execute(sql)


async def test_tables_travel_with_backups(tmp_path: Path, sources: Path) -> None:
    async with await opened(tmp_path / "c", Noting()) as corpus:
        await add(corpus, sources)
        await corpus.backup(tmp_path / "b.tar")
    await Corpus.restore(tmp_path / "b.tar", tmp_path / "r")
    async with await opened(tmp_path / "r") as corpus:
        assert await corpus.store.query("SELECT count(*) FROM hook_seen WHERE name LIKE '%.txt'") == [(3,)]


async def test_an_unknown_name_fails_at_start(tmp_path: Path) -> None:
    with pytest.raises(HookUnknown, match="'nobody' is installed"):
        await Corpus.open(tmp_path / "c", create=True, hooks=["nobody"])
    assert not (tmp_path / "c").exists()
