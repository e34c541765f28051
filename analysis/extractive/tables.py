"""Sums, extremes, averages, counts and single values of tables, by a program over their cells."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from .passages import Bag, Reply
from .question import Question, words
from .sources import named
from .steps import Call, Rule, cite, code, failed, fill, output, rows, search

_TABULAR = (".csv", ".tsv", ".xlsx", ".xlsm", ".xls", ".ods")  # files that are tables and little else
_ROW_WORDS = ("rows", "entries", "lines", "records", "data", "total", "Zeilen", "Einträge", "lignes", "righe", "filas")
_PLAINLY = 0.6  # the share of a column's words that a question must hold to ask for a number in it
_FEW = 3  # rows that may answer a question for a single value
_SEARCHED = 3  # documents whose tables are looked at when the question names none

# What stands in the tables of some documents: their columns, and which cells the question names.
SURVEY = """
asked = $question
def said(cell):
    cell = cell.strip()
    case = 0 if cell.isupper() else re.I
    return len(cell) > 1 and re.search(rf"(?<!\\w){re.escape(cell)}(?!\\w)", asked, case)
def share(pattern, cells):
    filled = [cell for cell in cells if cell.strip()]
    return sum(bool(re.fullmatch(pattern, cell.strip())) for cell in filled) / len(filled) if filled else 0
found = []
for document in $documents:
    for item in items(document):
        if item["label"] == "table" and item["table"]["rows"]:
            columns, named, numbers = item["table"]["columns"], {}, []
            for column, cells in zip(columns, zip(*item["table"]["rows"])):
                year = share(r"1[5-9]\\d\\d|20\\d\\d", cells) > 0.9
                if share(r"[^\\w-]*-?\\d[\\d,. ']*\\W?", cells) > 0.8 and not year:
                    numbers.append(column)
                elif hits := sorted(cell for cell in set(cells) if said(cell)):
                    named[column] = hits[:5]
            if named or any(word in asked.casefold() for word in re.findall(r"\\w{3,}", " ".join(columns).casefold())):
                found.append({"document": document, "columns": columns, "named": named, "numbers": numbers})
for table in sorted(found, key=lambda table: -len(table["named"]))[:20]:
    print(json.dumps(table))
"""

ROWS = """
title = toc($document)["title"]
tables = [item["table"] for item in items($document) if item["label"] == "table"]
rows = [dict(zip($columns, row)) for table in tables if table["columns"] == $columns for row in table["rows"]]
def summed(row):
    return re.match(r"(?i)(grand |sub)?total|sum(me)?$|gesamt|insgesamt", next(filter(None, row.values()), ""))
rows = [row for row in rows if not summed(row)]
def number(cell):
    return float(re.sub(r"[^\\d.-]", "", cell) or 0)
chosen = [row for row in rows if $test]
"""

# The last lines of a program, by what is asked of the chosen rows.
_LAST_LINES = {
    "sum": """total = sum(number(row[$measure]) for row in chosen)
if chosen:
    print(f"total $name: {total:.10g}, {len(chosen)} of {len(rows)} rows of {title}: $label")""",
    "mean": """mean = sum(number(row[$measure]) for row in chosen) / len(chosen)
print(f"average $name: {mean:.6g}, {len(chosen)} of {len(rows)} rows of {title}: $label")""",
    "count": 'print(f"{len(chosen)} of {len(rows)} rows of {title}: $label")',
    "extreme": """best = $pick((row for row in chosen if row[$measure].strip()), key=lambda row: number(row[$measure]))
print("; ".join(f"{column}: {cell}" for column, cell in best.items() if cell))""",
    "value": """for row in chosen if len(chosen) <= $few else []:
    print("; ".join(f"{column}: {cell}" for column, cell in row.items() if cell))""",
    "totals": """totals = Counter()
for row in chosen:
    totals[row[$group]] += number(row[$measure])
for name in sorted(totals, key=totals.get, reverse=$descending)[:$limit]:
    print(f"{name}: {totals[name]:.10g}")""",
    "counts": """counts = Counter(row[$group] for row in chosen if row[$group])
for name in sorted(counts, key=counts.get, reverse=$descending)[:$limit]:
    print(f"{name}: {counts[name]} rows")""",
}


@dataclass(frozen=True, slots=True)
class Table:
    document: str
    columns: tuple[str, ...]
    named: dict[str, list[str]]  # by column: cells that the question names
    numbers: tuple[str, ...]  # columns of amounts

    @classmethod
    def of(cls, row: dict[str, Any]) -> Table:
        return cls(row["document"], tuple(row["columns"]), row["named"], tuple(row["numbers"]))

    def fit(self, question: Question) -> float:
        """How much of the question speaks about this table."""
        return sum(min(len(v), 2) for v in self.named.values()) + sum(_mentions(question, c) for c in self.columns)


def about_cells(question: Question) -> bool:
    """Whether it names a table's file, or asks for a sum, an average or an extreme."""
    return _tabular(question) or question.sums or question.means or question.most or question.least


