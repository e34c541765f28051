"""Safe forms of library functions that read, write or evaluate whatever a caller names, in one table by module."""

from __future__ import annotations

import enum
import sys
import types
from collections.abc import Mapping
from typing import Any, Final

from ..classes import ABCMETA, metaclass_shown
from . import (
    alerts,
    attributes,
    chance,
    clocks,
    contexts,
    enums,
    futures,
    inspection,
    objects,
    records,
    system,
    tasks,
    text,
    timing,
    zones,
)

BY_MODULE: Final[Mapping[str, Mapping[str, Any]]] = {
    "abc": {"ABCMeta": ABCMETA},
    "ast": {"literal_eval": system.literal_eval},
    "asyncio": tasks.NAMES,
    "collections": {"namedtuple": records.namedtuple} | text.COLLECTIONS,
    "concurrent.futures": futures.NAMES,
    "contextlib": contexts.NAMES,
    "dataclasses": {each.__name__: each for each in (records.dataclass, records.fields, records.make_dataclass)},
    "enum": enums.NAMES | dict.fromkeys(("EnumMeta", "EnumType"), metaclass_shown(enum.EnumType)),
    "functools": attributes.FUNCTOOLS | objects.FUNCTOOLS,
    "inspect": inspection.NAMES,
    "operator": {"attrgetter": attributes.attrgetter, "methodcaller": attributes.methodcaller},
    "platform": timing.PLATFORM,
    "random": chance.RANDOM,
    "secrets": chance.SECRETS,
    "string": text.STRING,
    "sys": {
        "argv": ["cell"],
        "exc_info": system.exc_info,
        "exit": system.exit_cell,
        "getrecursionlimit": system.get_recursion_limit,
        "implementation": objects.SimpleNamespace(vars(sys.implementation)),
        "setrecursionlimit": system.set_recursion_limit,
    },
    "time": clocks.TIME,
    "timeit": timing.TIMEIT,
    "traceback": system.TRACEBACK,
    "types": {"SimpleNamespace": objects.SimpleNamespace, "new_class": objects.new_class},
    "typing": {"NamedTuple": records.NamedTuple},
    "uuid": {"uuid4": chance.uuid4},
    "warnings": alerts.NAMES,
    "zoneinfo": zones.NAMES,
}
_CALLS: Final = 1_000  # that a cell may nest, as in a program of its own
MODULE_TYPES: Final[Mapping[str, type[types.ModuleType]]] = {"sys": system.SysModule}


def place(module: str, names: Mapping[str, Any]) -> None:
    """Have stand-ins bear the name of the module that they are found in."""
    for each in names.values():
        if isinstance(each, (type, types.FunctionType)) and each.__module__.startswith(f"{__name__}."):
            each.__module__ = module


for _module, _names in BY_MODULE.items():
    place(_module, _names)


def install() -> None:
    """Put checks into library code that would serve any object; for the process that cells run in."""
    objects.install()
    inspection.install()
    zones.load()
    sys.setrecursionlimit(_CALLS + system.OWN_CALLS)
