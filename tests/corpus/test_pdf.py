from __future__ import annotations

from pathlib import Path

import pytest

from glossator.corpus.items import Unreadable

from .writers import body, pdf, read, shown, tables


def test_lines_become_paragraphs_and_hyphens_go() -> None:
    data = pdf(
        body(
            "The efficiency of the wheel rose from 31 to 44 per-",
            "cent after the refurbishment of the sluice gate, and the non-stop",
            "watch was kept; later the non-",
            "stop watch was given up by the harbour master of the town.",
        )
    )
    ((label, text),) = shown(read(data, "a.pdf"))
    assert label == "text"
    assert "from 31 to 44 percent after the refurbishment" in text
    assert "later the non-stop watch" in text


def test_headings_by_size_weight_and_number() -> None:
    lines = [(60, 800, 22, True, "Water mills of the valley")]
    lines += [(60, 760, 14, True, "1 Wheels"), *body("The old wheel turns slowly in the race of the stream.", top=740)]
    lines += [(60, 710, 12, True, "1.1 Undershot"), *body("It is driven from below by the stream of water.", top=690)]
    lines += [(60, 660, 14, True, "2 Sluices"), *body("The gate is opened in the morning by the miller.", top=640)]
    assert [each for each in shown(read(pdf(lines), "a.pdf")) if each[0] != "text"] == [
        ("title", "Water mills of the valley"),
        ("h1", "1 Wheels"),
        ("h2", "1.1 Undershot"),
        ("h1", "2 Sluices"),
    ]


def test_columns_are_read_one_after_the_other() -> None:
    left = [f"left column line {number} of the running text here" for number in range(8)]
    right = [f"right column line {number} of the running text there" for number in range(8)]
    reading = read(pdf([*body(*left, x=50), *body(*right, x=320)]), "a.pdf")
    text = " ".join(text for _, text in shown(reading))
    assert text.index("left column line 7") < text.index("right column line 0")


def test_ruled_tables_are_tables() -> None:
    xs, ys = (60, 160, 260), (600, 620, 640)
    ruled = [(60, y, 260, y) for y in ys] + [(x, 600, x, 640) for x in xs]
    cells = [
        (65, 626, 10, True, "Port"),
        (165, 626, 10, True, "Low"),
        (65, 606, 10, False, "Brod"),
        (165, 606, 10, False, "0.7"),
    ]
    reading = read(
        pdf([*body("Tides of the coast in spring.", top=700), *cells, *body("After it.", top=560)], ruled=ruled),
        "a.pdf",
    )
    assert tables(reading) == [[["Port", "Low"], ["Brod", "0.7"]]]
    assert [label for label, _ in shown(reading)] == ["text", "table", "text"]


def test_pages_count_and_running_lines_go() -> None:
    pages = [
        [(60, 820, 8, False, "Annual report"), *body(f"The text of sheet {word}."), (290, 20, 8, False, str(number))]
        for number, word in enumerate(("one", "two", "three", "four"), 1)
    ]
    pages.insert(1, [])
    reading = read(pdf(*pages), "a.pdf")
    assert reading.page_count == 5
    assert [(item.text, item.pages) for item in reading.items] == [
        ("The text of sheet one.", (1,)),
        ("The text of sheet two.", (3,)),
        ("The text of sheet three.", (4,)),
        ("The text of sheet four.", (5,)),
    ]


def test_a_paragraph_over_a_page_end_has_both_pages() -> None:
    first = body("The bridge over the river was opened in the", "year of the great flood and carried the")
    reading = read(pdf(first, body("road to the market until it fell.")), "a.pdf")
    (item,) = reading.items
    assert item.pages == (1, 2) and "carried the road" in item.text


def test_a_page_without_text_has_no_items() -> None:
    assert read(pdf([]), "a.pdf").items == []


def test_encrypted() -> None:
    data = pdf(body("secret")).replace(
        b"/Root 1 0 R",
        b"/Root 1 0 R/Encrypt<</Filter/Standard/V 1/R 2/P -44/O(" + b"a" * 32 + b")/U(" + b"b" * 32 + b")>>/ID[(1)(1)]",
    )
    with pytest.raises(Unreadable, match="encrypted: a password is needed"):
        read(data, "a.pdf")


def figures(*rows: tuple[str, ...], top: float = 700) -> list[tuple[float, float, float, bool, str]]:
    """Rows of cells that stand under each other, 90 points apart."""
    cells = [(x, y, cell) for y, row in enumerate(rows) for x, cell in enumerate(row)]
    return [(60 + 90 * x, top - 14 * y, 10, False, cell) for x, y, cell in cells]


