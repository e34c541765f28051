"""What functions and methods of cells tell of themselves; those of the library tell nothing."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any, Final

from .ownership import absent, unavailable, written_here
from .tracebacks import is_cell

_Cached = type(functools.lru_cache(lambda: None))
_LAYERS: Final = 50  # of decorators that are looked through


def is_own(function: object) -> bool:
    """Whether a function, or what decorators made of it, was written in a cell."""
    for _ in range(_LAYERS):
        match function:
            case types.FunctionType():
                return is_cell(function.__code__.co_filename)
            case types.MethodType():
                function = function.__func__
            case _Cached():
                function = function.__wrapped__
            case functools.partial():
                function = function.func
            case _:
                return issubclass(type(function), type) and written_here(function)  # type: ignore[arg-type]
    return False


def _of_own(name: str) -> Callable[[Any], Any]:
    """Reads `name` of functions and methods of cells, and of instances of their classes."""

    def read(ob: Any) -> Any:
        if not hasattr(ob, name):
            raise absent(ob, name)
        value = getattr(ob, name)
        if not (is_own(ob) or written_here(type(ob))) or (name == "__wrapped__" and not is_own(value)):
            raise unavailable(name, ob)
        return dict(value) if type(value) is dict else value

    return read


READERS: Final = {
    name: _of_own(name) for name in ("__wrapped__", "__func__", "__self__", "__defaults__", "__kwdefaults__")
}
