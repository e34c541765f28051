"""`_unreadable`: the documents that a program cannot have read, however carefully it walks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# What `list` does in C without asking a subclass; the rest goes through these.
_LOOKS = (
    "__add__ __contains__ __eq__ __ge__ __getitem__ __gt__ __iter__ __le__ __len__ __lt__ __mul__ __ne__ __repr__ "
    "__reversed__ __rmul__ copy count index"
).split()


class Unreadable(list[dict[str, str]]):
    """Documents without readable text, a list of {id, title, reason}; `look` fills it when it is first looked at."""

    def __init__(self, look: Callable[[], object]) -> None:
        super().__init__()
        self._look = look

    def __radd__(self, other: list[Any]) -> list[Any]:
        return [*other, *self]


def _looking(name: str) -> Any:
    plain = getattr(list, name)

    def method(self: Unreadable, *arguments: Any) -> Any:
        self._look()
        return plain(self, *arguments)

    return method


for _name in _LOOKS:
    setattr(Unreadable, _name, _looking(_name))
