"""The format of a corpus: every change of a schema raises its number, which is read before anything is written."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from pathlib import Path

import pytest

from glossator.corpus import Corpus, CorpusError, FormatMismatch, NotACorpus
from glossator.corpus.state import FORMAT

from .plain import WordHashes, add, corpus

pytestmark = pytest.mark.anyio

# What a corpus of each format is made of, as `schemas` describes it. A format that was ever released stays here.
SCHEMAS = {1: "ba27ae7177e5416f"}


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
        f"raise FORMAT in corpus/state.py and note the new schemas here:\n{found}"
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
@pytest.mark.parametrize(("format", "match"), [(FORMAT + 1, "newer.*upgrade"), (FORMAT - 1, "older.*add PATH")])
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
