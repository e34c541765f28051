"""Pictures on the pages of a PDF: where bitmaps are, or lines are drawn above a caption, and how the page looks there.

They are drawn, not taken out: a picture may be made of strips and masks, and have its labels written over it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from ..captions import label_of
from ..items import Box, Item
from ..pictures import MAX_SIDE
from .pdfdrawings import drawings
from .pdflines import Page
from .pdfparagraphs import Paragraph

_MAX_OBJECTS = 3000  # of a page that are looked at
_MAX_DEPTH = 6  # of forms in forms
_TOUCHING = 3.0  # points between the parts of one picture
_MIN_SIDE = 30.0  # points; what is smaller is an icon or a rule
_MIN_AREA = 0.004  # part of the page: of A4, a square of 4.5 cm^2
_BACKGROUND = 0.85  # part of the page that only its background covers
_NEAR = 100.0  # points between a picture and its caption
_FURNITURE = 3  # pages on which a picture lies at one place: a letter's head
_SCALE = 200 / 72  # pixels per point
_Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture and where it lies on its page; points from the top left corner."""

    item: Item
    left: float
    top: float
    right: float
    bottom: float

    @property
    def part(self) -> Shown:
        return self

    def is_told_by(self, paragraph: Paragraph) -> bool:
        """Whether it is the caption under this picture, which may have others beside it."""
        if label_of(paragraph.text) is None or not -_TOUCHING < paragraph.top - self.bottom < _NEAR:
            return False
        return paragraph.left < self.right and self.left < paragraph.right


def shown(document: pypdfium2.PdfDocument, pages: Sequence[Page]) -> dict[int, list[Shown]]:
    """The pictures of each page by its number, but for backgrounds and what is repeated from page to page."""
    boxes = {page.number: list(_boxes(document, page)) for page in pages}
    places: dict[tuple[int, ...], int] = {}
    found: dict[int, list[Shown]] = {}
    for page in pages:
        for box in boxes[page.number]:
            place = tuple(round(edge / 4) for edge in box)
            places[place] = places.get(place, 0) + 1
            if places[place] == 1 or sum(place in map(_place, each) for each in boxes.values()) < _FURNITURE:
                found.setdefault(page.number, []).append(_shown(document, page, box))
    return found


def _place(box: Box) -> tuple[int, ...]:
    return tuple(round(edge / 4) for edge in box)


def _shown(document: pypdfium2.PdfDocument, page: Page, box: Box) -> Shown:
    item = Item("picture", pages=(page.number,), box=box, look=lambda: _drawn(document, page.number, box))
    left, top, right, bottom = box
    if page.mirrored:
        left, right = page.width - right, page.width - left
    return Shown(item, left, top, right, bottom)


def _boxes(document: pypdfium2.PdfDocument, page: Page) -> Iterator[Box]:
    if not page.lines:  # a scan, or nothing to say of it
        return
    try:
        opened = document[page.number - 1]
        width, height = opened.get_width(), opened.get_height()
        drawn = list(_objects(opened, opened, (1, 0, 0, 1, 0, 0), 0, [_MAX_OBJECTS]))
        bitmaps = [_on_page(opened, each.box, width, height) for each in drawn if each.is_bitmap]
        strokes = [_on_page(opened, each.box, width, height) for each in drawn if not each.is_bitmap]
        is_turned = bool(opened.get_rotation()) or page.mirrored
    except pypdfium2.PdfiumError:  # a page that cannot be parsed
        return
    area = width * height
    pictures = [
        box
        for box in _joined(bitmaps)
        if min(_size(box)) >= _MIN_SIDE and _MIN_AREA * area <= math.prod(_size(box)) <= _BACKGROUND * area
    ]
    yield from pictures
    if not is_turned:
        yield from (box for box in drawings(page, strokes) if not any(_touch(box, other) for other in pictures))


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A bitmap or a path; left, bottom, right, top in the page's coordinates."""

    is_bitmap: bool
    box: Box


