"""Text formats, and what people have reported of other converters: each once, small."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.corpus.items import Unreadable

from .writers import read, shown, tables


def test_markdown_headings_keep_text_of_every_inline_kind() -> None:
    reading = read(
        "# Kestrel [server](https://kestrel.invalid) *handbook*\n\n## [2.4.0] - 2031-05-06\n\n- Added `drift`.\n\n"
        "## **Bold** part and `code` part\n\nA \\*star\\* &amp; more.\n",
        "a.md",
    )
    assert shown(reading) == [
        ("h1", "Kestrel server handbook"),
        ("h2", "[2.4.0] - 2031-05-06"),
        ("list_item", "Added `drift`."),
        ("h2", "Bold part and code part"),
        ("text", "A *star* & more."),
    ]


def test_markdown_loses_no_line_outside_headings() -> None:
    reading = read("Loose first.\n\n# One\n\nalpha\n\n***\n\nalone\n\n***\n\n> quoted\n\nfinal", "a.md")
    assert [text for _, text in shown(reading)] == ["Loose first.", "One", "alpha", "alone", "quoted", "final"]


def test_markdown_table_without_trailing_pipes() -> None:
    assert tables(read("| Port | High | Low\n| --- | --- | ---\n| Brod | 3.1 | 0.7\n", "a.md")) == [
        [["Port", "High", "Low"], ["Brod", "3.1", "0.7"]]
    ]


def test_front_matter_is_metadata_and_no_text() -> None:
    reading = read("---\ntitle: Ports\ndate: 2031-02-03\ntags: [a, b]\n---\n\nBody.\n", "a.md")
    assert reading.title == "Ports"
    assert reading.metadata == {"title": "Ports", "date": "2031-02-03", "tags": ["a", "b"]}
    assert shown(reading) == [("text", "Body.")]


@pytest.mark.parametrize("front", ["a: *b", "a: [", "- list", "x: &x [1]\ny: [*x, *x]", "when: 2031-02-31"])
def test_front_matter_that_is_none_stays_text(front: str) -> None:
    reading = read(f"---\n{front}\n---\n\nBody.\n", "a.md")
    assert not reading.metadata
    assert "Body." in [text for _, text in shown(reading)]


def test_deeply_nested_quotes_lose_no_text() -> None:
    assert any("deep" in text for _, text in shown(read("> " * 20_000 + "deep", "a.md")))


def test_html_rowspans_are_filled() -> None:
    page = (
        "<h1>Depots</h1><table><tr><th>Area</th><th>Item</th><th>Stock</th></tr><tr><td rowspan=2>West</td>"
        "<td>Rope</td><td>14</td></tr><tr><td>Hook</td><td>6</td></tr></table>"
    )
    assert tables(read(page, "a.html"))[0][2] == ["West", "Hook", "6"]


def test_html_header_rows_are_joined() -> None:
    page = (
        "<table><tr><th rowspan=2>No</th><th colspan=2>Risk level</th></tr><tr><th>Low</th><th>High</th></tr>"
        "<tr><td>1</td><td>a</td><td>b</td></tr></table>"
    )
    assert tables(read(page, "a.html")) == [[["No", "Risk level / Low", "Risk level / High"], ["1", "a", "b"]]]


def test_html_as_a_person_sees_it() -> None:
    page = (
        "<html lang=de><head><title>T</title><script>no()</script></head><body><nav>elsewhere</nav>before<h2>H</h2>"
        "<p>one<br>two <b>bold</b></p><p hidden>no</p><ol start=3><li>c<ul><li>d</ul></ol><pre>a\n  b</pre>"
        "<table role=presentation><tr><td><p>laid out</table></body></html>"
    )
    reading = read(page, "a.html")
    assert (reading.title, reading.language) == ("T", "de")
    assert shown(reading) == [
        ("text", "before"),
        ("h2", "H"),
        ("text", "one\ntwo bold"),
        ("list_item", "c"),
        ("list_item", "d"),
        ("code", "a\n  b"),
        ("text", "laid out"),
    ]
    assert [(item.marker, item.depth) for item in reading.items if item.label == "list_item"] == [("3.", 0), ("-", 1)]


def test_html_nested_beyond_the_parser_keeps_its_text() -> None:
    assert shown(read("<div>" * 50_000 + "deep text", "a.html")) == [("text", "deep text")]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("\ufeffStation,Depth\nNorth,120\n", [["Station", "Depth"], ["North", "120"]]),
        ('t;note\n17;"first\nsecond; more"\n', [["t", "note"], ["17", "first\nsecond; more"]]),
        ("site,region\nA1,NA\nA2,\nA3,null\n", [["site", "region"], ["A1", "NA"], ["A2", ""], ["A3", "null"]]),
        ("a|b\n1,5|2\n", [["a", "b"], ["1,5", "2"]]),
        ("a\tb\n1\t2\n", [["a", "b"], ["1", "2"]]),
        ("a,b\n1\n1,2,3\n", [["a", "b", ""], ["1", "", ""], ["1", "2", "3"]]),
        ('a,b\n"say \\"hi\\"",007\n', [["a", "b"], ['say "hi"', "007"]]),
        ("sep=;\na;b\n1;2\n", [["a", "b"], ["1", "2"]]),
        ("name\nAda\n", [["name"], ["Ada"]]),
    ],
    ids=["mark", "quoted lines", "NA", "pipe", "tab", "ragged", "backslash", "sep line", "one column"],
)
def test_csv(text: str, rows: list[list[str]]) -> None:
    assert tables(read(text, "a.csv")) == [rows]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Cups,,\nTeam,City,Cups\nBlues,STL,1\nFlyers,PHI,2\n", ["Cups", [["Team", "City", "Cups"], 2]]),
        ("Report\nMade by: Ines\na,b,c\nx,1,2\ny,2,3\n", ["Report", "Made by: Ines", [["a", "b", "c"], 2]]),
        ("a,b,c\nx,1,2\ny,2,3\nSource: the yard book\n", [[["a", "b", "c"], 2], "Source: the yard book"]),
        ("a,b\n\n1,2\n\n3,4\n", [[["a", "b"], 2]]),
        ("T1\na,b\n1,2\n3,4\n\nT2\nx,y,z\n1,2,3\n", ["T1", [["a", "b"], 2], "T2", [["x", "y", "z"], 1]]),
        ("a,b\nx,\ny,\n", [[["a", "b"], 2]]),
        ('"","x"\n"1","5"\n', [[["", "x"], 1]]),
        ("name\nAda Lovelace\n", [[["name"], 1]]),
    ],
    ids=["title", "two titles", "note", "blank lines", "two tables", "empty column", "no first name", "one column"],
)
def test_csv_rows_around_a_table_are_text(text: str, items: list[object]) -> None:
    found = read(text, "a.csv").items
    assert [[list(each.table.columns), len(each.table.rows)] if each.table else each.text for each in found] == items


PEP = """PEP: 999
Title: Ports
Author: A B <a@b>,
        C D <c@d>
