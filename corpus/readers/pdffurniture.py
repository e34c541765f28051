"""Running headers, footers and page numbers: what stands at the edge of page after page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from .pdflines import Line, Page

_EDGE = 0.12  # part of the page's height, at the top and at the bottom
Key = tuple[str, bool, int]  # what is written, at the top or not, and at which height
_MIN_GAP = 0.5  # heights of a line
_MIN_PAGES = 3  # a text must stand on so many
_NUMBER = re.compile(
    r"(?:(?:page|seite|p\.|pg\.?)\s*)?[-–—\[(]?\s*(?:\d{1,4}|[ivxl]{1,6})\s*[-–—\])]?(?:\s*(?:/|of|von|de|di)\s*\d{1,4})?",
    re.IGNORECASE,
)


def without_furniture(pages: Sequence[Page]) -> list[Page]:
    """The pages without what repeats at their edges, and without page numbers there."""
    counts = Counter(key for page in pages for key in {key for line in page.lines for key in _keys(page, line)})
    needed = max(_MIN_PAGES, len(pages) * 0.3)
    return [replace(page, lines=_inner(page, counts, needed)) for page in pages]


def _inner(page: Page, counts: Counter[Key], needed: float) -> list[Line]:
    """The lines within: from either edge, what repeats is left out, if a gap parts it from the text."""
    lines = sorted(page.lines, key=lambda line: line.middle)
    dropped: set[int] = set()
    for ordered in (lines, lines[::-1]):
        run: list[Line] = []
        for line in ordered:
            if not _repeats(page, line, counts, needed):
                if run and _gap(run[-1], line) < _MIN_GAP * line.size:
                    run = []
                break
            run.append(line)
        dropped.update(map(id, run))
    return [line for line in page.lines if id(line) not in dropped]


def _repeats(page: Page, line: Line, counts: Counter[Key], needed: float) -> bool:
    return any(counts[key] >= needed for key in _keys(page, line)) or (
        _at_edge(page, line) and _NUMBER.fullmatch(line.text) is not None
    )


def _gap(one: Line, other: Line) -> float:
    return max(one.top, other.top) - min(one.bottom, other.bottom)


def _at_edge(page: Page, line: Line) -> bool:
    return line.bottom < _EDGE * page.height or line.top > (1 - _EDGE) * page.height


def _keys(page: Page, line: Line) -> list[Key]:
    """The text at its place; and with one of its numbers counted from the page's own: numbers of pages change."""
    if not _at_edge(page, line):
        return []
    place = (line.top < page.height / 2, round(line.middle / 6))
    keys = [(line.text, *place)]
    for number in re.finditer(r"\d{1,5}", line.text):
        relative = f"{line.text[: number.start()]}\0{int(number[0]) - page.number}\0{line.text[number.end() :]}"
        keys.append((relative, *place))
    return keys
