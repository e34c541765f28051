"""Documents that were prepared elsewhere, with chunks of their own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from docling_core.types.doc.document import DoclingDocument
from docling_core.types.doc.items.table.table_data import TableCell, TableData
from docling_core.types.doc.labels import DocItemLabel

from glossator.corpus import Corpus
from glossator.corpus.convert import Converted, Converter
from glossator.corpus.errors import ConversionFailed

pytestmark = pytest.mark.anyio
ID = "abcdefghij"


@pytest.fixture(scope="module")
def anyio_backend() -> str:  # one event loop for the module, so that its tests share a server
    return "asyncio"


@pytest.fixture(scope="module")
async def converter() -> AsyncIterator[Converter]:
    async with Converter() as converter:
        yield converter


def statute() -> DoclingDocument:
    document = DoclingDocument(name="statute")
    document.add_heading("Moorings", level=1)
    document.add_text(DocItemLabel.TEXT, "A mooring is let for one year.")
    document.add_text(DocItemLabel.TEXT, "It may be renewed.")
    document.add_heading("Dues", level=1)
    cells = [
        TableCell(text=text, start_row_offset_idx=row, end_row_offset_idx=row + 1, start_col_offset_idx=column,
                  end_col_offset_idx=column + 1, column_header=row == 0)
        for row, pair in enumerate([("Boat", "Due"), ("Yacht", "70")])
        for column, text in enumerate(pair)
    ]  # fmt: skip
    document.add_table(TableData(num_rows=2, num_cols=2, table_cells=cells))
    return document


def wrapped(*chunks: dict[str, Any], **more: Any) -> str:
    return json.dumps({"document": statute().export_to_dict(), "chunks": chunks, **more})


async def convert(converter: Converter, folder: Path, text: str) -> Converted:
    (folder / "statute.json").write_text(text, encoding="utf-8")
    return await converter.convert(folder / "statute.json", document_id=ID)


async def test_a_docling_document_alone_is_read_as_it_is(converter: Converter, tmp_path: Path) -> None:
    result = await convert(converter, tmp_path, json.dumps(statute().export_to_dict()))
    assert result.content.decode().startswith("# Moorings\n\nA mooring is let for one year.")
    labels = [json.loads(line)["label"] for line in result.items.splitlines()]
    assert labels == ["section_header", "text", "text", "section_header", "table"]


async def test_given_chunks_keep_their_text_and_keys(converter: Converter, tmp_path: Path) -> None:
    """What none of them holds has chunks of ours: everything can be cited."""
    given = {"content": "A mooring is let for one year.", "doc_item_refs": ["#/texts/1"],
             "metadata": {"paragraph": 12, "footnotes": [3, 4]}}  # fmt: skip
    result = await convert(converter, tmp_path, wrapped(given, title="Statute of 2031", metadata={"court": "A"}))
    assert (result.title, result.metadata) == ("Statute of 2031", {"court": "A"})
    first, second, third = result.chunks
    assert (first.content, first.headings, first.metadata) == (
        given["content"], ("Moorings",), {"paragraph": 12, "footnotes": [3, 4]},
    )  # fmt: skip
    assert (second.content, second.headings, second.metadata) == ("It may be renewed.", ("Moorings",), {})
    assert third.headings == ("Dues",) and "| Yacht | 70 |" in third.content
    assert all(json.loads(line)["chunk_ids"] for line in result.items.splitlines())


async def test_chunks_of_docling_are_taken(converter: Converter, tmp_path: Path) -> None:
    chunk = {"text": "Both.", "meta": {"doc_items": [{"self_ref": "#/texts/1"}, {"self_ref": "#/texts/2"}],
             "headings": ["Law", "Moorings"]}}  # fmt: skip
    result = await convert(converter, tmp_path, wrapped(chunk))
    assert result.chunks[0].headings == ("Law", "Moorings") and len(result.chunks[0].doc_item_refs) == 3  # its heading
    assert len(result.chunks) == 2


async def test_custom_keys_are_found_by_search(tmp_path: Path) -> None:
    chunk = {"content": "A mooring is let for one year.", "doc_item_refs": ["#/texts/1"], "metadata": {"paragraph": 12}}
    (tmp_path / "statute.json").write_text(wrapped(chunk), encoding="utf-8")
    async with await Corpus.open(tmp_path / "corpus", create=True) as corpus:
        assert [o.status async for o in corpus.add([tmp_path / "statute.json"])] == ["added"]
        async with await corpus.snapshot() as snapshot:
            page = await snapshot.search("mooring let", limit=1)
    assert page.results[0].as_dict()["chunk_meta"] == {"paragraph": 12}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (wrapped({"content": "x", "doc_item_refs": ["#/texts/99"]}), "chunk 0 names #/texts/99"),
        (wrapped({"content": " ", "doc_item_refs": []}), "chunk 0 has no content"),
        (wrapped({"content": "x", "metadata": {"headings": 1}}), "'headings' is a key that every chunk has"),
        (wrapped(), None),
        ('{"schema_name": "DoclingDocument", "texts": 3}', "not a DoclingDocument"),
        ('{"schema_name": "DoclingDocument", ', "broken JSON"),
    ],
)
async def test_what_is_wrong_is_named(converter: Converter, tmp_path: Path, text: str, reason: str | None) -> None:
    if reason is None:
        assert (await convert(converter, tmp_path, text)).status == "ok"
        return
    with pytest.raises(ConversionFailed, match=reason):
        await convert(converter, tmp_path, text)
