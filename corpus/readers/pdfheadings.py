"""Which paragraphs of a PDF are headings, and of what level: by bookmarks, numbering, size and weight."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..items import Item, heading
from .pdflines import Bookmark
from .pdfparagraphs import Paragraph

_NUMBERED = re.compile(r"(?:§+\s*)?(\d{1,3}(?:\.\d{1,3}){0,5}|[A-Z](?:\.\d{1,3}){1,4})\.?\s+\S")
_PART = re.compile(
    r"(?:part|chapter|teil|kapitel|chapitre|capítulo|capitolo|annex|appendix|anhang|titre|title)\s+[\dIVXLC]+\b",
    re.IGNORECASE,
)
_MAX_CHARS = 160
_MAX_LINES = 3
_MAX_RUN = 3  # loose headings in a row
_LARGER = 1.1  # times the body's size
_OPENING = re.compile(
    r"(?:abstract|summary|introduction|(?:table of )?contents|overview|preface|foreword|résumé|zusammenfassung|inhalt"
    r"|einleitung|resumen|riassunto)\b",
    re.IGNORECASE,
)
_CAPTION = re.compile(r"(?:figure|fig\.|table|tabelle|abbildung|abb\.|tableau|exhibit|chart)\s*\d+", re.IGNORECASE)

Style = tuple[int, bool]  # size in half points, bold


@dataclass(frozen=True, slots=True)
class _Heading:
    text: str
    style: Style
    level: int  # by bookmark or numbering; 0 where neither tells


def with_headings(found: Sequence[Paragraph], bookmarks: Sequence[Bookmark]) -> Iterator[Item]:
    """The paragraphs as items."""
    body = _body_style(found)
    marks = {_key(mark.text): mark.level for mark in bookmarks}
    headings = {number: head for number, each in enumerate(found) if (head := _heading(each, body, marks)) is not None}
    headings = _without_bylines(found, headings)
    title = _title(found, headings, body)
    levels = _levels(head for number, head in headings.items() if number != title)
    for number, paragraph in enumerate(found):
        head = headings.get(number)
        if number == title:
            yield Item("title", _one_line(_full(paragraph)), pages=paragraph.pages)
        elif head is not None:
            yield heading(head.text, head.level or levels[head.style], paragraph.pages)
        elif _CAPTION.match(paragraph.text):
            yield Item("caption", paragraph.text, pages=paragraph.pages)
        elif paragraph.marker:
            yield Item("list_item", paragraph.text, pages=paragraph.pages, marker=paragraph.marker)
        else:
            yield Item("text", paragraph.text, pages=paragraph.pages)


def _style(paragraph: Paragraph) -> Style:
    return (round(paragraph.size * 2), paragraph.bold)


def _body_style(found: Sequence[Paragraph]) -> Style:
    weights: Counter[Style] = Counter()
    for paragraph in found:
        weights[_style(paragraph)] += len(paragraph.text)
    return weights.most_common(1)[0][0] if weights else (20, False)


def _full(paragraph: Paragraph) -> str:
    marker = "" if paragraph.marker in ("", "-") else f"{paragraph.marker} "
    return marker + paragraph.text


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _key(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold()


def _heading(paragraph: Paragraph, body: Style, marks: dict[str, int]) -> _Heading | None:
    text = _one_line(_full(paragraph))
    style = _style(paragraph)
    if paragraph.aside or paragraph.marker == "-" or not 1 < len(text) <= _MAX_CHARS or paragraph.lines > _MAX_LINES:
        return None
    first = re.search(r"[^\W\d_]", text)
    if first is None or first[0].islower() or _CAPTION.match(text):
        return None
    if (level := marks.get(_key(text))) is not None:
        return _Heading(text, style, level)
    larger, heavier = style[0] >= body[0] * _LARGER, paragraph.bold and not body[1]
    if (
        not (larger or (heavier and style[0] >= body[0] * 0.95))
        or text.endswith((".", ",", ";"))
        or (len(text) > 120 and not larger)
    ):
        return None
    return _Heading(text, style, _numbered_level(text))


def _numbered_level(text: str) -> int:
    if _PART.match(text):
        return 1
    match = _NUMBERED.match(text)
    return match[1].count(".") + 1 if match else 0


def _levels(headings: Iterable[_Heading]) -> dict[Style, int]:
    """A level for each style: that of its numbered headings, else by its rank in size and weight.

    A style without numbers is one deeper than the next larger, but never deeper than a smaller one with numbers.
    """
    told: dict[Style, Counter[int]] = {}
    for head in headings:
        told.setdefault(head.style, Counter()).update([head.level] if head.level else [])
    ranked = sorted(told, reverse=True)
    levels: dict[Style, int] = {}
    above = 0
    for number, style in enumerate(ranked):
        below = [told[smaller].most_common(1)[0][0] for smaller in ranked[number + 1 :] if told[smaller]]
        above = told[style].most_common(1)[0][0] if told[style] else min([above + 1, *below])
        levels[style] = above
    return levels


def _title(found: Sequence[Paragraph], headings: dict[int, _Heading], body: Style) -> int | None:
    """The first heading, if it stands on the first page, near its top, and looks like no other."""
    first = next(iter(headings), None)
    if first is None or first > 3 or found[first].pages != (1,) or headings[first].level:
        return None
    style = headings[first].style
    others = [head.style for number, head in headings.items() if number != first]
    largest = style[0] >= body[0] * 1.2 and all(other[0] < style[0] for other in others)
    return first if largest or (first == 0 and others and style not in others) else None


def _without_bylines(found: Sequence[Paragraph], headings: dict[int, _Heading]) -> dict[int, _Heading]:
    """Headings follow text. Of several in a row that no number or bookmark tells, only a few can be real.

    Authors under a title, labels of a figure, lines of a form: large or bold, and no headings. Under a title a heading
    is known by its style, if the document's other headings have it.
    """
    kept = dict(headings)
    usual = Counter(headings[number].style for number in headings if number - 1 not in headings)
    run: list[int] = []
    for number in range(len(found) + 1):
        if number in headings:
            run.append(number)
            continue
        loose = [each for each in run if not headings[each].level]
        if loose and loose[0] <= 3:  # a document's head: the title stays
            for each in loose[1:]:
                is_last = each == loose[-1] and usual[headings[each].style] > 1 and headings[each].text.count(",") < 2
                if not is_last and not _OPENING.match(headings[each].text):
                    del kept[each]
        elif len(loose) > _MAX_RUN:
            for each in loose[:-1]:
                del kept[each]
        run = []
    return kept
