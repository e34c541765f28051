"""Tables that a page's end has cut: their parts are one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from ..items import Item, Table

T = TypeVar("T")

_ALIGNED = 0.1  # part of a table's width by which the edges of its parts may differ


@dataclass(frozen=True, slots=True)
class Part:
    """A table, or as much of one as stands on one page."""

    table: Table
    pages: tuple[int, ...]
    left: float
    right: float

    @property
    def item(self) -> Item:
        return Item("table", pages=self.pages, table=self.table)


def whole(flow: Iterable[T | Part]) -> Iterator[T | Part]:
    """The flow of a document, with parts that follow each other over a page's end put together."""
    before: Part | None = None
    for each in flow:
        if not isinstance(each, Part):
            if before is not None:
                yield before
                before = None
            yield each
        elif before is not None and (joined := _joined(before, each)) is not None:
            before = joined
        else:
            if before is not None:
                yield before
            before = each
    if before is not None:
        yield before


def _joined(before: Part, after: Part) -> Part | None:
    """One table of both; nothing where the second is a table of its own.

    A header that is repeated shows that it goes on. Without one the columns must stand where those before stood.
    """
    one, other = before.table, after.table
    if after.pages[0] != before.pages[-1] + 1 or len(one.columns) != len(other.columns):
        return None
    if other.columns == one.columns:
        rows = other.rows
    elif not _is_aligned(before, after):
        return None
    else:
        rows = other.rows if not any(other.columns) else (other.columns, *other.rows)
    return replace(before, table=replace(one, rows=(*one.rows, *rows)), pages=(*before.pages, *after.pages))


def _is_aligned(before: Part, after: Part) -> bool:
    slack = _ALIGNED * (before.right - before.left)
    return abs(before.left - after.left) < slack and abs(before.right - after.right) < slack