Status: Active

Abstract
========

Use ``x`` and :pep:`8`, or a :strange:`role`.

.. canonical-doc:: nothing

.. strange:: argument
   :option: value

   Inside a directive.

Deeper
------

#. one
#. two

.. code-block:: python

   print(1)

=====  =====
Port   Low
=====  =====
Brod   0.7
=====  =====

.. [1] A note.
"""


def test_restructured_text() -> None:
    reading = read(PEP, "a.rst")
    assert reading.title == "Ports"
    assert reading.metadata["Status"] == "Active"
    assert reading.metadata["Author"] == "A B <a@b>, C D <c@d>"
    assert ("h1", "Abstract") in shown(reading) and ("h2", "Deeper") in shown(reading)
    assert ("text", "Use ``x`` and PEP 8, or a ``role``.") in shown(reading)
    assert ("text", "Inside a directive.") in shown(reading)
    assert ("code", "print(1)") in shown(reading)
    assert ("footnote", "[1] A note.") in shown(reading)
    assert [item.marker for item in reading.items if item.label == "list_item"] == ["1.", "2."]
    assert tables(reading) == [[["Port", "Low"], ["Brod", "0.7"]]]


def test_restructured_text_without_its_table_of_contents() -> None:
    text = ".. contents::\n\nMill\n====\n\nOld.\n\n.. topic:: Wheel\n\n   Turns.\n\nRace\n====\n\nWet.\n"
    reading = read(text, "a.rst")
    assert [text for _, text in shown(reading)] == ["Mill", "Old.", "Wheel", "Turns.", "Race", "Wet."]


def test_restructured_text_fields_and_no_files() -> None:
    reading = read("Title\n=====\n\n:Owner: Ines\n:Topic: mills\n\n.. include:: /etc/passwd\n\nText.\n", "a.rst")
    assert reading.metadata == {"Owner": "Ines", "Topic": "mills"}
    assert not any("root:" in text for _, text in shown(reading))
    assert ("text", "Text.") in shown(reading)


MAIL = b"""From: =?utf-8?q?Zo=C3=AB?= <z@x.invalid>
To: o@x.invalid
Subject: =?UTF-8?B?TWlsbCDimLg=?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/html; charset=iso-8859-1

<p>caf\xe9</p>
--b
Content-Type: application/pdf; name="plan.pdf"
Content-Disposition: attachment; filename="plan.pdf"

