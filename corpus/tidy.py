"""Items as they are stored: one kind of line break, no control characters, no endless paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from .items import Item, Table

MAX_CHARS = 8_000  # of one item's text; the chunker and its reader get slow beyond
_BREAKS = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
_ENDS = ("\n", ". ", "。", " ")  # where a long text is best cut


def tidy(items: Iterable[Item]) -> Iterator[Item]:
    """Clean items without those that have neither text nor a table nor show a picture."""
    for item in items:
        table = None if item.table is None else _table(item.table)
        text = clean(item.text)
        if table is not None or text.strip():
            for part in _parts(text):
                yield replace(item, text=part, table=table)
        elif item.label == "picture":
            yield replace(item, text="")


def clean(text: str) -> str:
    return _CONTROLS.sub("", _BREAKS.sub("\n", text))


def _table(table: Table) -> Table:
    return Table(tuple(map(clean, table.columns)), tuple(tuple(map(clean, row)) for row in table.rows))


def _parts(text: str) -> Iterator[str]:
    """A text in parts of at most `MAX_CHARS`, cut at the last line end, sentence end or space before that."""
    while len(text) > MAX_CHARS:
        head = text[:MAX_CHARS]
        cut = next((end for mark in _ENDS if (end := head.rfind(mark) + len(mark)) > MAX_CHARS // 2), MAX_CHARS)
        yield head[:cut].rstrip()
        text = text[cut:]
    yield text
