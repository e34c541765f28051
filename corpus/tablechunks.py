"""Tables to contents of chunks: cut between rows, each part with the header; a row that is too long as a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from semchunk.semchunk import chunkerify

from . import tokens
from .bites import bites
from .items import Table
from .markdown import one_line, row_line, table_lines


def table_contents(table: Table, budget: int) -> Iterator[str]:
    """Markdown tables of at most `budget` word pieces; no row is divided unless it alone is longer than that.

    Rows that do not fit under the header are written as lines of "column: value", empty cells left out, and each
    part of such a row begins with its first cell.
    """
    head = "\n".join(table_lines(table.columns, ()))
    used = start = tokens.count(head)
    lines: list[str] = []
    for row in table.rows:
        line = row_line(row)
        cost = tokens.count(line)
        if lines and used + cost > budget:
            yield "\n".join((head, *lines))
            lines, used = [], start
        if start + cost > budget:
            yield from _records(table.columns, row, budget)
        else:
            lines.append(line)
            used += cost
    if lines or (not table.rows and start <= budget):
        yield "\n".join((head, *lines))
    elif not table.rows:
        yield from _pieces(", ".join(filter(None, map(one_line, table.columns))), budget)


def _records(columns: Sequence[str], row: Sequence[str], budget: int) -> Iterator[str]:
    fields = [_field(name, cell) for name, cell in zip(columns, row, strict=True) if cell.strip()]
    if not fields:
        return
    first = fields[0] if tokens.count(fields[0]) <= budget // 4 else ""
    parts = [piece for field in fields for piece in _pieces(field, budget - tokens.count(first) - 1)]
    lines: list[str] = []
    used = 0
    for part in parts:
        cost = tokens.count(part)
        if lines and used + cost > budget:
            yield "\n".join(lines)
            lines = [first] if first else []
            used = tokens.count(first)
        lines.append(part)
        used += cost
    yield "\n".join(lines)


def _field(name: str, cell: str) -> str:
    return f"{one_line(name)}: {cell.strip()}" if name.strip() else cell.strip()


def _pieces(text: str, budget: int) -> list[str]:
    """A text in parts of at most `budget` word pieces, cut where it hurts least."""
    if tokens.count(text) <= budget:
        return [text]
    cut = chunkerify(tokens.count, max(budget, 8))
    return [piece for bite in bites(text) for piece in cut(bite) if isinstance(piece, str) and piece.strip()]
