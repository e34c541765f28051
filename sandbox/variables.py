"""Which variables a cell made or changed, told in a word each, without running any code of the cell."""

from __future__ import annotations

import re
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from itertools import islice
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
_TEXTS: Final = {str, bytes}
_ATOMS: Final = {int, float, bool, complex, type(None), *_TEXTS}
_MAPPINGS: Final = {dict, Counter, defaultdict, OrderedDict}
_HOLDERS: Final = {list, tuple, set, frozenset, deque, *_MAPPINGS}
_LOOKED_AT: Final = 2_000  # values in the variables of one cell
_CHARS_LOOKED_AT: Final = 1_000  # of one text
# As in "<object at 0x7f…>", and what id() gives for it.
_ADDRESS: Final = re.compile(r"0x[0-9a-f]{4,16}\b|\b(?:9\d|1\d\d|2[0-8]\d)\d{12}\b")
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


def fingerprint(namespace: Mapping[str, Any], names: Iterable[str]) -> str:
    """Of the plain data in some variables, as far as it can be looked at quickly; addresses count for nothing.

    Cells are run again by what they were given. What else they may have depended on (the addresses of objects order
    a set of them) shows here, and a session is not silently another one.
    """
    digest, left = blake2b(digest_size=16), _LOOKED_AT
    waiting: deque[Any] = deque(namespace[name] for name in names)
    while waiting and left > 0:
        value = waiting.popleft()
        kind, left = type(value), left - 1
        if kind in _ATOMS:
            said = repr(value if kind not in _TEXTS else value[:_CHARS_LOOKED_AT])
            digest.update(_ADDRESS.sub("", said).encode("utf-8", "surrogatepass"))
        else:
            digest.update(b"%b %d;" % (type_name(kind).encode("utf-8", "surrogatepass"), _size(value)))
        if kind in _HOLDERS:
            waiting.extend(islice(value, left))
        if kind in _MAPPINGS:
            waiting.extend(islice(dict.values(value), left))
    return digest.hexdigest()


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
