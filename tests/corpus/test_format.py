"""The format of a corpus: every change of a schema raises its number, which is read before anything is written."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from pathlib import Path

import pytest

from glossator.corpus import Corpus, CorpusError, FormatMismatch, NotACorpus, upgrades
from glossator.corpus.schema import FORMAT

from .plain import WordHashes, add, corpus, documents

pytestmark = pytest.mark.anyio

# What a corpus of each format is made of, as `schemas` describes it. A format that was ever released stays here.
SCHEMAS = {
    1: "ba27ae7177e5416f",
    2: "4a1a362afd4cc6ef",
    3: "ff94d1830d0cca6d",
    4: "3ffba33d7a7af8e3",
    5: "a41a2d2c6dcefc35",
}


async def schemas(folder: Path) -> str:
    """All tables of a corpus, those of SQLite as SQL, and the columns and indices of the chunks."""
    lines = []
    for name in ("state.sqlite", "files.sqlite"):
        connection = sqlite3.connect(folder / name)
        lines += [" ".join(sql.split()) for (sql,) in connection.execute("SELECT sql FROM sqlite_master") if sql]
        connection.close()
    async with await corpus(folder, embedder=WordHashes()) as opened:
        index = await opened._store.index()
        lines += [f"{field.name}: {field.type}" for field in await index._table.schema()]
        lines += [f"{entry.index_type} {entry.columns}" for entry in await index._table.list_indices()]
    return "\n".join(sorted(lines))


async def test_a_change_of_a_schema_raises_the_number(tmp_path: Path) -> None:
    async with await corpus(tmp_path / "c", embedder=WordHashes()):
        pass
    found = await schemas(tmp_path / "c")
    assert hashlib.sha256(found.encode()).hexdigest()[:16] == SCHEMAS[FORMAT], (
        f"raise FORMAT in corpus/schema.py and note the new schemas here:\n{found}"
    )


def set_format(folder: Path, value: str) -> None:
    connection = sqlite3.connect(folder / "state.sqlite")
    connection.execute("UPDATE setting SET value = ? WHERE name = 'format'", (value,))
    connection.commit()
    connection.close()


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("lost", [(), ("files.sqlite", "index")], ids=["same parts", "other parts"])
@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize(("format", "match"), [(FORMAT + 1, "newer.*upgrade"), (0, "older.*add PATH")])
async def test_another_format_is_named_and_nothing_is_written(
    tmp_path: Path, format: int, match: str, create: bool, lost: tuple[str, ...]
) -> None:
    folder = tmp_path / "c"
    async with await corpus(folder, embedder=WordHashes()) as opened:
        (tmp_path / "a.txt").write_text("A text.")
        await add(opened, tmp_path / "a.txt")
    set_format(folder, str(format))
    for name in lost:
        shutil.rmtree(folder / name) if (folder / name).is_dir() else (folder / name).unlink()
    before = contents(folder)
    with pytest.raises(FormatMismatch, match=match):
        await Corpus.open(folder, create=create)
    assert contents(folder) == before


@pytest.mark.parametrize("value", ['"two"', "null", "1.5"])
async def test_a_format_that_is_no_number_is_no_corpus(tmp_path: Path, value: str) -> None:
    async with await corpus(tmp_path / "c"):
        pass
    set_format(tmp_path / "c", value)
    with pytest.raises(CorpusError, match="not the state of a corpus"):
        await Corpus.open(tmp_path / "c")


async def test_a_state_without_format_is_no_corpus(tmp_path: Path) -> None:
    async with await corpus(tmp_path / "c"):
        pass
    with sqlite3.connect(tmp_path / "c" / "state.sqlite") as connection:
        connection.execute("DELETE FROM setting")
    connection.close()
    with pytest.raises(NotACorpus, match="names no format"):
        await Corpus.open(tmp_path / "c")


# What a format has less than the next one.
TAKEN: dict[int, list[str]] = {
    4: ["DROP INDEX pictured", "ALTER TABLE document DROP COLUMN pictures"],
    3: [
        "DROP INDEX listed",
        "DROP INDEX unreadable",
        "UPDATE document SET facts = ''",
        "CREATE INDEX listed ON document (place, born, died, id, status, language, chunk_count, facts)",
    ],
    2: [
        "DROP TABLE collection",
        "DROP TABLE member",
        "DROP INDEX document_uri",
        "ALTER TABLE document DROP COLUMN uri",
    ],
    1: [
        "DROP INDEX listed",
        *(
            f"ALTER TABLE document DROP COLUMN {name}"
            for name in ("status", "language", "chunk_count", "facts", "brief")
        ),
    ],
}


# The same of files.sqlite. Numbers of rows that nobody has given are not those of today.
TAKEN_OF_FILES: dict[int, list[str]] = {
    3: [
        "CREATE TABLE old (digest BLOB PRIMARY KEY, data BLOB NOT NULL)",
        "INSERT INTO old SELECT digest, data FROM blob ORDER BY number DESC",
        "DROP TABLE blob",
        "ALTER TABLE old RENAME TO blob",
    ],
}


def downgrade(folder: Path, format: int) -> None:
    """Make a corpus of an older format out of one of today's."""
    for name, taken in (("state.sqlite", TAKEN), ("files.sqlite", TAKEN_OF_FILES)):
        with sqlite3.connect(folder / name) as connection:
            for step in sorted(taken, reverse=True):
                for statement in taken[step] if step >= format else ():
                    connection.execute(statement)
        connection.close()
    set_format(folder, str(format))


