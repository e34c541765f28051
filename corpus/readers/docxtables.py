"""Tables of Word documents: merged cells filled, header rows joined."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..items import Item, Table
from .docxstyles import W, attribute
from .headers import join_headers

_MAX_SPAN = 500


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    wide: bool = False  # reaches over several columns
    below: bool = False  # goes on in the row below


def table_item(node: Any, text: Callable[[Any], str]) -> Iterator[Item]:
    """The table as an item; nothing when it has no text."""
    rows = [row for row in node.iter(f"{W}tr") if _table_of(row) is node]
    grid: list[list[_Cell]] = []
    for row in rows:
        above = grid[-1] if grid else []
        grid.append(_row(row, above, text))
    if not any(cell.text for row in grid for cell in row):
        return
    count = _header_rows(rows, grid)
    cells = [[cell.text for cell in row] for row in grid if row]
    if cells:
        yield Item("table", table=Table.of(join_headers(cells[:count]), cells[count:]))


def _table_of(row: Any) -> Any:
    parent = row.getparent()
    while parent is not None and parent.tag != f"{W}tbl":
        parent = parent.getparent()
    return parent


def _row(row: Any, above: list[_Cell], text: Callable[[Any], str]) -> list[_Cell]:
    properties = row.find(f"{W}trPr")
    before = properties.find(f"{W}gridBefore") if properties is not None else None
    cells = [_Cell("")] * _span(before, 0)
    for node in row.iter(f"{W}tc"):
        if node.getparent() is not row and _row_of(node) is not row:
            continue
        own = node.find(f"{W}tcPr")
        span = _span(own.find(f"{W}gridSpan") if own is not None else None, 1)
        merge = own.find(f"{W}vMerge") if own is not None else None
        if merge is not None and attribute(merge) != "restart" and len(cells) < len(above):
            cells += [above[len(cells)]] * span
        else:
            cells += [_Cell(text(node), span > 1, merge is not None)] * span
    return cells


def _row_of(cell: Any) -> Any:
    parent = cell.getparent()
    while parent is not None and parent.tag != f"{W}tr":
        parent = parent.getparent()
    return parent


def _span(node: Any | None, default: int) -> int:
    value = attribute(node) or ""
    return min(int(value), _MAX_SPAN) if value.isdecimal() else default


def _header_rows(rows: list[Any], grid: list[list[_Cell]]) -> int:
    """Rows that Word repeats on each page; else the first, and the second where the first has merged cells."""
    count = 0
    for row in rows:
        properties = row.find(f"{W}trPr")
        if properties is None or properties.find(f"{W}tblHeader") is None:
            break
        count += 1
    if 0 < count < len(rows):
        return count
    first = grid[0]
    merged = any(cell.wide for cell in first) and len({cell.text for cell in first}) > 1
    return 2 if merged and len(grid) > 2 else 1
