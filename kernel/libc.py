"""The C library through ctypes: functions that raise OSError, and system calls by name."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

from .syscalls import number


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _argument(value: Any) -> Any:
    """Integers as whole registers: ctypes would pass 32 bits of them and leave the rest to chance."""
    return ctypes.c_long(value) if isinstance(value, int) else value


def call(function: str, *arguments: int | bytes | ctypes.Array[Any] | None) -> int:
    """Call a function that answers -1 on failure; raises OSError with the C library's errno."""
    result = getattr(_library(), function)(*map(_argument, arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{function}: {os.strerror(code)}")
    return result


def syscall(name: str, *arguments: int | bytes | ctypes.Array[Any] | None) -> int:
    """Make a system call by its name; raises OSError, also for a call that this architecture lacks."""
    where = number(name)
    if where is None:
        raise OSError(38, f"{name}: no such system call here")  # ENOSYS, as the kernel would answer
    try:
        return call("syscall", where, *arguments)
    except OSError as error:
        raise OSError(error.errno, f"{name}: {os.strerror(error.errno or 0)}") from None
