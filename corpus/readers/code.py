"""Source code: as written, in pieces that end at empty lines before a line that is not indented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from ..encodings import decode
from ..items import Item, Reading, Source

_BREAK = re.compile(r"\n[^\S\n]*\n(?=\S)")
_MAX_CHARS = 4000  # of a piece without such a place


def read(source: Source) -> Reading:
    language = PurePath(source.name).suffix.removeprefix(".").lower()
    return Reading([Item("code", block, language=language) for block in blocks(decode(source.data))])


def blocks(text: str) -> Iterator[str]:
    for part in _BREAK.split(text.replace("\r\n", "\n").replace("\r", "\n")):
        lines, size = [], 0
        for line in _short_lines(part.strip("\n").split("\n")):
            if size > _MAX_CHARS:
                yield "\n".join(lines)
                lines, size = [], 0
            lines.append(line)
            size += len(line)
        if any(line.strip() for line in lines):
            yield "\n".join(lines)


def _short_lines(lines: list[str]) -> Iterator[str]:
    """Lines cut where they are as long as a whole piece may be: minified code."""
    for line in lines:
        yield from (line[start : start + _MAX_CHARS] for start in range(0, max(len(line), 1), _MAX_CHARS))
