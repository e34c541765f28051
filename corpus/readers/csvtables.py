"""Rows of separated values to items: what stands above a header and below the last row is text, all else one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import mode

from ..items import Item, Table

_MAX_PREAMBLE = 20  # rows above a header
Row = Sequence[str]


def csv_items(rows: Sequence[Row]) -> Iterator[Item]:
    """The tables of a file and the lines around them; an empty row stands for a blank line."""
    for block in _tables(rows):
        yield from _block([row for row in block if row])


def _tables(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows of one table each: after a blank line, a title or rows of another width begin the next one."""
    table: list[Row] = []
    for block in _blocks(rows):
        if table and _opens_table(table, block):
            yield table
            table = []
        table += block if not table else [[], *block]
    if table:
        yield table


def _blocks(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows without a blank line between them."""
    block: list[Row] = []
    for row in [*rows, []]:
        if row:
            block.append(row)
        elif block:
            yield block
            block = []


def _opens_table(table: Sequence[Row], block: Sequence[Row]) -> bool:
    """A preamble goes on into its table; notes below a table stay with it."""
    usual = _usual([row for row in table if row])
    if usual < 2 or len(block) < 2 or _usual(block) < 2:
        return False
    return _preamble(block) > 0 or len(block[0]) != len(table[-1])


def _block(rows: Sequence[Row]) -> Iterator[Item]:
    start = _preamble(rows)
    end = len(rows)
    if start or len(rows[start]) > 2:  # of two columns, a row with one cell may well be data
        while end > start + 2 and _is_note(rows[end - 1], rows[start]):
            end -= 1
    for row in rows[:start]:
        yield Item("text", ": ".join(cell.strip() for cell in row if cell.strip()))
    yield Item("table", table=Table.of(_named(rows[start]), rows[start + 1 : end]))
    for row in rows[end:]:
        yield Item("text", row[0].strip())


def _named(header: Row) -> list[str]:
    return [name.strip() for name in header]


def _preamble(rows: Sequence[Row]) -> int:
    """How many rows stand above the header: each with one cell filled, or with far fewer than is usual."""
    usual = _usual(rows)
    if usual < 2:
        return 0
    for number, row in enumerate(rows[: _MAX_PREAMBLE + 1]):
        if not _is_sparse(row, usual):
            return number if _filled(row) > 1 else 0
    return 0


def _is_sparse(row: Row, usual: int) -> bool:
    filled = _filled(row)
    return bool(row[0].strip()) and (filled == 1 or filled * 3 <= usual)


def _is_note(row: Row, header: Row) -> bool:
    """Whether a row is prose under a table: one cell alone, written without the table's delimiters."""
    return len(row) == 1 < len(header) and " " in row[0].strip()


def _usual(rows: Sequence[Row]) -> int:
    return mode(map(_filled, rows)) if rows else 0


def _filled(row: Row) -> int:
    return sum(bool(cell.strip()) for cell in row)
