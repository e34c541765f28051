"""Pictures as documents: scans and photographs of pages, read by tesseract where it is installed."""

from __future__ import annotations

import io

from PIL import Image, UnidentifiedImageError

from .. import ocr
from ..items import Item, Reading, Source, Unreadable
from .pdf import items_of
from .pdflines import Page
from .scans import lines_of

_MAX_PIXELS = 120_000_000  # A3 at 600 dpi is 70 million
_TOO_LARGE = f"a picture of more than {_MAX_PIXELS // 1_000_000} million pixels"
_POINTS = 842.0  # the height that a page of any number of pixels is given


def read(source: Source) -> Reading:
    try:
        with Image.open(io.BytesIO(source.data)) as image:
            # The frames of an animation are one picture; a TIFF has pages.
            count = getattr(image, "n_frames", 1) if image.format == "TIFF" else 1
            shown = Item("picture", pages=(1,), look=lambda: source.data)
            if not source.ocr:
                return Reading([shown], page_count=count, scans=range(1, count + 1))
            read = min(count, ocr.MAX_PAGES)
            pages = [_page(source.ocr, _frame(image, number), number) for number in range(1, read + 1)]
            return Reading([shown, *items_of(pages)], page_count=count, scans=range(read + 1, count + 1))
    except Image.DecompressionBombError as error:
        raise Unreadable(_TOO_LARGE) from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError) as error:
        raise Unreadable("a broken picture") from error


def _frame(image: Image.Image, number: int) -> Image.Image:
    image.seek(number - 1)
    if image.width * image.height > _MAX_PIXELS:
        raise Unreadable(_TOO_LARGE)
    return image


def _page(tesseract: str, picture: Image.Image, number: int) -> Page:
    width = _POINTS * picture.width / picture.height
    return Page(number, width, _POINTS, lines_of(tesseract, picture, number, _POINTS), shapes=0)
