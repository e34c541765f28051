"""Separated values: delimiter and quoting are told from the text, cells are kept as written."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ..encodings import decode
from ..items import Reading, Source
from .csvtables import csv_items

_DELIMITERS = ",;\t|"
_SAMPLE_LINES = 200
csv.field_size_limit(1 << 30)  # a long cell is no error


def read(source: Source) -> Reading:
    return Reading(list(csv_items(parse(decode(source.data)))))


def parse(text: str) -> list[list[str]]:
    """Rows of cells, a blank line as an empty row; quoted line breaks are kept."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    mark = delimiter(text)
    if text[:4].lower() == "sep=":
        text = text.partition("\n")[2]
    return [row if any(cell.strip() for cell in row) else [] for row in _reader(text, mark)]


def _reader(text: str, mark: str) -> Iterator[list[str]]:
    """Quotes inside quoted cells are doubled, or, where the text does it so, escaped by a backslash."""
    escapes = '\\"' in text and not re.search(r'[^"\\]""[^"]', text)
    escape = "\\" if escapes else None
    return csv.reader(io.StringIO(text), delimiter=mark, skipinitialspace=True, doublequote=True, escapechar=escape)


def delimiter(text: str) -> str:
    """The delimiter that gives the most rows the same width, above one column.

    Trying each is sturdier than `csv.Sniffer`, which is misled by quoted line breaks and by prose in cells.
    """
    if text[:4].lower() == "sep=" and text[4:5] in _DELIMITERS:
        return text[4]
    return max(_DELIMITERS, key=lambda mark: _agreement(_sample(text, mark)))


def _sample(text: str, mark: str) -> list[list[str]]:
    rows = []
    for row in _reader(text, mark):
        if any(row):
            rows.append(row)
        if len(rows) == _SAMPLE_LINES:
            break
    return rows


def _agreement(rows: Sequence[Sequence[str]]) -> tuple[float, int]:
    widths = Counter(len(row) for row in rows)
    if not widths:
        return (0.0, 0)
    width, count = max(widths.items(), key=lambda pair: (pair[1], pair[0]))
    return (0.0, 0) if width < 2 else (count / len(rows), width)
