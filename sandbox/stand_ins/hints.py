"""typing.get_type_hints: the real one evaluates text as code that nobody looked at; here it is a cell's code."""

from __future__ import annotations

import ast
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

from .. import functions, lineage, ownership
from ..policy import restrict


def reader(namespace: dict[str, Any]) -> Callable[..., dict[str, Any]]:
    """`get_type_hints` of the session with these variables."""

    def evaluated(hint: Any, local: Mapping[str, Any]) -> Any:
        if hint is None:
            return type(None)
        if isinstance(hint, typing.ForwardRef):
            hint = hint.__forward_arg__
        if type(hint) is str:
            tree = restrict(ast.parse(hint.strip(), "<annotation>", "eval"))
            return evaluated(
                eval(compile(tree, "<annotation>", "eval", dont_inherit=True), namespace, dict(local)), local
            )
        return _rebuilt(hint, lambda part: evaluated(part, local))

    def get_type_hints(
        obj: Any, globalns: Any = None, localns: Mapping[str, Any] | None = None, include_extras: bool = False
    ) -> dict[str, Any]:
        """The annotations of a function or class of the session, with names in text looked up."""
        # Guards are looked up among these names, too: they may not have one of theirs.
        given = {**(globalns or {}), **(localns or {})}
        local = {name: value for name, value in given.items() if type(name) is str and name.isidentifier()}
        hints = {name: evaluated(hint, local) for name, hint in _annotations(obj).items()}
        return hints if include_extras else {name: _without_extras(hint) for name, hint in hints.items()}

    return get_type_hints


def _annotations(obj: Any) -> dict[str, Any]:
    if issubclass(type(obj), type):
        listed = [ownership.dict_of(cls).get("__annotations__", {}) for cls in reversed(lineage.mro_of(obj))]
        return {name: hint for each in listed for name, hint in each.items()}
    if not functions.is_own(obj):
        raise TypeError(f"{obj!r} is not a class or function of this session")
    while hasattr(obj, "__wrapped__"):
        obj = obj.__wrapped__
    return dict(getattr(obj, "__annotations__", {}))


def _rebuilt(hint: Any, change: Callable[[Any], Any]) -> Any:
    """The same alias with changed arguments."""
    if type(hint) not in (*ownership.ALIASES, types.UnionType) or typing.get_origin(hint) is typing.Literal:
        return hint
    before = hint.__args__
    after = tuple(change(part) if not isinstance(part, (list, tuple)) and part is not ... else part for part in before)
    if after == before:
        return hint
    if type(hint) is types.UnionType:
        return typing.Union[after]  # noqa: UP007  (of any number of types)
    return types.GenericAlias(hint.__origin__, after) if type(hint) is types.GenericAlias else hint.copy_with(after)


def _without_extras(hint: Any) -> Any:
    if typing.get_origin(hint) is typing.Annotated:
        return _without_extras(hint.__origin__)
    if typing.get_origin(hint) in (typing.Required, typing.NotRequired):
        return _without_extras(hint.__args__[0])
    return _rebuilt(hint, _without_extras)
