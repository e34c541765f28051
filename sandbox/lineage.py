"""Bases and subclasses of the classes that cells write; those of library classes lead to every class of the process."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any, Final

from .ownership import absent, mro_of, unavailable, written_here

# Library classes that cells were handed. What stands behind a stand-in is not among them: the functional form of the
# real Enum, say, makes classes that nobody looks at.
KNOWN: Final[set[type]] = {kind for kind in vars(builtins).values() if isinstance(kind, type)}


def mro(cls: Any) -> tuple[type, ...]:
    """`cls.__mro__`."""
    return _known(cls, "__mro__", mro_of(_own(cls, "__mro__")))


def mro_method(cls: Any) -> Any:
    """`cls.mro`, or an attribute of that name of the user's own."""
    if not issubclass(type(cls), type):
        return cls.mro
    found = mro(cls)
    return lambda: list(found)


def bases(cls: Any) -> tuple[type, ...]:
    """`cls.__bases__`."""
    return _known(cls, "__bases__", type.__dict__["__bases__"].__get__(_own(cls, "__bases__")))


def base(cls: Any) -> type | None:
    """`cls.__base__`."""
    found = type.__dict__["__base__"].__get__(_own(cls, "__base__"))
    return found and _known(cls, "__base__", (found,))[0]


def subclasses(cls: Any) -> Callable[[], list[type]]:
    """`cls.__subclasses__`: every subclass of a class of the user's is one, too."""
    found = _own(cls, "__subclasses__")
    return lambda: type.__subclasses__(found)


def _own(cls: Any, name: str) -> type:
    if not issubclass(type(cls), type):
        raise absent(cls, name)
    if not written_here(cls):
        raise unavailable(name, cls)
    return cls


def _known(cls: type, name: str, found: tuple[type, ...]) -> tuple[type, ...]:
    if not all(written_here(each) or each in KNOWN for each in found):
        raise unavailable(name, cls)
    return found
