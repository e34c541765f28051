"""What goes to the terminal: results to stdout; progress and messages to stderr; colours only where somebody looks.

Text of documents and of cells is not ours: on a terminal its control characters are shown, not obeyed.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TextIO

Advance = Callable[[str, int, int, str], None]  # title of the bar, done, total, what was finished last

NARROWEST = 60  # columns that a table is drawn for; a narrower terminal wraps its lines, which loses nothing

# An escape sequence in a document could retitle the window, move the cursor or forge lines above.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def prepare() -> None:
    """Make all three streams usable, and both outputs take any text: what their encoding cannot say is escaped."""
    _fill_closed()
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = sys.stdout or _nowhere("w")
    sys.stderr = sys.stderr or _nowhere("w")
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def finish() -> None:
    """Flush what others wrote to stdout; a reader that has gone away (`| head`) is no failure, a full disk is one."""
    with _writing(sys.stdout):
        sys.stdout.flush()


def write(text: str, *, end: str = "\n") -> None:
    """One piece of a result, to stdout."""
    _guarded(sys.stdout, text + end)


def write_bytes(data: bytes) -> None:
    """A file as it is stored; on a terminal as text with its control characters shown."""
    if sys.stdout.isatty():
        _guarded(sys.stdout, data.decode("utf-8", "replace"))
        return
    with _writing(sys.stdout):
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def write_json(value: Any) -> None:
    """The whole result of a `--json` command: the only thing on stdout."""
    # Not through `write`: JSON escapes control characters itself. A lone surrogate becomes \udxxx, which JSON knows.
    _put(sys.stdout, json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def message(text: str) -> None:
    """A line for the person, to stderr."""
    _guarded(sys.stderr, text + "\n")


def watched() -> bool:
    """Whether somebody reads the messages as they come: asides are for people, not for logs."""
    return sys.stderr.isatty()


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], cut: Collection[str] = ()) -> None:
    """A table on stdout: drawn to the width of a terminal; elsewhere aligned columns that are never cut.

    On a terminal that is too narrow the columns named in `cut` lose the ends of their cells, which keeps a row a line.
    """
    if sys.stdout.isatty():
        _drawn(columns, rows, cut)
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


def _drawn(columns: Sequence[str], rows: Sequence[Sequence[str]], cut: Collection[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    def cell(column: str, text: str) -> Text:
        shown = _visible(one_line(text))
        return Text(shown, no_wrap=True, overflow="ellipsis") if column in cut else Text(shown, overflow="fold")

    # A column of the table that must not wrap is not narrowed either, as long as there is another.
    heads = (Column(name, no_wrap=bool(cut) and name not in cut) for name in columns)
    drawing = Table(*heads, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for row in rows:
        drawing.add_row(*map(cell, columns, row))
    Console(width=max(Console().width, NARROWEST)).print(drawing)


def _aligned(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    cells = [list(columns), *([one_line(cell) for cell in row] for row in rows)]
    widths = [max(len(row[n]) for row in cells) for n in range(len(columns))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]


def _visible(text: str) -> str:
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def _guarded(stream: TextIO, text: str) -> None:
    _put(stream, _visible(text) if stream.isatty() else text)


def _put(stream: TextIO, text: str) -> None:
    with _writing(stream):
        stream.write(text)
        stream.flush()


@contextmanager
def _writing(stream: TextIO) -> Iterator[None]:
    """A reader that has gone away (`| head`) is no failure; a full disk is one, told once."""
    try:
        yield
    except OSError as error:
        _silence(stream)  # what is still buffered and what follows is written to nowhere
        if not isinstance(error, BrokenPipeError):
            raise


def _silence(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _fill_closed() -> None:
    """Whoever closed a standard stream (`>&-`) would have its number given to the next file that is opened, a database
    say, and a library that prints would write into it."""
    while (taken := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(taken, True)
    os.close(taken)


def _nowhere(mode: Literal["r", "w"]) -> TextIO:
    return open(os.devnull, mode, encoding="utf-8")
