"""Tables of AsciiDoc: rows a line each or a cell each, spans filled, cells repeated; also those of separated values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..items import Table
from .csv import parse
from .headers import join_headers

_SPEC = r"(?:(?P<count>\d+)?(?:\.(?P<rows>\d+))?(?P<kind>[+*]))?[<^>]?(?:\.[<^>])?[a-z]?"
_CELL = re.compile(rf"(?:(?:^|(?<=\s)){_SPEC})?(?<!\\)\|", re.MULTILINE)
_MAX_SPAN = 1000


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    across: int = 1
    down: int = 1


def table_of(fence: str, lines: Sequence[str], options: Mapping[str, str]) -> Table | None:
    """The table inside `fence`; None when it has no text. The first row names the columns unless it must not."""
    format = {",": "csv", ":": "dsv"}.get(fence[0], options.get("format", "psv"))
    if format != "psv":
        text = "\n".join(lines)
        rows = parse(f"sep=;\n{text.replace(':', ';')}" if format == "dsv" else text)
        return _table([row for row in rows if row], options)
    separator = options.get("separator", fence[0])
    text = "\n".join(lines).replace("|", r"\|").replace(separator, "|") if separator != "|" else "\n".join(lines)
    return _table(_filled(_rows(text.split("\n"), options)), options)


def loose_table(lines: Sequence[str]) -> Table | None:
    """Lines of cells between bars that no fence encloses."""
    return _table([[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines], {})


def _table(rows: Sequence[Sequence[str]], options: Mapping[str, str]) -> Table | None:
    if not any(cell for row in rows for cell in row):
        return None
    if "noheader" in options:
        return Table.of([""] * max(map(len, rows)), rows)
    return Table.of(join_headers(rows[:1]), rows[1:])


def _rows(lines: Sequence[str], options: Mapping[str, str]) -> list[list[_Cell]]:
    """A row per line where the lines are rows; else all cells in turn, as many to a row as there are columns."""
    by_line = list(_by_line(lines))
    if not by_line:
        return []
    if all(len(row) > 1 and not row[-1].text for row in by_line):  # every line ends with a bar
        by_line = [row[:-1] for row in by_line]
    width = _width(options.get("cols", "")) or sum(cell.across for cell in by_line[0])
    whole = [row[:-1] if len(row) > width and not row[-1].text else row for row in by_line]  # a bar may end a line
    if width < 2 or sum(sum(cell.across for cell in row) == width for row in whole) * 2 > len(whole):
        return whole
    return list(_in_turn([cell for row in by_line for cell in row], width))


def _by_line(lines: Sequence[str]) -> Iterator[list[_Cell]]:
    """The cells that begin on each line; lines without any go on with the last cell."""
    open_line: list[str] = []
    for line in lines:
        if _CELL.search(line) and open_line:
            yield list(_cells("\n".join(open_line)))
            open_line = []
        if line.strip() or open_line:
            open_line.append(line)
    if open_line:
        yield list(_cells("\n".join(open_line)))


def _cells(text: str) -> Iterator[_Cell]:
    marks = list(_CELL.finditer(text))
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        end = following.start() if following else len(text)
        shown = text[mark.end() : end].replace(r"\|", "|").strip()
        count, down = min(int(mark["count"] or 1), _MAX_SPAN), min(int(mark["rows"] or 1), _MAX_SPAN)
        if mark["kind"] == "*":
            yield from [_Cell(shown)] * count
        else:
            yield _Cell(shown, count, down)


def _width(columns: str) -> int:
    """How many columns `cols` names: "1,2a", "3*" or "2*,1"."""
    parts = [part for part in re.split(r"[,;]", columns) if part.strip()]
    if len(parts) == 1 and parts[0].strip().isdecimal() and "," not in columns:
        return min(int(parts[0]), _MAX_SPAN)
    counts = [re.match(r"\s*(\d+)\*", part) for part in parts]
    return min(sum(int(count[1]) if count else 1 for count in counts), _MAX_SPAN)


def _in_turn(cells: Sequence[_Cell], width: int) -> Iterator[list[_Cell]]:
    below = [0] * width  # rows that a cell above still reaches into, by column
    row: list[_Cell] = []
    free = width
    for cell in cells:
        if free <= 0:
            yield row
            below = [max(0, left - 1) for left in below]
            row, free = [], width - sum(left > 0 for left in below)
        start = width - free
        for column in range(start, min(start + cell.across, width)):
            below[column] = max(below[column], cell.down)
        row.append(cell)
        free -= cell.across
    if row:
        yield row


def _filled(rows: Sequence[Sequence[_Cell]]) -> list[list[str]]:
    """Rows of text; a cell that spans shows its text in each place."""
    below: dict[int, tuple[int, str]] = {}  # column -> rows still to fill, with what
    filled = []
    for row in rows:
        line: list[str] = []
        _reach(line, below)
        for cell in row:
            for _ in range(cell.across):
                if cell.down > 1:
                    below[len(line)] = (cell.down - 1, cell.text)
                line.append(cell.text)
            _reach(line, below)
        filled.append(line)
    return filled


def _reach(line: list[str], below: dict[int, tuple[int, str]]) -> None:
    while (waiting := below.get(len(line))) and waiting[0]:
        below[len(line)] = (waiting[0] - 1, waiting[1])
        line.append(waiting[1])
