"""Class statements and type(): no own metaclass, no base that stands for other objects, no unguarded pattern."""

from __future__ import annotations

import abc
import builtins
import dataclasses
import enum
import types
import typing
from collections.abc import Iterable, Mapping
from typing import Any, Final

from . import names, seal
from .ownership import ALIASES, MODULE, dict_of, foreign_privates, keeps_nothing, mro_of, written_here


class _TypeMeta(type):
    """The class of `type` in cells, and of what stands for other metaclasses: they tell, and make nothing."""

    def __call__(cls, *args: Any, **keywords: Any) -> Any:
        if cls is not GuardedType:
            raise TypeError(f"{cls.__name__} makes no classes here; write a class statement")
        if len(args) == 3:
            return make_class(*args, **keywords)
        if len(args) != 1 or keywords:
            raise TypeError("type() takes 1 or 3 arguments")
        kind = type(args[0])
        return metaclass_shown(kind) if issubclass(kind, type) else kind

    def __instancecheck__(cls, ob: object) -> bool:
        return isinstance(ob, _real(cls))

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(_real(other), _real(cls))

    def __repr__(cls) -> str:
        return repr(_real(cls))


def _real(cls: type) -> type:
    """What a stand-in stands for; any other class itself."""
    return next((real for real, shown in _SHOWN.items() if shown is cls), cls)


def metaclass_shown(real: type) -> type:
    """What cells see of a metaclass."""
    real = next(kind for kind in mro_of(real) if kind.__module__ not in _OURS)
    if real not in _SHOWN:
        told = {"__module__": real.__module__, "__doc__": real.__doc__, "__slots__": ()}
        _SHOWN[real] = _TypeMeta(real.__name__, (), told)
        seal.seal_too([_SHOWN[real]])
    return _SHOWN[real]


_OURS: Final = frozenset({__name__, f"{__package__}.stand_ins.enums"})  # where metaclasses of our own are
_SHOWN: Final[dict[type, type]] = {}
GuardedType: Final = metaclass_shown(type)  # `type` in cells: never hands out a metaclass, which could make any class
ABCMETA: Final = metaclass_shown(abc.ABCMeta)


def metaclass(given: object) -> type:
    """What stands for `given` in `class C(metaclass=given)`."""
    if given is ABCMETA or given is GuardedType:
        return _real(given)  # type: ignore[arg-type]
    raise TypeError("only ABCMeta can be a metaclass here; __init_subclass__ does most of what metaclasses do")


# Their instances stand for other objects: attribute reads on them are reads on something else. A Field's name is
# the attribute that asdict() reads.
_NO_BASE: Final = (type, super, types.ModuleType, types.GenericAlias, dataclasses.Field)


def build_class(body: Any, name: str, /, *bases: Any, **keywords: Any) -> Any:
    for base in bases:
        check_base(base)
    # What the body assigns, or reads outside of its functions.
    _check_body(body.__code__.co_names, bases)
    cls = builtins.__build_class__(body, name, *bases, **keywords)
    if isinstance(cls, type):
        check_class(cls)
    return cls


def make_class(name: str, bases: tuple[Any, ...], body: Mapping[str, Any], /, **keywords: Any) -> type:
    """`type(name, bases, body)`: what a class statement with these names would make."""
    if type(name) is not str or type(bases) is not tuple:
        raise TypeError("type() takes a name, a tuple of bases and a dict")
    own = dict(body)
    for key in own:
        if type(key) is not str or key in names.FORBIDDEN:
            raise TypeError(f"the name {key!r} is not available here")
        if names.is_dunder(key) and key not in names.ASSIGNABLE and key not in _BY_STATEMENT:
            raise TypeError(f"the name {key!r} cannot be defined here")
    own["__module__"] = MODULE
    for base in bases:
        check_base(base)
    if "metaclass" in keywords:
        keywords["metaclass"] = metaclass(keywords["metaclass"])
    _check_body(own, bases)
    cls = types.new_class(name, bases, keywords, lambda space: space.update(own))
    check_class(cls)
    return cls


# What a class statement puts into a class by itself.
_BY_STATEMENT: Final = frozenset({"__module__", "__qualname__", "__annotations__"})


