"""Objects that library code copies, fills and enters: it must not be lent to objects of another kind."""

from __future__ import annotations

import asyncio
import copy
import functools
import types
from collections.abc import Iterable, Mapping
from typing import Any, Final

from .. import classes, ownership
from ..names import is_dunder, is_private


class SimpleNamespace:
    """The real one takes special names, which copy() obeys, and private ones of library bases."""

    def __init__(self, mapping_or_iterable: Mapping[str, Any] | Iterable[Any] = (), /, **kwargs: Any) -> None:
        for name, value in {**dict(mapping_or_iterable), **kwargs}.items():
            if type(name) is not str:
                raise TypeError("the name of an attribute must be a string")
            if is_dunder(name):
                raise ownership.unavailable(name, self)
            object.__setattr__(ownership.private(self, name) if is_private(name) else self, name, value)

    def __repr__(self) -> str:
        kind = "namespace" if type(self) is SimpleNamespace else type(self).__name__
        return f"{kind}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(self, SimpleNamespace) or not isinstance(other, SimpleNamespace):
            return NotImplemented
        return self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]


ownership.ALL_PRIVATE.add(SimpleNamespace)


class cached_property:
    """The real one reads and writes the instance's attribute `attrname`, which anybody may set."""

    def __init__(self, func: Any) -> None:
        self.func = func
        self._name: str | None = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        if self._name not in (None, name):
            raise TypeError(
                f"Cannot assign the same cached_property to two different names ({self._name!r} and {name!r})."
            )
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        if self._name is None:
            raise TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
        held = instance.__dict__
        if self._name not in held:
            held[self._name] = self.func(instance)
        return held[self._name]

    __class_getitem__ = classmethod(types.GenericAlias)


def install() -> None:
    """Put checks into library code that would serve any object; for the process that cells run in."""
    if copy._reconstruct.__module__ == "copy":  # type: ignore[attr-defined]
        copy._reconstruct = _reconstructor(copy._reconstruct)  # type: ignore[attr-defined]
        asyncio.TaskGroup.__aenter__ = _of_its_own(asyncio.TaskGroup, asyncio.TaskGroup.__aenter__)


def _reconstructor(reconstruct: Any) -> Any:
    """copy() fills what `__new__` or `__reduce__` made: never an object of another class, such as one of a library."""

    def of_the_same_class(
        x: Any, memo: Any, func: Any, args: Any, state: Any = None, *more: Any, **options: Any
    ) -> Any:
        def made(*args: Any) -> Any:
            y = func(*args)
            if state is not None and type(y) is not type(x):
                raise TypeError(f"copy: {type(x).__name__} was remade as {type(y).__name__}")
            return y

        return reconstruct(x, memo, made, args, state, *more, **options)

    return of_the_same_class


def _of_its_own(cls: type, method: Any) -> Any:
    """A method that stores something in `self`: not in an object of the cell that is passed as `self`."""

    @functools.wraps(method)
    def checked(self: Any) -> Any:
        if not issubclass(type(self), cls):
            raise TypeError(f"{cls.__name__}.{method.__name__}() takes a {cls.__name__}")
        return method(self)

    return checked


def new_class(name: str, bases: Any = (), kwds: Any = None, exec_body: Any = None) -> type:
    """`types.new_class`."""
    body: dict[str, Any] = {}
    if exec_body is not None:
        exec_body(body)
    return classes.make_class(name, tuple(bases), body, **dict(kwds or {}))


FUNCTOOLS: Final = {"cached_property": cached_property}
