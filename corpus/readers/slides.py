"""Presentations (pptx, odp): a section per slide, its number as page number, speaker notes and comments kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..items import Item, Reading, Source, heading
from .archive import open_archive, properties
from .docling import Tree, parse

_COMMENTS = re.compile(r"comment-slide(\d+)-")


def read(source: Source) -> Reading:
    with open_archive(source.data) as archive:
        names = archive.namelist()
        format = "odp" if "content.xml" in names else "pptx"
        about = properties(archive)
    if format == "pptx" and not any(name.startswith("ppt/slides/slide") for name in names):
        return Reading([], title=about.pop("title", None), metadata=about)  # docling takes it for broken
    document = parse(source.data, source.name, format)
    slides = [node for node in Tree(document).nodes() if node.name.startswith("slide-")]
    comments = _comments(document)
    items = [item for number, slide in enumerate(slides, 1) for item in _slide(document, slide, number, comments)]
    first = next((item.text for item in items if item.label == "section_header"), None)
    title = about.pop("title", None)
    return Reading(items, title=title or first, metadata=about, page_count=len(slides) or None)


def _slide(document: Any, slide: Any, number: int, comments: dict[int, list[Item]]) -> Iterator[Item]:
    """The slide's title first, whatever its place: it heads all the rest. One without a title is named by number."""
    items = [*Tree(document).below(slide), *comments.get(number, ())]
    title = next((item for item in items if item.label in ("title", "section_header")), None)
    rest = [item for item in items if item is not title]
    if title is None and not any(item.text or item.table for item in rest):
        return
    yield heading(title.text if title else f"Slide {number}", 1, (number,))
    for item in rest:
        label = "text" if item.label in ("title", "section_header") else item.label
        yield replace(item, label=label, level=0, pages=(number,))


def _comments(document: Any) -> dict[int, list[Item]]:
    """Comments by slide; docling hangs them beside the slides."""
    found: dict[int, list[Item]] = {}
    for node in Tree(document).nodes():
        if match := _COMMENTS.match(node.name):
            found.setdefault(int(match[1]), []).extend(Tree(document).group(node, -1))
    return found
