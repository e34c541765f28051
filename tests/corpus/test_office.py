"""Word, PowerPoint, workbooks, OpenDocument, EPUB."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from typing import Any

import pytest

from glossator.corpus.items import Unreadable

from .writers import read, shown, tables, word, workbook


def numbered(document: Any, text: str, level: int) -> None:
    """A heading with an automatic number: list 9, which starts at 3."""
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    heading = document.add_heading(text, level)
    heading._p.get_or_add_pPr().append(
        parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level - 1}"/><w:numId w:val="99"/></w:numPr>')
    )


def numbering(document: Any) -> None:
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    levels = "".join(
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="{start}"/>'
        f'<w:numFmt w:val="decimal"/><w:lvlText w:val="{text}"/></w:lvl>'
        for depth, start, text in ((0, 3, "%1"), (1, 1, "%1.%2"))
    )
    root = document.part.numbering_part.element
    root.insert(0, parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="99">{levels}</w:abstractNum>'))
    root.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="99"><w:abstractNumId w:val="99"/></w:num>'))


def test_word_headings_keep_their_numbers_and_order() -> None:
    def write(document: Any) -> None:
        numbering(document)
        numbered(document, "Fleet", 1)
        numbered(document, "Crew", 2)
        document.add_paragraph("oars", style="List Bullet")
        numbered(document, "Stores", 2)
        document.add_paragraph("Counted on Friday.")
        numbered(document, "Routes", 1)

    assert shown(read(word(write), "a.docx")) == [
        ("h1", "3 Fleet"),
        ("h2", "3.1 Crew"),
        ("list_item", "oars"),
        ("h2", "3.2 Stores"),
        ("text", "Counted on Friday."),
        ("h1", "4 Routes"),
    ]


def test_word_tables_title_properties_and_margins() -> None:
    def write(document: Any) -> None:
        document.core_properties.title = "Ports"
        document.sections[0].header.paragraphs[0].text = "Confidential"
        document.add_heading("The ports", 0)
        table = document.add_table(3, 3)
        for row, texts in enumerate((("No", "Risk", ""), ("", "Low", "High"), ("1", "a", "b"))):
            for column, text in enumerate(texts):
                table.cell(row, column).text = text
        table.cell(0, 1).merge(table.cell(0, 2))
        table.cell(0, 0).merge(table.cell(1, 0))

    reading = read(word(write), "a.docx")
    assert reading.title == "Ports"
    assert shown(reading)[:2] == [("text", "Header: Confidential"), ("title", "The ports")]
    assert tables(reading) == [[["No", "Risk / Low", "Risk / High"], ["1", "a", "b"]]]


def test_word_comments_and_deleted_text() -> None:
    def write(document: Any) -> None:
        from docx.oxml import parse_xml
        from docx.oxml.ns import nsdecls

        paragraph = document.add_paragraph("The cap is two million.")
        document.add_comment(paragraph.runs, text="Check this.", author="Ines")
        paragraph._p.append(parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText>gone</w:delText></w:r></w:del>"))

    texts = [text for _, text in shown(read(word(write), "a.docx"))]
    assert texts[0] == "The cap is two million."
    assert texts[1].startswith("Comment by Ines") and texts[1].endswith(": Check this.")


def test_an_empty_word_document_has_no_items() -> None:
    assert not read(word(lambda document: None), "a.docx").items


def slides(write: Any) -> bytes:
    import pptx

    deck, out = pptx.Presentation(), io.BytesIO()
    write(deck)
    deck.save(out)
    return out.getvalue()


def test_slides_are_pages_with_notes() -> None:
    def write(deck: Any) -> None:
        first = deck.slides.add_slide(deck.slide_layouts[1])
        first.shapes.title.text = "Mills"
        first.placeholders[1].text = "Old wheel"
        first.notes_slide.notes_text_frame.text = "Say it slowly."
        second = deck.slides.add_slide(deck.slide_layouts[6])
        second.shapes.add_textbox(0, 0, 999999, 999999).text_frame.text = "No title here"

    reading = read(slides(write), "a.pptx")
    assert reading.page_count == 2
    assert [(*each, item.pages) for each, item in zip(shown(reading), reading.items, strict=True)] == [
        ("h1", "Mills", (1,)),
        ("list_item", "Old wheel", (1,)),
        ("text", "Notes: Say it slowly.", (1,)),
        ("h1", "Slide 2", (2,)),
        ("text", "No title here", (2,)),
    ]


def test_workbook_titles_merged_headers_hidden_sheets() -> None:
    def write(book: Any) -> None:
        rates = book.add_worksheet("Rates")
        rates.write_row(0, 0, ["AUTUMN PLAN"])
        rates.merge_range(1, 0, 2, 0, "Zone")
        rates.merge_range(1, 1, 1, 2, "2030")
        rates.write_row(2, 1, ["Low", "High"])
        rates.write_row(3, 0, ["Inner", 2.0, 5.5])
        rates.write_row(4, 0, ["NA", 4, 9])
        old = book.add_worksheet("old")
        old.hide()
        old.write_row(0, 0, ["Team", "Goals"])
        old.write_row(1, 0, ["Herons", 99])
        book.add_worksheet("nothing")

    reading = read(workbook(write), "a.xlsx")
    assert [each for each in shown(reading) if each[0] != "table"] == [
        ("h1", "Rates"),
        ("text", "AUTUMN PLAN"),
        ("h1", "old (hidden sheet)"),
    ]
    assert tables(reading) == [
        [["Zone", "2030 / Low", "2030 / High"], ["Inner", "2", "5.5"], ["NA", "4", "9"]],
        [["Team", "Goals"], ["Herons", "99"]],
    ]


def test_workbook_values_as_they_are_stored() -> None:
    def write(book: Any) -> None:
        sheet = book.add_worksheet()
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        sheet.write_row(0, 0, ["code", "day", "sum", "share", "ok", "blank"])
        sheet.write_string(1, 0, "007")
        sheet.write_datetime(1, 1, date(2031, 2, 3), day)
        sheet.write_number(1, 2, 0.1 + 0.2)
        sheet.write_number(1, 3, 12345678901)
        sheet.write_boolean(1, 4, True)

    rows = tables(read(workbook(write), "a.xlsx"))
    assert rows == [
        [["code", "day", "sum", "share", "ok", "blank"], ["007", "2031-02-03", "0.3", "12345678901", "TRUE", ""]]
    ]


def test_workbook_text_boxes_comments_and_properties() -> None:
    def write(book: Any) -> None:
        book.set_properties({"title": "Depots", "author": "Ines"})
        sheet = book.add_worksheet("Stock")
        sheet.write_row(0, 0, ["Item", "Count"])
        sheet.write_row(1, 0, ["Rope", 4])
        sheet.write_comment(1, 1, "counted twice", {"author": ""})
        sheet.insert_textbox(5, 1, "First line.\nFigures are not audited.")
        book.add_worksheet("Empty").insert_textbox(0, 0, "Only a box.")

    reading = read(workbook(write), "a.xlsx")
    assert (reading.title, reading.metadata["author"]) == ("Depots", "Ines")
    assert [each for each in shown(reading) if each[0] != "table"] == [
        ("h1", "Stock"),
        ("text", "First line.\nFigures are not audited."),
        ("text", "Comment on B2: counted twice"),
        ("h1", "Empty"),
        ("text", "Only a box."),
    ]


def test_spreadsheet_boxes_and_annotations() -> None:
    from glossator.corpus.readers.sheetnotes import notes

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(
            "content.xml",
            '<o xmlns:t="t" xmlns:d="d"><t:table t:name="Stock"><d:text-box><p xmlns="x">A box.</p></d:text-box>'
            '<annotation xmlns="o"><creator>Ines</creator><p>twice</p></annotation></t:table></o>',
        )
    assert notes(out.getvalue()).texts == {"Stock": ["A box.", "Comment: twice"]}


def test_a_presentation_without_slides_is_empty() -> None:
    import pptx

    out = io.BytesIO()
    pptx.Presentation().save(out)
    assert list(read(out.getvalue(), "a.pptx").items) == []


def test_workbook_with_several_tables() -> None:
    def write(book: Any) -> None:
        sheet = book.add_worksheet()
        for row, cells in enumerate(
            (["a", "b", None, "c", "d"], [1, 2, None, 3, 4], [], ["note"], [], ["x", "y"], ["p", 1])
        ):
            for column, cell in enumerate(cells):
                if cell is not None:
                    sheet.write(row, column, cell)

    reading = read(workbook(write), "a.xlsx")
    assert tables(reading) == [[["a", "b"], ["1", "2"]], [["c", "d"], ["3", "4"]], [["x", "y"], ["p", "1"]]]
    assert ("text", "note") in shown(reading)


def book(chapter: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", '<container><rootfile full-path="o/p.opf"/></container>')
        archive.writestr(
            "o/p.opf",
            '<package xmlns:dc="d"><metadata><dc:title>Mills</dc:title><dc:language>en</dc:language></metadata>'
            "<manifest>"
            '<item id="b" href="b.xhtml" media-type="application/xhtml+xml"/>'
            '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
            '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
        )
        archive.writestr("o/a.xhtml", chapter)
        archive.writestr("o/b.xhtml", "<html><body><p>second</p></body></html>")
    return out.getvalue()


def test_epub_chapters_come_in_the_order_of_the_spine() -> None:
    reading = read(book("<html><body><h1>First</h1></body></html>"), "a.epub")
    assert (reading.title, reading.language) == ("Mills", "en")
    assert shown(reading) == [("h1", "First"), ("text", "second")]


def test_a_zip_bomb_is_not_unpacked() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", bytes(123_457))
    claimed = out.getvalue().replace((123_457).to_bytes(4, "little"), (2_000_000_000).to_bytes(4, "little"))
    with pytest.raises(Unreadable, match="unpacks to 1907 MB"):
        read(claimed, "a.docx")


def test_a_file_that_lies_about_its_size_is_named() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", bytes(123_457))
    lying = out.getvalue().replace((123_457).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    with pytest.raises(Unreadable, match="broken"):
        read(lying, "a.docx")
