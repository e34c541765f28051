"""Modules as cells see them: new module objects that hold the allowed names only."""

from __future__ import annotations

import difflib
import importlib
import types
from collections.abc import Mapping, Sequence
from typing import Any, Final

from . import lineage, stand_ins, substitutes
from .modules import ALLOWED
from .stand_ins import files, logs
from .stand_ins.system import Facade

# What bytes.decode, str.encode and ElementTree look for by name.
_ENCODINGS: Final = (
    "ascii latin_1 cp1250 cp1251 cp1252 cp437 cp850 iso8859_15 mac_roman utf_8_sig utf_16 utf_16_le utf_16_be "
    "utf_32 utf_32_le utf_32_be utf_7 idna punycode unicode_escape raw_unicode_escape koi8_r cp866 iso8859_2 iso8859_5 "
    "rot_13 base64_codec hex_codec zlib_codec"
)


def preload() -> None:
    """Import every module behind the table, so that nothing is imported in the jail."""
    encodings = (f"encodings.{name}" for name in _ENCODINGS.split())
    for name in (*ALLOWED, "_strptime", "xml.dom.expatbuilder", *encodings):
        if name != "__future__":
            importlib.import_module(name)
    stand_ins.install()


class Facades:
    """The importable modules of one session; guests may add names and whole modules."""

    def __init__(self, additions: Sequence[Mapping[str, Mapping[str, object]]] = ()) -> None:
        self._made: dict[str, types.ModuleType] = {}
        self.loggers = logs.Loggers()
        self._added: dict[str, dict[str, object]] = {}
        for modules in additions:
            for name, members in modules.items():
                self._added.setdefault(name, {}).update(members)
        for name, members in files.names(self._added.get("io", {}).get("open", files.no_files)).items():
            stand_ins.place(name, members)
            self._added.setdefault(name, {}).update(members)
        self.known = sorted({*ALLOWED, *self._added})

    def import_(self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        """`__import__` of cells."""
        if (
            type(fromlist) is list
        ):  # C code (datetime.strptime …) imports through the running frame, and only C code passes a list
            return self._internal(name)
        if level:
            raise ImportError("relative imports are not available here")
        module = self.module(name)
        if not fromlist:
            return self.module(name.partition(".")[0])
        for wanted in fromlist:
            self._require(module, name, wanted)
        return module

    def places(self) -> dict[int, tuple[str, str]]:
        """Where every facade and every member of one is found, by address: ("math", "") and ("math", "sqrt")."""
        members = {id(v): (name, member) for name, made in self._made.items() for member, v in vars(made).items()}
        return members | {id(made): (name, "") for name, made in self._made.items()}

    def find(self, name: str, member: str) -> Any:
        """What `places` told the place of."""
        module = self.module(name)
        return getattr(module, member) if member else module

    def module(self, name: str) -> types.ModuleType:
        if name not in self._made:
            if not self._exists(name):
                raise ModuleNotFoundError(self._refusal(name), name=name)
            self._made[name] = self._make(name)
        return self._made[name]

    def _exists(self, name: str) -> bool:
        return name in self.known or any(known.startswith(f"{name}.") for known in self.known)

    def _make(self, name: str) -> types.ModuleType:
        members = {}
        kind = stand_ins.MODULE_TYPES.get(name, Facade)
        if name == "logging":
            members |= self.loggers.names(ALLOWED[name].split())
        elif name in ALLOWED:
            real, own = importlib.import_module(name), stand_ins.BY_MODULE.get(name, {})
            for member in ALLOWED[name].split():
                if member in own:
                    members[member] = own[member]
                elif member in self._added.get(name, {}) or hasattr(kind, member):  # below
                    continue
                elif hasattr(real, member):  # the table holds the names of every supported Python version
                    members[member] = getattr(real, member)
        members |= self._added.get(name, {})
        for known in self.known:  # os.path is an attribute of os
            if known.startswith(f"{name}."):
                child = known[len(name) + 1 :].partition(".")[0]
                members[child] = self.module(f"{name}.{child}")
        made = kind(name)
        vars(made).update(members)
        lineage.KNOWN.update(each for each in members.values() if issubclass(type(each), type))
        return made

    @staticmethod
    def _internal(name: str) -> types.ModuleType:
        """C code finds the real module in sys.modules by itself; what it is given back it throws away."""
        importlib.import_module(name)
        return types.ModuleType(name)

    def _require(self, module: types.ModuleType, name: str, wanted: str) -> None:
        if hasattr(module, wanted):
            return
        hint = substitutes.ATTRIBUTES.get(f"{name}.{wanted}", "") or self._nearest(wanted, dir(module))
        raise ImportError(f"{wanted!r} of {name!r} is not available here" + (f"; {hint}" if hint else ""), name=name)

    def _refusal(self, name: str) -> str:
        hint = substitutes.MODULES.get(name) or substitutes.MODULES.get(name.partition(".")[0])
        hint = hint or self._nearest(name, self.known)
        return f"no module {name!r} here" + (f": {hint}" if hint else "")

    @staticmethod
    def _nearest(name: str, known: Sequence[str]) -> str:
        near = difflib.get_close_matches(name, [k for k in known if not k.startswith("_")], 1, 0.6)
        return f"did you mean {near[0]!r}?" if near else ""
