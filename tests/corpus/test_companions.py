"""Metadata beside files: sidecars, tables, keys for all; what changes it needs no conversion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from glossator.corpus import Corpus, CorpusError, Document, Outcome
from glossator.corpus.convert import Converted

from .plain import Paragraphs

pytestmark = pytest.mark.anyio


class Counting(Paragraphs):
    """Knows how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def convert(self, path: Path, *, document_id: str, mime_type: str | None = None) -> Converted:
        self.asked += 1
        return await super().convert(path, document_id=document_id, mime_type=mime_type)


def write(folder: Path, **files: str) -> Path:
    sources = folder / "sources"
    sources.mkdir(exist_ok=True)
    for name, text in files.items():
        (sources / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return sources


async def add(folder: Path, converter: Paragraphs, **options: Any) -> tuple[list[Outcome], dict[str, Document]]:
    """What became of the files, and the documents by the names of their files."""
    async with await Corpus.open(folder / "corpus", create=True, converter=converter) as corpus:
        outcomes = [outcome async for outcome in corpus.add([folder / "sources"], **options)]
        async with await corpus.snapshot() as snapshot:
            return outcomes, {document.uri.rsplit("/", 1)[1]: document for document in snapshot.documents.values()}


async def test_a_sidecar_is_metadata_and_no_document(tmp_path: Path) -> None:
    write(tmp_path, a__txt="one", a__txt__meta__json='{"year": 2031, "tags": ["x"]}', b__txt="two",
          b__txt__meta__yaml="author: Ines\ndate: 2031-05-06\n", c__meta__json="{}")  # fmt: skip
    outcomes, documents = await add(tmp_path, Paragraphs())
    assert [outcome.status for outcome in outcomes] == ["added"] * 3
    assert documents["a.txt"].metadata == {"year": 2031, "tags": ["x"]}
    assert documents["b.txt"].metadata == {"author": "Ines", "date": "2031-05-06"}
    assert "c.meta.json" in documents  # there is no file beside it that it would be of


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("meta.csv", "path,author,year\nsources/a.txt,Ines,2031\nsources/b.txt,,2032\n"),
        ("meta.tsv", "path\tauthor\tyear\nsources/a.txt\tInes\t2031\nsources/b.txt\t\t2032\n"),
        ("meta.jsonl", '{"path": "sources/a.txt", "author": "Ines", "year": "2031"}\n'
         '{"path": "sources/b.txt", "author": null, "year": "2032"}\n'),
    ],
)  # fmt: skip
async def test_a_table_names_files_from_its_own_folder(tmp_path: Path, name: str, table: str) -> None:
    write(tmp_path, a__txt="one", b__txt="two")
    (tmp_path / name).write_text(table, encoding="utf-8")
    _, documents = await add(tmp_path, Paragraphs(), metadata_table=tmp_path / name, metadata={"kind": "note"})
    assert documents["a.txt"].metadata == {"author": "Ines", "year": "2031", "kind": "note"}
    assert documents["b.txt"].metadata == {"year": "2032", "kind": "note"}


async def test_the_nearer_goes_first(tmp_path: Path) -> None:
    """A table, then the sidecar, then what is given for all."""
    write(tmp_path, a__txt="one", a__txt__meta__json='{"y": "sidecar", "z": "sidecar"}')
    (tmp_path / "t.csv").write_text("path,x,y,z\nsources/a.txt,table,table,table\n", encoding="utf-8")
    _, documents = await add(tmp_path, Paragraphs(), metadata_table=tmp_path / "t.csv", metadata={"z": "all"})
    assert documents["a.txt"].metadata == {"x": "table", "y": "sidecar", "z": "all"}


async def test_new_metadata_needs_no_conversion(tmp_path: Path) -> None:
    """But a key that goes does: the file may have a value of its own under it."""
    converter = Counting()
    sources = write(tmp_path, a__txt="one", a__txt__meta__json='{"year": 1}')
    _, before = await add(tmp_path, converter)
    (sources / "a.txt.meta.json").write_text('{"year": 2, "author": "Ines"}', encoding="utf-8")
    outcomes, after = await add(tmp_path, converter)
    assert [outcome.status for outcome in outcomes] == ["updated"]
    assert after["a.txt"].metadata == {"year": 2, "author": "Ines"}
    assert (after["a.txt"].id, after["a.txt"].files["chunks.jsonl"]) == (
        before["a.txt"].id,
        before["a.txt"].files["chunks.jsonl"],
    )
    assert [outcome.status for outcome in (await add(tmp_path, converter))[0]] == ["unchanged"]
    assert converter.asked == 1
    (sources / "a.txt.meta.json").write_text('{"year": null}', encoding="utf-8")
    _, last = await add(tmp_path, converter)
    assert last["a.txt"].metadata == {"author": "Ines"} and converter.asked == 2


async def test_the_language_can_be_told(tmp_path: Path) -> None:
    write(tmp_path, a__txt="Haus am See")
    _, documents = await add(tmp_path, Paragraphs(), metadata={"language": "de-AT"})
    assert documents["a.txt"].language == "de"


@pytest.mark.parametrize("text", ["[1]", "{", "\x00", '"x"'])
async def test_a_broken_sidecar_is_named_and_stops_no_other_file(tmp_path: Path, text: str) -> None:
    write(tmp_path, a__txt="one", a__txt__meta__json=text, b__txt="two")
    outcomes, documents = await add(tmp_path, Paragraphs())
    assert [outcome.status for outcome in outcomes] == ["failed", "added"] and list(documents) == ["b.txt"]
    assert outcomes[0].reason and "a.txt.meta.json" in outcomes[0].reason and "\n" not in outcomes[0].reason


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("file,author\na.txt,Ines\n", "no column `path`.*'file', 'author'"),
        ("path,author\na.txt,Ines,3\n", "line 2: more cells"),
        ("path,author\n,Ines\n", "line 2: no `path`"),
        ('path,author\n"a.txt,Ines\n', "unexpected end of data"),
    ],
)
async def test_a_broken_table_is_named_before_anything_is_stored(tmp_path: Path, table: str, told: str) -> None:
    write(tmp_path, a__txt="one")
    (tmp_path / "t.csv").write_text(table, encoding="utf-8")
    with pytest.raises(CorpusError, match=told):
        await add(tmp_path, Paragraphs(), metadata_table=tmp_path / "t.csv")


async def test_files_that_a_table_names_and_that_are_not_there_are_told(tmp_path: Path) -> None:
    write(tmp_path, a__txt="one")
    (tmp_path / "t.jsonl").write_text(json.dumps({"path": "sources/gone.txt"}), encoding="utf-8")
    outcomes, _ = await add(tmp_path, Paragraphs(), metadata_table=tmp_path / "t.jsonl")
    assert [(Path(o.path).name, o.status) for o in outcomes] == [("gone.txt", "failed"), ("a.txt", "added")]