def tables(question: Question, documents: Sequence[str] = (), names: str = "") -> Rule:
    """Look into the tables of `documents`, called `names`, or of those that the question names or a search finds."""
    if not (documents or question.counts or about_cells(question)):
        return None
    if not documents:
        documents, names = yield from _candidates(question)
    if not documents:
        return None
    survey = fill(SURVEY, question=repr(question.text), documents=repr(list(documents)))
    found = sorted((Table.of(row) for row in rows((yield code(survey)))), key=lambda table: -table.fit(question))
    if not found or found[0].fit(question) < (1 if names else 2):
        return None
    program = _program(question, found[0], names)
    if program is None:
        return None
    reply = yield code(program)
    if failed(reply):
        return None
    yield cite()
    return "\n".join(output(reply))


def _tabular(question: Question) -> bool:
    return any(file.casefold().endswith(_TABULAR) for file in question.files)


def _candidates(question: Question) -> Generator[Call, str, tuple[list[str], str]]:
    """The documents that the question names, with their names, else those whose tables a search finds."""
    sources = yield from named(question)
    if sources:
        return [source.id for source in sources], " ".join(f"{s.title} {s.file}" for s in sources)
    reply = Reply.parse((yield search(question.text)))
    return list(dict.fromkeys(p.document_id for p in reply.passages if p.kind == "table"))[:_SEARCHED], ""


def _mentions(question: Question, column: str) -> float:
    """The share of a column's words that the question holds."""
    parts = [word for word in words(column.replace("_", " ")) if len(word) > 1]
    asked = Bag(" ".join(question.terms), question.language)
    return sum(part in asked for part in parts) / len(parts) if parts else 0.0


def _program(question: Question, table: Table, names: str) -> str | None:
    amounts = question.sums or question.means or question.most or question.least
    measure = _best(question, table.numbers, lone=amounts and not question.counts)
    group = _best(question, [c for c in table.columns if c not in table.numbers and c not in table.named])
    last = _last_lines(question, table, measure, group)
    if last is None or (last in ("count", "value") and not table.named and not _only_rows(question, table, names)):
        return None
    chosen = _chosen(question, table)
    tests = [f"row[{column!r}] in {cells!r}" for column, cells in chosen.items()]
    label = ", ".join(f"{column} is {' or '.join(cells)}" for column, cells in chosen.items()) or "all"
    return fill(
        ROWS + _LAST_LINES[last],
        document=repr(table.document),
        columns=repr(list(table.columns)),
        test=" and ".join(tests) or "True",
        measure=repr(measure),
        name=_in_braces(str(measure)),
        group=repr(group),
        label=_in_braces(label),
        few=str(_FEW),
        pick="min" if question.least else "max",
        descending=str(not question.least),
        limit="1" if question.most or question.least else "30",
    )


def _only_rows(question: Question, table: Table, names: str) -> bool:
    """Whether a question for a number says nothing but what the rows are: then it asks for all of them."""
    said = Bag(" ".join([names, *table.columns, *_ROW_WORDS]), question.language)
    return bool(names) and all(term in said for term in question.terms)


def _chosen(question: Question, table: Table) -> dict[str, list[str]]:
    """Which cells the rows must have. A cell that stands in several columns is meant where the question names one."""
    chosen: dict[str, list[str]] = {}
    for column in sorted(table.named, key=lambda column: -_mentions(question, column)):
        if cells := [cell for cell in table.named[column] if not any(cell in others for others in chosen.values())]:
            chosen[column] = cells
    return chosen


def _in_braces(text: str) -> str:
    """Text that may stand inside an f-string between double quotes."""
    return text.replace("{", "{{").replace("}", "}}").replace('"', "'").replace("\n", " ")


def _best(question: Question, columns: tuple[str, ...] | list[str], *, lone: bool = False) -> str | None:
    """The column that the question mentions most; `lone`: an only one need not be mentioned."""
    best = max(columns, key=lambda column: _mentions(question, column), default=None)
    if best is None or (not _mentions(question, best) and not (lone and len(columns) == 1)):
        return None
    return best


def _last_lines(question: Question, table: Table, measure: str | None, group: str | None) -> str | None:
    extreme = question.most or question.least
    if group and (extreme or question.each):
        if not measure:
            return "counts"
        return "totals" if question.sums or question.each else "extreme"
    if measure and question.sums:
        return "sum"
    if measure and question.means:
        return "mean"
    if measure and extreme:
        return "extreme"
    if question.counts and not (table.named and measure and _mentions(question, measure) >= _PLAINLY):
        return "count"
    return "value" if table.named else None
