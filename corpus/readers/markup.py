"""AsciiDoc and LaTeX, through docling."""

from __future__ import annotations

from dataclasses import replace

from ..encodings import decode
from ..items import Reading, Source
from .docling import items_of, parse


def read(source: Source) -> Reading:
    text = decode(source.data)  # docling's backends take UTF-8 only
    items = items_of(parse(text.encode(), source.name, source.format))
    if source.format == "asciidoc":  # "==" is a second level: "=" is the document's title
        items = [replace(item, level=item.level + 1) if item.level else item for item in items]
    return Reading(items)
