"""The order in which a page's lines are read: columns one after the other, what spans them between."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from .pdflines import Line

_MIN_LINES = 4  # of a column
_MAX_CROSSING = 0.4  # part of the lines that may span the gutter
_MIN_FILL = 0.55  # part of a column's width that its usual line fills: columns of figures are tables, not text
_ALIGNED_FILL = 0.35  # the same for long columns whose lines begin at one place
_MAX_DEPTH = 4


def segments(lines: Sequence[Line], depth: int = 0) -> list[list[Line]]:
    """Groups of lines that are read one after the other, each from top to bottom."""
    split = _gutter(lines) if depth < _MAX_DEPTH else None
    if split is None:
        return [sorted(lines, key=lambda line: (line.top, line.left))] if lines else []
    left, right, crossing = split
    found: list[list[Line]] = []
    above = float("-inf")
    for group in _stacked(crossing, [*left, *right]):
        top = group[0].middle if group else float("inf")
        for column in (left, right):
            found += segments([line for line in column if above <= line.middle < top], depth + 1)
        if group:
            found.append(group)
        above = top
    return found


def _gutter(lines: Sequence[Line]) -> tuple[list[Line], list[Line], list[Line]] | None:
    """Lines left of, right of and across the best gutter; None where there is none."""
    if len(lines) < 2 * _MIN_LINES:
        return None
    first, last = min(line.left for line in lines), max(line.right for line in lines)
    starts: dict[int, int] = {}
    for line in lines:
        starts[round(line.left)] = starts.get(round(line.left), 0) + 1
    best = None
    for start, count in starts.items():
        if count < 2 or not first + 0.15 * (last - first) < start < last - 0.15 * (last - first):
            continue
        edge = start - 1.5
        left = [line for line in lines if line.right <= edge]
        right = [line for line in lines if line.left >= edge]
        crossing = len(lines) - len(left) - len(right)
        if crossing > _MAX_CROSSING * len(lines) or not _are_columns(left, right, first, edge, last):
            continue
        if best is None or crossing < best[0]:
            best = (crossing, left, right, [line for line in lines if line.left < edge < line.right])
    return best[1:] if best is not None else None


def _are_columns(left: list[Line], right: list[Line], first: float, edge: float, last: float) -> bool:
    if len(left) < _MIN_LINES or len(right) < _MIN_LINES:
        return False
    tops = [(min(line.top for line in part), max(line.bottom for line in part)) for part in (left, right)]
    common = min(tops[0][1], tops[1][1]) - max(tops[0][0], tops[1][0])
    if common < 0.3 * min(bottom - top for top, bottom in tops):
        return False
    return all(
        median(line.right - line.left for line in part) >= (_MIN_FILL if _is_ragged(part) else _ALIGNED_FILL) * width
        for part, width in ((left, edge - first), (right, last - edge))
    )


def _is_ragged(lines: list[Line]) -> bool:
    """Whether a column is short, or its lines begin at many different places."""
    starts = [round(line.left / 4) for line in lines]
    return len(lines) < 8 or max(map(starts.count, starts)) < 0.4 * len(starts)


def _stacked(crossing: list[Line], columns: list[Line]) -> list[list[Line]]:
    """Crossing lines that nothing separates, from top to bottom; an empty group at the end stands for the rest."""
    groups: list[list[Line]] = []
    for line in sorted(crossing, key=lambda line: (line.top, line.left)):
        if groups and not any(groups[-1][-1].middle < other.middle < line.middle for other in columns):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [*groups, []]


def rows(segment: Sequence[Line]) -> list[list[Line]]:
    """Pieces that stand on one baseline, from left to right."""
    found: list[list[Line]] = []
    for line in segment:
        if found and _beside(found[-1], line):
            found[-1].append(line)
        else:
            found.append([line])
    return [sorted(row, key=lambda line: line.left) for row in found]


def _beside(row: list[Line], line: Line) -> bool:
    top, bottom = max(row[0].top, line.top), min(row[0].bottom, line.bottom)
    # Boxes are as high as what is drawn: a dash alone is low, and stands beside what it lies in the middle of.
    overlap = bottom - top > 0.5 * min(row[0].size, line.size, row[0].bottom - row[0].top, line.bottom - line.top)
    return overlap and all(line.left >= other.right - 1 or line.right <= other.left + 1 for other in row)