def columns(folder: Path) -> dict[str, set[tuple[object, ...]]]:
    """Tables and indices of the state, whatever the order in which their columns were made."""
    connection = sqlite3.connect(folder / "state.sqlite")
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = {name: {row[1:] for row in connection.execute(f"PRAGMA table_info({name})")} for name in names}
    query = "SELECT name, tbl_name, iif(name = 'listed', sql, '') FROM sqlite_master WHERE type = 'index'"
    found["indices"] = set(connection.execute(query))
    connection.close()
    return found


@pytest.mark.parametrize("format", range(1, FORMAT))
async def test_a_corpus_of_an_older_format_is_brought_up_to_date(tmp_path: Path, format: int) -> None:
    folder = tmp_path / "c"
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(f"Text of {name}.")
    async with await corpus(folder) as opened:
        await add(opened, *(tmp_path / f"{name}.txt" for name in "abc"))
        before = await documents(opened)
    today = columns(folder)
    downgrade(folder, format)
    assert columns(folder) != today
    for _ in range(2):
        async with await corpus(folder, create=False) as opened, await opened.snapshot() as snapshot:
            assert dict(snapshot.documents) == before
            assert snapshot.read("content.txt", list(before)) == [f"Text of {name}.".encode() for name in "abc"]
            assert [snapshot.documents.facts(id).sizes[1] for id in before] == [10, 10, 10]
            assert snapshot.collections() == []
            (tmp_path / "d.txt").write_text("Text of d.")
            await add(opened, tmp_path / "d.txt")
            assert [document.title for document in (await documents(opened)).values()][3:] == ["d.txt"]
            await opened.remove(["d.txt"])
        assert columns(folder) == today


async def test_an_upgrade_that_breaks_off_leaves_the_older_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "c"
    async with await corpus(folder):
        pass
    today = columns(folder)
    downgrade(folder, 1)
    before = columns(folder)

    def dies(_connection: object, _blobs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(upgrades, "STEPS", {1: upgrades.STEPS[1], 2: dies})
    with pytest.raises(KeyboardInterrupt):
        await Corpus.open(folder)
    assert columns(folder) == before
    monkeypatch.undo()
    async with await corpus(folder):
        assert columns(folder) == today
