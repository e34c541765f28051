"""How much of a PDF's structure is read: headings and their levels, tables and their cells, order, text.

    python benchmarks/pdf_structure.py [--keep FOLDER] [--only NAME] [--maker MAKER] [--show]

Documents of which everything is known are made into PDFs by whatever this machine has of Chromium, LibreOffice,
WeasyPrint, reportlab and fpdf2, and read again as `glossator add` reads them. Every figure is a part of 1.
"""

from __future__ import annotations

import argparse
import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pdf_makers import makers
from pdf_truth import Block, Truth, heads, truths

from glossator.corpus.items import Item, Reading, Source
from glossator.corpus.readers import pdf as reader

MEASURES = ("headings", "precision", "levels", "tables", "cells", "order", "text")


@dataclass(frozen=True, slots=True)
class Score:
    """Parts of 1; None where the document has nothing to measure."""

    headings: float | None  # of the headings, found as headings
    precision: float | None  # of what was taken for a heading, really one
    levels: float | None  # of pairs of found headings, those whose levels stand in the right relation
    tables: float | None  # of the tables, found with at least half of their cells
    cells: float | None  # of the cells, found in the right row and column
    order: float | None  # of neighbouring blocks, those that are read in the right order
    text: float | None  # of the words, read at all


def score(truth: Truth, reading: Reading) -> Score:
    items = reading.items
    wanted = heads(truth.blocks)
    found = [item for item in items if item.label in ("title", "section_header")]
    names = {_key(block.text): block for block in wanted}
    right = [item for item in found if _key(item.text) in names]
    tables = [block for block in truth.blocks if block.kind == "table"]
    matches = [_best(table, items) for table in tables]
    return Score(
        headings=_part(len({_key(item.text) for item in right}), len(wanted)),
        precision=_part(len(right), len(found)),
        levels=_levels([(names[_key(item.text)], item) for item in right]),
        tables=_part(sum(share >= 0.5 for share in matches), len(tables)),
        cells=sum(matches) / len(matches) if matches else None,
        order=_order(truth.blocks, items),
        text=_words(truth.blocks, items),
    )


def _levels(pairs: Sequence[tuple[Block, Item]]) -> float | None:
    depths = [
        (block.level, item.level if item.label == "section_header" else 0)
        for block, item in pairs
        if block.kind == "head"
    ]
    told = [_sign(a[0] - b[0]) == _sign(a[1] - b[1]) for n, a in enumerate(depths) for b in depths[n + 1 :]]
    return _part(sum(told), len(told))


def _best(table: Block, items: Iterable[Item]) -> float:
    """The part of a table's cells that stand at their places in the most similar one that was read."""
    return max((_cells(table, item) for item in items if item.table is not None), default=0.0)


def _cells(table: Block, item: Item) -> float:
    assert item.table is not None
    read = [[_key(cell) for cell in row] for row in (item.table.columns, *item.table.rows)]
    wanted = [[_key(cell) for cell in row] for row in table.rows]
    starts = {row[0]: number for number, row in enumerate(read) if row}
    same = 0
    for row in wanted:
        at = starts.get(row[0])
        same += 0 if at is None else sum(a == b for a, b in zip(row, read[at], strict=False))
    return same / sum(map(len, wanted))


def _order(blocks: Sequence[Block], items: Sequence[Item]) -> float | None:
    flow = _key("".join(_plain(item) for item in items))
    places = [flow.find(_key(block.text)[:40]) for block in blocks if block.kind in ("text", "item", "head")]
    pairs = [before < after and before >= 0 for before, after in itertools.pairwise(places)]
    return _part(sum(pairs), len(pairs))


def _words(blocks: Sequence[Block], items: Sequence[Item]) -> float | None:
    read = _key("".join(_plain(item) for item in items))
    words = [_key(word) for block in blocks for text in (block.text, *sum(block.rows, ())) for word in text.split()]
    return _part(sum(word in read for word in words), len(words))


def _plain(item: Item) -> str:
    if item.table is None:
        return (item.marker if item.label == "list_item" else "") + item.text
    return "".join(cell for row in (item.table.columns, *item.table.rows) for cell in row)


def _key(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold()


def _part(count: int, of: int) -> float | None:
    return count / of if of else None


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, help="leave the PDFs in this folder, and take those that are there")
    parser.add_argument("--only", help="one kind of document")
    parser.add_argument("--maker", help="one of the makers")
    parser.add_argument("--show", action="store_true", help="print the items that were read")
    asked = parser.parse_args()
    rows: list[Score] = []
    print(f"{'document':18} {'maker':12}" + "".join(f"{name:>10}" for name in MEASURES))
    for truth in truths():
        for name, make in makers().items():
            if asked.only not in (None, truth.name) or asked.maker not in (None, name):
                continue
            data = _made(truth, name, make, asked.keep)
            if data is None:
                continue
            reading = reader.read(Source(data, f"{truth.name}.pdf", "pdf"))
            rows.append(score(truth, reading))
            print(f"{truth.name:18} {name:12}" + _figures(rows[-1]))
            if asked.show:
                for item in reading.items:
                    print("   ", item.label, item.level or "", item.marker, repr(item.text[:90]), item.table or "")
    print(f"{'mean of ' + str(len(rows)):31}" + _figures(_mean(rows)))


def _made(truth: Truth, name: str, make, keep: Path | None) -> bytes | None:
    kept = keep / f"{truth.name}-{name}.pdf" if keep else None
    if kept and kept.exists():
        return kept.read_bytes()
    data = make(truth)
    if kept and data:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(data)
    return data


def _mean(rows: Sequence[Score]) -> Score:
    def mean(name: str) -> float | None:
        values = [value for row in rows if (value := getattr(row, name)) is not None]
        return sum(values) / len(values) if values else None

    return Score(**{name: mean(name) for name in MEASURES})


def _figures(row: Score) -> str:
    values = (getattr(row, name) for name in MEASURES)
    return "".join(f"{'-' if value is None else f'{value:.2f}':>10}" for value in values)


if __name__ == "__main__":
    main()
