"""A small PDF writer: headings with bookmarks, paragraphs, lists, ruled tables, page numbers; WinAnsi text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pdfminer.fontmetrics import FONT_METRICS

WIDTH, HEIGHT = 595.0, 842.0  # A4, points
LEFT, RIGHT, TOP, BOTTOM = 72.0, 523.0, 770.0, 84.0
FONTS = {"body": "Helvetica", "bold": "Helvetica-Bold", "slanted": "Helvetica-Oblique"}
HEADING_SIZES = {1: 17.0, 2: 13.5, 3: 11.5}
BODY_SIZE = 10.0
LEADING = 1.4  # line height, as a multiple of the size
CELL_PADDING = 4.0


class Pdf:
    """A document that is written from top to bottom; pages are begun when needed."""

    def __init__(self, title: str, author: str, running_head: str) -> None:
        self._title, self._author, self._running_head = title, author, running_head
        self._pages: list[list[str]] = []
        self._bookmarks: list[tuple[int, str, int, float]] = []  # level, text, page index, y
        self.new_page()

    def new_page(self) -> None:
        self._pages.append([])
        self._y = TOP

    def title(self, text: str, subtitle: str = "") -> None:
        self._line(text, "bold", 24.0, LEFT)
        self._y -= 6
        if subtitle:
            self._line(subtitle, "slanted", 12.0, LEFT)
        self._y -= 18

    def heading(self, level: int, text: str) -> None:
        size = HEADING_SIZES[level]
        self._need(size * LEADING + 40)
        self._y -= size * 0.7
        self._bookmarks.append((level, text, len(self._pages) - 1, self._y + size))
        self._line(text, "bold", size, LEFT)
        self._y -= 4

    def paragraph(self, text: str, font: str = "body", indent: float = 0.0) -> None:
        for line in wrap(text, font, BODY_SIZE, RIGHT - LEFT - indent):
            self._line(line, font, BODY_SIZE, LEFT + indent)
        self._y -= 6

    def bullets(self, texts: Sequence[str]) -> None:
        for text in texts:
            self._need(BODY_SIZE * LEADING)
            self._show("\u2022", "body", BODY_SIZE, LEFT + 6, self._y - BODY_SIZE)
            self.paragraph(text, indent=18)

    def table(self, caption: str, widths: Sequence[float], rows: Sequence[Sequence[str]]) -> None:
        """A ruled table: the first row is its header, and numbers stand to the right."""
        height = BODY_SIZE * LEADING + CELL_PADDING
        self._need(height * (len(rows) + 2))
        self.paragraph(caption, "slanted")
        edges = [LEFT + sum(widths[:n]) for n in range(len(widths) + 1)]
        top = self._y
        for number, row in enumerate(rows):
            font = "body" if number else "bold"
            for edge, width, cell in zip(edges, widths, row, strict=False):
                numeric = number and cell.replace(",", "").replace(".", "").lstrip("-").isdigit()
                shift = width - measure(cell, font, BODY_SIZE) - CELL_PADDING if numeric else CELL_PADDING
                self._show(cell, font, BODY_SIZE, edge + shift, self._y - BODY_SIZE - CELL_PADDING / 2)
            self._y -= height
        for number in range(len(rows) + 1):
            self._rule(edges[0], top - number * height, edges[-1], top - number * height)
        for edge in edges:
            self._rule(edge, top, edge, self._y)
        self._y -= 14

    def save(self, path: Path) -> None:
        path.write_bytes(_file(self._objects()))

    def _need(self, height: float) -> None:
        if self._y - height < BOTTOM:
            self.new_page()

    def _line(self, text: str, font: str, size: float, x: float) -> None:
        self._need(size * LEADING)
        self._show(text, font, size, x, self._y - size)
        self._y -= size * LEADING

    def _show(self, text: str, font: str, size: float, x: float, y: float) -> None:
        self._pages[-1].append(f"BT /{font} {size:g} Tf {x:.2f} {y:.2f} Td {_string(text)} Tj ET")

    def _rule(self, x: float, y: float, to_x: float, to_y: float) -> None:
        self._pages[-1].append(f"0.6 w {x:.2f} {y:.2f} m {to_x:.2f} {to_y:.2f} l S")

    def _furniture(self, number: int) -> list[str]:
        """The running head and the page number."""
        page = f"{number} / {len(self._pages)}"
        return [
            f"BT /slanted 8 Tf {LEFT:.2f} 806 Td {_string(self._running_head)} Tj ET",
            f"BT /body 8 Tf {RIGHT - measure(page, 'body', 8):.2f} 48 Td {_string(page)} Tj ET",
        ]

    def _objects(self) -> list[str]:
        """Objects 1 catalogue, 2 page tree, 3 information, 4 outline root, fonts, then two per page, then bookmarks."""
        first_page = 5 + len(FONTS)
        first_bookmark = first_page + 2 * len(self._pages)
        pages = [first_page + 2 * n for n in range(len(self._pages))]
        fonts = " ".join(f"/{name} {5 + n} 0 R" for n, name in enumerate(FONTS))
        objects = [
            "<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R /PageMode /UseOutlines /Lang (en) >>",
            f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{page} 0 R' for page in pages)}] >>",
            f"<< /Title {_string(self._title)} /Author {_string(self._author)} /Producer (samples/pdf.py) >>",
        ]
        outline = _outline(self._bookmarks, first_bookmark, pages)
        objects.append(outline[0])
        objects += [
            f"<< /Type /Font /Subtype /Type1 /BaseFont /{base} /Encoding /WinAnsiEncoding >>" for base in FONTS.values()
        ]
        for number, commands in enumerate(self._pages, 1):
            stream = "\n".join([*self._furniture(number), *commands])
            box = f"/MediaBox [0 0 {WIDTH:g} {HEIGHT:g}] /Resources << /Font << {fonts} >> >>"
            objects.append(f"<< /Type /Page /Parent 2 0 R {box} /Contents {first_page + 2 * number - 1} 0 R >>")
            objects.append(f"<< /Length {len(stream.encode('cp1252'))} >>\nstream\n{stream}\nendstream")
        return objects + outline[1:]


def measure(text: str, font: str, size: float) -> float:
    """Width in points."""
    widths = FONT_METRICS[FONTS[font]][1]
    return sum(widths.get(char, 556) for char in text) * size / 1000


def wrap(text: str, font: str, size: float, width: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if measure(longer, font, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _string(text: str) -> str:
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"({escaped})"


def _outline(bookmarks: Sequence[tuple[int, str, int, float]], first: int, pages: Sequence[int]) -> list[str]:
    """The outline's root, then one object per bookmark, linked as a tree."""
    parents: list[int] = []
    for index, (level, *_) in enumerate(bookmarks):
        parents.append(next((n for n in range(index - 1, -1, -1) if bookmarks[n][0] < level), -1))
    children = {n: [i for i, parent in enumerate(parents) if parent == n] for n in range(-1, len(bookmarks))}

    def ends(n: int) -> str:
        kids = children[n]
        return f" /First {first + kids[0]} 0 R /Last {first + kids[-1]} 0 R /Count {len(kids)}" if kids else ""

    objects = [f"<< /Type /Outlines{ends(-1)} >>"]
    for index, (_, text, page, y) in enumerate(bookmarks):
        siblings = children[parents[index]]
        place = siblings.index(index)
        previous = f" /Prev {first + siblings[place - 1]} 0 R" if place else ""
        following = f" /Next {first + siblings[place + 1]} 0 R" if place + 1 < len(siblings) else ""
        parent = 4 if parents[index] < 0 else first + parents[index]
        target = f"/Dest [{pages[page]} 0 R /XYZ 0 {y:.0f} 0]"
        objects.append(f"<< /Title {_string(text)} /Parent {parent} 0 R{previous}{following}{ends(index)} {target} >>")
    return objects


def _file(objects: Sequence[str]) -> bytes:
    data = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    table = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    data += "".join(f"{offset:010} 00000 n \n" for offset in offsets).encode()
    data += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 3 0 R >>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(data)
