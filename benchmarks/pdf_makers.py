"""The programs that make PDFs of known documents: browsers, office suites and libraries write them differently."""

from __future__ import annotations

import html
import io
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from pdf_truth import Block, Look, Truth

_FONTS = {
    "Amiri": "/usr/share/fonts/opentype/fonts-hosny-amiri/Amiri-Regular.ttf",
    "WenQuanYi Micro Hei": "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
}


def makers() -> dict[str, Callable[[Truth], bytes | None]]:
    """The makers that this machine has; each gives None for what it cannot lay out."""
    found: dict[str, Callable[[Truth], bytes | None]] = {}
    if shutil.which("chromium"):
        found["chromium"] = _chromium
    if shutil.which("soffice"):
        found["libreoffice"] = _libreoffice
    if find_spec("reportlab"):
        found["reportlab"] = _reportlab
    if find_spec("fpdf"):
        found["fpdf2"] = _fpdf
    if shutil.which("weasyprint"):
        found["weasyprint"] = _weasyprint
    return found


def _chromium(truth: Truth) -> bytes | None:
    if truth.look.rotated:
        return None
    with tempfile.TemporaryDirectory() as folder:
        page, pdf = Path(folder) / "page.html", Path(folder) / "page.pdf"
        page.write_text(_html(truth), encoding="utf-8")
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
             "--disable-background-networking", "--disable-component-update", "--no-first-run",
             f"--user-data-dir={folder}/profile", f"--print-to-pdf={pdf}", page.as_uri()],
            check=True, capture_output=True, timeout=120,
        )  # fmt: skip
        return pdf.read_bytes()


def _weasyprint(truth: Truth) -> bytes | None:
    if truth.look.rotated or truth.look.rtl:  # it writes Arabic without saying which letters its glyphs are
        return None
    done = subprocess.run(["weasyprint", "-", "-"], input=_html(truth).encode(), capture_output=True, timeout=120)
    return done.stdout if done.returncode == 0 else None


def _html(truth: Truth) -> str:
    look = truth.look
    rule = {"all": "border: 1px solid black;", "horizontal": "border-bottom: 1px solid black;", "none": ""}[look.rules]
    running = (
        '@page { @top-center { content: "Running line of the document" } @bottom-center { content: counter(page) } }'
        if look.running
        else ""
    )
    heads = {
        "large": "",
        "bold": "h1, h2, h3 { font-size: 11pt }",
        "centred": "h1, h2, h3 { text-align: center; font-weight: normal; font-variant: small-caps }",
    }[look.heads]
    style = (
        f"@page {{ size: A4 {'landscape' if look.landscape else ''}; margin: 2cm }} {running}"
        f" body {{ font: 11pt '{look.font or 'DejaVu Serif'}', serif; columns: {look.columns};"
        f" hyphens: auto; text-align: justify }} {heads}"
        f" table {{ border-collapse: collapse; width: 100%; text-align: left }} td, th {{ padding: 3pt 6pt; {rule} }}"
        " thead { display: table-header-group }"
    )
    direction = "rtl" if look.rtl else "ltr"
    return (
        f'<!doctype html><html lang="{truth.language}" dir="{direction}"><head><meta charset="utf-8">'
        f"<title>{html.escape(truth.blocks[0].text)}</title><style>{style}</style></head><body>"
        f"{''.join(_tags(truth))}</body></html>"
    )


def _tags(truth: Truth) -> list[str]:
    tags = []
    for block in truth.blocks:
        text = html.escape(block.text)
        if block.kind == "table":
            head, *rows = block.rows
            cells = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
            body = "".join("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>" for row in rows)
            tags.append(f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>")
        elif block.kind == "item":
            plain = text.startswith("(")
            tags.append(f"<ul{' style=list-style:none' if plain else ''}><li>{text}</li></ul>")
        elif block.kind == "text":
            tags.append(f"<p>{text}</p>")
        else:
            level = 1 if block.kind == "title" else block.level + 1
            tags.append(f"<h{level}>{text}</h{level}>")
    return tags


def _libreoffice(truth: Truth) -> bytes | None:
    if truth.look.rotated:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "document.docx"
        source.write_bytes(_docx(truth))
        subprocess.run(
            ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to",
             'pdf:writer_pdf_Export:{"ExportBookmarks":{"type":"boolean","value":"true"}}', "--outdir", folder,
             str(source)],
            check=True, capture_output=True, timeout=180,
        )  # fmt: skip
        return source.with_suffix(".pdf").read_bytes()