def _check_body(assigned: Iterable[str], bases: tuple[Any, ...]) -> None:
    """The first look: hooks of other classes (`__init_subclass__`, `__set_name__`) see the class before the second."""
    for base in (base.__origin__ if type(base) in ALIASES else base for base in bases):
        if not isinstance(base, type) or issubclass(base, enum.Enum):
            continue
        for foreign in _foreign(base):
            for name in assigned:
                if names.is_private(name) and name in foreign_privates(foreign) - names.CLASS_PRIVATES:
                    raise TypeError(f"the name {name!r} belongs to the base class {foreign.__name__}")
                if name in ("__setattr__", "__delattr__"):
                    _check_special(name, [foreign])


def _foreign(cls: type) -> list[type]:
    return [base for base in mro_of(cls) if base is not object and not written_here(base)]


def check_base(base: Any) -> None:
    if base is typing.TypedDict or type(base) in BASES_BY_CALL:
        return
    stands_for = base.__origin__ if type(base) in ALIASES else base
    known = issubclass(type(stands_for), type) and stands_for is not GuardedType
    if not known or issubclass(stands_for, _NO_BASE):
        raise TypeError(f"{getattr(base, '__name__', type(base).__name__)} cannot be a base class here")


BASES_BY_CALL: Final[set[type]] = set()  # types of stand-ins with their own __mro_entries__


def check_class(cls: type) -> None:
    """The second look at a finished class, whatever way its names got into it."""
    foreign = _foreign(cls)
    if any(issubclass(base, _NO_BASE) for base in foreign):
        raise TypeError(f"{cls.__name__} has a base class that is not available here")
    for name in dict_of(cls):
        if names.is_private(name):
            _check_private(cls, name, foreign)
        elif names.is_dunder(name):
            _check_special(name, foreign)
    _freeze_slots(cls, foreign)
    limit_match_args(cls)


def _freeze_slots(cls: type, foreign: list[type]) -> None:
    """copy() reads and sets whatever attributes are listed in `__slots__`.

    The list must not grow afterwards, nor name what the slot hides in a base: a slot can be deleted.
    """
    slots = dict_of(cls).get("__slots__", ())
    made = tuple(n for n, v in dict_of(cls).items() if type(v) is types.MemberDescriptorType)
    listed = (*made, *(slots if isinstance(slots, tuple) else ()))
    if any(type(name) is not str for name in listed):  # a subclass could be another name for whoever asks
        raise TypeError("a name in __slots__ must be a plain string")
    for name in names.SPECIAL.intersection(listed):
        if any(hasattr(base, name) for base in foreign):
            raise TypeError(f"the slot {name!r} belongs to a base class")
    if type(slots) not in (str, tuple):
        type.__setattr__(cls, "__slots__", made)


def _check_private(cls: type, name: str, foreign: list[type]) -> None:
    if name in names.CLASS_PRIVATES or (name in names.NAMEDTUPLE_INTERFACE and issubclass(cls, tuple)):
        return
    if name.endswith("_") and issubclass(cls, enum.Enum):  # EnumType itself allows only a few of these
        return
    value = dict_of(cls)[name]
    for base in foreign:
        if any(value is own for own in dict_of(base).values()):  # put there by its __init_subclass__ (random.Random)
            continue
        if name in foreign_privates(base):
            raise TypeError(f"the name {name!r} belongs to the base class {base.__name__}")


def _check_special(name: str, foreign: list[type]) -> None:
    if name not in names.CLASS_SPECIALS:
        raise TypeError(f"the name {name!r} cannot be defined here")
    if name in ("__setattr__", "__delattr__") and not all(keeps_nothing(base) for base in foreign):
        # It would be handed what library code keeps on its instances.
        raise TypeError(f"{name} can be defined only over classes that you have written")


def limit_match_args(cls: type) -> None:
    """A class pattern reads the attributes of `__match_args__` without a guard: only those that need none may stay."""
    matched = dict_of(cls).get("__match_args__", ())
    if any(unsafe_field(name) for name in matched):
        type.__setattr__(cls, "__match_args__", ())


def unsafe_field(name: Any) -> bool:
    return type(name) is not str or name.startswith("_") or name in names.FORBIDDEN or name in names.SPECIAL
