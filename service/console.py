"""What goes to the terminal: results to stdout; progress and messages to stderr; colours only where somebody looks.

Text of documents and of cells is not ours: on a terminal its control characters are shown, not obeyed.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

Advance = Callable[[str, int, int, str], None]  # title of the bar, done, total, what was finished last

# An escape sequence in a document could retitle the window, move the cursor or forge lines above.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def prepare() -> None:
    """Make both streams take any text: what their encoding cannot say is escaped, never an error."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def finish() -> None:
    """Flush; a reader that has gone away (`| head`) is no failure."""
    _guarded(sys.stdout, "")


def write(text: str, *, end: str = "\n") -> None:
    """One piece of a result, to stdout."""
    _guarded(sys.stdout, text + end)


def write_bytes(data: bytes) -> None:
    """A file as it is stored; on a terminal as text with its control characters shown."""
    if sys.stdout.isatty():
        _guarded(sys.stdout, data.decode("utf-8", "replace"))
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _silence(sys.stdout)


def write_json(value: Any) -> None:
    """The whole result of a `--json` command: the only thing on stdout."""
    # Not through `write`: JSON escapes control characters itself. A lone surrogate becomes \udxxx, which JSON knows.
    _put(sys.stdout, json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def message(text: str) -> None:
    """A line for the person, to stderr."""
    _guarded(sys.stderr, text + "\n")


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table on stdout: drawn to the width of a terminal; elsewhere aligned columns that are never cut."""
    if sys.stdout.isatty():
        _drawn(columns, rows)
    else:
        write("\n".join(_aligned(columns, rows)))


@contextmanager
def progress() -> Iterator[Advance]:
    """Progress bars on stderr while the block runs, one for each title; nothing where nobody looks."""
    if not sys.stderr.isatty():
        yield lambda title, done, total, what: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    title_column, what_column = TextColumn("{task.description}"), TextColumn("{task.fields[what]}", markup=False)
    columns = (title_column, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), what_column)
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:

        def advance(title: str, done: int, total: int, what: str) -> None:
            if title not in tasks:
                tasks[title] = bars.add_task(title, what="")
            bars.update(tasks[title], completed=done, total=total, what=_visible(one_line(what)))

        yield advance


def one_line(text: str) -> str:
    """Text of a document inside a line of ours: line ends and runs of blanks become one blank."""
    return " ".join(text.split())


def _drawn(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawing = Table(*columns, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        drawing.add_row(*(Text(_visible(cell), overflow="fold") for cell in row))
    Console().print(drawing)


def _aligned(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    cells = [list(columns), *([one_line(cell) for cell in row] for row in rows)]
    widths = [max(len(row[n]) for row in cells) for n in range(len(columns))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]


def _visible(text: str) -> str:
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def _guarded(stream: TextIO, text: str) -> None:
    _put(stream, _visible(text) if stream.isatty() else text)


def _put(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        _silence(stream)


def _silence(stream: TextIO) -> None:
    """The reader has gone: what follows is written to nowhere, so that the command ends as it would have."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
