"""What belongs to a picture: the caption above or below it, and the text that speaks of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .items import Item, is_header

_LABEL = re.compile(
    r"(fig(?:ure|\.)?|abb(?:ildung|\.)|bild|image|photo(?:graph)?|diagram|chart|plate|scheme|map|figura|immagine|imagen"
    r"|afbeelding|obr(?:\.|ázek)|rys(?:\.|unek)|рис(?:\.|унок)|图|圖|図|그림)\s*(\d[\d.\-–]*[a-z]?|[IVX]+\b)",
    re.IGNORECASE,
)
_PART = re.compile(r"\(?[a-zA-Z0-9]\)|[a-z][.:]?")
_MAX_CAPTION = 1500  # characters; a paragraph that happens to begin with "Figure 3 shows" may be longer
_SHOWS = re.compile(
    r"\s+(?:shows?|illustrates?|depicts?|presents?|gives?|zeigt|montre|muestra|mostra)\b", re.IGNORECASE
)


def captioned(items: Sequence[Item]) -> list[Item]:
    """The items, pictures with the caption beside them; a text that stands there as one is labelled so."""
    found = list(items)
    for position, item in enumerate(found):
        if item.label != "picture" or item.look is None:
            continue
        at = beside(found, position)
        if at is not None:
            said = dict.fromkeys(filter(None, (found[at].text, item.caption)))
            found[position] = replace(item, caption="\n".join(said))
            found[at] = replace(found[at], label="caption")
    return found


def label_of(text: str) -> str | None:
    """What the text calls the picture in its first words: `figure 3`; None if it names none."""
    match = _LABEL.match(text.lstrip("*_ "))
    return " ".join(match[0].rstrip(".-–").lower().split()) if match else None


def is_part_label(text: str) -> bool:
    """Whether a text is no more than what tells the parts of a picture apart: `(b)`."""
    return _PART.fullmatch(text.strip()) is not None


def mentions(text: str, label: str) -> bool:
    """Whether a text speaks of the picture with this label."""
    match = _LABEL.match(label)
    if match is None:
        return False
    number = re.escape(match[2].rstrip(".-–"))
    name = re.escape(match[1].rstrip(".")[:3])
    return re.search(rf"\b{name}\w*\.?\s*{number}(?![\d.]*\d)", text, re.IGNORECASE) is not None


def beside(items: Sequence[Item], position: int) -> int | None:
    """Where the caption of a picture stands: below it and the pictures that share it, else right above."""
    after = position + 1
    while after < len(items) and (items[after].label == "picture" or is_part_label(items[after].text)):
        after += 1
    if after < len(items) and _is_caption(items[after]):
        return after
    before = position - 1
    if before >= 0 and _is_caption(items[before]) and not _is_taken(items, before):
        return before
    return None


def _is_taken(items: Sequence[Item], position: int) -> bool:
    """Whether a caption belongs to the picture or table above it."""
    above = items[position - 1] if position else None
    return above is not None and (above.label == "picture" or above.table is not None)


def _is_caption(item: Item) -> bool:
    if item.label == "caption":
        return True
    if item.label != "text" or is_header(item) or len(item.text) > _MAX_CAPTION:
        return False
    match = _LABEL.match(item.text.lstrip("*_ "))
    return match is not None and not _SHOWS.match(item.text.lstrip("*_ ")[match.end() :])
