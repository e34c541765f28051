"""The wall clock of a cell: a signal that keeps coming until the cell has returned.

There is one such signal in a process, so its state lives here. Python hands signals to `_ring` between two steps of the
interpreter; whoever must not be interrupted says so in a plain variable, which costs no system call.
"""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Final, Self

_AGAIN_S: Final = 0.05  # whatever swallows the first TimeLimit meets the next one


class TimeLimit(SystemExit):
    """The cell ran for longer than it may.

    A SystemExit because asyncio lets those through tasks, callbacks and gather(return_exceptions=True). Handlers and
    `with` statements of cells ask whether it has passed before they go on: nothing in a cell can swallow it for good.
    """


class Deadline:
    """`with deadline:` raises TimeLimit after `wall_s` seconds, and every 50 ms from then on until the block ends."""

    def __init__(self, wall_s: float) -> None:
        self.wall_s = wall_s
        self.passed: list[str] = []  # empty until it has: a list, as compiled cells hold the object itself
        signal.signal(signal.SIGALRM, _ring)

    def check(self) -> None:
        """Compiled into every handler, every `finally` and behind every `with` of a cell, for when it has passed."""
        if self.passed:
            raise self._limit()

    def __enter__(self) -> Self:
        self.passed.clear()
        _alarm.rings = self
        signal.setitimer(signal.ITIMER_REAL, self.wall_s, _AGAIN_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _alarm.rings = None
        signal.setitimer(signal.ITIMER_REAL, 0)

    def ring(self) -> None:
        if not self.passed:
            self.passed.append("passed")
        raise self._limit()

    def _limit(self) -> TimeLimit:
        return TimeLimit(f"the cell ran for more than {self.wall_s:g} s and was stopped")


class Uninterrupted:
    """`with uninterrupted:` no TimeLimit is raised inside; it comes with the next signal. Never wait inside."""

    def __enter__(self) -> None:
        _alarm.held += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _alarm.held -= 1


class _Alarm:
    rings: Deadline | None = None
    held = 0


_alarm: Final = _Alarm()
uninterrupted: Final = Uninterrupted()
# Raised while one of these begins or ends, TimeLimit would leave the alarm on for good.
_EDGES: Final = frozenset(
    {each.__code__ for kind in (Deadline, Uninterrupted) for each in (kind.__enter__, kind.__exit__)}
)


def _ring(signum: int, frame: FrameType | None) -> None:
    deadline = _alarm.rings
    if deadline is None or _alarm.held or (frame is not None and frame.f_code in _EDGES):
        return
    deadline.ring()
