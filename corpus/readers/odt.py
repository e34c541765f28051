"""OpenDocument text, through docling."""

from __future__ import annotations

from ..items import Reading, Source
from .archive import open_archive, properties
from .docling import items_of, parse


def read(source: Source) -> Reading:
    with open_archive(source.data) as archive:
        about = properties(archive)
    items = items_of(parse(source.data, source.name, "odt"))
    return Reading(items, title=about.pop("title", None), metadata=about, language=about.get("language"))
