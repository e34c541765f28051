"""Styles and numbering of Word documents: what a paragraph is, and the number that Word would show before it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING = re.compile(r"heading (\d)\Z", re.IGNORECASE)
_LIST = re.compile(r"list (?:bullet|number|paragraph)(?: (\d))?\Z", re.IGNORECASE)
_PLACE = re.compile(r"%(\d)")
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_MAX_CHAIN = 20  # styles based on styles; a chain may be a circle
_BODY_TEXT = 9  # the outline level that is none


def attribute(node: Any | None, name: str = "val") -> str | None:
    return None if node is None else node.get(f"{W}{name}")


def _number(node: Any | None, name: str = "val") -> int | None:
    value = attribute(node, name)
    return int(value) if value and re.fullmatch(r"-?\d{1,9}", value) else None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a paragraph stands in a numbering: the list and its level, from 0."""

    list_id: str
    depth: int


@dataclass(frozen=True, slots=True)
class Style:
    level: int = 0  # H-level of a heading
    title: bool = False
    caption: bool = False
    listed: int | None = None  # depth in a list that has no numbering
    numbered: Place | None = None


class Styles:
    def __init__(self, part: Any | None) -> None:
        nodes = [] if part is None else part.findall(f"{W}style")
        self._nodes = {node.get(f"{W}styleId"): node for node in nodes}
        default = [
            node for node in nodes if node.get(f"{W}type") == "paragraph" and node.get(f"{W}default") in ("1", "true")
        ]
        self._default = default[0].get(f"{W}styleId") if default else None

    def of(self, paragraph: Any) -> Style:
        """What a paragraph is, by its own properties, then by its style and those that the style is based on."""
        own = paragraph.find(f"{W}pPr")
        chain = self._chain(attribute(None if own is None else own.find(f"{W}pStyle")) or self._default)
        names = [attribute(node.find(f"{W}name")) or "" for node in chain]
        sources = [own, *(node.find(f"{W}pPr") for node in chain)]
        levels = [_number(source.find(f"{W}outlineLvl")) for source in sources if source is not None]
        outline = next((level for level in levels if level is not None), None)
        named = next((int(match[1]) for name in names if (match := _HEADING.match(name))), 0)
        listed = next((int(match[1] or 1) - 1 for name in names[:1] if (match := _LIST.match(name))), None)
        return Style(
            level=named if outline is None else 0 if outline >= _BODY_TEXT else outline + 1,
            title="title" in [name.lower() for name in names],
            caption="caption" in [name.lower() for name in names],
            listed=listed if names and "paragraph" not in names[0].lower() else None,
            numbered=self._place(sources),
        )

    def _chain(self, style: str | None) -> list[Any]:
        chain: list[Any] = []
        while style in self._nodes and len(chain) < _MAX_CHAIN:
            chain.append(self._nodes[style])
            style = attribute(chain[-1].find(f"{W}basedOn"))
        return chain

    def _place(self, sources: list[Any]) -> Place | None:
        list_id, depth = None, None
        for source in sources:
            numbering = None if source is None else source.find(f"{W}numPr")
            if numbering is not None:
                list_id = list_id or attribute(numbering.find(f"{W}numId"))
                depth = _number(numbering.find(f"{W}ilvl")) if depth is None else depth
        return Place(list_id, depth or 0) if list_id and list_id != "0" else None


@dataclass(frozen=True, slots=True)
class Number:
    text: str  # "3.1", "(a)"; empty for a bullet
    depth: int


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 1
    format: str = "decimal"
    text: str = "%1."
    restart: bool = True


class Numbering:
    """Counters that run as Word's do, in the order of the document."""

    def __init__(self, part: Any | None) -> None:
        self._abstract: dict[str, dict[int, _Level]] = {}
        self._lists: dict[str, tuple[str, dict[int, int]]] = {}  # list -> its abstract one, starts of its own
        self._counters: dict[str, dict[int, int]] = {}
        self._started: set[str] = set()
        for node in () if part is None else part:
            if node.tag == f"{W}abstractNum":
                key = node.get(f"{W}abstractNumId")
                self._abstract[key] = {_number(level, "ilvl") or 0: _level(level) for level in node.findall(f"{W}lvl")}
            elif node.tag == f"{W}num":
                self._lists[node.get(f"{W}numId")] = (
                    attribute(node.find(f"{W}abstractNumId")) or "",
                    _overrides(node),
                )

    def next(self, place: Place) -> Number | None:
        """The number of the next paragraph at a place; None when the list is not defined."""
        if place.list_id not in self._lists:
            return None
        abstract, starts = self._lists[place.list_id]
        levels = self._abstract.get(abstract, {})
        counters = self._counters.setdefault(abstract, {})
        if starts and place.list_id not in self._started:
            for depth in starts:
                counters.pop(depth, None)
        self._started.add(place.list_id)

        def start(depth: int) -> int:
            return starts.get(depth, levels.get(depth, _Level()).start)

        counters[place.depth] = counters[place.depth] + 1 if place.depth in counters else start(place.depth)
        for depth in range(place.depth):
            counters.setdefault(depth, start(depth))
        for depth in [depth for depth in counters if depth > place.depth and levels.get(depth, _Level()).restart]:
            del counters[depth]
        return Number(_shown(levels, counters, place.depth), place.depth)


def _level(node: Any) -> _Level:
    start = _number(node.find(f"{W}start"))
    return _Level(
        1 if start is None else start,
        attribute(node.find(f"{W}numFmt")) or "decimal",
        attribute(node.find(f"{W}lvlText")) or "",
        _number(node.find(f"{W}lvlRestart")) != 0,
    )


def _overrides(node: Any) -> dict[int, int]:
    starts = {
        _number(override, "ilvl") or 0: _number(override.find(f"{W}startOverride"))
        for override in node.findall(f"{W}lvlOverride")
    }
    return {depth: start for depth, start in starts.items() if start is not None}


def _shown(levels: dict[int, _Level], counters: dict[int, int], depth: int) -> str:
    level = levels.get(depth, _Level())
    if level.format in ("bullet", "none"):
        return ""

    def value(match: re.Match[str]) -> str:
        number = int(match[1]) - 1
        return ordinal(counters.get(number, 1), levels.get(number, _Level()).format)

    return _PLACE.sub(value, level.text).strip()


def ordinal(number: int, format: str) -> str:
    """A number as Word and others write it: decimal, upperRoman, lowerLetter …"""
    match format:
        case "upperLetter" | "lowerLetter" if number > 0:
            letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
            return letters.upper() if format == "upperLetter" else letters
        case "upperRoman" | "lowerRoman" if 0 < number < 4000:
            roman = ""
            for value, letters in _ROMAN:
                roman += letters * (number // value)
                number %= value
            return roman.upper() if format == "upperRoman" else roman
        case "decimalZero":
            return f"{number:02}"
    return str(number)
