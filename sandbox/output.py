"""What a cell prints: kept up to one limit, shown up to another."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from typing import Final, Self

from .limits import Limits

Tell = Callable[[str, str], None]  # the name of the stream and what was written to it

CUT_MARKER: Final = "... (output truncated)"


class OutputLimit(RuntimeError):
    """The cell printed more than is kept."""


class Output:
    """The two streams of a session. They stay the same objects over all cells, since cells may keep them.

    Nothing here calls a method of a stream: a cell could have put its own in the class.
    """

    def __init__(self, limits: Limits, tell: Tell = lambda name, text: None) -> None:
        self.limits = limits
        self._texts: tuple[list[str], list[str]] = [], []
        self._spent = 0
        self._told = Told("stdout", tell), Told("stderr", tell)
        self.stdout = CellStream("<stdout>", self._texts[0], self._spend, self._told[0])
        self.stderr = CellStream("<stderr>", self._texts[1], self._spend, self._told[1])

    @contextlib.contextmanager
    def captured(self) -> Iterator[None]:
        """`sys.stdout` and `sys.stderr` are the cell's; what it puts in their place lasts until its end."""
        self._spent = 0
        for text, told in zip(self._texts, self._told, strict=True):
            text.clear()
            told.begin(self.limits.output_chars)
        before = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = self.stdout, self.stderr
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before

    def printed(self) -> tuple[str, str]:
        """What the last cell wrote to stdout and to stderr."""
        return "".join(self._texts[0]), "".join(self._texts[1])

    def _spend(self, chars: int) -> None:
        limit = self.limits.kept_output_chars
        if self._spent + chars > limit:
            raise OutputLimit(f"a cell may print {limit:,} characters")
        self._spent += chars

    def shown(self, text: str, whole: str) -> tuple[str, bool]:
        """The part of `text` that is shown, and whether it was cut; `whole` is the expression that has all of it."""
        limit = self.limits.output_chars
        if len(text) <= limit:
            return text, False
        more = f"{limit:,} of {len(text):,} characters are shown; the next: print({whole}[{limit}:{2 * limit}])"
        return f"{text[:limit]}\n{CUT_MARKER}\n{more}\n", True


class Told:
    """What a cell prints goes to the host line by line, as to a terminal: a cell that is killed has printed it.

    Only as much as is shown.
    """

    def __init__(self, name: str, tell: Tell) -> None:
        self._name = name
        self._tell = tell
        self._room = 0  # characters that may still be told
        self._line = ""

    def begin(self, room: int) -> None:
        self._room, self._line = room, ""

    def add(self, text: str) -> None:
        if self._room > 0:
            self._line += text[: self._room]
            self._room -= len(text)
            if "\n" in text:
                self.flush()

    def flush(self) -> None:
        line, self._line = self._line, ""
        if line:
            self._tell(self._name, line)


class CellStream(io.TextIOBase):
    """`sys.stdout` of cells. It cannot be changed: it is that of later cells too."""

    __slots__ = ("_spend", "_text", "_told", "name")  # out of reach of whatever fills the dicts of instances
    name: str
    _text: list[str]
    _spend: Callable[[int], None]
    _told: Told

    def __new__(cls, name: str, text: list[str], spend: Callable[[int], None], told: Told) -> Self:
        # Not in __init__, which a cell could call again: it would keep what later cells print.
        stream = super().__new__(cls)
        for slot, value in (("name", name), ("_text", text), ("_spend", spend), ("_told", told)):
            object.__setattr__(stream, slot, value)
        return stream

    def __init__(self, *parts: object) -> None:
        """Everything is done."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self.name} cannot be changed here; contextlib.redirect_stdout catches what is printed")

    def write(self, text: str, /) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        text = str.__str__(text)
        self._spend(len(text))
        self._text.append(text)
        self._told.add(text)
        return len(text)

    def writable(self) -> bool:
        return True

    def flush(self) -> None:
        """The line so far goes out."""
        self._told.flush()

    def close(self) -> None:
        """A cell that closes its output can still print."""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"
