"""Safe forms of library functions that read, write or evaluate whatever a caller names, in one table by module."""

from __future__ import annotations

import sys
import types
from collections.abc import Mapping
from typing import Any, Final

from ..classes import ABCMETA
from . import attributes, chance, clocks, contexts, enums, logs, objects, records, system, tasks

BY_MODULE: Final[Mapping[str, Mapping[str, Any]]] = {
    "abc": {"ABCMeta": ABCMETA},
    "ast": {"literal_eval": system.literal_eval},
    "asyncio": tasks.NAMES,
    "collections": {"namedtuple": records.namedtuple},
    "contextlib": contexts.NAMES,
    "dataclasses": {"dataclass": records.dataclass, "fields": records.fields},
    "enum": enums.NAMES,
    "functools": attributes.FUNCTOOLS | objects.FUNCTOOLS,
    "logging": logs.NAMES,
    "operator": {"attrgetter": attributes.attrgetter, "methodcaller": attributes.methodcaller},
    "random": chance.RANDOM,
    "secrets": chance.SECRETS,
    "sys": {
        "argv": ["cell"],
        "exit": system.exit_cell,
        "implementation": objects.SimpleNamespace(vars(sys.implementation)),
    },
    "time": clocks.TIME,
    "traceback": {"format_exc": system.format_exc, "print_exc": system.print_exc},
    "types": {"SimpleNamespace": objects.SimpleNamespace},
    "typing": {"NamedTuple": records.NamedTuple},
    "uuid": {"uuid4": chance.uuid4},
}
MODULE_TYPES: Final[Mapping[str, type[types.ModuleType]]] = {"sys": system.SysModule}
