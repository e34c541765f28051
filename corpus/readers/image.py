"""Pictures as documents: scans and photographs of pages, read by tesseract where it is installed."""

from __future__ import annotations

import io
from collections.abc import Iterator

from PIL import Image, ImageSequence, UnidentifiedImageError

from ..items import Reading, Source, Unreadable
from .pdf import items_of
from .pdflines import Page
from .scans import lines_of

_MAX_PIXELS = 120_000_000  # A3 at 600 dpi is 70 million
_MAX_PAGES = 500
_POINTS = 842.0  # the height that a page of any number of pixels is given


def read(source: Source) -> Reading:
    pictures = list(_pages(source.data))
    numbers = range(1, len(pictures) + 1)
    if not source.ocr:
        return Reading([], page_count=len(pictures), scans=numbers)
    pages = [_page(source.ocr, picture, number) for number, picture in zip(numbers, pictures, strict=True)]
    return Reading(list(items_of(pages)), page_count=len(pages))


def _page(tesseract: str, picture: Image.Image, number: int) -> Page:
    width = _POINTS * picture.width / picture.height
    return Page(number, width, _POINTS, lines_of(tesseract, picture, number, _POINTS), shapes=0)


def _pages(data: bytes) -> Iterator[Image.Image]:
    try:
        with Image.open(io.BytesIO(data)) as image:
            for number, frame in enumerate(ImageSequence.Iterator(image)):
                if frame.width * frame.height > _MAX_PIXELS:
                    raise Unreadable(f"a picture of more than {_MAX_PIXELS // 1_000_000} million pixels")
                if number == _MAX_PAGES or (number and image.format not in ("TIFF",)):
                    return  # the frames of an animation are one picture
                yield frame.convert("RGB")
    except Image.DecompressionBombError as error:
        raise Unreadable(f"a picture of more than {_MAX_PIXELS // 1_000_000} million pixels") from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise Unreadable("a broken picture") from error
