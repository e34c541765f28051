"""A sheet's grid of cells to items: which rows are titles, which are headers, where one table ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..items import Item, Table
from .headers import join_headers

_MAX_HEADER_ROWS = 4
_NUMBER = re.compile(r"[-+(]?[$€£¥]?\s?\d[\d\s.,:/%-]*\)?")
Range = tuple[tuple[int, int], tuple[int, int]]  # (first row, first column), (last row, last column)


@dataclass(frozen=True, slots=True)
class Grid:
    cells: list[list[str]]
    merged: list[Range]


@dataclass(frozen=True, slots=True)
class _Block:
    """Rows without an empty one between them, cut to the columns that they use."""

    top: int
    left: int
    right: int  # the column after the last
    rows: list[list[str]]

    @property
    def width(self) -> int:
        return self.right - self.left


def sheet_items(grid: Grid) -> Iterator[Item]:
    """The tables of a sheet and the lines of text around them, from top to bottom."""
    merged = [area for area in grid.merged if area[0] != area[1]]
    cells = _filled(grid.cells, merged)
    table: _Block | None = None  # it may go on after an empty row
    for block in _blocks(cells):
        if table is not None and _continues(table, block):
            table = replace(table, rows=table.rows + _aligned(block, table))
            continue
        if table is not None:
            yield from _table(table, merged)
        titles, table = _without_titles(block, merged)
        for title in titles:
            yield Item("text", title)
    if table is not None:
        yield from _table(table, merged)


def _filled(cells: Sequence[Sequence[str]], merged: Sequence[Range]) -> list[list[str]]:
    """A merged area shows its value in each of its cells."""
    rows = [list(row) for row in cells]
    for (top, left), (bottom, right) in merged:
        if top < len(rows) and left < len(rows[top]):
            value = rows[top][left]
            for row in rows[top : bottom + 1]:
                for column in range(left, min(right + 1, len(row))):
                    row[column] = value
    return rows


def _blocks(cells: list[list[str]]) -> Iterator[_Block]:
    start = 0
    for end in range(len(cells) + 1):
        if end == len(cells) or not any(cell.strip() for cell in cells[end]):
            if start < end:
                yield from _side_by_side(start, cells[start:end])
            start = end + 1


def _side_by_side(top: int, rows: list[list[str]]) -> Iterator[_Block]:
    """Tables beside each other, told by an empty column with at least two columns and rows on either side."""
    used = [any(row[column].strip() for row in rows) for column in range(len(rows[0]))]
    spans: list[tuple[int, int]] = []
    for column, full in enumerate(used):
        if full and spans and spans[-1][1] == column:
            spans[-1] = (spans[-1][0], column + 1)
        elif full:
            spans.append((column, column + 1))
    parts = [_trimmed(top, left, right, rows) for left, right in spans]
    if len(rows) > 1 and all(part.width > 1 and len(part.rows) > 1 and _is_header(part.rows[0]) for part in parts):
        yield from parts
    else:
        yield _trimmed(top, spans[0][0], spans[-1][1], rows)


def _trimmed(top: int, left: int, right: int, rows: list[list[str]]) -> _Block:
    """The columns of a block, without empty rows above and below."""
    cut = [row[left:right] for row in rows]
    full = [number for number, row in enumerate(cut) if any(cell.strip() for cell in row)]
    return _Block(top + full[0], left, right, cut[full[0] : full[-1] + 1])


def _is_header(row: Sequence[str]) -> bool:
    cells = [cell.strip() for cell in row]
    return all(cells) and not any(map(_is_number, cells))


def _is_number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell.strip()) is not None


def _continues(table: _Block, block: _Block) -> bool:
    """Whether a block after an empty row belongs to the table above it: no header of its own, same columns."""
    if block.left < table.left or block.right > table.right or block.width < 2:
        return False
    first = [cell for cell in block.rows[0] if cell.strip()]
    return len(first) > 1 and any(map(_is_number, first)) and len(table.rows) > 1


def _aligned(block: _Block, table: _Block) -> list[list[str]]:
    before, after = block.left - table.left, table.right - block.right
    return [[""] * before + row + [""] * after for row in block.rows]


def _without_titles(block: _Block, merged: Sequence[Range]) -> tuple[list[str], _Block | None]:
    """Rows with one text at the top are titles; a block of one column is text if it is short."""
    titles = []
    while block.rows and _is_title(block, merged):
        titles.append(next(cell for cell in block.rows[0] if cell.strip()))
        block = replace(block, top=block.top + 1, rows=block.rows[1:])
    if block.width == 1 and len(block.rows) <= 3:
        return [*titles, *(row[0] for row in block.rows)], None
    return titles, block if block.rows else None


def _is_title(block: _Block, merged: Sequence[Range]) -> bool:
    texts = {cell for cell in block.rows[0] if cell.strip()}
    if block.width == 1 or len(texts) != 1:
        return False
    filled = sum(bool(cell.strip()) for cell in block.rows[0])
    # A text merged over some columns only is the upper row of a header.
    return filled == 1 or filled == block.width or block.rows[0][0] in texts


def _table(block: _Block, merged: Sequence[Range]) -> Iterator[Item]:
    count = min(_header_rows(block, merged), len(block.rows))
    columns = join_headers(block.rows[:count])
    yield Item("table", table=Table.of(columns, block.rows[count:]))


def _header_rows(block: _Block, merged: Sequence[Range]) -> int:
    """One, or as many as merged cells of the first row reach down, and one more under a text merged sideways."""
    count = 1
    for (top, left), (bottom, right) in merged:
        if top <= block.top <= bottom and block.left <= left < block.right:
            count = max(count, bottom - block.top + 1 + (right > left))
    while count < _MAX_HEADER_ROWS and _is_upper_header(block.rows, count):
        count += 1
    return count


def _is_upper_header(rows: Sequence[Sequence[str]], count: int) -> bool:
    """Whether the next row names columns that the header so far leaves without a name, above rows with numbers."""
    if count + 1 >= len(rows) or any(_is_number(cell) for row in rows[: count + 1] for cell in row):
        return False
    named = [any(row[column].strip() for row in rows[:count]) for column in range(len(rows[0]))]
    added = sum(bool(cell.strip()) and not known for cell, known in zip(rows[count], named, strict=True))
    return added > sum(named) and any(map(_is_number, rows[count + 1]))
