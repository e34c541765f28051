"""HTML as a person sees it: headings, paragraphs, lists, tables with their spans filled, code."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import lxml.etree
import lxml.html

from ..encodings import decode
from ..items import Item, Look, Reading, Source, heading
from ..pictures import data_of
from .htmltables import is_layout, table_of
from .text import paragraphs

Images = Callable[[str], Look | None]  # by address

_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_SPACE = re.compile("[ \t\r\n\f\u00a0]+")
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_UNSEEN = re.compile(r"<!--.*?-->|<(head|script|style|template)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_MAX_DEPTH = 300  # elements nested deeper are read as their bare text
_BLOCKS = frozenset(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search section "
    "summary table tbody td tfoot th thead title tr ul".split()
)
_SKIPPED = frozenset("head script style noscript template svg iframe object canvas audio video map datalist".split())
_METADATA = ("author", "description", "keywords", "date", "language")


def read(source: Source, images: Images = data_of) -> Reading:
    """`images` finds the pictures that a page names by their addresses."""
    match = _CHARSET.search(source.data[:4096])
    declared = match[1].decode("ascii", "replace") if match else None
    # What pages call Latin-1 is cp1252, as the HTML standard says.
    if declared and declared.lower() in ("iso-8859-1", "latin1", "latin-1", "us-ascii", "ascii"):
        declared = "cp1252"
    return read_text(decode(source.data, declared), images)


def read_text(text: str, images: Images = data_of) -> Reading:
    root = _parse(text)
    if root is None:
        return Reading([])
    metadata = {
        name: content
        for meta in root.iter("meta")
        if (name := (meta.get("name") or "").lower()) in _METADATA and (content := (meta.get("content") or "").strip())
    }
    title = _SPACE.sub(" ", root.findtext(".//head/title") or "").strip()
    return Reading(_walked(root, text, images), title=title or None, metadata=metadata, language=root.get("lang"))


def fragment(text: str, images: Images = data_of) -> list[Item]:
    """The items of a piece of HTML, such as a mail's body or a block inside Markdown."""
    root = _parse(text)
    return [] if root is None else _walked(root, text, images)


def _walked(root: Any, text: str, images: Images) -> list[Item]:
    """The items of a page; of one that the parser gave up on, its bare text."""
    items = _Walk(images).items(root)
    return items or paragraphs(html.unescape(_TAG.sub("", _UNSEEN.sub("", text))))


def _parse(text: str) -> Any | None:
    text = _DECLARATION.sub("", text).replace("\0", "")
    if not text.strip():
        return None
    parser = lxml.html.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        return lxml.html.document_fromstring(text, parser=parser)
    except lxml.etree.ParserError:  # nothing but comments
        return None


def inline(element: Any) -> str:
    """All text beneath an element on one line, `<br>` as a line break."""
    walk = _Walk()
    walk.visit(element, 0)
    walk.flush()
    return "\n".join(item.text for item in walk.found if item.text)