def test_figures_under_each_other_are_a_table_without_any_line() -> None:
    rows = (("Zone", "Sales", "Profit", "Costs"), ("North", "12,553", "2,713", "(81)"), ("South", "-", "-", "(29)"))
    rows += (("East", "9,060", "2,068", "7"),)
    before, after = body("Sales of the zones in the spring of the year.", top=760), body("After it.", top=600)
    reading = read(pdf([*before, *figures(*rows), *after]), "a.pdf")
    assert tables(reading) == [[list(row) for row in rows]]
    assert [label for label, _ in shown(reading)] == ["text", "table", "text"]


def test_words_in_columns_are_no_table() -> None:
    rows = [(f"name {number}", "Ines", "Berg") for number in range(5)]
    assert tables(read(pdf(figures(*rows)), "a.pdf")) == []


def test_text_that_runs_up_the_page_is_kept_apart() -> None:
    data = pdf(
        body("The wheel of the mill turned on for a very long time and all through the night of the great flood and")
        + body("then it stopped.", top=786),
        body("Second page."),
    )
    # the stamp: turned by a quarter, at the left edge of the first page
    data = data.replace(b"BT\n", b"BT\n/F1 10 Tf 0 1 -1 0 30 300 Tm (Draft of March) Tj\n", 1)
    texts = [text for _, text in shown(read(data, "a.pdf"))]
    assert "Draft of March" in texts
    assert not any("Draft" in text and "wheel" in text for text in texts)


def test_a_table_between_horizontal_lines() -> None:
    """Words in columns that only lines above, below and under the header make a table; text between two is none."""
    head = [(60, 700, 10, True, "Berth"), (200, 700, 10, True, "Owner")]
    rows = [(x, 700 - 20 * n, 10, False, text) for n, pair in enumerate([("North", "Ines"), ("South quay", "Omar")], 1)
            for x, text in zip((60, 200), pair, strict=True)]  # fmt: skip
    more = [(60, 600, 10, False, "The owners meet in spring and in autumn, in the hall beside the old crane."),
            (60, 560, 10, True, "Gate"), (200, 560, 10, True, "Guard"), (60, 540, 10, False, "West"),
            (200, 540, 10, False, "Lena")]  # fmt: skip
    lines = [(60, y, 500, y) for y in (714, 694, 654, 574, 554, 534)]
    assert tables(read(pdf([*head, *rows, *more], ruled=lines), "owners.pdf")) == [
        [["Berth", "Owner"], ["North", "Ines"], ["South quay", "Omar"]],
        [["Gate", "Guard"], ["West", "Lena"]],
    ]


def test_a_table_that_a_page_end_cuts_is_one() -> None:
    """The header that is repeated on each page is the table's own once."""

    def page(first: int) -> list[tuple[float, float, float, bool, str]]:
        return figures(
            ("Year", "Ships", "Tonnes"), *[(str(1900 + n), str(n), str(7 * n)) for n in range(first, first + 9)]
        )

    reading = read(pdf(page(10), page(19), page(28)), "years.pdf")
    found = [item for item in reading.items if item.table is not None]
    assert [item.pages for item in found] == [(1, 2, 3)]
    assert [row[0] for row in tables(reading)[0]] == ["Year", *[str(1900 + n) for n in range(10, 37)]]


def test_the_first_section_right_under_a_title_stays_a_heading() -> None:
    page = [(60, 780, 20, True, "Harbour handbook"),
            (60, 740, 13, True, "Moorings"), *body("Moorings are let.", top=720),
            (60, 680, 13, True, "Dues"), *body("Dues are paid in May.", top=660),
            (60, 620, 13, True, "Crane"), *body("The crane is old.", top=600)]  # fmt: skip
    assert shown(read(pdf(page), "handbook.pdf"))[:2] == [("title", "Harbour handbook"), ("h1", "Moorings")]


def test_arabic_is_read_from_the_right(shared: Path) -> None:
    """Pieces of a line, and Latin words in it, in the order in which they are read; so with the lines."""
    path = next((shared / "data/dev").rglob("right_to_left_01.pdf"))
    first, second = read(path.read_bytes(), path.name).items[:2]
    assert first.text == "تحسين الإنتاجية وحل المشكلات من خلال البرمجة بلغة R و Python"
    assert second.text.startswith("تعتبر البرمجة بلغة R و Python من الأدوات القوية")
