"""Notices what was called and never awaited: Python itself prints a coroutine object and goes on."""

from __future__ import annotations

import contextlib
import inspect
import re
import sys
import types
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, Final

_NEVER: Final = re.compile(r"coroutine '(.+)' was never awaited")
_CELL: Final = re.compile(r"<(cell \d+)>")


# As `warnings.simplefilter` would put them in front, one by one for each cell.
_FILTERS: Final = [
    (action, None, category, None, 0)
    for action, category in (
        ("ignore", SyntaxWarning),
        ("ignore", DeprecationWarning),
        ("always", RuntimeWarning),
        ("always", UserWarning),
    )
]


class Forgotten:
    """What one cell forgot to await; also prints the warnings that its own code gave."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}  # the function -> the variable that holds the coroutine, or ""
        self._attentive = False

    def attend(self) -> None:
        """The cell's own code begins: what ends before this was left by earlier cells, and goes unnoticed."""
        self._attentive = True

    @contextlib.contextmanager
    def noticed(self) -> Iterator[None]:
        with warnings.catch_warnings():
            warnings.filters = [*_FILTERS, *warnings.filters]
            warnings.showwarning = self._warned
            # Errors of a coroutine or generator that is thrown away half-way belong to nobody. `id` as it does nothing,
            # and in C: the time limit, raised within a hook, would be printed with our own paths.
            hook, sys.unraisablehook = sys.unraisablehook, id
            try:
                yield
            finally:
                sys.unraisablehook = hook

    def _warned(
        self, message: Any, category: type[Warning], filename: str, lineno: int, file: Any = None, line: Any = None
    ) -> None:
        if not self._attentive:
            return
        if category is RuntimeWarning and (match := _NEVER.search(str(message))):
            self._names.setdefault(match[1], "")
        elif match := _CELL.fullmatch(filename):
            print(f"{category.__name__}: {message} ({match[1]}, line {lineno})", file=sys.stderr)

    def look_at(self, values: Mapping[str, Any]) -> None:
        """Coroutines that wait in variables, or are about to be shown."""
        for name, value in values.items():
            if type(value) is types.CoroutineType and inspect.getcoroutinestate(value) == inspect.CORO_CREATED:
                self._names[value.__qualname__] = name

    def told(self) -> str:
        return "".join(
            f"{function}(...) was not awaited: write `{f'{name} = ' if name else ''}await {function}(...)`\n"
            for function, name in self._names.items()
        )