@dataclass(slots=True)
class _Walk:
    images: Images = data_of
    pictures: list[Item] = field(default_factory=list)  # of the block that is open
    found: list[Item] = field(default_factory=list)
    words: list[str] = field(default_factory=list)  # inline text of the block that is open
    lists: list[list[int]] = field(default_factory=list)  # open lists: the next number, 0 where not numbered
    marker: str | None = None  # of a list item whose first text has not come yet

    def items(self, root: Any) -> list[Item]:
        self.visit(root, 0)
        self.flush()
        return self.found

    def visit(self, element: Any, depth: int) -> None:
        tag = element.tag
        if not isinstance(tag, str) or tag in _SKIPPED or _is_hidden(element):
            return
        if depth > _MAX_DEPTH:
            self.words.append(" ".join(element.itertext()))
            return
        if tag in _BLOCKS:
            self.flush()
        handler = _HANDLERS.get(tag)
        if handler is not None:
            handler(self, element, depth)
        else:
            self.inside(element, depth)
        if tag in _BLOCKS:
            self.flush()

    def inside(self, element: Any, depth: int) -> None:
        self.words.append(element.text or "")
        for child in element:
            self.visit(child, depth + 1)
            self.words.append(child.tail or "")

    def flush(self) -> None:
        """End the open block: its text becomes an item."""
        lines = "".join(self.words).split("\v")
        self.words.clear()
        if text := "\n".join(_SPACE.sub(" ", line).strip() for line in lines).strip():
            self.add(text)
        self.found += self.pictures
        self.pictures.clear()

    def add(self, text: str) -> None:
        if self.marker is None:
            self.found.append(Item("text", text))
        else:
            depth = max(len(self.lists) - 1, 0)
            self.found.append(Item("list_item", text, marker=self.marker, depth=depth))
            self.marker = None

    def heading(self, element: Any, depth: int) -> None:
        text = _SPACE.sub(" ", inline_children(element)).strip()
        if text:
            self.found.append(heading(text, int(element.tag[1])))

    def list(self, element: Any, depth: int) -> None:
        numbered = element.tag == "ol"
        start = element.get("start") or ""
        self.lists.append([int(start) if start.isdecimal() else 1] if numbered else [0])
        self.inside(element, depth)
        self.flush()
        self.lists.pop()
        self.marker = None

    def entry(self, element: Any, depth: int) -> None:
        number = self.lists[-1][0] if self.lists else 0
        if number:
            self.lists[-1][0] += 1
        self.marker = f"{number}." if number else "-"
        self.inside(element, depth)
        self.flush()
        self.marker = None

    def definition(self, element: Any, depth: int) -> None:
        self.marker = "-"
        self.inside(element, depth)
        self.flush()
        self.marker = None

    def preformatted(self, element: Any, depth: int) -> None:
        if text := "".join(element.itertext()).strip("\n"):
            self.found.append(Item("code", text.rstrip()))

    def line_break(self, element: Any, depth: int) -> None:
        self.words.append("\v")

    def picture(self, element: Any, depth: int) -> None:
        alt = (element.get("alt") or "").strip()
        if alt:
            self.words.append(f" {alt} ")
        if look := self.images(element.get("src") or ""):
            self.pictures.append(Item("picture", caption=alt, look=look))

    def field_of_form(self, element: Any, depth: int) -> None:
        kind = (element.get("type") or "text").lower()
        if kind in ("checkbox", "radio") and element.get("role") != "button":
            self.words.append("[x] " if element.get("checked") is not None else "[ ] ")
        elif kind not in ("hidden", "password", "checkbox", "radio", "search"):
            self.words.append(f" {element.get('value') or ''} ")

    def table(self, element: Any, depth: int) -> None:
        if is_layout(element):
            self.inside(element, depth)
            return
        for caption in element.findall("caption"):
            if text := inline_children(caption):
                self.found.append(Item("caption", text))
        if (table := table_of(element, inline_children)) is not None:
            self.found.append(Item("table", table=table))
        for image in element.iter("img"):  # their alternative texts stand in the cells
            if look := self.images(image.get("src") or ""):
                self.found.append(Item("picture", caption=(image.get("alt") or "").strip(), look=look))
        self.marker = None

    def caption(self, element: Any, depth: int) -> None:
        if text := inline_children(element):
            self.found.append(Item("caption", text))


def inline_children(element: Any) -> str:
    """The text inside an element, its blocks on lines of their own."""
    walk = _Walk()
    walk.inside(element, 0)
    walk.flush()
    return "\n".join(_lines(walk.found))


def _lines(items: Sequence[Item]) -> Iterator[str]:
    for item in items:
        if item.table is not None:
            for row in (item.table.columns, *item.table.rows):
                yield " ; ".join(cell for cell in row if cell)
        elif item.text:
            yield f"{item.marker} {item.text}" if item.label == "list_item" else item.text


def _is_hidden(element: Any) -> bool:
    """What is not shown, and what leads to other pages."""
    if element.tag == "nav" or (element.get("role") or "").lower() in ("navigation", "search"):
        return True
    return element.get("hidden") is not None or bool(_HIDDEN.search(element.get("style") or ""))


_HANDLERS: dict[str, Callable[[_Walk, Any, int], None]] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _Walk.heading),
    **dict.fromkeys(("ul", "ol", "menu", "dir"), _Walk.list),
    "li": _Walk.entry,
    "dd": _Walk.definition,
    "pre": _Walk.preformatted,
    "br": _Walk.line_break,
    "img": _Walk.picture,
    "input": _Walk.field_of_form,
    "table": _Walk.table,
    "figcaption": _Walk.caption,
}
