"""Tables of PDFs without drawn lines: rows of figures that stand under each other.

Only figures are trusted: words that happen to stand in columns may be a form, a list of authors or a page's layout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..items import Table
from .headers import join_headers
from .pdflines import Line
from .pdforder import rows

_FIGURE = re.compile(r"[-+–(]?[$€£¥]?\s?\d[\d\s.,:/%'-]*[%)]?|[-–—.]+|n/?a", re.IGNORECASE)
_MIN_ROWS = 3
_MIN_COLUMNS = 3
_MIN_FIGURES = 0.5  # part of the cells right of the first column that are figures
_MAX_HEADER_ROWS = 4
_MAX_GAP = 2.5  # heights of a line between rows of one table
_GAP = 0.6  # heights of a line between two columns

Row = list[Line]
Span = tuple[float, float]  # left, right


@dataclass(frozen=True, slots=True)
class Grid:
    """A table and where it begins on its page."""

    table: Table
    page: int
    left: float
    right: float


def grids(segment: Sequence[Line]) -> Iterator[list[Line] | Grid]:
    """A segment's lines in order, with tables in place of the lines that they are made of."""
    lines = [_joined(row) for row in rows([piece for line in segment for piece in line.pieces])]
    at = kept = 0
    while at < len(lines):
        end = _end(lines, at)
        spans = _columns(lines[at:end])
        if end - at < _MIN_ROWS or len(spans) < _MIN_COLUMNS or not _is_figures(lines[at:end], spans):
            at += 1
            continue
        start = _header_start(lines, at, kept, spans)
        if start > kept:
            yield [piece for line in lines[kept:start] for piece in line]
        table = _table(lines[start:at], lines[at:end], spans)
        yield Grid(table, lines[at][0].page, spans[0][0], spans[-1][1])
        at = kept = end
    if kept < len(lines):
        yield [piece for line in lines[kept:] for piece in line]


def _joined(row: Row) -> Row:
    """Pieces with no more than a word space between them are one."""
    found: Row = [row[0]]
    for piece in row[1:]:
        last = found[-1]
        if piece.left - last.right < _GAP * piece.size and not (_is_figure(piece) and _is_figure(last)):
            found[-1] = replace(
                last, right=piece.right, text=f"{last.text} {piece.text}", bold=last.bold and piece.bold
            )
        else:
            found.append(piece)
    return found


def _end(lines: Sequence[Row], start: int) -> int:
    """Where rows of figures end that begin at `start`; a label alone may stand between them."""
    end = start
    while end < len(lines) and (end == start or _follows(lines[end - 1], lines[end])):
        if _is_row(lines[end]) or (start < end < len(lines) - 1 and _is_label(lines, end)):
            end += 1
        else:
            break
    return end


def _follows(above: Row, below: Row) -> bool:
    return below[0].top - above[0].bottom < _MAX_GAP * below[0].size


def _is_row(line: Row) -> bool:
    return len(line) >= _MIN_COLUMNS - 1 and sum(map(_is_figure, line[1:])) * 2 >= len(line) - 1


def _is_label(lines: Sequence[Row], at: int) -> bool:
    return len(lines[at]) == 1 and _is_row(lines[at + 1]) and abs(lines[at][0].left - lines[at + 1][0].left) < 20


def _is_figure(piece: Line) -> bool:
    return _FIGURE.fullmatch(piece.text) is not None


def _columns(lines: Sequence[Row]) -> list[Span]:
    """Where the columns stand: pieces that overlap are of one column, and no piece may be of two."""
    spans: list[Span] = []
    for piece in sorted((piece for line in lines for piece in line if len(line) > 1), key=lambda piece: piece.left):
        if spans and piece.left < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], piece.right))
        else:
            spans.append((piece.left, piece.right))
    return spans


def _is_figures(lines: Sequence[Row], spans: Sequence[Span]) -> bool:
    cells = [_cells(line, spans) for line in lines if len(line) > 1]
    right = [cell for row in cells for cell in row[1:] if cell]
    full = sum(sum(map(bool, row)) * 2 > len(spans) for row in cells)
    numbers = sum(_FIGURE.fullmatch(cell) is not None for cell in right)
    digits = sum(any(map(str.isdigit, cell)) for cell in right)
    return full * 3 >= len(cells) * 2 and numbers >= _MIN_FIGURES * len(right) and digits * 4 >= len(right)


def _cells(line: Row, spans: Sequence[Span]) -> list[str]:
    """The texts of a line by column; one over several columns stands in each."""
    cells = [""] * len(spans)
    for piece in line:
        over = [number for number, span in enumerate(spans) if _overlap(piece, span) > 0]
        over = over or [min(range(len(spans)), key=lambda number: -_overlap(piece, spans[number]))]
        for number in over:
            cells[number] = f"{cells[number]} {piece.text}".strip()
    return cells


def _overlap(piece: Line, span: Span) -> float:
    return min(piece.right, span[1]) - max(piece.left, span[0])


def _header_start(lines: Sequence[Row], at: int, first: int, spans: Sequence[Span]) -> int:
    """Rows right above that name columns: several pieces, none of them a figure of the first row's kind."""
    start = at
    while start > max(first, at - _MAX_HEADER_ROWS) and _follows(lines[start - 1], lines[start]):
        above = lines[start - 1]
        right = [piece for piece in above if piece.left >= spans[0][1] - 1]
        if not right or (len(above) == 1 and above[0].right - above[0].left > 0.6 * (spans[-1][1] - spans[0][0])):
            break
        start -= 1
    return start


def _table(head: Sequence[Row], body: Sequence[Row], spans: Sequence[Span]) -> Table:
    cells = [_cells(line, spans) if len(line) > 1 else [line[0].text, *[""] * (len(spans) - 1)] for line in body]
    if not head:
        return Table.of([""] * len(spans), cells)
    return Table.of(_named([_cells(line, spans) for line in head]), cells)


def _named(rows: Sequence[Sequence[str]]) -> list[str]:
    """Names of columns: a text that goes over several lines is one name."""
    return [" ".join(name.split(" / ")) for name in join_headers(rows)]
