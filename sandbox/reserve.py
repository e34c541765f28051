"""Address space kept back while a cell runs, so that its worker can still speak when the cell has used up the rest."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import contextmanager

# Enough to compile, explain and send a small cell, and to receive the next order.
RESERVE_BYTES = 16 << 20


@contextmanager
def held() -> Iterator[None]:
    """Hold the reserve, which costs no memory: nothing is ever written there.

    When variables of earlier cells have already eaten into it, the cell gets what is left, so that it can delete them.
    """
    try:
        reserve = mmap.mmap(-1, RESERVE_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError:
        yield
        return
    with reserve:
        yield
