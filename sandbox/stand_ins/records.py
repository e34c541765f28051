"""dataclasses and named tuples: the names of fields become code, class patterns, and attributes that are read."""

from __future__ import annotations

import collections
import copy
import dataclasses
import inspect
import typing
from collections.abc import Iterable
from typing import Any, Final

from .. import classes, names, ownership


def namedtuple(
    typename: str, field_names: Any, *, rename: bool = False, defaults: Iterable[Any] | None = None, module: Any = None
) -> type[tuple[Any, ...]]:
    if isinstance(field_names, str):
        field_names = str.__str__(field_names).replace(",", " ").split()
    listed = [str.__str__(name) for name in field_names]
    for name in listed:
        _check_name(name)
    made = collections.namedtuple(typename, listed, rename=rename, defaults=defaults, module=ownership.MODULE)
    classes.limit_match_args(made)
    return made


def _check_name(name: Any) -> None:
    if type(name) is not str or names.is_dunder(name) or name in names.FORBIDDEN:
        raise TypeError(f"{name!r} cannot be the name of a field here")


class _NamedTuple:
    """`typing.NamedTuple`: a base class, or called with a list of fields."""

    __slots__ = ()

    def __call__(self, typename: str, fields: Any = (), /) -> type[tuple[Any, ...]]:
        listed = dict(fields)
        made = namedtuple(typename, list(listed))
        made.__annotations__ = listed
        return made

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return typing.NamedTuple.__mro_entries__((typing.NamedTuple,))  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return "<function NamedTuple>"


NamedTuple: Final = _NamedTuple()
classes.BASES_BY_CALL.add(_NamedTuple)


def dataclass(cls: Any = None, /, **options: Any) -> Any:
    if cls is None:
        return lambda cls: dataclass(cls, **options)
    if not issubclass(type(cls), type) or not ownership.written_here(cls):
        raise TypeError("dataclass() takes classes that you have written")
    listed = inspect.get_annotations(cls)
    for name in listed:
        _check_field(cls, name)
    if any(map(classes.unsafe_field, (*listed, *getattr(cls, "__dataclass_fields__", ())))):
        options["match_args"] = False  # hooks of the class may use it in a pattern before it is finished
    made = dataclasses.dataclass(cls, **options)
    # asdict() reads the attribute that a Field is named: the stored ones are copies that nobody holds.
    own = made.__dict__["__dataclass_fields__"]
    for name, field in own.items():
        own[name] = copy.copy(field)
        own[name].name = name  # a hook of the class may have renamed it meanwhile
    classes.limit_match_args(made)
    return made


def make_dataclass(
    cls_name: str, fields: Iterable[Any], *, bases: tuple[Any, ...] = (), namespace: Any = None, **options: Any
) -> type:
    body: dict[str, Any] = dict(namespace or {})
    annotations: dict[str, Any] = {}
    for field in fields:
        name, kind, *default = (field, typing.Any) if isinstance(field, str) else tuple(field)
        annotations[name] = kind
        body |= dict.fromkeys((name,), *default) if default else {}
    options.pop("module", None)
    return dataclass(classes.make_class(cls_name, bases, {**body, "__annotations__": annotations}), **options)


def _check_field(cls: type, name: Any) -> None:
    """asdict(), replace() and patterns read fields unguarded: none may belong to a library base class."""
    _check_name(name)
    for base in cls.__mro__:
        if base is object or ownership.written_here(base):
            continue
        if name in ownership.foreign_privates(base) or (name in names.SPECIAL and hasattr(base, name)):
            raise TypeError(f"the field {name!r} belongs to the base class {base.__name__}")


def fields(class_or_instance: Any) -> tuple[Any, ...]:
    return tuple(copy.copy(field) for field in dataclasses.fields(class_or_instance))
