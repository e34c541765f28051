"""JSON, JSON lines, YAML and TOML: records as a table where they are records, else their text as written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ..encodings import decode
from ..items import Item, Reading, Source, Table, heading
from .code import blocks

_MAX_COLUMNS = 60  # records with more are shown as written
_LONG_LINE = 2000  # characters; such JSON was not written to be read
_MAX_INDENT = 40
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\],]|[^"{}\[\],]+')


def read(source: Source) -> Reading:
    text = decode(source.data)
    value = _values(text) if source.format in ("json", "jsonl") else None
    if (table := _records(value)) is not None:
        return Reading([Item("table", table=table)])
    if isinstance(value, dict) and any(_records(inner) is not None for inner in value.values()):
        return Reading(list(_members(value)))
    if value is not None and max(map(len, text.splitlines()), default=0) > _LONG_LINE:
        text = _in_lines(text)
    return Reading([Item("code", block, language=source.format) for block in blocks(text)])


def _members(value: dict[str, Any]) -> Iterator[Item]:
    """An object whose members hold records: a section each."""
    for name, inner in value.items():
        yield heading(name, 1)
        if (table := _records(inner)) is not None:
            yield Item("table", table=table)
        else:
            text = json.dumps(inner, ensure_ascii=False, indent=1)
            yield from (Item("code", block, language="json") for block in blocks(text))


def _in_lines(text: str) -> str:
    """Minified JSON with a line per member; numbers and strings stay as they are written."""
    lines, depth = [""], 0
    for token in _TOKEN.findall(text):
        if token in "}]":
            depth -= 1
            lines.append(" " * depth)
        lines[-1] += token.strip()
        if token in "{[":
            depth += 1
        if token in "{[,":
            lines.append(" " * min(depth, _MAX_INDENT))
    return "\n".join(lines)


def _values(text: str) -> Any:
    """The value of a JSON document, or a list of those of JSON lines; None when it is neither."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        return None


def _records(value: Any) -> Table | None:
    """A list of flat objects as a table."""
    if not isinstance(value, list) or not value or not all(_is_flat(row) for row in value):
        return None
    columns = list(dict.fromkeys(str(key) for row in value for key in row))
    if len(columns) > _MAX_COLUMNS:
        return None
    return Table.of(columns, [[_cell(row.get(column)) for column in columns] for row in value])


def _is_flat(row: Any) -> bool:
    return isinstance(row, dict) and bool(row) and not any(isinstance(inner, dict) for inner in row.values())


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
