"""time and datetime: what reads a clock reads the one that is recorded."""

from __future__ import annotations

import ctypes
import datetime
import gc
import time
from collections.abc import Callable
from typing import Any, Final

from ..inputs import CLOCK

_SECOND: Final = 10**9  # nanoseconds


def _clock(name: str) -> tuple[Callable[[], float], Callable[[], int]]:
    """The clock `name` of time, in seconds and in nanoseconds."""
    source: Callable[[], int] = getattr(time, f"{name}_ns")

    def seconds() -> float:
        return CLOCK.read(source) / _SECOND

    def nanoseconds() -> int:
        return CLOCK.read(source)

    seconds.__name__ = seconds.__qualname__ = name
    nanoseconds.__name__ = nanoseconds.__qualname__ = f"{name}_ns"
    return seconds, nanoseconds


_CLOCKS: Final = {name: _clock(name) for name in ("time", "monotonic", "perf_counter", "process_time")}
_now = _CLOCKS["time"][0]


def gmtime(seconds: float | None = None, /) -> time.struct_time:
    return time.gmtime(_now() if seconds is None else seconds)


def localtime(seconds: float | None = None, /) -> time.struct_time:
    return time.localtime(_now() if seconds is None else seconds)


def ctime(seconds: float | None = None, /) -> str:
    return time.ctime(_now() if seconds is None else seconds)


def asctime(*parts: Any) -> str:
    return time.asctime(*(parts or (localtime(),)))


def strftime(format: str, *parts: Any) -> str:
    return time.strftime(format, *(parts or (localtime(),)))


def sleep(seconds: float, /) -> None:
    """Nobody has to wait again for what is run again."""
    time.sleep(0 if CLOCK.replaying and seconds >= 0 else seconds)


TIME: Final[dict[str, Any]] = {
    **{name: clock[0] for name, clock in _CLOCKS.items()},
    **{f"{name}_ns": clock[1] for name, clock in _CLOCKS.items()},
    **{each.__name__: each for each in (gmtime, localtime, ctime, asctime, strftime, sleep)},
}


def _now_datetime(cls: Any, tz: Any = None) -> Any:
    microseconds = CLOCK.read(time.time_ns) // 1000
    return cls.fromtimestamp(microseconds // 10**6, tz).replace(microsecond=microseconds % 10**6)


def _utcnow(cls: Any) -> Any:
    return _now_datetime(cls, datetime.UTC).replace(tzinfo=None)


def _today(cls: Any) -> Any:
    return cls.fromtimestamp(CLOCK.read(time.time_ns) // _SECOND)


def _today_datetime(cls: Any) -> Any:
    return _now_datetime(cls)


_READING: Final = {
    datetime.datetime: {"now": _now_datetime, "utcnow": _utcnow, "today": _today_datetime},
    datetime.date: {"today": _today},
}


def record_datetime() -> None:
    """Have the real datetime classes of this process read the recorded clock; for the zygote.

    Subclasses would show: in repr(), in isinstance() of what the real ones return. The classes are written in C and
    refuse assignments, so their dicts are changed, and the caches of their attributes are told.
    """
    for cls, methods in _READING.items():
        own = gc.get_referents(cls.__dict__)[0]
        for name, function in methods.items():
            function.__name__ = function.__qualname__ = name
            own[name] = classmethod(function)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))
