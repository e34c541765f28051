"""Whose an attribute is: the user's own code made it, or library code keeps something there."""

from __future__ import annotations

import dis
import enum
import functools
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from . import names
from .instance_dicts import InstanceDict
from .tracebacks import is_cell

MODULE: Final = "__main__"  # what __name__ is in cells, and so the __module__ of every class written there
OWN_TYPES: set[type] = set()  # classes whose bases are all the user's: any private attribute is theirs
# Types whose instances hold only what users put there; stand-ins are added.
ALL_PRIVATE: set[type] = {types.FunctionType}
# Generic classes with arguments: objects that stand for a class.
ALIASES: Final[frozenset[Any]] = frozenset(
    {types.GenericAlias, *(kind for name, kind in vars(typing).items() if name.endswith("Alias"))}
)

# The real ones, whatever a class says of itself.
dict_of: Callable[[type], Any] = type.__dict__["__dict__"].__get__
mro_of: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__


def written_here(cls: type) -> bool:
    return dict_of(cls).get("__module__") == MODULE


def unavailable(name: str, owner: object = None) -> AttributeError:
    if issubclass(type(owner), type):
        of = f" of the class {owner.__name__!r}"  # type: ignore[attr-defined]
    else:
        of = f" of {type(owner).__name__!r} objects" if owner is not None else ""
    return AttributeError(f"the attribute {name!r}{of} is not available here")


def absent(ob: Any, name: str) -> AttributeError:
    """What CPython says of an attribute that is not there; runs no code of the cell."""
    look: Callable[[Any, str], Any] = object.__getattribute__
    if issubclass(type(ob), type):
        look = type.__getattribute__
    elif issubclass(type(ob), types.ModuleType):
        look = types.ModuleType.__getattribute__
    try:
        look(ob, name)
    except AttributeError as error:
        return error
    return unavailable(name, ob)


def _is_there(ob: Any, cls: type, name: str) -> bool:
    """Whether `name` may be on an object of class `cls`; runs no code of the cell."""
    if any(name in dict_of(each) for each in (*mro_of(cls), *mro_of(type(cls)))):
        return True
    return cls is not ob and (written_here(cls) or name in getattr(ob, "__dict__", ()))


@functools.cache
def foreign_privates(cls: type) -> frozenset[str]:
    """Private names that a library class uses on its instances: defined in it, or read and written by its methods.

    A subclass written in a cell must neither read nor replace them: TaskGroup._loop is the event loop,
    redirect_stdout._stream names the attribute of `sys` that it overwrites.
    """
    return _reached_privates(cls).union(name for name in dict_of(cls) if names.is_private(name))


@functools.cache
def _reached_privates(cls: type) -> frozenset[str]:
    """Private attributes in the code of a class's methods, or names of such as text."""
    functions = [function for member in dict_of(cls).values() for function in _functions_of(member)]
    return frozenset(name for function in functions for name in _private_words(function.__code__))


def _functions_of(member: object) -> Iterator[types.FunctionType]:
    candidates: tuple[object, ...] = (member,)
    if isinstance(member, (staticmethod, classmethod)):
        candidates = (member.__func__,)
    elif isinstance(member, property):
        candidates = (member.fget, member.fset, member.fdel)
    yield from (c for c in candidates if isinstance(c, types.FunctionType))


def _private_words(code: types.CodeType) -> Iterator[str]:
    for step in dis.get_instructions(code):
        if (step.opname.endswith("_ATTR") or step.opname == "LOAD_METHOD") and names.is_private(step.argval):
            yield step.argval
    for word in code.co_consts:
        if isinstance(word, str) and names.is_private(word):
            yield word
        elif isinstance(word, types.CodeType):
            yield from _private_words(word)


def private_allowed(classes: tuple[type, ...], name: str) -> bool:
    """Whether `name` on an instance whose method resolution order is `classes` is the user's own."""
    own = False
    for cls in classes:
        if written_here(cls):
            own = True
        elif cls is not object and name in foreign_privates(cls):
            return False
    return own


@functools.cache
def _private_of(cls: type, name: str) -> bool:
    classes = mro_of(cls)
    if name in names.NAMEDTUPLE_INTERFACE and issubclass(cls, tuple):
        return True
    if name in names.ENUM_INTERFACE and issubclass(cls, enum.Enum):
        return True
    if cls in ALL_PRIVATE:
        return True
    _note_own(cls)
    return private_allowed(classes, name)


def _note_own(cls: type) -> None:
    if all(c is object or written_here(c) for c in mro_of(cls)):
        OWN_TYPES.add(cls)


def private(ob: Any, name: str) -> Any:
    """Returns `ob` when its private attribute `name` is the user's to read, write or delete."""
    cls = ob if issubclass(type(ob), type) else type(ob)
    if cls is super:
        cls = super.__getattribute__(ob, "__self_class__") or cls
    allowed = _private_of(cls, name)
    if cls is ob:  # a class also has the attributes of its metaclass, such as EnumType._create_
        allowed = allowed and not any(name in foreign_privates(meta) for meta in mro_of(type(ob))[:-2])
    if not allowed:
        raise unavailable(name, ob) if _is_there(ob, cls, name) else absent(ob, name)
    return ob


def writable(ob: Any) -> Any:
    """Returns `ob` unless it is a library class, or stands for one.

    What was replaced there would be called by library code, with its own objects, and by later cells.
    """
    cls = ob if issubclass(type(ob), type) else type(ob)
    while type(ob) in ALIASES:  # MyClass[int].x = 1 writes to the class
        ob = cls = ob.__origin__
    if cls is ob and not written_here(ob):
        raise AttributeError(f"the class {cls.__name__} cannot be changed here; write a subclass")
    _note_own(type(ob))
    return ob


def attribute_owner(ob: Any, name: str) -> type | None:
    """The class that `ob.name` comes from; None when it is in no class."""
    cls = ob if issubclass(type(ob), type) else type(ob)
    return next((c for c in mro_of(cls) if name in dict_of(c)), None)


def keeps_nothing(base: type) -> bool:
    """Has no Python code that keeps anything in private attributes."""
    return not _reached_privates(base) - names.CLASS_PRIVATES


def instance_dict(ob: Any) -> Mapping[str, Any]:
    """`ob.__dict__`: writes go through when only the user's code keeps anything there, else a read-only part of it."""
    if issubclass(type(ob), type):
        if not written_here(ob):
            raise unavailable("__dict__", ob)
        return _own_part(ob, dict_of(ob))
    classes = mro_of(type(ob))
    if type(ob) not in ALL_PRIVATE and not any(written_here(c) for c in classes):
        raise unavailable("__dict__", ob) if hasattr(ob, "__dict__") else absent(ob, "__dict__")
    held = object.__getattribute__(ob, "__dict__")
    if type(ob) is types.FunctionType:  # others may be the library's
        written = is_cell(ob.__code__.co_filename)
        return InstanceDict(held, {n: v for n, v in held.items() if written or not names.is_dunder(n)})
    plain = all(c is object or written_here(c) or keeps_nothing(c) for c in classes)
    return InstanceDict(held) if plain else _own_part(type(ob), held)


def _own_part(cls: type, held: Mapping[str, Any]) -> Mapping[str, Any]:
    own = {n: v for n, v in held.items() if type(n) is str and not names.is_dunder(n)}
    return types.MappingProxyType({n: v for n, v in own.items() if not names.is_private(n) or _private_of(cls, n)})
