"""Metadata that lies beside files: a sidecar of one file, a table of many.

    report.pdf.meta.json    report.pdf.meta.yaml    a mapping of keys to values
    metadata.csv            path,author,year        a row for each file, its path from the table's folder
    metadata.jsonl          {"path": …, "author": …}

What is nearer to a file goes first: a table, then its sidecar, then what is given for all. A key without a value (null,
an empty cell) is taken away.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import yaml

from .encodings import decode
from .errors import MetadataMalformed
from .readers.frontmatter import jsonable

_MAX_BYTES = 64 << 20  # of a table
_MAX_SIDECAR_BYTES = 1 << 20
_PATH = "path"  # the column that names the file


def is_sidecar(path: Path) -> bool:
    """Whether a file is metadata of one beside it, and no document."""
    return any(
        path.name.endswith(suffix) and path.with_name(path.name[: -len(suffix)]).is_file() for suffix in _SIDECARS
    )


@dataclass(frozen=True, slots=True)
class Companions:
    """What is known of files beside what they hold."""

    for_all: Mapping[str, Any] = field(default_factory=dict)
    table: Mapping[Path, Mapping[str, Any]] = field(default_factory=dict)  # by absolute path, links followed

    @classmethod
    def of(cls, for_all: Mapping[str, Any] | None, table: str | Path | None) -> Companions:
        """Read the table, if one is named. MetadataMalformed when it is none."""
        return cls(dict(for_all or {}), _table(Path(os.path.realpath(os.path.expanduser(table)))) if table else {})

    def given(self, path: Path, before: Mapping[str, Any]) -> dict[str, Any]:
        """The keys of a file that had those of `before`. MetadataMalformed when its sidecar is broken."""
        merged = {**before, **self.table.get(path, {}), **_sidecar(path), **self.for_all}
        return {key: value for key, value in merged.items() if value is not None}

    def lost(self) -> list[Path]:
        """Files that the table names and that are not there."""
        return [path for path in self.table if not path.exists()]


def _sidecar(path: Path) -> dict[str, Any]:
    for suffix, parse in _SIDECARS.items():
        beside = path.with_name(path.name + suffix)
        if beside.is_file():
            text = _text(beside, _MAX_SIDECAR_BYTES)
            try:
                return _mapping(parse(text), beside)
            except (orjson.JSONDecodeError, yaml.YAMLError, RecursionError) as error:
                raise MetadataMalformed(f"{beside} is broken: {' '.join(str(error).split())}") from error
    return {}


def _text(path: Path, limit: int) -> str:
    try:
        if path.stat().st_size > limit:
            raise MetadataMalformed(f"{path} is larger than {limit >> 20} MB: too large for metadata")
        return decode(path.read_bytes())
    except OSError as error:
        raise MetadataMalformed(f"{path} cannot be read: {error.strerror}") from error


def _json(text: str) -> Any:
    return orjson.loads(text)


def _yaml(text: str) -> Any:
    return jsonable(yaml.safe_load(text))


_SIDECARS: Mapping[str, Callable[[str], Any]] = {".meta.json": _json, ".meta.yaml": _yaml, ".meta.yml": _yaml}


def _mapping(value: Any, path: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MetadataMalformed(f"{path} is no mapping of keys to values")
    return {str(key): each for key, each in value.items()}


def _table(path: Path) -> dict[Path, dict[str, Any]]:
    text = _text(path, _MAX_BYTES)
    rows = _records(text, path) if path.suffix.lower() in (".jsonl", ".ndjson") else _rows(text, path)
    found: dict[Path, dict[str, Any]] = {}
    for number, row in rows:
        name = row.pop(_PATH, None)
        if not isinstance(name, str) or not name.strip():
            raise MetadataMalformed(f"{path}, line {number}: no `{_PATH}` that names the file")
        found[Path(os.path.realpath(path.parent / os.path.expanduser(name)))] = row
    return found


def _records(text: str, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield number, _mapping(orjson.loads(line), path)
            except orjson.JSONDecodeError as error:
                raise MetadataMalformed(f"{path}, line {number}: {error}") from error


def _rows(text: str, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """A CSV's rows; every value is the string that stands there."""
    delimiter = "\t" if path.suffix.lower() in (".tsv", ".tab") else _delimiter(text)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    if _PATH not in (reader.fieldnames or ()):
        named = ", ".join(map(repr, reader.fieldnames or ()))
        raise MetadataMalformed(f"{path} has no column `{_PATH}` that names the files; it has {named or 'none'}")
    try:
        for row in reader:
            if None in row:
                raise MetadataMalformed(f"{path}, line {reader.line_num}: more cells than columns")
            yield reader.line_num, {key: value or None for key, value in row.items()}
    except csv.Error as error:
        raise MetadataMalformed(f"{path}, line {reader.line_num}: {error}") from error


def _delimiter(text: str) -> str:
    header = text.partition("\n")[0]
    return max(",;\t", key=header.count)
