"""Tables of PDFs between horizontal lines, without vertical ones: books and papers set them so.

The lines say where a table is, so that its cells may be words; its columns are where texts stand under each other.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from ..items import Table
from .headers import join_headers
from .pdflines import Line, Page, Rule
from .pdforder import rows
from .pdftables import Found

_MIN_RULES = 3
_ROWS_RULED = 5  # lines from which on each row is taken to stand between two of them
_ALIGNED = 4.0  # points by which the ends of a table's lines may differ
_HEADER_ROWS = 3
_WIDE = 0.6  # part of a table's width that one cell alone in its line hardly takes
_BULLETS = re.compile(r"[\W_]?")

Row = list[Line]
Span = tuple[float, float]


def found(page: Page, taken: Sequence[Found]) -> Iterator[Found]:
    """The tables between lines of one length, but for those that are `taken` already."""
    free = [line for line in page.lines if not any(table.holds(line) for table in taken)]
    pieces = sorted((piece for line in free for piece in line.pieces), key=lambda piece: (piece.top, piece.left))
    for stack in _stacks(page.rules):
        inside = [p for p in pieces if stack[0].left - _ALIGNED <= p.left and p.right <= stack[0].right + _ALIGNED]
        for part in _parts(stack, inside):
            if (table := _table(part, inside)) is not None:
                yield Found(table, page.number, part[0].left, _top(part, inside), part[0].right, part[-1].at)


def _stacks(rules: Sequence[Rule]) -> Iterator[list[Rule]]:
    """Lines under each other that begin and end at the same places."""
    stacks: dict[Span, list[Rule]] = {}
    for rule in _joined(rules):
        near = (span for span in stacks if abs(span[0] - rule.left) + abs(span[1] - rule.right) < 2 * _ALIGNED)
        stacks.setdefault(next(near, (rule.left, rule.right)), []).append(rule)
    for stack in stacks.values():
        if len(stack) >= _MIN_RULES:
            yield stack


def _joined(rules: Sequence[Rule]) -> Iterator[Rule]:
    """Pieces that continue each other at one height are one line: some programs draw it cell by cell."""
    current: Rule | None = None
    for rule in sorted(rules, key=lambda rule: (round(rule.at), rule.left)):
        if current and abs(rule.at - current.at) < 1.5 and rule.left <= current.right + 2:
            current = Rule(current.left, max(current.right, rule.right), current.at)
            continue
        if current:
            yield current
        current = rule
    if current:
        yield current


def _parts(stack: Sequence[Rule], inside: Sequence[Line]) -> Iterator[list[Rule]]:
    """The lines of each table: where running text stands between two of them, one table ends and another may begin."""
    part = [stack[0]]
    for above, below in itertools.pairwise(stack):
        band = _band(inside, above.at, below.at)
        if band and (len(_columns([band])) < 2 or _is_text(band, above)):
            if len(part) >= _MIN_RULES:
                yield part
            part = []
        part.append(below)
    if len(part) >= _MIN_RULES:
        yield part


def _band(inside: Sequence[Line], top: float, bottom: float) -> Row:
    return [piece for piece in inside if top < piece.middle < bottom]


def _is_text(band: Row, rule: Rule) -> bool:
    """Whether a wide line stands alone: paragraphs between two tables."""
    return any(len(row) == 1 and row[0].right - row[0].left > _WIDE * (rule.right - rule.left) for row in rows(band))


def _header_above(part: Sequence[Rule], inside: Sequence[Line]) -> Row:
    """A row that stands right above a table's first line."""
    above = rows([piece for piece in inside if piece.middle < part[0].at])
    row = above[-1] if above else []
    return row if len(row) > 1 and part[0].at - row[0].bottom < row[0].size else []


def _top(part: Sequence[Rule], inside: Sequence[Line]) -> float:
    return min([part[0].at, *(piece.top for piece in _header_above(part, inside))])


def _table(part: Sequence[Rule], inside: Sequence[Line]) -> Table | None:
    """The table; nothing where the lines are those of a form, a frame or a list."""
    bands = [band for above, below in itertools.pairwise(part) if (band := _band(inside, above.at, below.at))]
    head = _header_above(part, inside)
    if len(part) < _ROWS_RULED:
        header, lines = _of_books(head, bands)
    else:
        header, lines = ([head] if head else bands[:1]), (bands if head else bands[1:])
    spans = _columns([*header, *lines])
    if not lines or len(spans) < 2:
        return None
    body = [_cells(line, spans) for line in lines]
    if len(part) < _ROWS_RULED:
        body = _continued(body)
    if all(_BULLETS.fullmatch(row[0]) for row in body) or sum(sum(map(bool, row)) > 1 for row in body) < len(body) / 2:
        return None
    return Table.of(join_headers([_cells(line, spans) for line in header]) if header else [""] * len(spans), body)


def _of_books(head: Row, bands: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Header and rows of a table with lines only above, below and under its header."""
    parts = [rows(band) for band in bands]
    if head:
        return [head], [row for part in parts for row in part]
    if len(parts) > 1 and len(parts[0]) <= _HEADER_ROWS:
        return parts[0], [row for part in parts[1:] for row in part]
    return [], [row for part in parts for row in part]


def _continued(body: Sequence[Sequence[str]]) -> list[list[str]]:
    """Rows made whole: without a text in the first column a line goes on with the row before."""
    whole: list[list[str]] = []
    for row in body:
        if row[0] or not whole:
            whole.append(list(row))
        else:
            whole[-1] = [f"{one}\n{other}".strip() for one, other in zip(whole[-1], row, strict=True)]
    return whole


def _columns(lines: Sequence[Row]) -> list[Span]:
    """Where the columns stand: texts that overlap are of one, but for those that stretch over several."""
    pieces = sorted((piece for line in lines for piece in line), key=lambda piece: piece.right - piece.left)
    spans: list[Span] = []
    for piece in pieces:
        touched = [span for span in spans if piece.left < span[1] and span[0] < piece.right]
        if len(touched) > 1:
            continue
        if touched:
            spans.remove(touched[0])
        spans.append((min([piece.left, *(t[0] for t in touched)]), max([piece.right, *(t[1] for t in touched)])))
    return sorted(spans)


def _cells(line: Row, spans: Sequence[Span]) -> list[str]:
    """The texts of a row by column, those under each other on lines of their own."""
    cells: list[list[Line]] = [[] for _ in spans]
    for piece in line:
        over = [n for n, span in enumerate(spans) if min(piece.right, span[1]) > max(piece.left, span[0])]
        for n in over or [min(range(len(spans)), key=lambda n: abs(spans[n][0] - piece.left))]:
            cells[n].append(piece)
    return ["\n".join(" ".join(piece.text for piece in row) for row in rows(cell)) for cell in cells]
