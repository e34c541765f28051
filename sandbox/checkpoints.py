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
from typing import Any, Final, NamedTuple

from . import library

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
_SETS: Final = (pickle.EMPTY_SET, pickle.FROZENSET)
_ARRAY: Final = array.array("b").__reduce_ex__(3)[0]

Find = Callable[[str, str], Any]  # a module facade, or a member of one: ("math", "") or ("math", "sqrt")


class NoCheckpoint(Exception):
    """Bytes that are no checkpoint of this session."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    data: bytes
    left: tuple[str, ...] = ()  # variables that are not in it, in order
    reordered: tuple[str, ...] = ()  # variables whose sets it brings back in another order


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


def write(
    variables: Mapping[str, Any],
    outputs: Mapping[int, str],
    known: Mapping[int, tuple[str, str]],
    find_known: Find,
    more: Mapping[str, Any],
) -> Checkpoint:
    """The plain ones among the variables, with `_out`, the settings of the library, and `more` by name, plain or left.

    `known` tells by address what every worker has, facades and their members; `find_known` finds it again.
    """
    one = _One(known, find_known)
    content = {"outputs": dict(outputs), "settings": library.settings()}
    whole = one.dumped({**content, "variables": dict(variables), "more": dict(more)})
    if whole is not None and one.returns(whole):  # the usual case: everything at once
        return Checkpoint(whole)
    alone = {name: one.dumped(value) for name, value in [*variables.items(), *more.items()]}
    left = [name for name, data in alone.items() if data is None]
    reordered = [name for name, data in alone.items() if data is not None and not one.returns(data)]
    content["variables"], content["more"] = (
        {name: value for name, value in values.items() if alone[name] is not None} for values in (variables, more)
    )
    data = one.dumped(content)
    return Checkpoint(data or b"", tuple(left), tuple(reordered))


def read(data: bytes, find_known: Find) -> Restored:
    """What `write` kept; the settings of the library are in force. Raises `NoCheckpoint`."""
    try:
        content = _Reader(io.BytesIO(data), find_known).load()
        library.restore(content["settings"])
        return Restored(content["variables"], content["outputs"], content["more"])
    # Bytes that are no pickle can raise nearly anything.
    except Exception as error:
        raise NoCheckpoint(f"{type(error).__name__}: {error}") from error


class Restored(NamedTuple):
    variables: dict[str, Any]
    outputs: dict[int, str]
    more: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _One:
    """A value to bytes, and whether it comes back as it was."""

    known: Mapping[int, tuple[str, str]]
    find: Find

    def dumped(self, value: Any) -> bytes | None:
        """None for what is no plain data."""
        try:
            return _dump(value, self.known)
        except (pickle.PicklingError, RecursionError, TypeError, ValueError, AttributeError):
            return None

    def returns(self, data: bytes) -> bool:
        """True iff what comes back is the same to the order of its sets, which depends on how they grew."""
        if not any(opcode in data for opcode in _SETS):
            return True
        return self.dumped(_Reader(io.BytesIO(data), self.find).load()) == data


def _dump(value: Any, known: Mapping[int, tuple[str, str]]) -> bytes:
    file = io.BytesIO()
    _Writer(file, known).dump(value)
    return file.getvalue()
