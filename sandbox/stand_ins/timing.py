"""timeit and platform: of the first what takes functions, of the second what is no secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from . import clocks

default_timer: Final[Callable[[], float]] = clocks.TIME["perf_counter"]


def timeit(
    stmt: Any = None,
    setup: Any = None,
    timer: Callable[[], float] = default_timer,
    number: int = 1000,
    globals: Any = None,
) -> float:
    for each in (stmt, setup):
        if isinstance(each, str):
            raise TypeError("timeit() takes functions here: timeit(lambda: work(x), number=100)")
    if setup is not None:
        setup()
    start = timer()
    for _ in range(number):
        stmt()
    return timer() - start


def repeat(
    stmt: Any = None,
    setup: Any = None,
    timer: Callable[[], float] = default_timer,
    repeat: int = 5,
    number: int = 1000,
    globals: Any = None,
) -> list[float]:
    return [timeit(stmt, setup, timer, number) for _ in range(repeat)]


def system() -> str:
    return "Linux"


TIMEIT: Final = {"default_timer": default_timer, "timeit": timeit, "repeat": repeat}
PLATFORM: Final = {"system": system}
