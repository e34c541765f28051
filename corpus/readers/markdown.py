"""Markdown (CommonMark with tables): blocks become items, inline markup stays as written."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ..encodings import decode
from ..items import Item, Look, Reading, Source, Table, heading
from ..pictures import data_of
from . import frontmatter
from .html import Images, fragment
from .text import paragraphs

_PARSER = MarkdownIt("commonmark", {"maxNesting": 100_000}).enable(["table", "strikethrough"])
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>\n?|(?: {2,}|\\)\n", re.IGNORECASE)
_CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


def read(source: Source) -> Reading:
    front = frontmatter.split(decode(source.data).replace("\r\n", "\n").replace("\r", "\n"))
    title = front.metadata.get("title")
    language = front.metadata.get("language", front.metadata.get("lang"))
    return Reading(
        markdown_items(front.body, lambda address: _beside(source, address)),
        title=title if isinstance(title, str) else None,
        metadata=front.metadata,
        language=language if isinstance(language, str) else None,
    )


def _beside(source: Source, address: str) -> Look | None:
    found = source.beside.get(unquote(address))
    return found.read_bytes if found else data_of(address)


def markdown_items(text: str, images: Images = data_of) -> list[Item]:
    """`images` finds the pictures that a text names by their addresses."""
    try:
        return list(_Blocks(_PARSER.parse(text), images).items())
    except RecursionError:  # quotes in quotes, thousands of them: no structure worth keeping, but text
        return paragraphs(text)


@dataclass(slots=True)
class _Blocks:
    """A walk over the parser's flat list of tokens."""

    tokens: Sequence[Token]
    images: Images
    position: int = 0
    lists: list[Token] = field(default_factory=list)  # open lists
    marker: str | None = None  # of a list item whose first text has not come yet

    def items(self) -> Iterator[Item]:
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            self.position += 1
            match token.type:
                case "heading_open":
                    yield heading(plain(self._inline()), int(token.tag[1]))
                case "paragraph_open":
                    yield from self._paragraph(self._inline())
                case "bullet_list_open" | "ordered_list_open":
                    self.lists.append(token)
                case "bullet_list_close" | "ordered_list_close":
                    self.lists.pop()
                case "list_item_open":
                    ordered = self.lists[-1].type == "ordered_list_open"
                    self.marker = f"{token.info}{token.markup}" if ordered else "-"
                case "list_item_close":
                    self.marker = None
                case "fence" | "code_block":
                    yield Item("code", token.content.rstrip("\n"), language=token.info.split(" ")[0].strip())
                case "html_block":
                    yield from fragment(token.content, self.images)
                case "table_open":
                    yield self._table()

    def _inline(self) -> Token:
        token = self.tokens[self.position]
        self.position += 2  # the text, and what closes its block
        return token

    def _paragraph(self, inline: Token) -> Iterator[Item]:
        """A paragraph and its pictures; one that is nothing but a picture is a picture with its source as text."""
        pictures = [
            Item("picture", caption=f"{plain(child)}\n{child.attrs.get('title', '')}".strip(), look=look)
            for child in inline.children or ()
            if child.type == "image" and (look := self.images(str(child.attrs.get("src", ""))))
        ]
        text = inline_text(inline.content)
        if len(pictures) == 1 and len(inline.children or ()) == 1 and self.marker is None:
            yield replace(pictures[0], text=text)
        else:
            yield self._text(text)
            yield from pictures

    def _text(self, text: str) -> Item:
        marker, self.marker = self.marker, None
        if marker is None:
            return Item("text", text)
        return Item("list_item", text, marker=marker, depth=len(self.lists) - 1)

    def _table(self) -> Item:
        rows: list[list[str]] = []
        while (token := self.tokens[self.position]).type != "table_close":
            self.position += 1
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(inline_text(token.content))
        self.position += 1
        return Item("table", table=Table.of(rows[0], rows[1:]))


def plain(token: Token) -> str:
    """Inline text without its markup: what a reader sees of a heading."""
    parts = []
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type == "image":
            parts.append(plain(child) or child.content)
        elif child.type != "html_inline":
            parts.append(child.content)
    return "".join(parts).strip()


def inline_text(source: str) -> str:
    """Inline source with emphasis, code and links as written, escapes and entities resolved outside code."""
    parts, end = [], 0
    for span in _CODE_SPAN.finditer(source):
        parts += [_resolve(source[end : span.start()]), span[0]]
        end = span.end()
    return "".join([*parts, _resolve(source[end:])]).strip()


def _resolve(text: str) -> str:
    text = _ESCAPE.sub(r"\1", _BREAK.sub("\n", text))
    return _ENTITY.sub(lambda match: html.unescape(match[0]), text)
