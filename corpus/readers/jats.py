"""JATS articles: front matter, sections, figures and tables with all of their captions and notes, references."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from lxml.etree import QName

from ..items import Item, heading
from .xmltables import xml_table

_SPACE = re.compile(r"\s+")
_MAX_DEPTH = 60
_CLOSING = tuple(",.;:)]")
_MARKERS = {"bullet": "-", "simple": "-"}
_NAMES = {  # headings of parts that may have no title of their own
    "abstract": "Abstract",
    "ack": "Acknowledgements",
    "ref-list": "References",
    "glossary": "Glossary",
    "app-group": "Appendices",
}
_TEX = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)


def items_of(root: Any) -> list[Item]:
    """The items of an article in reading order; its bibliographic data are the caller's."""
    return list(_children(root, 1, -1))


def _name(node: Any) -> str:
    return str(QName(node).localname) if isinstance(node.tag, str) else ""


def _children(node: Any, level: int, depth: int) -> Iterator[Item]:
    for child in node:
        if name := _name(child):
            yield from _node(name, child, level, depth)


def _node(name: str, node: Any, level: int, depth: int) -> Iterator[Item]:
    handler = _HANDLERS.get(name)
    if handler is not None and level < _MAX_DEPTH and depth < _MAX_DEPTH:
        yield from handler(node, level, depth)
    elif text := _text(node):
        yield Item("text", text)


def _inside(node: Any, level: int, depth: int) -> Iterator[Item]:
    yield from _children(node, level, depth)


def _nothing(node: Any, level: int, depth: int) -> Iterator[Item]:
    return iter(())


def _front(node: Any, level: int, depth: int) -> Iterator[Item]:
    """Title, affiliations, notes and abstracts; the rest are fields that stand in the metadata."""
    meta = node if _name(node) == "front-stub" else node.find("{*}article-meta")
    if meta is None:
        return
    if title := _joined(meta, ".//{*}title-group/{*}article-title", ".//{*}title-group/{*}subtitle"):
        yield heading(title, level) if _name(node) == "front-stub" else Item("title", title)
    for path in (".//{*}aff", ".//{*}author-notes/*", ".//{*}funding-statement"):
        yield from (Item("text", text) for each in meta.iterfind(path) if (text := _text(each)))
    for each in meta.iterfind(".//{*}custom-meta"):
        if text := _joined(each, "{*}meta-value"):
            yield Item("text", f"{_joined(each, '{*}meta-name')}: {text}".removeprefix(": "))
    for each in meta:
        if _name(each) in ("abstract", "trans-abstract"):
            yield from _section(each, level, depth)
    yield from (item for notes in node.iterfind("{*}notes") for item in _section(notes, level, depth))


def _section(node: Any, level: int, depth: int) -> Iterator[Item]:
    """A part under its title; one without a title or a usual name belongs to the part around it."""
    title = _joined(node, "{*}title") or _joined(node, "{*}label") or _NAMES.get(_name(node), "")
    if label := _joined(node, "{*}label") if title else "":
        title = title if title.startswith(label) else f"{label} {title}"
    if title:
        yield heading(title, level)
    for child in node:
        if _name(child) not in ("", "title", "label"):
            yield from _node(_name(child), child, level + bool(title), depth)


def _sub_article(node: Any, level: int, depth: int) -> Iterator[Item]:
    """A letter or a response: its parts are one deeper than its title."""
    for child in node:
        if name := _name(child):
            yield from _node(name, child, level + (name not in ("front-stub", "front")), depth)


def _paragraph(node: Any, level: int, depth: int) -> Iterator[Item]:
    """Text with what stands inside it: figures and lists end the paragraph, which goes on after them."""
    words = [node.text or ""]
    for child in node:
        name = _name(child)
        if name in _BLOCKS:
            if text := _SPACE.sub(" ", "".join(words)).strip():
                yield Item("text", text)
            words = []
            yield from _node(name, child, level, depth)
        elif name:
            words.append(_raw(child))
        words.append(child.tail or "")
    if text := _SPACE.sub(" ", "".join(words)).strip():
        yield Item("text", text)


def _list(node: Any, level: int, depth: int) -> Iterator[Item]:
    yield from (Item("text", text) for text in [_joined(node, "{*}title")] if text)
    kind = node.get("list-type", "bullet")
    for number, entry in enumerate(node.iterfind("{*}list-item"), 1):
        marker = _joined(entry, "{*}label") or _MARKERS.get(kind, f"{number}.")
        inner = [item for item in _children(entry, level, depth + 1) if item.text != marker or item.label != "text"]
        if inner and inner[0].label == "text":
            yield Item("list_item", inner[0].text, marker=marker, depth=depth + 1)
            inner = inner[1:]
        yield from inner


def _definitions(node: Any, level: int, depth: int) -> Iterator[Item]:
    for entry in node.iterfind("{*}def-item"):
        term, meaning = _joined(entry, "{*}term"), _joined(entry, "{*}def")
        yield Item("list_item", f"{term}: {meaning}", depth=depth + 1)


def _figure(node: Any, level: int, depth: int) -> Iterator[Item]:
    yield Item("picture", _caption(node))
    yield from _rest(node, level, depth)


