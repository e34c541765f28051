"""Inline nodes of docutils as Markdown."""

from __future__ import annotations

from typing import Any

from docutils import nodes

_MARKS = {nodes.emphasis: "*", nodes.strong: "**", nodes.literal: "``", nodes.title_reference: "`"}
_OWN_SITES = (
    "https://peps.python.org/",
    "https://datatracker.ietf.org/",
    "https://tools.ietf.org/",
)  # of roles


def inline(node: Any) -> str:
    """The text of a node; line breaks of the source are spaces."""
    return " ".join("".join(_shown(child) for child in node.children).split())


def _shown(node: Any) -> str:
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, nodes.system_message):
        return ""
    if isinstance(node, nodes.footnote_reference | nodes.citation_reference):
        return f"[{node.astext()}]"
    if isinstance(node, nodes.image):
        return node.get("alt", "")
    if isinstance(node, nodes.math):
        return f"${node.astext()}$"
    inside = "".join(map(_shown, node.children))
    if isinstance(node, nodes.reference):
        return _link(inside, node.get("refuri", ""))
    mark = _MARKS.get(type(node), "")
    return f"{mark}{inside}{mark}"


def _link(text: str, address: str) -> str:
    if not address or address in (text, f"mailto:{text}") or address.startswith(_OWN_SITES):
        return text
    return f"[{text}]({address})"
