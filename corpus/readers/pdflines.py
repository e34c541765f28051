"""The lines of a PDF's pages, through docling-parse; fonts, bookmarks and properties through PDFium."""

from __future__ import annotations

import ctypes
import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
from docling_core.types.doc.page import SegmentedPdfPage
from docling_parse.pdf_parser import ContentConfig, ContentLevel, DoclingPdfParser
from PIL import Image

from ..items import Unreadable

_BOLD = re.compile(r"bold|black|heavy|semib|demi|-medi\b|-medium", re.IGNORECASE)
_BOLD_WEIGHT = 600
_GLYPHS = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
    **dict.fromkeys("\uf0b7\uf0a7\uf076\uf0d8\uf0fc\uf06e\uf02d", "•")})  # fmt: skip
_SCAN_AREA = 0.2  # part of a page that a picture of text takes at least
_SCAN_DPI = 250  # tesseract wants letters of 20 to 30 pixels
_MAX_SIDE = 6000  # pixels
_COLUMN_GAP = 1.0  # sizes of the font between two words: docling-parse takes narrow columns of a table for one line
_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_UNMAPPED = re.compile(r"[\x00-\x08\x0b-\x1f\ue000-\uf8ff\ufffe\uffff]")  # glyphs without a meaning
_CONTENT = ContentConfig(
    char_cells_content_level=ContentLevel.COMPUTE,
    word_cells_content_level=ContentLevel.COMPUTE_AND_MATERIALIZE,
    bitmaps_content_level=ContentLevel.SKIP,
    include_bitmap_bytes=False,
)