def _docx(truth: Truth) -> bytes:
    from docx import Document

    document = Document()
    _docx_page(document, truth.look)
    for block in truth.blocks:
        if block.kind == "table":
            _docx_table(document, block, truth.look)
        else:
            _docx_text(document, block, truth.look)
    data = io.BytesIO()
    document.save(data)
    return data.getvalue()


def _docx_page(document, look: Look) -> None:
    from docx.enum.section import WD_ORIENT

    section = document.sections[0]
    if look.landscape:
        section.orientation = WD_ORIENT.LANDSCAPE
        section.page_width, section.page_height = section.page_height, section.page_width
    if look.columns > 1:
        section._sectPr.append(_element("w:cols", **{"w:num": str(look.columns)}))
    if look.running:
        section.header.paragraphs[0].text = "Running line of the document"


def _docx_table(document, block: Block, look: Look) -> None:
    table = document.add_table(len(block.rows), len(block.rows[0]))
    if look.rules == "all":
        table.style = "Table Grid"
    if look.rtl:
        table._tbl.tblPr.append(_element("w:bidiVisual"))
    for row, cells in enumerate(block.rows):
        for column, cell in enumerate(cells):
            table.cell(row, column).text = cell


def _docx_text(document, block: Block, look: Look) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.oxml.ns import qn
    from docx.shared import Pt

    if block.kind in ("text", "item"):
        bullet = block.kind == "item" and not block.text.startswith("(")
        paragraph = document.add_paragraph(block.text, "List Bullet" if bullet else None)
    else:
        paragraph = document.add_heading(block.text, block.level)
        if look.heads == "centred":
            paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
    for run in paragraph.runs:
        if look.heads == "bold" and block.kind in ("title", "head"):
            run.font.size, run.font.bold = Pt(11), True
        if look.font:
            run.font.name = look.font
            for name in ("w:eastAsia", "w:cs"):
                run._r.get_or_add_rPr().get_or_add_rFonts().set(qn(name), look.font)
        if look.rtl:
            run._r.get_or_add_rPr().append(_element("w:rtl"))
    if look.rtl:
        paragraph._p.get_or_add_pPr().append(_element("w:bidi"))


def _element(name: str, **attributes: str):
    from docx.oxml.ns import qn
    from docx.oxml.parser import OxmlElement

    element = OxmlElement(name)
    for key, value in attributes.items():
        element.set(qn(key), value)
    return element


