"""AsciiDoc: what a reader of the rendered page would see, as items."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .writers import read, shown, tables

BOOK = """= Yard book
Ines Berg
:yard: Birch Yard
:description: What {yard} has

This is {yard}, see https://x.invalid/a[the site] and <<mill,the mill>>.
Second line +
broken line.

// no
////
hidden
////

[[mill]]
== Mill

.Moves
. Open the gate
goes on
** slowly
. Close it
+
Attached.

Rope:: A long thing.

[WARNING]
====
Deep water.
====

[source,python]
----
print(1)
----

image::a.png[The wheel, 200]

Old Title
---------

~ end
"""


def test_sections_lists_blocks_and_attributes() -> None:
    reading = read(BOOK, "a.adoc")
    assert reading.title == "Yard book"
    assert reading.metadata == {"author": "Ines Berg", "description": "What Birch Yard has"}
    assert shown(reading) == [
        ("title", "Yard book"),
        ("text", "Ines Berg"),
        ("text", "This is Birch Yard, see [the site](https://x.invalid/a) and the mill. Second line\nbroken line."),
        ("h2", "Mill"),
        ("text", "Moves"),
        ("list_item", "Open the gate goes on"),
        ("list_item", "slowly"),
        ("list_item", "Close it"),
        ("text", "Attached."),
        ("list_item", "Rope: A long thing."),
        ("text", "WARNING: Deep water."),
        ("code", "print(1)"),
        ("picture", "The wheel"),
        ("h2", "Old Title"),
        ("text", "~ end"),
    ]
    lists = [(item.marker, item.depth) for item in reading.items if item.label == "list_item"]
    assert lists[:3] == [("1.", 0), ("-", 1), ("2.", 0)]


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("|===\n|Port |Low\n|Brod |0.7\n|===", [["Port", "Low"], ["Brod", "0.7"]]),
        (
            '[cols="1,2",options="header"]\n|===\n|Place\n|Stock\n\n|North\n|12 crates\nof rope\n|===',
            [["Place", "Stock"], ["North", "12 crates\nof rope"]],
        ),
        ("[cols=3*]\n|===\n|A |B\n|C\n|1\n|2 |3\n|===", [["A", "B", "C"], ["1", "2", "3"]]),
        (
            "|===\n|A |B |C\n2+|ab |c\n.2+|r |1 |2\n|3 |4\n|===",
            [["A", "B", "C"], ["ab", "ab", "c"], ["r", "1", "2"], ["r", "3", "4"]],
        ),
        ("|===\n|A |B\n2*|x\n|===", [["A", "B"], ["x", "x"]]),
        ("|===\n|A |B|\n|1 |2|\n|===", [["A", "B"], ["1", "2"]]),
        ("|===\n|A \\| B |C\n|1 |2\n|===", [["A | B", "C"], ["1", "2"]]),
        (',===\nx,y\n1,"2,3"\n,===', [["x", "y"], ["1", "2,3"]]),
        ("[format=dsv]\n|===\nx:y\n1:2\n|===", [["x", "y"], ["1", "2"]]),
        ("|A|B|\n|1|2|", [["A", "B"], ["1", "2"]]),
        ("[%noheader]\n|===\n|a |b\n|===", [["", ""], ["a", "b"]]),
    ],
    ids="lines;cell a line;mixed;spans;repeated;closing bar;escaped;csv;dsv;loose;headless".split(";"),
)
def test_tables(source: str, rows: list[list[str]]) -> None:
    assert tables(read(source + "\n", "a.adoc")) == [rows]


def test_nothing_is_included() -> None:
    reading = read("= T\n\ninclude::/etc/passwd[]\n\nText.\n", "a.adoc")
    assert shown(reading) == [("title", "T"), ("text", "Text.")]


@settings(deadline=None)  # a busy machine is no fault
@given(st.text(alphabet="=|*.-+_[]<>:,a1 \n", max_size=200))
def test_any_markup_can_be_read(text: str) -> None:
    read(text, "a.adoc")
