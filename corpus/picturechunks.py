"""Pictures to contents of chunks: what is said of a picture, then the text around it that speaks of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from . import tokens
from .captions import is_part_label, label_of, mentions
from .items import Item, is_header

_AROUND_TOKENS = 90  # word pieces of the text before a picture, and of that after it
_LABEL_TOKENS = 6  # of what may be a label inside a picture on a page, such as the name of an axis
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_TEXTS = ("text", "list_item")


def picture_content(items: Sequence[Item], position: int, budget: int) -> str:
    """At most `budget` word pieces on the picture at `position`; empty when nothing is said of it anywhere."""
    item = items[position]
    own = "" if item.text.startswith("![") else item.text  # Markdown's reference, whose words are the caption
    parts = list(dict.fromkeys(filter(None, (item.caption.strip(), own.strip()))))
    parts += [text for text in _around(items, position) if text not in parts]
    kept: list[str] = []
    for part in parts:
        left = budget - sum(map(tokens.count, kept))
        if text := _first(part, left if len(kept) < 1 else min(left, _AROUND_TOKENS)):
            kept.append(text)
    return "\n\n".join(kept)


def _around(items: Sequence[Item], position: int) -> Iterator[str]:
    """The text that names the picture, wherever it stands; else what stands before and after it in its section."""
    item = items[position]
    if label := label_of(item.caption or item.text):
        named = [each.text for each in items if each.label in _TEXTS and mentions(each.text, label)]
        if named:
            yield _sentences(named[0], label)
            return
    least = _LABEL_TOKENS if item.box else 0
    if text := _neighbour(items, range(position - 1, -1, -1), item.caption, least):
        yield _last(text, _AROUND_TOKENS)
    if text := _neighbour(items, range(position + 1, len(items)), item.caption, least):
        yield text


def _neighbour(items: Sequence[Item], positions: Sequence[int], caption: str, least: int) -> str:
    """The next text that says more than the caption does (a page shows alternative texts as well), in more than `least`
    word pieces."""
    for position in positions:
        if is_header(items[position]):
            return ""
        text = items[position].text.strip()
        if items[position].label in _TEXTS and not (
            text in caption or is_part_label(text) or tokens.count(text) <= least
        ):
            return text
    return ""


def _sentences(text: str, label: str) -> str:
    """The text from the sentence on that names the picture."""
    parts = _SENTENCE.split(text.strip())
    first = next((number for number, part in enumerate(parts) if mentions(part, label)), 0)
    return " ".join(parts[first:])


def _first(text: str, budget: int) -> str:
    """The first sentences of a text that fit, or as many words of the first."""
    return _fitting(_SENTENCE.split(text), budget, text)


def _last(text: str, budget: int) -> str:
    """The last sentences of a text that fit, or the first that do."""
    kept: list[str] = []
    for part in reversed(_SENTENCE.split(text)):
        if tokens.count(" ".join([part, *kept])) > budget:
            break
        kept.insert(0, part)
    return " ".join(kept) or _first(text, budget)


def _fitting(parts: Sequence[str], budget: int, whole: str) -> str:
    if tokens.count(whole) <= budget:
        return whole
    kept: list[str] = []
    for part in parts:
        if tokens.count(" ".join([*kept, part])) > budget:
            break
        kept.append(part)
    return " ".join(kept) or _words(parts[0] if parts else "", budget)


def _words(text: str, budget: int) -> str:
    kept: list[str] = []
    used = 0
    for word in text.split():
        used += tokens.count(word)
        if used > budget:
            break
        kept.append(word)
    return " ".join(kept)