x
--b--
"""


def test_mail() -> None:
    reading = read(MAIL, "a.eml")
    assert reading.title == "Mill ☸"
    assert reading.metadata["From"] == "Zoë <z@x.invalid>"
    assert [text for _, text in shown(reading)][1:] == ["café", "Attachments: plan.pdf"]


def test_subtitles() -> None:
    text = "WEBVTT\n\nNOTE kept\n\n1\n00:01.000 --> 00:02.000\n<v Ada>Hello <i>there</i>\nagain\n"
    assert [text for _, text in shown(read(text, "a.vtt"))] == [
        "kept",
        "[00:01.000 --> 00:02.000] Ada: Hello there again",
    ]


def test_org() -> None:
    text = "#+TITLE: Yard\n* One\n- a\n  more\n** Two\n#+BEGIN_SRC sh\nls\n#+END_SRC\n| a | b |\n|---+---|\n| 1 | 2 |\n"
    reading = read(text, "a.org")
    assert reading.title == "Yard"
    assert shown(reading)[:4] == [("h1", "One"), ("list_item", "a more"), ("h2", "Two"), ("code", "ls")]
    assert tables(reading) == [[["a", "b"], ["1", "2"]]]


RTF = (
    r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial;}}{\info{\title Mill}{\author Ines}}"
    r"{\pard\outlinelevel0 Heading\par}{\pard caf\'e9 \u8364? 5\emdash\f1\'ef\par}"
    r"{\trowd\pard\intbl a\cell b\cell\row\pard\intbl 1\cell 2\cell\row}{\*\secret no}}"
)


def test_rtf() -> None:
    reading = read(RTF, "a.rtf")
    assert (reading.title, reading.metadata["author"]) == ("Mill", "Ines")
    assert shown(reading)[:2] == [("h1", "Heading"), ("text", "café € 5—п")]
    assert tables(reading) == [[["a", "b"], ["1", "2"]]]


def test_xml_records_and_sections() -> None:
    reading = read("<?xml version='1.0'?><book><c><n>A</n><k>1</k></c><c><n>B</n></c></book>", "a.xml")
    assert shown(reading)[0] == ("h1", "book")
    assert tables(reading) == [[["n", "k"], ["A", "1"], ["B", ""]]]


@pytest.mark.parametrize(
    "entity", ["SYSTEM 'file:///etc/passwd'", "SYSTEM 'http://127.0.0.1:1/x'", '"plain"'], ids=repr
)
def test_xml_entities_are_never_followed(entity: str) -> None:
    reading = read(f"<?xml version='1.0'?><!DOCTYPE r [<!ENTITY e {entity}>]><r><a>x &e; y</a></r>", "a.xml")
    assert "root:" not in str(shown(reading))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"<a><x:b>t &amp; u</x:b></a>", "b: t & u"),
        (b"<?xml version='1.0' encoding='utf-8'?><a>caf\xe9 &amp; bar</a>", "a: café & bar"),
        (b"<?xml version='1.0' encoding='nonsense'?><a>x</a>", "a: x"),
        (b"<a>&nbsp;&eacute; AT&T &foo; &lt;</a>", "a: é AT&T &foo; <"),
        (b"<a>x\x01y &amp; z</a>", "a: x y & z"),
    ],
    ids=["prefix", "encoding", "no encoding", "entities", "control"],
)
def test_xml_that_is_almost_right_loses_nothing(data: bytes, text: str) -> None:
    assert [item.text for item in read(data, "a.xml").items][-1] == text


def test_json_records_are_tables() -> None:
    assert tables(read('[{"a": 1.0, "b": "x"}, {"a": null, "c": [1]}]', "a.json")) == [
        [["a", "b", "c"], ["1.0", "x", ""], ["", "", "[1]"]]
    ]
    assert tables(read('{"a": 1}\n{"a": 2}\n', "a.jsonl")) == [[["a"], ["1"], ["2"]]]


def test_minified_json_gets_lines_and_keeps_its_numbers() -> None:
    text = '{"v":[' + ",".join(["1.10"] * 1000) + "]}"
    (item,) = read(text, "a.json").items[:1]
    assert "1.10,\n" in item.text


def test_code_is_kept_as_written() -> None:
    text = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
    assert [(item.label, item.language) for item in read(text, "a.py").items] == [("code", "py")] * 2


def test_latex() -> None:
    latex = "\\documentclass{article}\\begin{document}\\section{Mill}Old wheel.\\end{document}"
    assert ("text", "Old wheel.") in shown(read(latex, "a.tex"))


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"%PDF-1.4 broken", "a.pdf", "broken PDF"),
        (b"<?xml version='1.0'?><a><b></a>", "a.xml", "broken XML"),
        (b"<?xml version='1.0'?>" + b"<a>" * 5000, "a.xml", "nested too deeply"),
        (b"<a>" + b"x" * 10_500_000 + b"</a>", "a.xml", "more than 10 MB in one element"),
        (b'<o:document xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0"/>', "a.xml", "save it as .odt"),
        (b"{\\rtf1 " + b"{" * 5000, "a.rtf", "nested too deeply"),
    ],
)
def test_what_is_broken_is_named(data: bytes, name: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        read(data, name)


@settings(deadline=None)  # a busy machine is no fault
@given(
    st.text(max_size=300),
    st.sampled_from(["md", "html", "csv", "rst", "org", "vtt", "xml", "json", "eml", "rtf", "yaml", "adoc"]),
)
def test_any_text_can_be_read(text: str, ending: str) -> None:
    try:
        read(text.encode("utf-8", "replace"), f"a.{ending}")
    except Unreadable as reason:
        assert str(reason)
