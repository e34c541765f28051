"""Chunks, the section tree and the rendered files, from items."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.corpus import render, toc, tokens
from glossator.corpus.chunks import CHUNK_TOKENS, chunks
from glossator.corpus.documents import Chunk
from glossator.corpus.items import Item, Table, heading
from glossator.corpus.tidy import tidy

from .writers import read


def cut(items: list[Item]) -> list[Chunk]:
    return chunks("abcdefghij", items, render.self_refs(items))


def test_a_chunk_has_the_heading_path_of_its_own_text() -> None:
    items = [
        heading("Section 1", 1),
        Item("text", "Red barn."),
        heading("Detail A", 2),
        Item("text", "Oiled in March."),
        heading("Section 2", 1),
        Item("text", "Blue barn."),
    ]
    assert [(chunk.headings, chunk.content) for chunk in cut(items)] == [
        (("Section 1",), "Red barn."),
        (("Section 1", "Detail A"), "Oiled in March."),
        (("Section 2",), "Blue barn."),
    ]


def test_line_breaks_stay_as_they_are() -> None:
    items = [Item("text", "Birch Yard\nFerry Road"), Item("code", "def f():\n    return 1", language="py")]
    assert [chunk.content for chunk in cut(items)] == [
        "Birch Yard\nFerry Road\n```py\ndef f():\n    return 1\n```",
    ]


def test_letters_have_one_spelling() -> None:
    items = list(
        tidy([Item("text", "Pru\u0308fung, o\ufb03ce"), Item("table", table=Table(("a\u030a",), (("\ufb01",),)))])
    )
    assert items[0].text == "Pr\u00fcfung, office"
    assert items[1].table == Table(("\u00e5",), (("fi",),))


def test_a_long_table_is_cut_between_rows_with_its_header() -> None:
    rows = [(f"R{number:03}", "blue", str(number * 7 % 99)) for number in range(400)]
    found = cut([heading("Parts", 1), Item("table", table=Table(("Part", "Colour", "Units"), tuple(rows)))])
    assert len(found) > 5
    assert all(chunk.content.startswith("| Part | Colour | Units |\n| --- |") for chunk in found)
    for row in rows:
        assert sum(f"| {' | '.join(row)} |" in chunk.content for chunk in found) == 1


def test_a_row_that_is_too_long_is_a_record_that_names_its_columns() -> None:
    columns = tuple(f"column {number}" for number in range(80))
    found = cut([Item("table", table=Table(columns, (("Kenya", *(f"value {number}" for number in range(1, 80))),)))])
    assert len(found) > 1
    assert all(chunk.content.startswith("column 0: Kenya\n") for chunk in found)
    assert any("column 79: value 79" in chunk.content for chunk in found)


def test_a_long_section_keeps_every_paragraph_within_the_limit() -> None:
    paragraph = "the quarry reopened after the long winter and the carts rolled again. " * 5
    items = [heading("Quarry", 1), *(Item("text", f"Paragraph {number}: {paragraph}") for number in range(60))]
    found = cut(items)
    assert all(tokens.count("\n".join([*chunk.headings, chunk.content])) <= CHUNK_TOKENS for chunk in found)
    assert all(sum(f"Paragraph {number}:" in chunk.content for chunk in found) == 1 for number in range(60))


def test_a_header_without_text_is_a_chunk_itself() -> None:
    items = [heading("A", 1), heading("B", 2), heading("C", 1), Item("text", "x")]
    assert [(chunk.headings, chunk.content, chunk.doc_item_refs) for chunk in cut(items)] == [
        ((), "A", ("#/texts/0",)),
        (("A",), "B", ("#/texts/1",)),
        (("C",), "x", ("#/texts/2", "#/texts/3")),
    ]


def test_ids_depend_on_text_and_place_among_equals_only() -> None:
    before = cut([heading("A", 1), Item("text", "same"), heading("B", 1), Item("text", "same")])
    after = cut(
        [
            heading("New", 1),
            Item("text", "new"),
            heading("A", 1),
            Item("text", "same"),
            heading("B", 1),
            Item("text", "same"),
        ]
    )
    assert {chunk.id for chunk in before} < {chunk.id for chunk in after}
    twice = cut([heading("A", 1), Item("text", "same"), heading("A", 1), Item("text", "same")])
    assert len({chunk.id for chunk in twice}) == 2


_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
_ITEMS = st.lists(
    st.one_of(
        st.builds(heading, _TEXTS, st.integers(1, 6)),
        st.builds(Item, st.sampled_from(["text", "list_item", "code", "caption", "footnote", "title"]), _TEXTS),
        st.builds(
            lambda columns, rows: Item("table", table=Table.of(columns, rows)),
            st.lists(_TEXTS, min_size=1, max_size=4),
            st.lists(st.lists(_TEXTS, max_size=4), max_size=4),
        ),
    ),
    max_size=12,
)


@settings(max_examples=25, deadline=None)
@given(_ITEMS)
def test_every_item_with_text_is_in_a_chunk_and_lines_stay_lines(raw: list[Item]) -> None:
    items = list(tidy(raw))
    refs = render.self_refs(items)
    found = cut(items)
    assert len({chunk.id for chunk in found}) == len(found)
    covered = {ref for chunk in found for ref in chunk.doc_item_refs}
    for item, ref in zip(items, refs, strict=True):
        shown = item.text if item.table is None else "".join([*item.table.columns, *sum(item.table.rows, ())])
        assert not shown.strip() or ref in covered
    ids = [[chunk.id for chunk in found if ref in chunk.doc_item_refs] for ref in refs]
    tree = toc.tree(items, refs, ids)
    for data in (render.items_file(items, refs, ids), render.chunks_file(found), render.toc_file("x", "t", tree)):
        text = data.decode()
        assert text.split("\n")[:-1] == text.splitlines()
        assert all(json.loads(line) is not None for line in text.splitlines())


def test_the_tree_slices_items_and_gathers_chunks() -> None:
    items = [
        Item("text", "0"),
        heading("A", 1, (1,)),
        Item("text", "2", pages=(2,)),
        heading("B", 3),
        Item("text", "4"),
        heading("C", 1),
    ]
    refs = render.self_refs(items)
    (first, last) = toc.tree(items, refs, [[ref] for ref in refs])
    assert (first["title"], first["item_range"], first["page_numbers"]) == ("A", [1, 5], [1, 2])
    assert first["chunk_ids"] == refs[1:5]
    assert [(node["title"], node["level"], node["item_range"]) for node in first["children"]] == [("B", 3, [3, 5])]
    assert (last["self_ref"], last["item_range"], last["children"]) == ("#/texts/5", [5, 6], [])


def test_a_document_without_headers_has_no_tree() -> None:
    assert toc.tree([Item("text", "x")], ["#/texts/0"], [[]]) == []


@pytest.mark.parametrize("character", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_odd_line_separators_are_escaped(character: str) -> None:
    line = render.one_line({"text": f"a{character}b"}).decode()
    assert len(line.splitlines()) == 1
    assert json.loads(line) == {"text": f"a{character}b"}


def test_content_is_markdown() -> None:
    source = "# One\n\nText.\n\n- a\n  - b\n\n```py\nx = 1\n```\n\n| A | B |\n| --- | --- |\n| 1 | x\\|y |\n"
    assert render.content_file(list(read(source, "a.md").items)).decode() == source
