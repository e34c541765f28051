"""The guards that compiled cells call, and the guarded forms of built-in functions.

Each guard judges the value that it hands out, never a value that it looked up a moment before: objects of the cell may
answer differently the second time.
"""

from __future__ import annotations

import abc
import functools
import types
from collections.abc import Callable, Mapping
from typing import Any, Final

from . import names
from .classes import GuardedType, build_class, metaclass
from .formats import safe_format
from .ownership import OWN_TYPES, attribute_owner, instance_dict, private, unavailable, writable, written_here

_Member = type(AttributeError.__dict__["obj"])
_abc_register = abc.ABCMeta.register


def special(ob: Any, name: str) -> Any:
    """The value of one of `names.SPECIAL`, made safe."""
    if name == "obj":
        return _error_object(ob)
    value = getattr(ob, name)
    if name in ("format", "format_map"):
        return safe_format(value, name)
    if name == "register":
        return _safe_register(value)
    if not written_here(attribute_owner(ob, name) or type(ob)):
        raise unavailable(name, ob)
    return value


def _error_object(ob: Any) -> Any:
    errors = (AttributeError, NameError)
    if isinstance(ob, (*errors, super)) or (isinstance(ob, type) and issubclass(ob, errors)):
        raise unavailable("obj", ob)
    value = ob.obj
    if type(value) is _Member:
        raise unavailable("obj", ob)
    return value


def _safe_register(value: Any) -> Any:
    """ABC.register takes only classes of the user: a virtual subclass matches the class pattern of its base."""
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
    try:
        return instance_dict(ob)
    except AttributeError:
        raise TypeError("vars() works on your own classes and their instances") from None


def annotations_of(ob: Any) -> dict[str, Any]:
    return dict(ob.__annotations__)


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
    if name in names.REPLACED:
        return REPLACEMENTS[name](ob)
    if name in names.SPECIAL:
        return special(ob, name)
    if name in names.FORBIDDEN or (names.is_dunder(name) and name not in names.READABLE):
        raise unavailable(name)
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


def public_names(ob: Any) -> list[str]:
    return [n for n in dir(ob) if type(n) is str and not n.startswith("_") and n not in names.FORBIDDEN]


REPLACEMENTS: Final[dict[str, Callable[[Any], Any]]] = {
    "__class__": GuardedType,
    "__dict__": instance_dict,
    "__annotations__": annotations_of,
    "__setattr__": setter,
    "__delattr__": deleter,
}

GUARDS: Final[dict[str, Any]] = {
    names.PRIVATE_GUARD: private,
    names.SPECIAL_GUARD: special,
    names.WRITE_GUARD: writable,
    names.TYPE_GUARD: GuardedType,
    names.VARS_GUARD: instance_dict,
    names.ANNOTATIONS_GUARD: annotations_of,
    names.SETTER_GUARD: setter,
    names.DELETER_GUARD: deleter,
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