def _table_wrap(node: Any, level: int, depth: int) -> Iterator[Item]:
    if caption := _caption(node):
        yield Item("caption", caption)
    for source in node.iter("{*}table"):
        if (table := xml_table(source, _text)) is not None:
            yield Item("table", table=table)
    for foot in node.iterfind("{*}table-wrap-foot"):
        notes = [each for each in foot if _name(each)]
        yield from (Item("footnote", text) for each in notes if (text := _text(each)))
    yield from _rest(node, level, depth)


def _supplement(node: Any, level: int, depth: int) -> Iterator[Item]:
    if caption := _caption(node):
        yield Item("caption", caption)
    yield from _rest(node, level, depth)


def _caption(node: Any) -> str:
    """Label, title and every paragraph of a caption."""
    parts = [_joined(node, "{*}label"), *(_text(each) for each in node.iterfind("{*}caption/*"))]
    return " ".join(filter(None, parts))


def _rest(node: Any, level: int, depth: int) -> Iterator[Item]:
    """Figures within figures, data files, attributions."""
    for child in node:
        if _name(child) in ("fig", "supplementary-material", "table-wrap", "attrib", "permissions", "p"):
            yield from _node(_name(child), child, level, depth)


def _formula(node: Any, level: int, depth: int) -> Iterator[Item]:
    if text := _text(node):
        yield Item("formula", text)


def _code(node: Any, level: int, depth: int) -> Iterator[Item]:
    yield Item("code", "".join(node.itertext()).strip("\n"))


def _note(node: Any, level: int, depth: int) -> Iterator[Item]:
    if text := _text(node):
        yield Item("footnote", text)


def _reference(node: Any, level: int, depth: int) -> Iterator[Item]:
    label = _joined(node, "{*}label").rstrip(".")
    texts = [_citation(each) for each in node.iter("{*}mixed-citation", "{*}element-citation", "{*}citation")]
    if text := " ".join(filter(None, texts)):
        yield Item("list_item", text, marker=f"{label}." if label.isdecimal() else "-")


def _citation(node: Any) -> str:
    """A reference as it is written; one of fields only, as authors, title, and the rest in their order."""
    if (node.text or "").strip() or any((child.tail or "").strip() for child in node):
        return _text(node)
    parts = []
    for child in node:
        if _name(child) == "person-group":
            parts.append(", ".join(filter(None, map(_text, child))))
        else:
            parts.append(_text(child))
    return ". ".join(filter(None, parts))


def _joined(node: Any, *paths: str) -> str:
    return ": ".join(text for path in paths if (found := node.find(path)) is not None and (text := _text(found)))


def _text(node: Any) -> str:
    return _SPACE.sub(" ", _raw(node)).strip()


def _raw(node: Any) -> str:
    """All text inside an element. Of a formula in several notations one is taken, TeX without its preamble."""
    name = _name(node)
    if name == "tex-math":
        text = "".join(node.itertext())
        return match[1] if (match := _TEX.search(text)) else text
    if name == "alternatives" and (tex := node.find(".//{*}tex-math")) is not None:
        return _raw(tex)
    if name in ("annotation", "object-id", "role"):
        return ""
    parts = [node.text or ""]
    for child in node:
        if inner := _name(child):
            apart = " " if inner in _APART else ""
            parts += [
                apart,
                _raw(child).rstrip() if apart else _raw(child),
                "" if (child.tail or "")[:1] in _CLOSING else apart,
            ]
        parts.append(child.tail or "")
    return "".join(parts)


# Elements that end a word although nothing stands between them and the next.
_APART = frozenset(
    "label title p list list-item def-list fn table-wrap table fig caption surname given-names string-name name collab "
    "etal institution addr-line country email break td th contrib meta-name meta-value def term disp-formula".split()
)
_HANDLERS: dict[str, Callable[[Any, int, int], Iterator[Item]]] = {
    **dict.fromkeys(("body", "back", "floats-group", "fig-group", "table-wrap-group", "alternatives"), _inside),
    **dict.fromkeys(("front", "front-stub"), _front),
    **dict.fromkeys(("sub-article", "response"), _sub_article),
    **dict.fromkeys(("sec", "app", "app-group", "ack", "glossary", "notes", "boxed-text", "fn-group", "bio"), _section),
    **dict.fromkeys(("disp-quote", "statement", "verse-group", "ref-list", "abstract", "def"), _section),
    "disp-formula-group": _section,
    **dict.fromkeys(("p", "attrib", "list-item"), _paragraph),
    "list": _list,
    "def-list": _definitions,
    "fig": _figure,
    "table-wrap": _table_wrap,
    "supplementary-material": _supplement,
    "disp-formula": _formula,
    **dict.fromkeys(("code", "preformat"), _code),
    "fn": _note,
    "ref": _reference,
    **dict.fromkeys(("label", "title", "graphic", "media", "object-id", "sec-meta", "processing-meta"), _nothing),
}  # fmt: skip
_BLOCKS = frozenset(_HANDLERS) - {"p", "label", "title", "alternatives", "def", "graphic", "media", "attrib"}
