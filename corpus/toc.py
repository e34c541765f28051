"""The section tree of a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .items import Item


def tree(items: Sequence[Item], refs: Sequence[str], chunk_ids: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """Nodes {self_ref, level, title, page_numbers, item_range, chunk_ids, children}; empty without headers.

    A section reaches to the next header of its own or a higher level; `item_range` is [start, end) into items.jsonl.
    """
    roots: list[dict[str, Any]] = []
    open_nodes: list[dict[str, Any]] = []

    def close(level: int, end: int) -> None:
        while open_nodes and open_nodes[-1]["level"] >= level:
            node = open_nodes.pop()
            start = node["item_range"][0]
            node["item_range"][1] = end
            node["page_numbers"] = sorted({page for item in items[start:end] for page in item.pages})
            node["chunk_ids"] = list(dict.fromkeys(id for ids in chunk_ids[start:end] for id in ids))

    for position, item in enumerate(items):
        if item.label != "section_header" or not item.text.strip():
            continue
        close(item.level, position)
        node = {
            "self_ref": refs[position],
            "level": item.level,
            "title": item.text,
            "page_numbers": [],
            "item_range": [position, position],
            "chunk_ids": [],
            "children": [],
        }
        (open_nodes[-1]["children"] if open_nodes else roots).append(node)
        open_nodes.append(node)
    close(0, len(items))
    return roots
