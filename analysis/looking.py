"""Pictures on their way to a model that sees: those of search hits, and those that a question comes with."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..corpus.documents import Picture
from ..corpus.errors import ConversionFailed
from .errors import ImageUnusable

if TYPE_CHECKING:
    from ..corpus import Snapshot
    from ..corpus.documents import SearchResult

MOST = 4  # pictures that come with one reply
MOST_BYTES = 6 << 20  # of them together: each is sent again with every further request of a conversation


def pictures_of(snapshot: Snapshot, results: Sequence[SearchResult]) -> dict[str, Picture]:
    """The pictures of the first hits that have any, one each, by the chunk's id; what a scope hides is not in it."""
    found: dict[str, Picture] = {}
    room = MOST_BYTES
    for result in results:
        refs = result.picture_refs if len(found) < MOST else ()
        picture = next(filter(None, (snapshot.picture(result.document.id, ref) for ref in refs)), None)
        if picture is not None and len(picture.data) <= room:
            found[result.chunk.id] = picture
            room -= len(picture.data)
    return found


async def image(path: str | Path) -> Picture:
    """A picture for a question, in a form that models take. ImageUnusable.

    It is decoded where documents are converted, in a jail: it may come from anybody.
    """
    from ..corpus.convert import Converter

    file = Path(path)
    if not await asyncio.to_thread(file.is_file):
        raise ImageUnusable(f"{file} is no file: name a picture")
    async with Converter(read_scans=False) as converter:
        try:
            converted = await converter.convert(file, document_id="question")
        except ConversionFailed as error:
            raise ImageUnusable(f"{file} is no picture that can be shown: {error}") from error
    if not converted.mime_type.startswith("image/") or not converted.pictures:
        raise ImageUnusable(f"{file} is no picture that can be shown: a PNG, JPEG, WebP, GIF, TIFF or BMP is wanted")
    return converted.pictures[0]
