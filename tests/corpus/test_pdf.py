from __future__ import annotations

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