@dataclass(frozen=True, slots=True)
class Line:
    """A piece of a line of text; points from the top left corner of its page."""

    page: int  # from 1
    left: float
    top: float
    right: float
    bottom: float
    size: float  # of the font
    bold: bool
    text: str
    parts: tuple[Line, ...] = ()  # the line cut at gaps that are wide for one between words: cells of a table, perhaps

    @property
    def pieces(self) -> tuple[Line, ...]:
        return self.parts or (self,)

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal line that is drawn."""

    left: float
    right: float
    at: float  # from the top


@dataclass(frozen=True, slots=True)
class Page:
    number: int
    width: float
    height: float
    lines: list[Line]
    shapes: int  # drawn lines and boxes: without any there is no ruled table
    turned: str = ""  # text that runs up or down the page, in its own order
    rules: Sequence[Rule] = ()  # horizontal ones
    mirrored: bool = False  # a page of Arabic or Hebrew: what is left has changed places with what is right


@dataclass(frozen=True, slots=True)
class Bookmark:
    text: str
    level: int  # from 1
    page: int | None


class Pdf:
    """An open PDF; raises `Unreadable` when it is encrypted or broken."""

    def __init__(self, data: bytes) -> None:
        try:
            self.document = pypdfium2.PdfDocument(data)
            self._parser = DoclingPdfParser(loglevel="fatal").load(io.BytesIO(data), lazy=True)
            self.page_count = len(self.document)
        except pypdfium2.PdfiumError as error:
            encrypted = "password" in str(error).lower() or "security" in str(error).lower()
            raise Unreadable("encrypted: a password is needed" if encrypted else f"broken PDF: {error}") from error
        except RuntimeError as error:
            raise Unreadable(f"broken PDF: {error}") from error

    def properties(self) -> dict[str, str]:
        return {name: value.strip() for name, value in self.document.get_metadata_dict().items() if value.strip()}

    def bookmarks(self) -> list[Bookmark]:
        found = []
        for mark in self.document.get_toc(max_depth=9):
            target = mark.get_dest()
            index = target.get_index() if target is not None else None
            if title := " ".join((mark.get_title() or "").split()):
                found.append(Bookmark(title, mark.level + 1, None if index is None else index + 1))
        return found

    def is_scan(self, page: Page) -> bool:
        """Whether a page without text shows a picture that is large enough for a page's text."""
        if page.lines or page.turned:
            return False
        found = self.document[page.number - 1].get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=3)
        boxes = (image.get_bounds() for image in found)
        area = page.width * page.height
        return any((right - left) * (top - bottom) > _SCAN_AREA * area for left, bottom, right, top in boxes)

    def picture(self, number: int) -> Image.Image:
        """A page as one sees it."""
        page = self.document[number - 1]
        longest = max(page.get_width(), page.get_height())
        scale = min(_SCAN_DPI / 72, _MAX_SIDE / longest)
        return page.render(scale=scale, grayscale=True).to_pil()  # pyright: ignore[reportArgumentType]  # any number

    def pages(self) -> Iterator[Page]:
        """Page by page; memory does not grow with their number."""
        for number in range(1, self.page_count + 1):
            try:
                page = self._parser.get_page(number, content_config=_CONTENT)
            except RuntimeError:  # a page that cannot be parsed: PDFium may still read it
                yield self._plain(number)
                continue
            yield self._page(number, page)
            self._parser.unload_pages((number, number + 1))

    def _page(self, number: int, page: SegmentedPdfPage) -> Page:
        height = page.dimension.height
        upright = [cell for cell in page.textline_cells if not _is_turned(cell.rect)]
        if len(upright) < len(page.textline_cells) / 2:
            return self._plain(number)
        words = _Words(page.word_cells, height)
        lines: list[Line] = []
        with _Fonts(self.document, number - 1) as fonts:
            for cell in upright:
                if text := clean(cell.text):
                    box = cell.rect.to_top_left_origin(height).to_bounding_box()
                    font = fonts.at((box.l + box.r) / 2, height - (box.t + box.b) / 2, abs(box.b - box.t))
                    line = Line(number, box.l, box.t, box.r, box.b, font.size, font.bold, text)
                    lines.append(replace(line, parts=words.parts_of(line)))
        turned = [clean(cell.text) for cell in page.textline_cells if _is_turned(cell.rect)]
        return _read_from_its_side(
            Page(
                number,
                page.dimension.width,
                height,
                lines,
                len(page.shapes),
                "\n".join(text for text in turned if len(text) > 1),
                list(_rules(page, height)),
            )
        )

    def _plain(self, number: int) -> Page:
        page = self.document[number - 1]
        height = page.get_height()
        texts = [clean(text) for text in page.get_textpage().get_text_bounded().splitlines()]
        lines = [
            Line(number, 0, 12.0 * row, page.get_width(), 12.0 * row + 10, 10.0, False, text)
            for row, text in enumerate(texts)
            if text
        ]
        return Page(number, page.get_width(), height, lines, 0)


def _is_turned(box: Any) -> bool:
    """Whether text runs up or down the page: stamps at the margin, labels of axes."""
    return abs(box.r_y1 - box.r_y0) > abs(box.r_x1 - box.r_x0)


class _Words:
    """The words of a page, by height."""

    def __init__(self, cells: Iterable[Any], height: float) -> None:
        self._boxes: dict[int, list[tuple[float, float, float, str]]] = {}  # left, right, middle, text
        for cell in cells:
            box = cell.rect.to_top_left_origin(height).to_bounding_box()
            middle = (box.t + box.b) / 2
            self._boxes.setdefault(round(middle / 8), []).append((box.l, box.r, middle, cell.text))

    def parts_of(self, line: Line) -> tuple[Line, ...]:
        """The line, cut where a gap is wide for one between words; nothing where none is."""
        if " " not in line.text or is_rtl(line.text):
            return ()
        near = [each for row in range(-1, 2) for each in self._boxes.get(round(line.middle / 8) + row, ())]
        return parts_of(
            line,
            sorted(
                (left, right, text)
                for left, right, middle, text in near
                if line.left - 1 < (left + right) / 2 < line.right + 1 and _beside(middle, line)
            ),
        )


