"""What a cell prints: kept up to one limit, shown up to another."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from typing import Final

from .limits import Limits

CUT_MARKER: Final = "... (output truncated)"


class OutputLimit(RuntimeError):
    """The cell printed more than is kept."""


class Output:
    """The two streams of a session. They stay the same objects over all cells, since cells may keep them.

    Nothing here calls a method of a stream: a cell could have put its own in the class.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._texts: tuple[list[str], list[str]] = [], []
        self._spent = 0
        self.stdout = CellStream("<stdout>", self._texts[0], self._spend)
        self.stderr = CellStream("<stderr>", self._texts[1], self._spend)

    @contextlib.contextmanager
    def captured(self) -> Iterator[None]:
        """`sys.stdout` and `sys.stderr` are the cell's; what it puts in their place lasts until its end."""
        self._spent = 0
        for text in self._texts:
            text.clear()
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


class CellStream(io.TextIOBase):
    """`sys.stdout` of cells. It cannot be changed: it is that of later cells too."""

    __slots__ = ("_spend", "_text", "name")  # out of reach of whatever fills the dicts of instances
    name: str
    _text: list[str]
    _spend: Callable[[int], None]

    def __init__(self, name: str, text: list[str], spend: Callable[[int], None]) -> None:
        for slot, value in (("name", name), ("_text", text), ("_spend", spend)):
            object.__setattr__(self, slot, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self.name} cannot be changed here; contextlib.redirect_stdout catches what is printed")

    def write(self, text: str, /) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        text = str.__str__(text)
        self._spend(len(text))
        self._text.append(text)
        return len(text)

    def writable(self) -> bool:
        return True

    def flush(self) -> None:
        """Nothing waits to be written."""

    def close(self) -> None:
        """A cell that closes its output can still print."""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"
