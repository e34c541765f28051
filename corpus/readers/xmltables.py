"""Tables of the CALS model (tgroup, row, entry), which DocBook, patents and many manuals use; and of HTML's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lxml.etree import QName

from ..items import Table
from .headers import join_headers
from .htmltables import table_of

_MAX_COLUMNS = 1000


def xml_table(node: Any, text: Callable[[Any], str] | None = None) -> Table | None:
    """The table of a `<table>` element, its cells read by `text`; None when it has no rows of a known kind."""
    text = text or _text
    groups = list(node.iter("{*}tgroup"))
    if not groups:
        return table_of(node, text) if any(True for _ in node.iter("{*}tr")) else None
    heads, body = [], []
    for group in groups:
        columns = _columns(group)
        for row in group.iter("{*}row"):
            cells = _cells(row, columns, text)
            if any(cells):
                (heads if QName(row.getparent()).localname == "thead" and not body else body).append(cells)
    if not heads and not body:
        return None
    header = join_headers(heads) if heads else body.pop(0)
    return Table.of(header, body)


def _columns(group: Any) -> dict[str, int]:
    names = [spec.get("colname", "") for spec in group.iterfind("{*}colspec")]
    return {name: number for number, name in enumerate(names) if name}


def _cells(row: Any, columns: dict[str, int], text: Callable[[Any], str]) -> list[str]:
    cells: dict[int, str] = {}
    at = 0
    for entry in row.iterfind("{*}entry"):
        first = columns.get(entry.get("namest") or entry.get("colname") or "", at)
        last = min(columns.get(entry.get("nameend") or "", first), _MAX_COLUMNS)
        for column in range(first, last + 1):
            cells[column] = text(entry)
        at = last + 1
    return [cells.get(column, "") for column in range(max([*cells, -1]) + 1)]


def _text(node: Any) -> str:
    return " ".join("".join(node.itertext()).split())
