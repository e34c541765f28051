"""Items as they are stored: one kind of line break, no control characters, one spelling of each letter, no endless
paragraphs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace

from .items import Item, Table

MAX_CHARS = 8_000  # of one item's text; the chunker and its reader get slow beyond
_BREAKS = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
# Ligatures of Latin type are two letters or three: nobody types them, so that no search would find their words.
_LIGATURES = str.maketrans(
    dict(zip(map(chr, range(0xFB00, 0xFB07)), ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True))
)
_ENDS = ("\n", ". ", "。", " ")  # where a long text is best cut


def tidy(items: Iterable[Item]) -> Iterator[Item]:
    """Clean items without those that have neither text nor a table nor show a picture."""
    for item in items:
        table = None if item.table is None else _table(item.table)
        text = clean(item.text)
        if table is not None or text.strip():
            for part in parts(text):
                yield replace(item, text=part, table=table, caption=clean(item.caption).strip())
        elif item.label == "picture":
            yield replace(item, text="", caption=clean(item.caption).strip())


def clean(text: str) -> str:
    """The text in composed form (NFC), as people type it: a Mac's file may write "ü" as two characters."""
    return unicodedata.normalize("NFC", _CONTROLS.sub("", _BREAKS.sub("\n", text)).translate(_LIGATURES))


def _table(table: Table) -> Table:
    return Table(tuple(map(clean, table.columns)), tuple(tuple(map(clean, row)) for row in table.rows))


def parts(text: str, size: int = MAX_CHARS) -> Iterator[str]:
    """A text in parts of at most `size` characters, cut at the last line end, sentence end or space before that."""
    while len(text) > size:
        head = text[:size]
        cut = next((end for mark in _ENDS if (end := head.rfind(mark) + len(mark)) > size // 2), size)
        yield head[:cut].rstrip()
        text = text[cut:]
    yield text
