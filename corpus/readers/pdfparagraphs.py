"""Lines to paragraphs: joined over line, column and page ends, hyphenation undone."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from .pdflines import Line, is_rtl
from .pdforder import rows

_BULLET = re.compile(r"([•∞▪●○■□◦‣⁃·➢➤✓✔*–—-])\s+(?=\S)")
_NUMBER = re.compile(r"(\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])\s+(?=\S)")
_HYPHEN = re.compile(r"(\w+)[-\u00ad\u2010]\Z")
_END = (".", "!", "?", ":", ";", "。", "！", "？", "।", "؟", ".”", '."', ".)")
_WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]")  # scripts without spaces between words

_LOOSE_END = re.compile(r" ([.,:;!?،؛؟])(?= |\Z)")  # parted from a number before it, which is written the other way

Joiner = Callable[[str, str], str]  # the two parts of a word that a hyphen divides -> the word


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str
    pages: tuple[int, ...]
    size: float
    bold: bool
    lines: int
    marker: str = ""  # of a list item
    left: float = 0.0
    top: float = 0.0  # on its first page
    aside: bool = False  # not part of the running text, which goes on after it
    right: float = 0.0


@dataclass(frozen=True, slots=True)
class _Row:
    """A line over a segment's whole width."""

    text: str
    page: int
    left: float
    right: float
    top: float
    bottom: float
    size: float
    bold: bool


def paragraphs(segment: Sequence[Line], joined: Joiner) -> list[Paragraph]:
    """The paragraphs of one segment."""
    lines = [_row(pieces) for pieces in rows(segment)]
    if not lines:
        return []
    shape = _Shape.of(lines)
    found: list[list[_Row]] = [[lines[0]]]
    for line in lines[1:]:
        if shape.begins(found[-1], line):
            found.append([line])
        else:
            found[-1].append(line)
    return [_paragraph(group, shape, joined) for group in found]


def _row(pieces: Sequence[Line]) -> _Row:
    longest = max(pieces, key=lambda piece: len(piece.text))
    text = " ".join(piece.text for piece in pieces)
    return _Row(
        _LOOSE_END.sub(r"\1", text) if is_rtl(text) else text,
        pieces[0].page,
        pieces[0].left,
        max(piece.right for piece in pieces),
        min(piece.top for piece in pieces),
        max(piece.bottom for piece in pieces),
        longest.size,
        all(piece.bold for piece in pieces),
    )


@dataclass(frozen=True, slots=True)
class _Shape:
    """What is usual in a segment."""

    left: float
    right: float
    pitch: float  # from one line to the next
    size: float

    @classmethod
    def of(cls, lines: Sequence[_Row]) -> _Shape:
        pitches = [
            lower.top - upper.top
            for upper, lower in itertools.pairwise(lines)
            if abs(upper.size - lower.size) < 0.15 * upper.size and 0 < lower.top - upper.top < 3 * upper.size
        ]
        size = median(line.size for line in lines)
        left, right = min(line.left for line in lines), max(line.right for line in lines)
        return cls(left, right, _low_median(pitches) or 1.3 * size, size)

    def short(self, line: _Row, part: float) -> bool:
        return line.right < self.right - part * (self.right - self.left)

    def begins(self, group: Sequence[_Row], line: _Row) -> bool:
        """Whether `line` begins a new paragraph after `group`."""
        above = group[-1]
        usual = max(self.pitch, 1.2 * line.size) if line.size > 1.1 * self.size else max(self.pitch, 0.9 * line.size)
        if line.top - above.top > 1.3 * usual or line.top < above.top:
            return True
        if abs(line.size - above.size) > 0.07 * max(line.size, above.size):
            return True
        ended = above.text.endswith(_END)
        if line.bold != above.bold and (ended or self.short(above, 0.1) or (len(group) == 1 and line.bold)):
            return True
        if _BULLET.match(line.text):
            return True
        apart = ended or self.short(above, 0.15) or bool(_NUMBER.match(group[0].text))
        if _NUMBER.match(line.text) and apart:
            return True
        if ended and line.left > above.left + 0.8 * line.size and not _is_item(group[0].text):
            return True
        if ended and _is_item(group[0].text) and line.left < group[0].left + 0.3 * line.size and len(group) > 1:
            return True
        return ended and self.short(above, 0.12)


def _low_median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 3] if ordered else 0.0


def _is_item(text: str) -> bool:
    return bool(_BULLET.match(text) or _NUMBER.match(text))


def _paragraph(group: Sequence[_Row], shape: _Shape, joined: Joiner) -> Paragraph:
    text = group[0].text
    for above, line in itertools.pairwise(group):
        text = join(text, line.text, joined, "\n" if shape.short(above, 0.3) else " ")
    marker = ""
    if bullet := _BULLET.match(text):
        marker, text = "-", text[bullet.end() :]
    elif number := _NUMBER.match(text):
        marker, text = number[1], text[number.end() :]
    return Paragraph(
        text,
        (group[0].page,),
        median(line.size for line in group),
        all(line.bold for line in group),
        len(group),
        marker,
        group[0].left,
        group[0].top,
        right=max(line.right for line in group),
    )


def join(text: str, more: str, joined: Joiner, gap: str = " ") -> str:
    """Two lines as one; a word divided by a hyphen becomes whole."""
    divided = _HYPHEN.search(text)
    if divided and (rest := re.match(r"[^\W\d_]+", more)) and rest[0][0].islower():
        return text[: divided.start()] + joined(divided[1], rest[0]) + more[rest.end() :]
    if divided and more[:1].isalnum():
        return text + more
    if _WIDE.match(text[-1:]) and _WIDE.match(more[:1]):
        return text + more
    return text + gap + more


def words_of(texts: Iterable[str]) -> Joiner:
    """How divided words of a document are joined: with the hyphen where it writes the word so elsewhere."""
    known: set[str] = set()
    for text in texts:
        known.update(word.lower() for word in re.findall(r"\w+(?:-\w+)*", text))

    def joined(start: str, rest: str) -> str:
        hyphenated = f"{start}-{rest}"
        return hyphenated if hyphenated.lower() in known and (start + rest).lower() not in known else start + rest

    return joined


def over_breaks(found: Iterable[Paragraph], joined: Joiner) -> Iterator[Paragraph]:
    """Paragraphs that a column or page end has cut are put together."""
    before: Paragraph | None = None
    asides: list[Paragraph] = []
    for paragraph in found:
        if paragraph.aside:
            asides.append(paragraph)
            continue
        if before is not None and _goes_on(before, paragraph):
            pages = tuple(dict.fromkeys((*before.pages, *paragraph.pages)))
            text = join(before.text, paragraph.text, joined)
            before = replace(before, text=text, pages=pages, lines=before.lines + paragraph.lines)
            continue
        if before is not None:
            yield before
        yield from asides
        asides = []
        before = paragraph
    if before is not None:
        yield before
    yield from asides


def _goes_on(before: Paragraph, after: Paragraph) -> bool:
    moved = after.pages != before.pages[-1:] or after.top < before.top
    alike = abs(before.size - after.size) < 0.05 * before.size and before.bold == after.bold
    return (
        moved
        and alike
        and not after.marker
        and not before.text.endswith(_END)
        and (after.text[:1].islower() or bool(_HYPHEN.search(before.text)))
        and (before.lines > 1 or len(before.text) > 40)
    )