def _reportlab(truth: Truth) -> bytes | None:
    from reportlab.lib import colors
    from reportlab.lib.enums import TA_CENTER
    from reportlab.lib.pagesizes import A4, landscape
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.lib.units import cm
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Table

    look = truth.look
    if look.rtl:
        return None
    regular, bold = "Helvetica", "Helvetica-Bold"
    if truth.language == "zh":
        regular = bold = "STSong-Light"
        pdfmetrics.registerFont(UnicodeCIDFont(regular))
    size = landscape(A4) if look.landscape else A4
    body = ParagraphStyle("body", fontName=regular, fontSize=10, leading=13, spaceAfter=6)
    if truth.language == "zh":
        body.wordWrap = "CJK"
    sizes = {0: 18, 1: 14, 2: 12} if look.heads != "bold" else {0: 10, 1: 10, 2: 10}
    heads = {
        level: ParagraphStyle(
            f"h{level}", parent=body, fontName=bold, fontSize=points, leading=points * 1.3, spaceBefore=10,
            alignment=TA_CENTER if look.heads == "centred" else 0,
        )
        for level, points in sizes.items()
    }  # fmt: skip
    story = []
    for block in truth.blocks:
        if block.kind == "table":
            table = Table([list(row) for row in block.rows], repeatRows=1)
            rules = {"all": [("GRID", (0, 0), (-1, -1), 0.5, colors.black)],
                     "horizontal": [("LINEBELOW", (0, 0), (-1, -1), 0.5, colors.black)], "none": []}  # fmt: skip
            table.setStyle([("FONTNAME", (0, 0), (-1, -1), regular), ("FONTSIZE", (0, 0), (-1, -1), 9),
                            *rules[look.rules]])  # fmt: skip
            story.append(table)
        elif block.kind == "item":
            plain = block.text.startswith("(")
            indented = ParagraphStyle("item", parent=body, leftIndent=14, bulletIndent=4)
            story.append(Paragraph(block.text, indented, bulletText=None if plain else "•"))
        elif block.kind == "text":
            story.append(Paragraph(block.text, body))
        else:
            story.append(Paragraph(block.text, heads[0 if block.kind == "title" else block.level]))

    def decorate(canvas, _document) -> None:
        if look.rotated:
            canvas.setPageRotation(180)
        if look.running:
            canvas.setFont("Helvetica", 8)
            canvas.drawString(2 * cm, size[1] - 1.2 * cm, "Running line of the document")
            canvas.drawCentredString(size[0] / 2, 1.2 * cm, f"Page {canvas.getPageNumber()}")

    gap = 0.7 * cm
    width = (size[0] - 4 * cm - gap * (look.columns - 1)) / look.columns
    frames = [
        Frame(2 * cm + column * (width + gap), 2 * cm, width, size[1] - 4 * cm, 0, 0, 0, 0)
        for column in range(look.columns)
    ]
    data = io.BytesIO()
    document = BaseDocTemplate(data, pagesize=size, title=truth.blocks[0].text)
    document.addPageTemplates(PageTemplate(frames=frames, onPage=decorate))
    document.build(story)
    return data.getvalue()


def _fpdf(truth: Truth) -> bytes | None:
    from fpdf import FPDF
    from fpdf.enums import TableBordersLayout

    look = truth.look
    if look.columns > 1 or look.rotated or look.rtl:
        return None

    class Document(FPDF):
        def header(self) -> None:
            if look.running:
                self.set_font("helvetica", size=8)
                self.cell(0, 8, "Running line of the document", new_x="LMARGIN", new_y="NEXT")

        def footer(self) -> None:
            if look.running:
                self.set_y(-15)
                self.set_font("helvetica", size=8)
                self.cell(0, 8, f"- {self.page_no()} -", align="C")

    pdf = Document(orientation="landscape" if look.landscape else "portrait", format="A4")
    family = "helvetica"
    if look.font:
        family = "script"
        pdf.add_font(family, fname=_FONTS[look.font])
    bold = "" if look.font else "B"
    pdf.add_page()
    borders = {
        "all": TableBordersLayout.ALL,
        "horizontal": TableBordersLayout.HORIZONTAL_LINES,
        "none": TableBordersLayout.NONE,
    }[look.rules]
    for block in truth.blocks:
        _fpdf_block(pdf, block, family, bold, borders, look.heads)
    return bytes(pdf.output())


def _fpdf_block(pdf, block: Block, family: str, bold: str, borders, heads: str) -> None:
    pdf.set_font(family, size=10)
    if block.kind == "table":
        with pdf.table(block.rows, borders_layout=borders, first_row_as_headings=not pdf.is_ttf_font):
            pass
        pdf.ln(4)
    elif block.kind in ("text", "item"):
        mark = "- " if block.kind == "item" and not block.text.startswith("(") else ""
        pdf.multi_cell(0, 5, mark + block.text, new_x="LMARGIN", new_y="NEXT")
        pdf.ln(2)
    else:
        size = 10 if heads == "bold" else {0: 18, 1: 14, 2: 12}[block.level]
        pdf.set_font(family, bold, size)
        pdf.ln(3)
        pdf.multi_cell(
            0, size * 0.5, block.text, align="C" if heads == "centred" else "L", new_x="LMARGIN", new_y="NEXT"
        )
        pdf.ln(1)
