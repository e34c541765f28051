"""Pictures as they are kept: in a format and size that models take, equal ones once, within a budget for each document.

Runs in the jailed child: what is decoded here was made by somebody else.
"""

from __future__ import annotations

import base64
import hashlib
import io
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import unquote_to_bytes

from PIL import Image, ImageOps

from .documents import Picture
from .items import Item, Look, Unreadable

MAX_PICTURES = 200  # of one document
MAX_BYTES = 64 << 20  # of all pictures of one document
BUDGET_S = 30.0  # of processor time that the pictures of one document may take
MAX_SIDE = 2048  # pixels; larger ones are made smaller: models would do the same
_MAX_FILE = 3 << 20  # bytes of one picture; providers take 5 MB in base64
_MAX_PIXELS = 64_000_000  # of one that is decoded: 256 MB of memory
_MIN_SIDE = 24  # pixels; what is smaller is a bullet, a rule or a spacer
_PNG_BYTES = 256 << 10  # above, JPEG is tried: photographs
_QUALITY = 85
_KEPT = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "GIF": "image/gif"}
_MODES = ("1", "L", "P", "RGB", "RGBA", "LA")  # that PNG has and every model reads
_BROKEN = (
    *(Unreadable, OSError, SyntaxError, ValueError, EOFError, TypeError, AttributeError, ArithmeticError, LookupError),
    *(RuntimeError, MemoryError, Image.DecompressionBombError),
)  # what Pillow, PDFium and zipfile raise at what is broken


@dataclass(slots=True)
class Album:
    """The pictures that are kept of one document."""

    pictures: list[Picture] = field(default_factory=list)
    left_out: int = 0  # that were there and found no room
    _seen: dict[str, str] = field(default_factory=dict)  # by digest: what was said of the picture
    _bytes: int = 0
    _since: float = field(default_factory=time.process_time)

    def fill(self, items: Sequence[Item], refs: Sequence[str]) -> Iterator[Item]:
        """The items, those of pictures with what is kept of them; a mere repetition, such as a logo, shows nothing."""
        for item, ref in zip(items, refs, strict=True):
            picture = self._kept(item, ref) if item.look is not None else None
            yield replace(item, picture=picture, look=None)

    def _kept(self, item: Item, ref: str) -> Picture | None:
        assert item.look is not None
        if self._is_full():
            self.left_out += 1
            return None
        picture = picture_of(item.look, ref)
        if picture is None:
            return None
        digest, said = hashlib.sha256(picture.data).hexdigest(), f"{item.caption}\n{item.text}".strip()
        if digest in self._seen and said in ("", self._seen[digest]):
            return None
        self._seen[digest] = said
        self._bytes += len(picture.data)
        self.pictures.append(picture)
        return picture

    def _is_full(self) -> bool:
        spent = time.process_time() - self._since
        return len(self.pictures) >= MAX_PICTURES or self._bytes + _MAX_FILE > MAX_BYTES or spent > BUDGET_S


def picture_of(look: Look, ref: str) -> Picture | None:
    """A picture in a form that models take; None for one that is broken, of an unknown format, tiny or a bomb."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow's, of odd files
            found = look()
            return _of_file(found, ref) if isinstance(found, bytes) else _saved(found, ref)
    except _BROKEN:
        return None


def _of_file(data: bytes, ref: str) -> Picture | None:
    with Image.open(io.BytesIO(data)) as image:
        if image.width * image.height > _MAX_PIXELS or min(image.size) < _MIN_SIDE:
            return None
        image.load()  # a truncated file is broken
        media_type = _KEPT.get(image.format or "")
        if media_type and len(data) <= _MAX_FILE and max(image.size) <= MAX_SIDE and _is_plain(image):
            return Picture(ref, media_type, image.width, image.height, data)
        return _saved(image, ref)


def data_of(uri: str) -> Look | None:
    """The picture that a data: URI holds; None for any other address: nothing is fetched."""
    head, comma, body = uri.partition(",")
    if not comma or head[:11].lower() != "data:image/":
        return None
    return lambda: base64.b64decode(unquote_to_bytes(body)) if ";base64" in head.lower() else unquote_to_bytes(body)


def _is_plain(image: Image.Image) -> bool:
    """Whether the file shows what everybody sees: one frame, upright, in common colours."""
    frames = getattr(image, "n_frames", 1)
    upright = image.getexif().get(0x0112, 1) == 1
    return frames == 1 and upright and image.mode in _MODES


def _saved(image: Image.Image, ref: str) -> Picture | None:
    """Drawn anew: upright, no larger than models look at, as PNG, or as JPEG where that is much smaller."""
    if image.width * image.height > _MAX_PIXELS or min(image.size) < _MIN_SIDE:
        return None
    image = ImageOps.exif_transpose(image)
    if image.mode not in _MODES:
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    if max(image.size) > MAX_SIDE:
        image = image.convert("RGBA" if image.has_transparency_data else "RGB" if image.mode != "L" else "L")
        image.thumbnail((MAX_SIDE, MAX_SIDE))
    data, media_type = _written(image, "PNG"), "image/png"
    if len(data) > _PNG_BYTES and not image.has_transparency_data:
        smaller = _written(image.convert("RGB"), "JPEG", quality=_QUALITY)
        if len(smaller) < len(data) / 2:
            data, media_type = smaller, "image/jpeg"
    if len(data) > _MAX_FILE:
        data, media_type = _written(_on_white(image), "JPEG", quality=_QUALITY), "image/jpeg"
    return Picture(ref, media_type, image.width, image.height, data) if len(data) <= _MAX_FILE else None


def _on_white(image: Image.Image) -> Image.Image:
    paper = Image.new("RGBA", image.size, "white")
    paper.alpha_composite(image.convert("RGBA"))
    return paper.convert("RGB")


def _written(image: Image.Image, format: str, **options: int) -> bytes:
    out = io.BytesIO()
    image.save(out, format, **options)
    return out.getvalue()
