"""Library classes that nobody can change: the interpreter itself refuses it, so cells need no guard on their writes.

A method that a cell put into a library class would be called by library code, with its own objects, and by later cells.
CPython keeps classes that are written in C from that by a flag. The zygote sets it on every other class before workers
are forked, a worker on what it made since then, before its first cell; classes of cells come later and stay theirs.
"""

from __future__ import annotations

import ctypes
import gc
import platform
import sys
from collections.abc import Iterable, Iterator
from typing import Final

_IMMUTABLE: Final = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE
# Where PyTypeObject has tp_flags, in every CPython on a 64-bit machine: a variable object's head of three words, then
# eighteen words of names, sizes and functions.
_FLAGS_AT: Final = 21 * 8
_KNOWN: Final = ((3, 11), (3, 12), (3, 13))  # versions of CPython in which this was tried


class _Witness:
    """One class of many."""


def sealed() -> bool:
    """Whether library classes are immutable in this process. If not, writes of cells have to be guarded."""
    return bool(_Witness.__flags__ & _IMMUTABLE)


def seal(classes: Iterable[type]) -> bool:
    """Make `classes` immutable, for good; False, with nothing done, where that cannot be trusted."""
    if not _supported():
        return False
    for cls in classes:
        _flags(cls).value |= _IMMUTABLE
    return True


def seal_too(classes: Iterable[type]) -> None:
    """Make classes of the library that were made late like all others."""
    if sealed():
        seal(classes)


def every_class() -> Iterator[type]:
    """All classes of this process."""
    found: set[type] = {object}
    waiting: list[type] = [object]
    while waiting:
        cls = waiting.pop()
        yield cls
        new = [each for each in type.__subclasses__(cls) if each not in found]
        found.update(new)
        waiting += new


def new_classes() -> Iterator[type]:
    """Those that were made since `gc.freeze`. Looking at the others would copy their pages into this process."""
    return (each for each in gc.get_objects() if issubclass(type(each), type))


def _supported() -> bool:
    """Whether this interpreter keeps its flags where we look for them, and obeys them."""
    if platform.python_implementation() != "CPython" or sys.version_info[:2] not in _KNOWN or sys.maxsize < 1 << 32:
        return False
    if any(_flags(cls).value != cls.__flags__ for cls in (object, type, int, dict, _Witness, BaseException)):
        return False
    probe: type = type("probe", (), {"x": 0})
    _flags(probe).value |= _IMMUTABLE
    try:
        probe.x = 1  # type: ignore[attr-defined]
    except TypeError:
        return True
    return False


def _flags(cls: type) -> ctypes.c_ulong:
    return ctypes.c_ulong.from_address(id(cls) + _FLAGS_AT)
