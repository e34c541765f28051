"""Org mode: headlines, properties as metadata, lists, tables, blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..encodings import decode
from ..items import Item, Reading, Source, Table, heading

_HEADLINE = re.compile(r"(\*+)\s+(.*?)(?:\s+(:[\w@:]+:))?\s*$")
_KEYWORD = re.compile(r"#\+(\w+):\s*(.*)$")
_BLOCK = re.compile(r"#\+begin_(\w+)\s*(\S*)", re.IGNORECASE)
_BULLET = re.compile(r"(\s*)([-+]|\d+[.)]|(?<=\s)\*)\s+(.*)$")
_LINK = re.compile(r"\[\[([^\[\]]{1,1000})\](?:\[([^\[\]]{1,1000})\])?\]")  # bounded: brackets alone must stay cheap
_RULE = re.compile(r"\|[-+|]*-[-+|]*\|?\s*$")
_DRAWER = re.compile(r"\s*:[A-Z_]+:\s*$")
_LISTED = ("title", "author", "date", "language", "email", "keywords", "description", "subtitle")


def read(source: Source) -> Reading:
    lines = decode(source.data).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    metadata = {
        match[1].lower(): match[2].strip()
        for line in lines
        if (match := _KEYWORD.match(line)) and match[1].lower() in _LISTED and match[2].strip()
    }
    return Reading(
        list(_items(lines)), title=metadata.get("title"), metadata=metadata, language=metadata.get("language")
    )


def _items(lines: list[str]) -> Iterator[Item]:
    position = 0
    while position < len(lines):
        line = lines[position]
        if match := _HEADLINE.match(line):
            yield heading(_inline(match[2]), len(match[1]))
            position += 1
        elif match := _BLOCK.match(line.strip()):
            end = _end_of_block(lines, position, match[1])
            yield from _block(match, lines[position + 1 : end])
            position = end + 1
        elif line.lstrip().startswith("|"):
            end = _while(lines, position, lambda text: text.lstrip().startswith("|"))
            yield from _table(lines[position:end])
            position = end
        elif match := _BULLET.match(line):
            end = _while(
                lines,
                position + 1,
                lambda text: bool(text.strip()) and text[:1].isspace() and not _BULLET.match(text),
            )
            text = " ".join([match[3], *(part.strip() for part in lines[position + 1 : end])])
            marker = "-" if match[2] in "-+*" else match[2]
            yield Item("list_item", _inline(text), marker=marker, depth=len(match[1].expandtabs(4)) // 2)
            position = end
        elif not line.strip() or _DRAWER.match(line) or line.startswith(("#+", "# ")):
            if (match := _KEYWORD.match(line)) and match[1].lower() == "caption":
                yield Item("caption", _inline(match[2]))
            position += 1
        else:
            end = _while(lines, position + 1, _is_prose)
            yield Item("text", _inline(" ".join(part.strip() for part in lines[position:end])))
            position = end


def _is_prose(line: str) -> bool:
    starts = (_HEADLINE.match(line), _BULLET.match(line), _DRAWER.match(line))
    return bool(line.strip()) and not any(starts) and not line.lstrip().startswith(("|", "#+"))


def _while(lines: list[str], start: int, test: object) -> int:
    assert callable(test)
    while start < len(lines) and test(lines[start]):
        start += 1
    return start


def _end_of_block(lines: list[str], start: int, kind: str) -> int:
    closing = f"#+end_{kind}".lower()
    for position in range(start + 1, len(lines)):
        if lines[position].strip().lower().startswith(closing):
            return position
    return len(lines)


def _block(opening: re.Match[str], lines: list[str]) -> Iterator[Item]:
    kind, text = opening[1].lower(), "\n".join(lines)
    if kind in ("src", "example"):
        yield Item("code", text.strip("\n"), language=opening[2] if kind == "src" else "")
    elif kind != "comment":
        yield from _items(lines)


def _table(lines: list[str]) -> Iterator[Item]:
    rows = [
        [_inline(cell.strip()) for cell in line.strip().strip("|").split("|")]
        for line in lines
        if not _RULE.match(line.strip())
    ]
    if rows:
        yield Item("table", table=Table.of(rows[0], rows[1:]))


def _inline(text: str) -> str:
    return _LINK.sub(lambda match: f"[{match[2]}]({match[1]})" if match[2] else match[1], text).strip()
