"""Figures that are drawn with lines, as charts and diagrams are: told by their captions.

A page is full of lines: rules, frames, tables. Those right above a caption that says "Figure 3" are a figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..captions import label_of
from ..items import Box
from .pdflines import Line, Page

_NEAR = 45.0  # points between a caption and the lowest line of its figure: names of axes stand there
_GAP = 25.0  # points between parts of a figure
_MIN_STROKES = 6
_MIN_WIDTH, _MIN_HEIGHT = 70.0, 45.0  # points
_RULE = 0.5  # part of the page's width from which on a flat line is a rule
_FLAT = 3.0  # points
_LARGE = 0.6  # part of the page that a frame or a background covers
_LABEL_CHARS = 40  # of a text inside a figure
_MARGIN = 2.0  # points around a figure


def drawings(page: Page, strokes: Sequence[Box]) -> Iterator[Box]:
    """The figures of a page, from the boxes of the lines and areas that are drawn on it."""
    inner = [box for box in strokes if not _is_rule(box, page)]
    if len(inner) < _MIN_STROKES:
        return
    upwards = sorted(inner, key=lambda box: -box[3])
    for caption in page.lines:
        if label_of(caption.text) and (figure := _above(caption, upwards)):
            yield figure.with_labels(page.lines, caption).box


@dataclass(slots=True)
class _Figure:
    """A figure that grows upwards from its caption."""

    left: float
    top: float
    right: float
    bottom: float
    strokes: int = 0

    @property
    def box(self) -> Box:
        return self.left - _MARGIN, max(0.0, self.top - _MARGIN), self.right + _MARGIN, self.bottom + _MARGIN

    def take(self, box: Box) -> None:
        self.left, self.top = min(self.left, box[0]), min(self.top, box[1])
        self.right, self.bottom = max(self.right, box[2]), max(self.bottom, box[3])

    def with_labels(self, lines: Sequence[Line], caption: Line) -> _Figure:
        """The figure with the short texts in it and at its edges."""
        for line in lines:
            is_beside = line.left < self.right + _GAP and line.right > self.left - _GAP
            is_within = self.top - _GAP / 2 < line.middle < self.bottom + _NEAR and line.bottom <= caption.top
            if is_beside and is_within and len(line.text) < _LABEL_CHARS:
                self.take((line.left, line.top, line.right, line.bottom))
        return self


def _above(caption: Line, upwards: Sequence[Box]) -> _Figure | None:
    """The lines above a caption that hang together, if they are enough for a figure."""
    figure: _Figure | None = None
    left, right = caption.left, caption.right
    for box in upwards:
        if box[3] > caption.top + _FLAT or box[2] < left or box[0] > right:
            continue
        if figure is None:
            if caption.top - box[3] > _NEAR:
                return None
            figure = _Figure(*box)
        elif figure.top - box[3] > _GAP:
            break
        figure.take(box)
        figure.strokes += 1
        left, right = min(left, figure.left), max(right, figure.right)
    if figure is None or figure.strokes < _MIN_STROKES:
        return None
    is_large = figure.right - figure.left >= _MIN_WIDTH and figure.bottom - figure.top >= _MIN_HEIGHT
    return figure if is_large else None


def _is_rule(box: Box, page: Page) -> bool:
    width, height = box[2] - box[0], box[3] - box[1]
    return (height < _FLAT and width > _RULE * page.width) or width * height > _LARGE * page.width * page.height
