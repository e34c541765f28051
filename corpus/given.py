"""Chunks that come with a document, cut and described by whoever prepared it: their texts and keys are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .chunks import Piece, cut
from .items import GivenChunk, Item, is_header

RESERVED = ("doc_item_refs", "headings", "labels", "page_numbers")  # keys that every chunk has of its own


def pieces(items: Sequence[Item], given: Sequence[GivenChunk], name: str = "") -> list[Piece]:
    """The given chunks as they are, and ours for items with text that none of them holds, in the document's order."""
    positions = _positions(items)
    paths = list(_paths(items))
    made = [_piece(chunk, positions, paths) for chunk in given]
    held = {position for piece in made for position in piece.positions}
    rest = [number for number, item in enumerate(items) if number not in held and not is_header(item)]
    ours = [_moved(piece, rest, paths) for piece in cut([items[number] for number in rest], name)]
    return _ordered([*made, *ours])


def _piece(chunk: GivenChunk, positions: Mapping[str, list[int]], paths: Sequence[tuple[str, ...]]) -> Piece:
    found = tuple(dict.fromkeys(position for ref in chunk.refs for position in positions[ref]))
    headings = chunk.headings if chunk.headings is not None else paths[found[0]] if found else ()
    return Piece(chunk.content, tuple(headings), found, metadata=chunk.metadata)


def _moved(piece: Piece, rest: Sequence[int], paths: Sequence[tuple[str, ...]]) -> Piece:
    """A piece of a part of the items, as one of all of them."""
    found = tuple(rest[position] for position in piece.positions)
    return Piece(piece.content, paths[found[0]], found)


def _ordered(found: Sequence[Piece]) -> list[Piece]:
    """By first item; a given chunk without items stays behind the one that came before it."""
    places: list[tuple[int, int, Piece]] = []
    last = 0
    for number, piece in enumerate(found):
        last = min(piece.positions, default=last)
        places.append((last, number, piece))
    return [piece for _, _, piece in sorted(places, key=lambda place: place[:2])]


def _positions(items: Sequence[Item]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for position, item in enumerate(items):
        if item.ref:
            found.setdefault(item.ref, []).append(position)
    return found


def _paths(items: Sequence[Item]) -> Iterator[tuple[str, ...]]:
    """The headings above each item."""
    path: list[tuple[int, str]] = []
    for item in items:
        if is_header(item):
            while path and path[-1][0] >= item.level:
                path.pop()
        yield tuple(text for _, text in path)
        if is_header(item):
            path.append((item.level, item.text))


def metadata(keys: Mapping[str, Any]) -> dict[str, Any]:
    """A chunk's own keys; ValueError for one that every chunk has."""
    taken = [key for key in keys if key in RESERVED]
    if taken:
        raise ValueError(f"{taken[0]!r} is a key that every chunk has: give its value beside `metadata`, or rename it")
    return dict(keys)
