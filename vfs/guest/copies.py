"""Private copies of modules of the standard library, in which `os`, `io` and `open` are ours.

So `pathlib`, `glob` and `os.path` behave exactly as in the running version of Python, error for error, and none of
their code can reach the real file system. Code objects are read when this module is imported: a jailed worker has no
files.
"""

from __future__ import annotations

import builtins
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

# pathlib became a package in 3.13; its classes are in `_local`, and what else belongs to it is copied along.
PATHLIB = "pathlib._local" if sys.version_info >= (3, 13) else "pathlib"
_OPTIONAL = ("pathlib._abc", "pathlib._os", "pathlib._local")


def _code(name: str) -> CodeType | None:
    if importlib.util.find_spec(name.partition(".")[0]) is None:
        return None
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:  # a submodule of a module that is no package
        return None
    loader: Any = spec and spec.loader
    return loader and loader.get_code(name)


_CODES = {
    name: code
    for name in ("fileinput", "genericpath", "glob", "pathlib", "posixpath", *_OPTIONAL)
    if (code := _code(name))
}


class Copies:
    """Loads copies for one guest; `modules` are what their `import` statements get instead of the real ones."""

    def __init__(self, modules: Mapping[str, Any], open: Callable[..., Any]) -> None:
        self.modules: dict[str, Any] = dict(modules)
        self._builtins = {**vars(builtins), "__import__": self._import, "open": open}

    def load(self, name: str) -> Any:
        """The copy of a module, made at the first call."""
        if name not in self.modules:
            module: Any = ModuleType(name)
            module.__package__ = name.rpartition(".")[0]
            module.__builtins__ = self._builtins
            self.modules[name] = module
            exec(_CODES[name], vars(module))
        return self.modules[name]

    def _import(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: object = None,
        fromlist: tuple[str, ...] = (),
        level: int = 0,
    ) -> Any:
        if level:
            name = importlib.util.resolve_name("." * level + name, (globals or {})["__package__"])
            level = 0
        if name in self.modules or name in _CODES:
            return self.load(name)
        return builtins.__import__(name, globals, None, fromlist, level)


class Names:
    """What stands for a module: attributes that lead to nothing else. Unlike a SimpleNamespace it is hashable."""

    def __init__(self, **names: Any) -> None:
        vars(self).update(names)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{name!r} is not available here")


def public(module: Any) -> Names:
    """The names that a module exports."""
    return Names(**{name: getattr(module, name) for name in module.__all__ if hasattr(module, name)})


def rebound(names: tuple[str, ...], calls: Mapping[str, Any]) -> dict[str, Any]:
    """Functions of `os` that are written in Python (such as walk), calling `calls` instead of the real ones."""
    scope = {**vars(os), **calls}
    for name in names:
        function = getattr(os, name, None)
        if isinstance(function, FunctionType):
            copy = FunctionType(function.__code__, scope, name, function.__defaults__)
            copy.__kwdefaults__ = function.__kwdefaults__
            scope[name] = copy
    return {name: scope[name] for name in names if name in scope}
