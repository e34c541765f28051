"""Tables of docutils, spans filled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from docutils import nodes

from ..items import Item, Table
from .headers import join_headers


def table_item(node: Any, text: Callable[[Any], str]) -> Iterator[Item]:
    """The table as an item; nothing if it has no rows."""
    heads, body = [], []
    for group in node.findall(nodes.tgroup):
        for part in group.children:
            if isinstance(part, nodes.thead | nodes.tbody):
                (heads if isinstance(part, nodes.thead) else body).extend(_rows(part, text))
        break
    if heads or body:
        columns = join_headers(heads) if heads else body.pop(0)
        yield Item("table", table=Table.of(columns, body))


def _rows(part: Any, text: Callable[[Any], str]) -> list[list[str]]:
    below: dict[int, list[str]] = {}  # column -> texts that reach down into coming rows
    rows = []
    for source in part.children:
        row: list[str] = []
        for entry in source.children:
            _reach(row, below)
            shown = text(entry)
            for _ in range(entry.get("morecols", 0) + 1):
                if entry.get("morerows", 0):
                    below[len(row)] = [shown] * entry["morerows"]
                row.append(shown)
        _reach(row, below)
        rows.append(row)
    return rows


def _reach(row: list[str], below: dict[int, list[str]]) -> None:
    while below.get(len(row)):
        row.append(below[len(row)].pop())