def parts_of(line: Line, words: Iterable[tuple[float, float, str]]) -> tuple[Line, ...]:
    """A line, cut where the gap between two of its words (left, right, text) is wide; nothing where none is."""
    groups: list[list[tuple[float, float, str]]] = []
    for word in words:
        if groups and word[0] - groups[-1][-1][1] < _COLUMN_GAP * line.size:
            groups[-1].append(word)
        else:
            groups.append([word])
    parts = tuple(
        replace(line, left=group[0][0], right=group[-1][1], text=clean(" ".join(word[2] for word in group)))
        for group in groups
    )
    whole = "".join(part.text for part in parts).replace(" ", "") == line.text.replace(" ", "")
    return parts if whole and len(parts) > 1 and all(part.text for part in parts) else ()


def _beside(middle: float, line: Line) -> bool:
    return line.top <= middle <= line.bottom or abs(middle - line.middle) < 0.3 * line.size


def _rules(page: SegmentedPdfPage, height: float) -> Iterator[Rule]:
    """Lines and thin boxes that lie flat."""
    for shape in page.shapes:
        across, up = [point.x for point in shape.points], [point.y for point in shape.points]
        if len(across) > 1 and max(up) - min(up) < 2 and max(across) - min(across) > 10:
            yield Rule(min(across), max(across), height - (min(up) + max(up)) / 2)


def is_rtl(text: str) -> bool:
    """Whether most letters are of a script that is written from right to left."""
    return 2 * len(_RTL.findall(text)) > sum(map(str.isalpha, text))


def _read_from_its_side(page: Page) -> Page:
    """A page that is read from right to left, as in a mirror: so columns, indents and short lines mean the same."""
    if not page.lines or not is_rtl("".join(line.text for line in page.lines)):
        return page
    lines = [
        replace(line, left=page.width - line.right, right=page.width - line.left, text=_ended(line.text))
        for line in page.lines
    ]
    rules = [Rule(page.width - rule.right, page.width - rule.left, rule.at) for rule in page.rules]
    return replace(page, lines=lines, rules=rules, mirrored=True)


def _ended(text: str) -> str:
    """Sentences that end in a number: what ends them was written on its left side."""
    return re.sub(r"(?<!\S)([.,:;!?،؛؟])(\d+)(?!\S)", r"\2\1", text)


@dataclass(frozen=True, slots=True)
class _Font:
    size: float
    bold: bool


class _Fonts:
    """The fonts of a page by place, asked of PDFium: docling-parse has no names for fonts that are not embedded, and
    a line's box grows with every raised figure in it."""

    def __init__(self, document: pypdfium2.PdfDocument, index: int) -> None:
        self._page = document[index]
        self._text = self._page.get_textpage()

    def __enter__(self) -> _Fonts:
        return self

    def __exit__(self, *_: object) -> None:
        self._text.close()
        self._page.close()

    def at(self, across: float, up: float, height: float) -> _Font:
        """The font at a point from the bottom left; a guess by height where no character is near."""
        index = pdfium.FPDFText_GetCharIndexAtPos(self._text, across, up, max(height, 4.0), height / 2)
        if index < 0:
            return _Font(max(height, 1.0), False)
        matrix = pdfium.FS_MATRIX()
        scale = 1.0
        if pdfium.FPDFText_GetMatrix(self._text, index, matrix):
            scale = math.hypot(matrix.c, matrix.d)
        size = pdfium.FPDFText_GetFontSize(self._text, index) * scale
        name = ctypes.create_string_buffer(256)
        pdfium.FPDFText_GetFontInfo(self._text, index, name, 256, ctypes.c_int())
        heavy = pdfium.FPDFText_GetFontWeight(self._text, index) >= _BOLD_WEIGHT
        return _Font(
            size if 1 < size < 500 else max(height, 1.0),
            heavy or bool(_BOLD.search(name.value.decode("latin-1"))),
        )


def clean(text: str) -> str:
    return " ".join(_UNMAPPED.sub("", text.translate(_GLYPHS)).split())
