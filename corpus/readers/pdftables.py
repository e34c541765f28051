"""Ruled tables of PDFs, by pdfplumber."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pdfminer.pdfexceptions import PDFException
from pdfplumber.page import Page as PlumberPage
from pdfplumber.pdf import PDF

from ..items import Table
from .pdflines import Line, Page, clean

_MIN_SHAPES = 4
_MAX_CELL_CHARS = 1500  # a longer cell shows a frame around text
_MIN_FILLED = 0.4  # part of the cells that have text


@dataclass(frozen=True, slots=True)
class Found:
    """A table and where it stands on its page."""

    table: Table
    left: float
    top: float
    right: float
    bottom: float

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
            found = list(self._found(source))
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
        return found

    def _found(self, source: PlumberPage) -> Iterator[Found]:
        left, top = source.bbox[:2]
        for table in source.find_tables():
            cells = [[clean_cell(cell) for cell in row] for row in table.extract()]
            if _is_table(cells):
                x0, y0, x1, y1 = table.bbox
                yield Found(_filled(cells), x0 - left, y0 - top, x1 - left, y1 - top)


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
