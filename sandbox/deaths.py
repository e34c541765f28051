"""What is told of a cell that took its worker with it: what ended it, where it was, and what to do."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .errors import ProtocolError
from .limits import Limits
from .results import CellError

# As faulthandler writes a frame, the innermost first.
_FRAME: Final = re.compile(rb'File "<cell (\d{1,9})>", line (\d{1,9}) in (\w{1,100}|<\w{1,20}>)')
_FRAMES: Final = 12
_TEXT_CHARS: Final = 200  # of a line of code


class Place(NamedTuple):
    """A line of a cell that was running."""

    cell: int
    line: int
    function: str

    def shown(self, code: str) -> str:
        where = f" in {self.function}" if self.function != "<module>" else ""
        lines = code.splitlines()
        text = lines[self.line - 1].strip()[:_TEXT_CHARS] if 0 < self.line <= len(lines) else ""
        return f"  cell {self.cell}, line {self.line}{where}\n" + (f"      {text}\n" if text else "")


def places(said: bytes) -> list[Place]:
    """What a worker said of its frames, the outermost first. It may say anything: only whole frames of cells count."""
    found = [Place(int(cell), int(line), name.decode()) for cell, line, name in _FRAME.findall(said)]
    return found[:_FRAMES][::-1]


def explained(error: Exception, number: int, code: str, said: bytes, limits: Limits, outlook: str) -> CellError:
    """The error of cell `number`, whose worker ended by `error`; `said` is its answer to the question where it is."""
    where = [place for place in places(said) if place.cell == number]
    shown = "".join(place.shown(code) for place in where)
    line = where[0].line if where else None
    kind, message, advice = _told(error, limits)
    if line is not None:
        message += f" while line {line} ran"
    head = f"Traceback (most recent call last):\n{shown}" if shown else ""
    return CellError(kind, message, f"{head}{kind}: {message}\n", f"{advice} {outlook}".strip(), line)


def _told(error: Exception, limits: Limits) -> tuple[str, str, str]:
    """Type, message and advice."""
    if isinstance(error, TimeoutError):
        return (
            "TimeLimit",
            f"the cell ran for more than {limits.wall_s:g} s and did not stop: its worker was ended",
            "Do it in smaller steps, over several cells: a single call that takes long cannot be interrupted.",
        )
    if isinstance(error, ProtocolError):
        return "WorkerEnded", f"the worker was ended: {error}", ""
    return (
        "WorkerEnded",
        f"it crashed, or needed far more than the limit of {limits.memory_mb} MiB of memory",
        "Go through documents one at a time, and keep less at once.",
    )
