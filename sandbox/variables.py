"""Which variables a cell made or changed, told in a word each, without running any code of the cell."""

from __future__ import annotations

import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Mapping
from typing import Any, Final

# Exactly these types: the length of a subclass may be anybody's code.
_SIZED: Final = {
    dict,
    list,
    set,
    tuple,
    str,
    bytes,
    bytearray,
    frozenset,
    deque,
    Counter,
    defaultdict,
    OrderedDict,
    range,
}
_UNTOLD: Final = (types.ModuleType,)
_NAMES: Final = 200  # of one cell
_NAME_CHARS: Final = 200  # longer names are nobody's to read

Snapshot = dict[str, tuple[Any, int]]


def snapshot(namespace: Mapping[str, Any]) -> Snapshot:
    """What the variables are now; held, so that no address is used twice."""
    return {name: (value, _size(value)) for name, value in namespace.items()}


def _size(value: Any) -> int:
    return len(value) if type(value) in _SIZED else -1


def changes(before: Snapshot, namespace: Mapping[str, Any]) -> dict[str, str]:
    """New and changed variables: {"caps": "dict(212)"}."""
    told: dict[str, str] = {}
    for name, value in namespace.items():
        if name.startswith("_") or len(name) > _NAME_CHARS or issubclass(type(value), _UNTOLD) or len(told) == _NAMES:
            continue
        old = before.get(name)
        if old is None or old[0] is not value or old[1] != _size(value):
            told[name] = describe(value)
    return told


def describe(value: Any) -> str:
    """The type of a value, and its length if it has an honest one."""
    kind = type(value)
    if issubclass(kind, type):
        return "class"
    if kind is types.FunctionType:
        return "function"
    return f"{type_name(kind)}({len(value)})" if kind in _SIZED else type_name(kind)


def type_name(kind: type) -> str:
    return type.__dict__["__name__"].__get__(kind)
