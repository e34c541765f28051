"""Tables of HTML: spans filled, header rows joined, tables that only lay out a page told apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..items import Table
from .headers import join_headers

_MAX_SPAN = 1000  # the HTML standard's limit
_MAX_CELLS = 2_000_000  # spans can ask for more than any memory has


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    header: bool


def is_layout(element: Any) -> bool:
    """Whether a table arranges a page: it says so, or holds headings, or tables with other things, or one cell."""
    if (element.get("role") or "").lower() in ("presentation", "none"):
        return True
    if any(True for _ in element.iter("h1", "h2", "h3", "h4", "h5", "h6")):
        return True
    cells = list(_cells(element))
    if len(cells) <= 1:
        return True
    nested = any(True for cell in cells for _ in cell.iter("table"))
    return nested and not any(cell.tag == "th" for cell in cells)


def table_of(element: Any, text: Callable[[Any], str]) -> Table | None:
    """The table as cells of text; None when it has no text."""
    rows = _grid(element, text)
    if not any(cell.text for row in rows for cell in row):
        return None
    body = _header_rows(element, rows)
    cells = [[cell.text for cell in row] for row in rows]
    if body == 0:
        return Table.of([""] * max(map(len, cells)), cells)
    return Table.of(join_headers(cells[:body]), cells[body:])


def _rows(element: Any) -> Iterator[Any]:
    for child in element:
        if child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield from child.findall("tr")


def _cells(element: Any) -> Iterator[Any]:
    for row in _rows(element):
        yield from (cell for cell in row if cell.tag in ("td", "th"))


def _grid(element: Any, text: Callable[[Any], str]) -> list[list[_Cell]]:
    """Rows of cells with spans filled; a text that spans a whole row of the body stands in its first column only."""
    rows = list(_rows(element))
    grid: list[list[_Cell]] = []
    pending: dict[int, tuple[int, _Cell]] = {}  # column -> rows still to fill, with what
    total = 0
    for number, row in enumerate(rows):
        line: list[_Cell] = []
        _fill(line, pending)
        sources = [cell for cell in row if cell.tag in ("td", "th")]
        for source in sources:
            cell = _Cell(text(source), source.tag == "th")
            across, down = (
                _span(source, "colspan"),
                min(_span(source, "rowspan", len(rows)), len(rows) - number),
            )
            total += across * down
            if total > _MAX_CELLS:
                return grid
            for column in range(across):
                alone = len(sources) == 1 and across > 2 and not cell.header
                line.append(cell if column == 0 or not alone else _Cell("", False))
                if down > 1:
                    pending[len(line) - 1] = (down - 1, line[-1])
            _fill(line, pending)
        if line:
            grid.append(line)
    return grid


def _fill(line: list[_Cell], pending: dict[int, tuple[int, _Cell]]) -> None:
    while (waiting := pending.get(len(line))) is not None:
        count, cell = waiting
        if count > 1:
            pending[len(line)] = (count - 1, cell)
        else:
            del pending[len(line)]
        line.append(cell)


def _span(cell: Any, name: str, all_rows: int = 1) -> int:
    value = (cell.get(name) or "").strip()
    if not value.isdecimal():
        return 1
    return min(int(value), _MAX_SPAN) or all_rows


def _header_rows(element: Any, rows: Sequence[Sequence[_Cell]]) -> int:
    """How many rows are header: those of `<thead>`, else leading rows of `<th>` only, else the first.

    None are where every row begins with its own header: such a table lists properties.
    """
    head = element.find("thead")
    if head is not None and (count := len(head.findall("tr"))) and count < len(rows):
        return count
    count = 0
    while count < len(rows) - 1 and all(cell.header for cell in rows[count]):
        count += 1
    if count:
        return count
    properties = all(row[0].header and not any(cell.header for cell in row[1:]) for row in rows)
    return 0 if properties else 1
