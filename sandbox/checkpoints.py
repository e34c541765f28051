"""Plain data of a session as bytes, so that a slow cell need not be run again. Written and read inside jails only.

To the host such bytes are opaque: they are pickles, and what a hostile worker put there must reach no process but
another worker. Plain data is what the built-in types and a few of the library's hold, with everything that variables
share. Functions, classes and their instances are left to the code that made them.
"""

from __future__ import annotations

import array
import builtins
import collections
import datetime
import decimal
import fractions
import io
import pickle
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from .stand_ins.chance import SHARED

# Types beside those that pickle itself knows. Exactly these: a subclass is the cell's own code.
_PLAIN: Final[dict[str, type]] = {
    f"{kind.__module__}.{kind.__qualname__}": kind
    for kind in (
        *(complex, range, array.array, decimal.Decimal, fractions.Fraction, types.SimpleNamespace),
        *(collections.Counter, collections.OrderedDict, collections.defaultdict, collections.deque),
        *(datetime.date, datetime.datetime, datetime.time, datetime.timedelta, datetime.timezone),
    )
}
_PLAIN_TYPES: Final = frozenset(_PLAIN.values())
_ARRAY: Final = array.array("b").__reduce_ex__(3)[0]

Find = Callable[[str, str], Any]  # a module facade, or a member of one: ("math", "") or ("math", "sqrt")


class NoCheckpoint(Exception):
    """Bytes that are no checkpoint of this session."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    data: bytes
    left: tuple[str, ...]  # variables that are not in it, in order


def find(module: str, name: str) -> Any:
    """Stands in a checkpoint for what every worker has: `_Reader` calls something else in its place."""
    raise NoCheckpoint(f"{module}.{name}")


class _Writer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, known: Mapping[int, tuple[str, str]]) -> None:
        super().__init__(file, protocol=5)
        self._known = known

    def reducer_override(self, obj: Any) -> Any:
        """Asked for everything but the simplest built-in types."""
        if type(obj) in _PLAIN_TYPES or obj is find:
            return NotImplemented
        if (place := self._known.get(id(obj))) is not None:
            return find, place
        if isinstance(obj, type) and obj in _PLAIN_TYPES:
            return find, ("", f"{obj.__module__}.{obj.__qualname__}")
        if isinstance(obj, type) and getattr(builtins, obj.__name__, None) is obj:
            return find, ("", obj.__name__)
        if obj is _ARRAY:  # what arrays ask pickle to call when they are read
            return NotImplemented
        raise pickle.PicklingError(f"no plain data: {type(obj).__name__}")


class _Reader(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, find_known: Find) -> None:
        super().__init__(file)
        self._find_known = find_known

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == (find.__module__, find.__qualname__):
            return self._find
        if (module, name) == ("array", "_array_reconstructor"):
            return _ARRAY
        raise NoCheckpoint(f"{module}.{name}")

    def _find(self, module: str, name: str) -> Any:
        if module:
            return self._find_known(module, name)
        if name in _PLAIN:
            return _PLAIN[name]
        found = getattr(builtins, name, None)
        if not isinstance(found, type):
            raise NoCheckpoint(name)
        return found


def write(variables: Mapping[str, Any], outputs: Mapping[int, str], known: Mapping[int, tuple[str, str]]) -> Checkpoint:
    """The plain ones among the variables, with `_out`, the state of the module random and the precision of decimals.

    `known` tells by address what every worker has: facades and their members.
    """
    left = _without_plain_data(variables, known)
    plain = {name: value for name, value in variables.items() if name not in left}
    arithmetic = decimal.getcontext()
    content = {
        "variables": plain,
        "outputs": dict(outputs),
        "random": SHARED.getstate(),
        "decimal": (arithmetic.prec, arithmetic.rounding),
    }
    return Checkpoint(_dump(content, known), left)


def read(data: bytes, find_known: Find) -> tuple[dict[str, Any], dict[int, str]]:
    """Variables and `_out`; sets what else `write` kept. Raises `NoCheckpoint`."""
    try:
        content = _Reader(io.BytesIO(data), find_known).load()
        SHARED.setstate(content["random"])
        arithmetic = decimal.getcontext()
        arithmetic.prec, arithmetic.rounding = content["decimal"]
        return content["variables"], content["outputs"]
    # Bytes that are no pickle can raise nearly anything.
    except Exception as error:
        raise NoCheckpoint(f"{type(error).__name__}: {error}") from error


def _without_plain_data(variables: Mapping[str, Any], known: Mapping[int, tuple[str, str]]) -> tuple[str, ...]:
    if _is_plain(dict(variables), known):  # the usual case: everything at once
        return ()
    return tuple(name for name, value in variables.items() if not _is_plain(value, known))


def _is_plain(value: Any, known: Mapping[int, tuple[str, str]]) -> bool:
    try:
        _dump(value, known)
    except (pickle.PicklingError, RecursionError, TypeError, ValueError, AttributeError):
        return False
    return True


def _dump(value: Any, known: Mapping[int, tuple[str, str]]) -> bytes:
    file = io.BytesIO()
    _Writer(file, known).dump(value)
    return file.getvalue()
