"""operator and functools: attribute names given as strings, wrappers, dispatch by annotation."""

from __future__ import annotations

import functools
import typing
from collections.abc import Callable
from typing import Any, Final

from .. import guards, ownership


def attrgetter(first: str, *more: str) -> Callable[[Any], Any]:
    paths = [name.split(".") for name in (first, *more)]

    def follow(ob: Any, path: list[str]) -> Any:
        for name in path:
            ob = guards.get_attribute(ob, name)
        return ob

    if len(paths) == 1:
        return lambda ob: follow(ob, paths[0])
    return lambda ob: tuple(follow(ob, path) for path in paths)


def methodcaller(name: str, /, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    return lambda ob: guards.get_attribute(ob, name)(*args, **kwargs)


_COPIED: Final = ("__module__", "__name__", "__qualname__", "__doc__")


def update_wrapper(wrapper: Any, wrapped: Any) -> Any:
    """With the real one's `assigned` and `updated` any attribute could be read, and `__globals__` written."""
    return functools.update_wrapper(ownership.writable(wrapper), wrapped, _COPIED, ())


def wraps(wrapped: Any) -> Callable[[Any], Any]:
    return lambda wrapper: update_wrapper(wrapper, wrapped)


def singledispatch(function: Any) -> Any:
    """The real one evaluates string annotations as code; here a class is given, or stands in the annotation itself."""
    dispatcher = functools.singledispatch(function)
    register_class = dispatcher.register

    def register(cls: Any, func: Any = None) -> Any:
        if not _is_class(cls):
            cls, func = _annotated_class(cls), cls
        if func is None:
            return lambda func: register_class(cls, func)
        return register_class(cls, func)

    dispatcher.register = register
    return dispatcher


def _is_class(given: Any) -> bool:
    return issubclass(type(given), type) or typing.get_origin(given) is not None


def _annotated_class(function: Any) -> Any:
    for annotation in getattr(function, "__annotations__", {}).values():
        if _is_class(annotation):
            return annotation
    raise TypeError("register() needs a class here: @function.register(int)")


class singledispatchmethod(functools.singledispatchmethod):
    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self.dispatcher = singledispatch(function)


FUNCTOOLS: Final = {
    "singledispatch": singledispatch,
    "singledispatchmethod": singledispatchmethod,
    "update_wrapper": update_wrapper,
    "wraps": wraps,
}
