"""inspect: signatures and kinds. What the real functions would evaluate, import or read past the guards is left out."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any, Final

from .. import functions, lineage
from ..guards import get_attribute

_BUILT_IN: Final = (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)
_from_callable = inspect.Signature.from_callable.__func__  # type: ignore[attr-defined]


def install() -> None:
    """`type(signature).from_callable` is in reach of cells, too; for the process that cells run in."""

    def from_callable(cls: Any, obj: Any, *, follow_wrapped: bool = True, **options: Any) -> Any:
        _checked(obj)
        if follow_wrapped:
            _checked(inspect.unwrap(obj))
        if options.get("eval_str"):
            raise ValueError("annotations are not evaluated here; typing.get_type_hints() does that")
        return _from_callable(cls, obj, follow_wrapped=follow_wrapped, **options)

    inspect.Signature.from_callable = classmethod(from_callable)  # type: ignore[method-assign,assignment]


def _checked(obj: Any) -> Any:
    """For objects that pose as built-in functions, inspect evaluates a text of theirs."""
    kind = type(obj)
    if kind in (types.FunctionType, *_BUILT_IN):
        return obj
    if kind is types.MethodType:
        return obj if type(obj.__func__) is types.FunctionType else _refused(obj)
    if issubclass(kind, type):
        made = [vars(cls).get(name) for cls in lineage.mro_of(obj) for name in ("__new__", "__init__")]
        return obj if all(type(each) in (*_ALLOWED_MAKERS, type(None)) for each in made) else _refused(obj)
    return obj if functions.is_own(obj) else _refused(obj)


_ALLOWED_MAKERS: Final = (types.FunctionType, staticmethod, *_BUILT_IN)


def _refused(obj: Any) -> Any:
    raise ValueError(f"no signature found for {type(obj).__name__} object")


def signature(obj: Any, *, follow_wrapped: bool = True) -> inspect.Signature:
    return inspect.Signature.from_callable(obj, follow_wrapped=follow_wrapped)


def getfullargspec(func: Any) -> inspect.FullArgSpec:
    return inspect.getfullargspec(_checked(func))


def getmembers(ob: Any, predicate: Callable[[Any], Any] | None = None) -> list[tuple[str, Any]]:
    found = []
    for name in sorted(set(dir(ob)) - _STAND_INS):
        try:
            value = get_attribute(ob, name)
        except AttributeError:
            continue
        if predicate is None or predicate(value):
            found.append((name, value))
    return found


# What is read in their place was not written in a class.
_STAND_INS: Final = frozenset({"__setattr__", "__delattr__"})


def getmro(cls: Any) -> tuple[type, ...]:
    return lineage.mro(cls)


NAMES: Final = {each.__name__: each for each in (getfullargspec, getmembers, getmro, signature)}