def _objects(page: Any, parent: Any, matrix: _Matrix, depth: int, left: list[int]) -> Iterator[_Drawn]:
    """What is drawn on a page but for its text; `left`: how many objects may be looked at."""
    is_page = parent is page
    count = (pdfium.FPDFPage_CountObjects if is_page else pdfium.FPDFFormObj_CountObjects)(parent)
    get = pdfium.FPDFPage_GetObject if is_page else pdfium.FPDFFormObj_GetObject
    for index in range(count):
        left[0] -= 1
        if left[0] < 0:
            return
        found = get(parent, index)
        kind = pdfium.FPDFPageObj_GetType(found) if found else None
        if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
            yield from _objects(page, found, _times(_matrix(found), matrix), depth + 1, left)
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            # A bitmap fills the unit square, which its matrix puts on the page.
            yield _Drawn(True, _placed((0.0, 0.0, 1.0, 1.0), _times(_matrix(found), matrix)))
        elif kind == pdfium.FPDF_PAGEOBJ_PATH and (box := _bounds(found)) is not None:
            yield _Drawn(False, _placed(box, matrix))


def _bounds(found: Any) -> Box | None:
    left, bottom, right, top = (pdfium.c_float() for _ in range(4))
    if not pdfium.FPDFPageObj_GetBounds(found, left, bottom, right, top):
        return None
    return left.value, bottom.value, right.value, top.value


def _placed(box: Box, matrix: _Matrix) -> Box:
    points = [_moved(matrix, across, up) for across in (box[0], box[2]) for up in (box[1], box[3])]
    across, up = [x for x, _ in points], [y for _, y in points]
    return min(across), min(up), max(across), max(up)


def _matrix(found: Any) -> _Matrix:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(found, matrix)
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _times(one: _Matrix, other: _Matrix) -> _Matrix:
    a, b, c, d, e, f = one
    k, l, m, n, o, p = other  # noqa: E741  # the names of the standard's next letters
    return a * k + b * m, a * l + b * n, c * k + d * m, c * l + d * n, e * k + f * m + o, e * l + f * n + p


def _moved(matrix: _Matrix, across: float, up: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * across + c * up + e, b * across + d * up + f


def _on_page(page: Any, box: Box, width: float, height: float) -> Box:
    """A box as the page is seen, turned and cropped, from its top left corner; cut to the page."""
    fine = 10  # PDFium answers in whole pixels
    left, bottom, right, top = box
    points = [_seen(page, x, y, round(width * fine), round(height * fine)) for x, y in ((left, bottom), (right, top))]
    across = sorted(min(max(x / fine, 0.0), width) for x, _ in points)
    down = sorted(min(max(y / fine, 0.0), height) for _, y in points)
    return across[0], down[0], across[1], down[1]


def _seen(page: Any, across: float, up: float, width: int, height: int) -> tuple[int, int]:
    x, y = pdfium.c_int(), pdfium.c_int()
    pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, across, up, x, y)
    return x.value, y.value


def _joined(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that touch or overlap are parts of one picture."""
    found: list[Box] = []
    for box in sorted(boxes):
        touching = [each for each in found if _touch(each, box)]
        while touching:
            found = [each for each in found if each not in touching]
            box = _around([box, *touching])
            touching = [each for each in found if _touch(each, box)]
        found.append(box)
    return sorted(found, key=lambda box: (box[1], box[0]))


def _touch(one: Box, other: Box) -> bool:
    return (
        one[0] - _TOUCHING <= other[2]
        and other[0] - _TOUCHING <= one[2]
        and one[1] - _TOUCHING <= other[3]
        and other[1] - _TOUCHING <= one[3]
    )


def _size(box: Box) -> tuple[float, float]:
    return box[2] - box[0], box[3] - box[1]


def _around(boxes: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _drawn(document: pypdfium2.PdfDocument, number: int, box: Box) -> Image.Image:
    page = document[number - 1]
    try:
        width, height = page.get_width(), page.get_height()
        left, top, right, bottom = box
        scale = min(_SCALE, MAX_SIDE / max(right - left, bottom - top))
        crop: Any = (left, height - bottom, width - right, top)
        return page.render(scale=scale, crop=crop).to_pil()  # pyright: ignore[reportArgumentType]  # any number
    finally:
        page.close()
