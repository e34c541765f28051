"""The Office documents: two of Word, a presentation, a workbook."""

from __future__ import annotations

import io
from datetime import datetime
from pathlib import Path

import docx
import figures
import pptx
import xlsxwriter
from archives import repack
from pptx.util import Inches, Pt

WRITTEN = datetime(2026, 4, 20, 9, 0)  # the date in every document's properties


def lease(path: Path) -> None:
    document = docx.Document()
    document.add_heading("Lease of the Boathouse", 0)
    document.add_paragraph(
        "between the Skarrow Harbour Authority (the landlord) and Rosa Quill, trading as The Bell Buoy "
        "(the tenant), signed on 12 March 2024."
    )
    document.add_heading("1 The premises", 1)
    document.add_paragraph(
        "The landlord lets the ground floor of the Boathouse, 140 square metres, and the terrace towards "
        "the marina, to be used as a café."
    )
    document.add_heading("2 Term", 1)
    document.add_paragraph("The lease begins on 1 April 2024 and runs for ten years.")
    document.add_heading("2.1 Notice", 2)
    document.add_paragraph(
        "After the fifth year either side may end the lease with six months' notice to the end of a quarter."
    )
    document.add_heading("3 Rent", 1)
    document.add_heading("3.1 Amount", 2)
    document.add_paragraph(
        "The rent is EUR 14,400 a year, payable in twelve equal parts on the first day of each month."
    )
    document.add_heading("3.2 Review", 2)
    document.add_paragraph(
        "The rent is reviewed on the third and the sixth anniversary. It rises with the island's price "
        "index, but by no more than 8 per cent at one review."
    )
    document.add_heading("3.3 Deposit and other payments", 2)
    _docx_table(
        document,
        [
            ("Payment", "Amount", "When"),
            ("Deposit", "EUR 3,600", "on signature"),
            ("Share of the insurance", "EUR 410", "every January"),
            ("Water", "by meter", "every quarter"),
        ],
    )
    document.add_heading("4 Duties of the tenant", 1)
    for text in (
        "to open on at least 200 days a year;",
        "to keep the slipway free at all times;",
        "to close the terrace when the harbour office gives code red;",
        "not to sublet without the landlord's consent in writing.",
    ):
        document.add_paragraph(text, style="List Bullet")
    document.add_heading("5 Repairs", 1)
    document.add_paragraph(
        "The landlord keeps the roof and the outer walls in repair, the tenant everything else. Damage "
        "by sea or storm is the landlord's."
    )
    _save_docx(document, path, "Lease of the Boathouse", "Devi Nath")


def board_minutes(path: Path) -> None:
    document = docx.Document()
    document.add_heading("Minutes of the board, 26 March 2026", 0)
    document.add_paragraph(
        "Present: Margit Oyelaran (chair), six members, the harbour master, the treasurer, the engineer."
    )
    document.add_heading("Item 1: Repair of the Grey Wall", 1)
    document.add_paragraph(
        "Three tenders had come in. The board gave the contract to Hallin Marine, whose price was the "
        "lowest and lies under the estimate of EUR 186,000. Work is to begin on 4 May."
    )
    _docx_table(
        document,
        [
            ("Tenderer", "Price (EUR)", "Weeks"),
            ("Hallin Marine", "171,300", "20"),
            ("Olthaven Nassbagger", "183,900", "16"),
            ("Strand & Sons", "204,750", "14"),
        ],
    )
    document.add_heading("Item 2: Crane", 1)
    document.add_paragraph(
        "The board took note of the engineer's report and agreed to order the slew ring from Kessel "
        "Krane for EUR 27,900. Until it is fitted the crane stays at 9 tonnes."
    )
    document.add_heading("Item 3: Pontoon C", 1)
    document.add_paragraph(
        "Northgate Mutual has accepted the claim for the damage by storm Wenna and will pay EUR 35,950, "
        "which is the claim less the excess. The new pontoon is expected in June."
    )
    document.add_heading("Item 4: Any other business", 1)
    document.add_paragraph(
        "The chair asked for a report on shore power for coasters by September. Next meeting: 25 June 2026."
    )
    _save_docx(document, path, "Minutes of the board, 26 March 2026", "Tom Arkley")


