"""PDF with text: reading order, paragraphs, headings, ruled tables; running headers and footers are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from .. import ocr
from ..items import Item, Reading, Source
from . import pdfrules
from .pdffurniture import without_furniture
from .pdfgrids import Grid, grids
from .pdfheadings import with_headings
from .pdflines import Bookmark, Line, Page, Pdf
from .pdforder import segments
from .pdfparagraphs import Joiner, Paragraph, over_breaks, paragraphs, words_of
from .pdfparts import Part, whole
from .pdfpictures import Shown, shown
from .pdftables import Found, Tables
from .scans import lines_of

_KEPT = {
    "Title": "title",
    "Author": "author",
    "Subject": "subject",
    "Keywords": "keywords",
    "CreationDate": "created",
}
_NO_TITLE = re.compile(
    r"untitled|anonymous|unspecified|microsoft (?:word|powerpoint)\b.*|.*\.(?:docx?|pptx?|xlsx?|tex|dvi|indd|pdf)",
    re.IGNORECASE,
)
_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")


def read(source: Source) -> Reading:
    pdf = Pdf(source.data)
    pages = list(pdf.pages())
    scans = [page.number for page in pages if pdf.is_scan(page)]
    if source.ocr:
        read, scans = {*scans[: ocr.MAX_PAGES]}, scans[ocr.MAX_PAGES :]
        pages = [_scanned(pdf, page, source.ocr) if page.number in read else page for page in pages]
    items = list(items_of(pages, Tables(source.data), pdf.bookmarks(), shown(pdf.document, pages)))
    title, metadata = _about(pdf)
    return Reading(items, title, metadata, pdf.page_count, scans=scans)


def items_of(
    pages: Sequence[Page],
    tables: Tables | None = None,
    bookmarks: Sequence[Bookmark] = (),
    pictures: Mapping[int, Sequence[Shown]] = MappingProxyType({}),
) -> Iterator[Item]:
    """What stands on the pages of a document, in reading order; `tables` finds those with lines around their cells.

    `pictures` are those of each page, by its number.
    """
    inner = without_furniture(pages)
    joined = words_of(line.text for page in inner for line in page.lines)
    yield from _items([_Laid.of(page, tables, pictures.get(page.number, ())) for page in inner], joined, bookmarks)


def _about(pdf: Pdf) -> tuple[str | None, dict[str, str]]:
    """Title and properties, without those that a program has filled in."""
    about = {_KEPT[name]: value for name, value in pdf.properties().items() if name in _KEPT}
    if match := _DATE.match(about.get("created", "")):
        about["created"] = "-".join(part for part in match.groups() if part)
    title = about.pop("title", "")
    told = {name: value for name, value in about.items() if not _NO_TITLE.fullmatch(value)}
    return None if _NO_TITLE.fullmatch(title) or not title else title, told


def _scanned(pdf: Pdf, page: Page, tesseract: str) -> Page:
    return replace(page, lines=lines_of(tesseract, pdf.picture(page.number), page.number, page.height), shapes=0)


@dataclass(frozen=True, slots=True)
class _Laid:
    """A page with its tables and pictures apart from its lines."""

    page: Page
    others: list[Found | Shown]  # tables and pictures
    lines: list[Line]

    @classmethod
    def of(cls, page: Page, tables: Tables | None, pictures: Sequence[Shown]) -> _Laid:
        found = tables.on(page) if tables else []
        found += pdfrules.found(page, found)
        lines = [line for line in page.lines if not any(table.holds(line) for table in found)]
        return cls(page, [*found, *pictures], lines)


def _items(laid: Sequence[_Laid], joined: Joiner, bookmarks: Sequence[Bookmark]) -> Iterator[Item]:
    flow: list[Paragraph | Part | Shown] = []
    for page in laid:
        flow += _flow(page, joined)
    yield from _with_tables(list(whole(flow)), joined, bookmarks)


def _flow(page: _Laid, joined: Joiner) -> Iterator[Paragraph | Part | Shown]:
    """A page's text, tables and pictures in reading order: a table comes before the first text that begins below it."""
    waiting = sorted(page.others, key=lambda other: other.top)
    for part in (part for segment in segments(page.lines) for part in grids(segment)):
        if isinstance(part, Grid):
            yield Part(part.table, (part.page,), part.left, part.right)
            continue
        for paragraph in paragraphs(part, joined):
            while waiting and _is_above(waiting[0], paragraph):
                yield waiting.pop(0).part
            for other in [each for each in waiting if isinstance(each, Shown) and each.is_told_by(paragraph)]:
                waiting.remove(other)
                yield other
            yield paragraph
    for other in waiting:
        yield other.part
    if page.page.turned:
        yield Paragraph(page.page.turned, (page.page.number,), 0.0, False, 1, aside=True)


def _is_above(table: Found | Shown, paragraph: Paragraph) -> bool:
    return (
        table.bottom <= paragraph.top + 2 and table.left - 5 <= paragraph.left <= table.right + 5
    ) or table.bottom + 200 < paragraph.top


def _with_tables(
    flow: Sequence[Paragraph | Part | Shown], joined: Joiner, bookmarks: Sequence[Bookmark]
) -> Iterator[Item]:
    """Headings are told by comparison over the whole document; tables and pictures go back to their places."""
    texts: list[Paragraph] = []
    tables: dict[int, list[Item]] = {}
    run: list[Paragraph] = []
    for each in [*flow, None]:
        if isinstance(each, Paragraph):
            run.append(each)
            continue
        texts += over_breaks(run, joined)
        run = []
        if each is not None:
            tables.setdefault(len(texts), []).append(each.item)
    for number, item in enumerate(with_headings(texts, bookmarks)):
        yield from tables.pop(number, ())
        yield item
    for rest in tables.values():
        yield from rest
