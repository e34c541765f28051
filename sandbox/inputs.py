"""What a cell takes from outside beside the host's answers: clocks, chance, and the turns of its event loop.

Kept, so that the cell can be run again. Lives in the worker. The host gives each cell its entropy; from that every
random value follows, so none is recorded. Readings of clocks, and the turns at which timers were due or answers came,
are recorded one by one and go to the host when the cell has ended; a cell that is run again gets the same ones back.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

# Readings of clocks, and turns, that are kept of one cell; one that takes more cannot be run again.
MOST_READINGS: Final = 50_000


class Clock:
    """The clocks of the cell that is running, in nanoseconds."""

    def __init__(self) -> None:
        self.readings: list[int] = []  # of this cell; one more than is kept says that there were too many
        self._past: Sequence[int] | None = None
        self._position = 0

    @property
    def replaying(self) -> bool:
        return self._past is not None

    def begin(self, past: Sequence[int] | None) -> None:
        """A cell starts; `past` are its readings when it is run again."""
        self.readings = []
        self._past, self._position = past, 0

    def read(self, source: Callable[[], int]) -> int:
        """A reading of `source`, or the one that the cell got the first time."""
        if self._past is not None and self._position < len(self._past):
            self._position += 1
            return self._past[self._position - 1]
        value = source()
        if len(self.readings) <= MOST_READINGS:
            self.readings.append(value)
        return value


class Turn(NamedTuple):
    """A turn of the event loop in which something came from outside."""

    number: int  # of the turn in the cell, from 1
    now: int  # by the monotonic clock, in nanoseconds: timers up to here were due
    answers: int  # of the host that were handed out


class Turns:
    """When, counted in turns of the event loop, the cell that is running met what came from outside.

    A cell may race an answer against a timer: run again, at another speed, both must come where they came before.
    """

    def __init__(self) -> None:
        self.begin(None)

    def begin(self, past: Sequence[int] | None) -> None:
        """A cell starts; `past` is its `record` when it is run again."""
        self.record: list[int] = []  # the fields of one turn after the other
        self._past, self._position = past, 0
        self._number = 0

    def next(self) -> Turn | None:
        """A turn begins; what came in it the first time, if anything did."""
        self._number += 1
        if self._past is None or not self.replaying or self._past[self._position] != self._number:
            return None
        self._position += len(Turn._fields)
        return Turn(*self._past[self._position - len(Turn._fields) : self._position])

    @property
    def replaying(self) -> bool:
        """True iff there are turns left of those that the cell took the first time."""
        return self._past is not None and self._position < len(self._past)

    def came(self, now: int, answers: int) -> None:
        """Something came in this turn."""
        if len(self.record) <= MOST_READINGS:
            self.record += (self._number, now, answers)


class Entropy:
    """An endless stream of random bytes that follows from its seed."""

    def __init__(self) -> None:
        self.begin(os.urandom(16))

    def begin(self, seed: bytes) -> None:
        self._seed = seed
        self._block = 0
        self._left = b""

    def take(self, size: int) -> bytes:
        """The next `size` bytes."""
        parts, missing = [self._left], size - len(self._left)
        while missing > 0:
            parts.append(blake2b(self._block.to_bytes(8, "little"), key=self._seed).digest())
            missing -= len(parts[-1])
            self._block += 1
        taken = b"".join(parts)
        self._left = taken[size:]
        return taken[:size]


# A worker serves one session, and in it one cell at a time.
CLOCK: Final = Clock()
TURNS: Final = Turns()
ENTROPY: Final = Entropy()
