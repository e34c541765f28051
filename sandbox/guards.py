"""The guards that compiled cells call, and the guarded forms of built-in functions.

Each guard judges the value that it hands out, never a value that it looked up a moment before: objects of the cell may
answer differently the second time.
"""

from __future__ import annotations

import abc
import copy
import functools
import types
from collections.abc import Callable, Mapping
from typing import Any, Final

from . import functions, lineage, names
from .classes import GuardedType, build_class, metaclass
from .formats import safe_format
from .ownership import (
    OWN_TYPES,
    absent,
    attribute_owner,
    instance_dict,
    private,
    unavailable,
    writable,
    written_here,
)

_Member = type(AttributeError.__dict__["obj"])
_abc_register = abc.ABCMeta.register


def special(ob: Any, name: str) -> Any:
    """The value of one of `names.SPECIAL` or `names.GUARDED`, made safe."""
    reader = READERS.get(name)
    return reader(ob) if reader is not None else _of_the_user(ob, name)


def _of_the_user(ob: Any, name: str) -> Any:
    value = getattr(ob, name)
    if not written_here(attribute_owner(ob, name) or type(ob)):
        raise unavailable(name, ob)
    return value


def _format(ob: Any) -> Any:
    return safe_format(ob.format, "format", get_attribute)


def _format_map(ob: Any) -> Any:
    return safe_format(ob.format_map, "format_map", get_attribute)


def _error_object(ob: Any) -> Any:
    errors = (AttributeError, NameError)
    if isinstance(ob, (*errors, super)) or (isinstance(ob, type) and issubclass(ob, errors)):
        raise unavailable("obj", ob)
    value = ob.obj
    if type(value) is _Member:
        raise unavailable("obj", ob)
    return value


def _register(ob: Any) -> Any:
    """ABC.register takes only classes of the user: a virtual subclass matches the class pattern of its base."""
    value = ob.register
    if value is _abc_register:
        raise unavailable("register")
    if type(value) is not types.MethodType or value.__func__ is not _abc_register:
        return value

    def register(cls: type) -> type:
        if not isinstance(cls, type) or not written_here(cls):
            raise TypeError("register() takes classes that you have written")
        return value(cls)

    return register


def variables(ob: Any, /) -> Mapping[str, Any]:
    """`vars(ob)`."""
    if not hasattr(ob, "__dict__"):
        raise TypeError("vars() argument must have __dict__ attribute")
    return instance_dict(ob)


def annotations_of(ob: Any) -> dict[str, Any]:
    return dict(ob.__annotations__)


def fields_of(ob: Any) -> dict[str, Any]:
    return {name: copy.copy(field) for name, field in ob.__dataclass_fields__.items()}


def setter(ob: Any) -> Callable[..., None]:
    """`object.__setattr__`, `super().__setattr__` and `self.__setattr__`, with guarded names."""
    return _changer(ob, _set_checked, set_attribute)


def deleter(ob: Any) -> Callable[..., None]:
    """The same for `__delattr__`."""
    return _changer(ob, _delete_checked, delete_attribute)


def _changer(ob: Any, plain: Callable[..., None], own: Callable[..., None]) -> Callable[..., None]:
    """`plain` is what `object` does, `own` asks the class of the instance."""
    if isinstance(ob, super):
        return functools.partial(plain, ob.__self__)  # pyright: ignore[reportAttributeAccessIssue]
    if isinstance(ob, type):
        return plain if ob is object else own
    return functools.partial(own, ob)


def _set_checked(ob: Any, name: str, value: Any) -> None:
    object.__setattr__(_for_writing(ob, name), name, value)


def _delete_checked(ob: Any, name: str) -> None:
    object.__delattr__(_for_writing(ob, name), name)


def get_attribute(ob: Any, name: str, /, *default: Any) -> Any:
    """`getattr`: what is not available is as good as absent."""
    if type(name) is str and _harmless(name):
        return getattr(ob, name, *default)
    if len(default) > 1:
        raise TypeError(f"getattr expected at most 3 arguments, got {len(default) + 2}")
    try:
        return _read(ob, name)
    except AttributeError:
        if default:
            return default[0]
        raise


@functools.lru_cache(1_024)
def _harmless(name: str) -> bool:
    """An ordinary public name, which a cell may also read without a guard."""
    return not name.startswith("_") and name not in names.SPECIAL and name not in names.FORBIDDEN


def _read(ob: Any, name: str) -> Any:
    if type(name) is not str:  # a subclass could compare as one name and be another
        raise TypeError("attribute name must be string")
    if name in names.GUARDED or name in names.SPECIAL:
        return special(ob, name)
    if name in names.FORBIDDEN or (names.is_dunder(name) and name not in names.READABLE):
        raise unavailable(name) if hasattr(ob, name) else absent(ob, name)
    if names.is_private(name):
        ob = private(ob, name)
    return getattr(ob, name)


def has_attribute(ob: Any, name: str, /) -> bool:
    if type(name) is str and _harmless(name):
        return hasattr(ob, name)
    try:
        _read(ob, name)
    except AttributeError:
        return False
    return True


def _for_writing(ob: Any, name: str) -> Any:
    if type(name) is not str:
        raise TypeError("attribute name must be string")
    if name in names.FORBIDDEN or (names.is_dunder(name) and name not in names.STORABLE):
        raise unavailable(name)
    return private(ob, name) if names.is_private(name) else writable(ob)


def set_attribute(ob: Any, name: str, value: Any, /) -> None:
    setattr(_for_writing(ob, name), name, value)


def delete_attribute(ob: Any, name: str, /) -> None:
    delattr(_for_writing(ob, name), name)


READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "format": _format,
    "format_map": _format_map,
    "obj": _error_object,
    "register": _register,
    "mro": lineage.mro_method,
    "__class__": GuardedType,
    "__dict__": instance_dict,
    "__annotations__": annotations_of,
    "__setattr__": setter,
    "__delattr__": deleter,
    "__mro__": lineage.mro,
    "__bases__": lineage.bases,
    "__base__": lineage.base,
    "__subclasses__": lineage.subclasses,
    **functions.READERS,
    "__dataclass_fields__": fields_of,
}

GUARDS: Final[dict[str, Any]] = {
    names.PRIVATE_GUARD: private,
    names.SPECIAL_GUARD: special,
    names.WRITE_GUARD: writable,
    names.METACLASS_GUARD: metaclass,
    names.EXACT_TYPE: type,
    names.OWN_TYPES: OWN_TYPES,
    "__build_class__": build_class,
    "type": GuardedType,
    "getattr": get_attribute,
    "hasattr": has_attribute,
    "setattr": set_attribute,
    "delattr": delete_attribute,
}
