"""LaTeX, through docling."""

from __future__ import annotations

from ..encodings import decode
from ..items import Reading, Source
from .docling import items_of, parse


def read(source: Source) -> Reading:
    text = decode(source.data)  # docling's backend takes UTF-8 only
    return Reading(items_of(parse(text.encode(), source.name, source.format)))
