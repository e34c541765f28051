"""Errors as the model reads them: its own lines only, with cell and line numbers."""

from __future__ import annotations

import linecache
import re
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_CELL: Final = re.compile(r"<cell (\d+)>")
_MESSAGE_CHARS: Final = 2_000  # an exception's message may hold a whole document
_INNER: Final = 5  # errors of a group that are told
_FRAMES: Final = 12  # lines of a traceback; the middle of a deep recursion tells nothing


def cell_name(number: int) -> str:
    return f"<cell {number}>"


def is_cell(filename: str) -> bool:
    return _CELL.fullmatch(filename) is not None


def remember(number: int, source: str) -> None:
    """Make the lines of a cell known to tracebacks."""
    linecache.cache[cell_name(number)] = (len(source), None, source.splitlines(True), cell_name(number))


@dataclass(frozen=True, slots=True)
class Line:
    cell: int
    line: int
    function: str
    text: str

    def __str__(self) -> str:
        where = f" in {self.function}" if self.function != "<module>" else ""
        return f"cell {self.cell}, line {self.line}{where}\n    {self.text}"


def lines_of(error: BaseException) -> list[Line]:
    """The lines of cells that the error passed through, the outermost first."""
    return lines_through(error.__traceback__)


def lines_through(traceback: types.TracebackType | None) -> list[Line]:
    """The same of a traceback."""
    return list(_walk(traceback))


def _walk(traceback: types.TracebackType | None) -> Iterator[Line]:
    while traceback is not None:
        code, number = traceback.tb_frame.f_code, traceback.tb_lineno
        if (match := _CELL.fullmatch(code.co_filename)) and number:
            text = linecache.getline(code.co_filename, number).strip()
            yield Line(int(match[1]), number, code.co_name, text[:200])
        traceback = traceback.tb_next


def message_of(error: BaseException) -> str:
    """`str(error)`, cut; of a group, with what is in it."""
    text = str.__str__(str(error))
    if isinstance(error, BaseExceptionGroup):
        inner = error.exceptions[:_INNER]
        text += ": " + "; ".join(f"{type(each).__name__}: {message_of(each)}" for each in inner)
    return text if len(text) <= _MESSAGE_CHARS else f"{text[:_MESSAGE_CHARS]}... ({len(text):,} characters)"


def user_lines(error: BaseException) -> str:
    """A traceback in Python's manner that shows the user's lines only, causes first."""
    parts: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        parts.append(_one(current))
        if current.__cause__ is not None:
            current, link = current.__cause__, "The above exception was the direct cause of the following exception:"
        elif current.__context__ is not None and not current.__suppress_context__:
            current, link = current.__context__, "During handling of the above exception, another exception occurred:"
        else:
            break
        parts.append(f"\n{link}\n\n")
    return "".join(reversed(parts))


def _one(error: BaseException) -> str:
    found = lines_of(error)
    if len(found) > _FRAMES:
        half = _FRAMES // 2
        shown = [*map(str, found[:half]), f"... {len(found) - _FRAMES} more calls ...", *map(str, found[-half:])]
    else:
        shown = [str(line) for line in found]
    head = ["Traceback (most recent call last):"] if shown else []
    body = [f"  {line}" for entry in shown for line in entry.split("\n")]
    message = message_of(error)
    return "\n".join([*head, *body, f"{type(error).__name__}: {message}" if message else type(error).__name__]) + "\n"
