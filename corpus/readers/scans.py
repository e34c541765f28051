"""The lines of a page that is a picture, in the form in which the lines of a PDF come."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from PIL import Image, ImageOps

from .. import ocr
from .pdflines import Line, clean, parts_of


def lines_of(tesseract: str, picture: Image.Image, page: int, height: float) -> list[Line]:
    """What is written on a picture of a page that is `height` points high."""
    seen = _on_paper(picture)
    scale = height / seen.height
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        seen.save(file, "png", dpi=(72 / scale, 72 / scale))
        file.flush()
        found = ocr.seen(tesseract, Path(file.name))
    return [line for each in found if (line := _line(each, page, scale)).text]


def _on_paper(picture: Image.Image) -> Image.Image:
    """The picture upright, as the camera says it was held, in shades of grey and on white where it is transparent."""
    upright = ImageOps.exif_transpose(picture)
    if upright.has_transparency_data:
        paper = Image.new("RGBA", upright.size, "white")
        paper.alpha_composite(upright.convert("RGBA"))
        upright = paper
    return upright.convert("L")


def _line(seen: ocr.Seen, page: int, scale: float) -> Line:
    left, top, right, bottom = (edge * scale for edge in (seen.left, seen.top, seen.right, seen.bottom))
    line = Line(page, left, top, right, bottom, seen.size * scale, False, clean(seen.text))
    words = ((start * scale, end * scale, word) for start, end, word in seen.words)
    return replace(line, parts=parts_of(line, words))
