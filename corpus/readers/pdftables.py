"""Ruled tables of PDFs, by pdfplumber."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pdfminer.pdfexceptions import PDFException
from pdfplumber.page import Page as PlumberPage
from pdfplumber.pdf import PDF

from ..items import Table
from .pdflines import Line, Page, clean, is_rtl
from .pdfparts import Part

_FORWARD = re.compile(r"[A-Za-z0-9](?:[\w.,:/%+-]*[A-Za-z0-9%])?", re.ASCII)
_MIN_SHAPES = 4
_MAX_CELL_CHARS = 1500  # a longer cell shows a frame around text
_MIN_FILLED = 0.4  # part of the cells that have text


@dataclass(frozen=True, slots=True)
class Found:
    """A table and where it stands on its page."""

    table: Table
    page: int
    left: float
    top: float
    right: float
    bottom: float

    @property
    def part(self) -> Part:
        return Part(self.table, (self.page,), self.left, self.right)

    def holds(self, line: Line) -> bool:
        across = (line.left + line.right) / 2
        return self.left - 2 <= across <= self.right + 2 and self.top - 2 <= line.middle <= self.bottom + 2


class Tables:
    """Finds tables page by page; nothing is opened for pages without drawn lines."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._pdf: PDF | None = None

    def on(self, page: Page) -> list[Found]:
        if page.shapes < _MIN_SHAPES or not page.lines:
            return []
        try:
            if self._pdf is None:
                self._pdf = PDF.open(io.BytesIO(self._data))
            source = self._pdf.pages[page.number - 1]
            found = list(self._found(source, page.number))
            source.close()
        except (
            PDFException,
            ValueError,
            TypeError,
            KeyError,
            IndexError,
            AttributeError,
        ):  # pdfminer on odd files
            return []
        return [_mirrored(table, page.width) for table in found] if page.mirrored else found

    def _found(self, source: PlumberPage, number: int) -> Iterator[Found]:
        left, top = source.bbox[:2]
        for table in source.find_tables():
            cells = [[clean_cell(cell) for cell in row] for row in table.extract()]
            if _is_table(cells):
                x0, y0, x1, y1 = table.bbox
                yield Found(_filled(cells), number, x0 - left, y0 - top, x1 - left, y1 - top)


def _mirrored(found: Found, width: float) -> Found:
    """The table as it is read from the right; pdfplumber gives the letters in the order in which they stand."""
    columns, *rows = (
        tuple(_logical(cell) for cell in reversed(row)) for row in (found.table.columns, *found.table.rows)
    )
    table = Table(columns, tuple(rows))
    return Found(table, found.page, width - found.right, found.top, width - found.left, found.bottom)


def _logical(text: str) -> str:
    """A cell's lines turned round, but for the numbers and Latin words in them."""
    if not is_rtl(text):
        return text
    return "\n".join(_FORWARD.sub(lambda run: run[0][::-1], line[::-1]) for line in text.split("\n"))


def clean_cell(cell: str | None) -> str | None:
    return None if cell is None else "\n".join(filter(None, map(clean, cell.split("\n"))))


def _is_table(cells: Sequence[Sequence[str | None]]) -> bool:
    width = max(map(len, cells), default=0)
    if len(cells) < 2 or width < 2:
        return False
    texts = [cell for row in cells for cell in row if cell]
    real = sum(cell is not None for row in cells for cell in row)
    return (
        len(texts) >= max(4, _MIN_FILLED * real)
        and max(map(len, texts)) <= _MAX_CELL_CHARS
        and sum(bool(sum(bool(row[column]) for row in cells if column < len(row))) for column in range(width)) >= 2
    )


def _filled(cells: Sequence[Sequence[str | None]]) -> Table:
    """A cell merged into another is None: a header's text goes on to the right, a first column's downwards."""
    rows: list[list[str]] = []
    for number, source in enumerate(cells):
        row: list[str] = []
        for column, cell in enumerate(source):
            if cell is None and number == 0 and column:
                cell = row[-1]
            elif cell is None and column == 0 and number > 1:
                cell = rows[-1][0]
            row.append(cell or "")
        rows.append(row)
    return Table.of(rows[0], rows[1:])
