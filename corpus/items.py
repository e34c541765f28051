"""What a reader makes of a file: a flat list of items in reading order, and what is known of the whole document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from .documents import Picture

if TYPE_CHECKING:
    from PIL.Image import Image

Label = Literal[
    "title",
    "section_header",
    "text",
    "list_item",
    "table",
    "caption",
    "formula",
    "picture",
    "code",
    "footnote",
]
MAX_LEVEL = 9  # deeper headings count as this deep


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as strings, exactly as the source has them; every row is as long as `columns`."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
        """Pad ragged rows; a row longer than the header widens the header with empty names."""
        width = max([len(columns), *(len(row) for row in rows)])
        return cls(_pad(columns, width), tuple(_pad(row, width) for row in rows))


def _pad(cells: Sequence[str], width: int) -> tuple[str, ...]:
    return (*cells, *[""] * (width - len(cells)))


# A picture as its reader finds it, looked at when it is to be kept: the bytes of a file, or what is drawn on a page.
Look = Callable[[], "bytes | Image"]
Box = tuple[float, float, float, float]  # left, top, right, bottom, in points from the top left corner of the page


@dataclass(frozen=True, slots=True)
class Item:
    """One element of a document."""

    label: Label
    text: str = ""  # without markers; inline Markdown is allowed, block Markdown is not; empty for tables
    level: int = 0  # H-level of a section header, from 1; 0 for all else
    pages: tuple[int, ...] = ()
    table: Table | None = None
    marker: str = "-"  # of a list item: "-" or "3."
    depth: int = 0  # of a list item: lists around its own
    language: str = ""  # of code
    ref: str = ""  # its name in the document that it comes from, where that has names
    look: Look | None = field(default=None, compare=False)  # of a picture
    box: Box | None = None  # of a picture, where it lies on its page
    caption: str = ""  # of a picture: the text of the caption beside it, which is an item of its own
    picture: Picture | None = None  # what is kept of a picture


@dataclass(frozen=True, slots=True)
class Source:
    """The file to read."""

    data: bytes
    name: str  # file name, without folders
    format: str = ""  # as `formats.detect` names it
    ocr: str = ""  # the program that reads pictures, if there is one
    beside: Mapping[str, Path] = field(default_factory=dict)  # pictures from beside it, by the address that it gives


@dataclass(frozen=True, slots=True)
class Member:
    """A file in the file: of an archive, or attached to a message."""

    name: str  # with the folders in the archive
    unpack: Callable[[], bytes] = bytes  # raises Unreadable
    refusal: str = ""  # why it is not to be unpacked


@dataclass(frozen=True, slots=True)
class GivenChunk:
    """A chunk that comes with the document."""

    content: str
    refs: tuple[str, ...]  # names of its items
    headings: tuple[str, ...] | None = None  # where they are not those above its first item
    metadata: Mapping[str, Any] = field(default_factory=dict)  # its own keys


@dataclass(frozen=True, slots=True)
class Reading:
    """A file, read."""

    items: Sequence[Item]
    title: str | None = None  # of the document itself: front matter, property; else taken from the items
    metadata: Mapping[str, Any] = field(default_factory=dict)  # JSON values
    page_count: int | None = None
    language: str | None = None  # as the document declares it
    chunks: Sequence[GivenChunk] = ()  # that come with it; without any they are cut
    scans: Sequence[int] = ()  # pages that are pictures, and were not read for want of a program
    members: Sequence[Member] = ()  # that become documents of their own


class Unreadable(Exception):
    """The file cannot be read; the message is one honest line for the person who added it."""


def heading(text: str, level: int, pages: tuple[int, ...] = ()) -> Item:
    return Item("section_header", text, level=max(1, min(level, MAX_LEVEL)), pages=pages)


def is_header(item: Item) -> bool:
    """Whether the item opens a section (a title's is the whole document)."""
    return item.label in ("section_header", "title") and bool(item.text.strip())
