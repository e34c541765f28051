"""What a cell takes from outside beside the host's answers: clocks and chance. Kept, so that it can be run again.

Lives in the worker. The host gives each cell its entropy; from that every random value follows, so none is recorded.
Readings of clocks are recorded one by one and go to the host when the cell has ended; a cell that is run again gets the
same ones back.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Final

# Readings of clocks that are kept of one cell; one that takes more cannot be run again.
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
ENTROPY: Final = Entropy()