def winter_plan(path: Path) -> None:
    deck = pptx.Presentation()
    title = deck.slides.add_slide(deck.slide_layouts[0])
    title.shapes.title.text = "Winter Plan 2025/26"
    title.placeholders[1].text = "Port Skarrow, from 1 November to 31 March"
    _notes(title, "Tom presents. Ten minutes, then questions.")

    codes = deck.slides.add_slide(deck.slide_layouts[5])
    codes.shapes.title.text = "Wind codes"
    _pptx_table(
        codes,
        [
            ("Code", "Gusts at the North Mole", "What we do"),
            ("Green", "under 34 knots", "normal work"),
            ("Amber", "34 to 47 knots", "pilots board inside the North Mole, crane stopped"),
            ("Red", "48 knots and more", "port closed to arrivals, office manned day and night"),
        ],
    )
    _notes(codes, "Amber was given on 23 days last winter, red on 4 days.")

    watch = deck.slides.add_slide(deck.slide_layouts[1])
    watch.shapes.title.text = "Before each gale"
    _bullets(
        watch,
        [
            "Double the lines of the workboat and of Tern II",
            "Clear the Fish Quay of nets, boxes and vehicles",
            "Send the warning to all berth holders by text message",
            "Check the fuel of the standby generator: at least 400 litres",
        ],
    )
    _notes(watch, "The generator runs for 36 hours on 400 litres.")

    ice = deck.slides.add_slide(deck.slide_layouts[1])
    ice.shapes.title.text = "Ice"
    _bullets(
        ice,
        [
            "Grit the ramp before the first ferry when the air is at 2 degrees or less",
            "6 tonnes of grit in the shed, reorder at 2 tonnes",
            "Close the outer end of the North Mole when the railing is iced",
        ],
    )
    deck.core_properties.title = "Winter Plan 2025/26"
    deck.core_properties.author = "Tom Arkley"
    deck.core_properties.created = deck.core_properties.modified = WRITTEN
    buffer = io.BytesIO()
    deck.save(buffer)
    repack(buffer.getvalue(), path)


def dues_workbook(path: Path) -> None:
    """Two sheets: one invoice per call, and the tariff. Numbers are numbers; there are no formulas."""
    buffer = io.BytesIO()
    workbook = xlsxwriter.Workbook(buffer, {"in_memory": True})
    workbook.set_properties({"title": "Berth dues 2025", "author": "Devi Nath", "created": WRITTEN})
    bold = workbook.add_format({"bold": True})
    money = workbook.add_format({"num_format": "#,##0.00"})
    invoices = workbook.add_worksheet("Invoices 2025")
    header = ("Invoice", "Date", "Vessel", "Class", "Metres", "Nights", "Rate (EUR)", "Dues (EUR)")
    invoices.write_row(0, 0, header, bold)
    for row, call in enumerate(figures.calls(), 1):
        kind = call.vessel.kind
        cells = (f"D25-{call.number:03}", call.arrived.isoformat(), call.vessel.name, kind, call.metres, call.nights)
        invoices.write_row(row, 0, cells)
        invoices.write_row(row, 6, (figures.TARIFF[kind], call.dues), money)
    invoices.set_column(0, 7, 13)
    tariff = workbook.add_worksheet("Tariff")
    tariff.write_row(0, 0, ("Class", "EUR per metre and night"), bold)
    for row, (kind, rate) in enumerate(sorted(figures.TARIFF.items()), 1):
        tariff.write_row(row, 0, (kind, rate))
    tariff.set_column(0, 1, 24)
    workbook.close()
    repack(buffer.getvalue(), path)


def _docx_table(document, rows) -> None:
    table = document.add_table(rows=0, cols=len(rows[0]), style="Table Grid")
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    document.add_paragraph()


def _save_docx(document, path: Path, title: str, author: str) -> None:
    properties = document.core_properties
    properties.title, properties.author, properties.comments = title, author, ""
    properties.created = properties.modified = WRITTEN
    buffer = io.BytesIO()
    document.save(buffer)
    repack(buffer.getvalue(), path)


def _pptx_table(slide, rows) -> None:
    frame = slide.shapes.add_table(len(rows), len(rows[0]), Inches(0.6), Inches(1.8), Inches(8.8), Inches(3))
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            cell = frame.table.cell(row, column)
            cell.text = text
            cell.text_frame.paragraphs[0].runs[0].font.size = Pt(16)


def _bullets(slide, texts) -> None:
    body = slide.placeholders[1].text_frame
    body.text = texts[0]
    for text in texts[1:]:
        body.add_paragraph().text = text


def _notes(slide, text: str) -> None:
    slide.notes_slide.notes_text_frame.text = text
