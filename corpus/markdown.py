"""Items written as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .items import Item, Table

_LINES = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+\s*")


def block(item: Item) -> str:
    """The item as a block of Markdown; empty when it has no text."""
    if item.table is not None:
        return table(item.table)
    text = item.text.strip("\n") if item.label == "code" else item.text.strip()
    if not text:
        return ""
    match item.label:
        case "title":
            return f"# {one_line(text)}"
        case "section_header":
            return f"{'#' * min(item.level, 6)} {one_line(text)}"
        case "list_item":
            indent = "  " * item.depth
            return f"{indent}{item.marker} " + text.replace("\n", f"\n{indent}  ")
        case "code":
            fence = "```" if "```" not in text else "~~~~"
            return f"{fence}{item.language}\n{text}\n{fence}"
        case "formula":
            return f"$${text}$$"
    return text


def join(items: Iterable[Item]) -> str:
    """A whole document: blocks apart by an empty line, items of a list by a line break."""
    parts: list[str] = []
    before: Item | None = None
    for item in items:
        if text := block(item):
            if before is not None:
                parts.append("\n" if before.label == item.label == "list_item" else "\n\n")
            parts.append(text)
            before = item
    return "".join(parts)


def table(cells: Table) -> str:
    return "\n".join(table_lines(cells.columns, cells.rows))


def table_lines(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [row_line(columns), "|" + " --- |" * len(columns), *map(row_line, rows)]


def row_line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in cells) + " |"


def one_line(text: str) -> str:
    return _LINES.sub(" ", text).strip()
