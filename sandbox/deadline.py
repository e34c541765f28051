"""The wall clock of a cell: a signal that keeps coming until the cell has returned."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import Any, Final

_AGAIN_S: Final = 0.05  # whatever swallows the first TimeLimit meets the next one


class TimeLimit(SystemExit):
    """The cell ran for longer than it may.

    A SystemExit because asyncio lets those through tasks, callbacks and gather(return_exceptions=True); handlers and
    `with` statements of cells ask `Deadline.check` before they go on, so nothing in a cell can swallow it for good.
    """


class Deadline:
    def __init__(self, wall_s: float) -> None:
        self.wall_s = wall_s
        self.passed = False

    def check(self) -> None:
        """Compiled into every handler, every `finally` and behind every `with` of a cell."""
        if self.passed:
            raise self._limit()

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        self.passed = False
        before = signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, self.wall_s, _AGAIN_S)
        try:
            yield
        finally:
            # In this order: once it is ignored a pending signal is dropped, and nothing is raised any more.
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _ring(self, signum: int, frame: Any) -> None:
        self.passed = True
        raise self._limit()

    def _limit(self) -> TimeLimit:
        return TimeLimit(f"the cell ran for more than {self.wall_s:g} s and was stopped")
