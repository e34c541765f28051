"""`vars(x)`, `x.__dict__` and `globals()` of cells: dicts that write through, but no special names."""

from __future__ import annotations

from typing import Any

from . import names

_ABSENT: Any = object()


class InstanceDict(dict[str, Any]):
    """The attributes of an object as they were when it was made; what is written here is written to the object.

    Library code obeys special names that it finds in the dict of an instance: copy() calls `__reduce__`, astuple()
    reads the attributes that `__dataclass_fields__` lists.
    """

    __slots__ = ("_held",)

    def __init__(self, held: dict[str, Any], shown: dict[str, Any] | None = None) -> None:
        super().__init__(held if shown is None else shown)
        self._held = held

    def __setitem__(self, name: str, value: Any) -> None:
        if type(name) is not str:
            raise TypeError("the name of an attribute must be a string")
        if names.is_dunder(name) or name in names.FORBIDDEN:
            raise AttributeError(f"the attribute {name!r} is not available here")
        self._held[name] = value
        super().__setitem__(name, value)

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self._held.pop(name, None)

    def update(self, other: Any = (), /, **more: Any) -> None:
        for name, value in dict(other, **more).items():
            self[name] = value

    def __ior__(self, other: Any) -> InstanceDict:
        self.update(other)
        return self

    def setdefault(self, name: str, default: Any = None) -> Any:
        if name not in self:
            self[name] = default
        return self[name]

    def pop(self, name: str, default: Any = _ABSENT) -> Any:
        if name not in self and default is not _ABSENT:
            return default
        value = self[name]
        del self[name]
        return value

    def popitem(self) -> tuple[str, Any]:
        name, value = super().popitem()
        self._held.pop(name, None)
        return name, value

    def clear(self) -> None:
        super().clear()
        self._held.clear()


class ScopeDict(InstanceDict):
    """The variables of a cell or of a class body. Guards are looked up there too: names are identifiers."""

    __slots__ = ()

    def __setitem__(self, name: str, value: Any) -> None:
        if type(name) is str and not name.isidentifier():
            raise AttributeError(f"{name!r} is no name of a variable")
        super().__setitem__(name, value)


for _kind in (InstanceDict, ScopeDict):  # error messages name it
    _kind.__name__ = _kind.__qualname__ = "dict"
    _kind.__module__ = "builtins"
