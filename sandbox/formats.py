"""str.format and str.format_map, which walk attributes in C: here each attribute is read as code would read it."""

from __future__ import annotations

import functools
import string
from _string import formatter_field_name_split, formatter_parser  # pyright: ignore[reportMissingImports]
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final

from . import names

_BuiltinMethod = type("".join)
_MethodDescriptor = type(str.join)

_NO_POSITIONS: Final[Any] = range(0)  # what format_map() has

Read = Callable[[Any, str], Any]  # the guarded getattr()


def safe_format(value: Any, name: str, read: Read) -> Any:
    """Whatever way it was reached (super(), a generic alias, a proxy), the method itself tells what it is."""
    if type(value) is _BuiltinMethod and isinstance(value.__self__, str):
        return value if harmless(value.__self__) else _Bound(value.__self__, name, read)
    if type(value) is _MethodDescriptor and value.__objclass__ is str:
        return _Unbound(name, read)
    return value


def harmless(text: Any) -> bool:
    """Whether `text` is a template that the real method may have: exactly a str, so that it stays what it is."""
    return type(text) is str and not _reads_guarded(text)


class _Bound:
    """`text.format` or `text.format_map`."""

    __slots__ = ("_name", "_read", "_text")

    def __init__(self, text: str, name: str, read: Read) -> None:
        self._text, self._name, self._read = text, name, read

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        return _format(self._text, self._name, self._read, args, kwargs)


class _Unbound:
    """`str.format` or `str.format_map`."""

    __slots__ = ("_name", "_read")

    def __init__(self, name: str, read: Read) -> None:
        self._name, self._read = name, read

    def __call__(self, text: Any, /, *args: Any, **kwargs: Any) -> str:
        if not isinstance(text, str):
            raise TypeError(
                f"descriptor '{self._name}' for 'str' objects doesn't apply to a '{type(text).__name__}' object"
            )
        return _format(text, self._name, self._read, args, kwargs)


def _format(text: str, name: str, read: Read, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    plain = str.__str__(text)  # a subclass may lie about its characters in every other way
    if not _reads_guarded(plain):
        return getattr(str, name)(plain, *args, **kwargs)
    if name == "format_map":
        (mapping,) = args
        return GuardedFormatter(read).vformat(plain, _NO_POSITIONS, mapping)
    return GuardedFormatter(read).vformat(_numbered(plain, count()), args, kwargs)


def _numbered(template: str, numbers: Iterator[int]) -> str:
    """The same with "{}" and "{.name}" numbered: `string.Formatter` knows only the first of them."""
    parts: list[str] = []
    for literal, field, spec, conversion in formatter_parser(template):
        parts.append(literal.replace("{", "{{").replace("}", "}}"))
        if field is not None:
            number = str(next(numbers)) if field[:1] in ("", ".", "[") else ""
            parts.append(f"{{{number}{field}{f'!{conversion}' if conversion else ''}:{_numbered(spec, numbers)}}}")
    return "".join(parts)


@functools.lru_cache(1_024)
def _reads_guarded(template: str, depth: int = 0) -> bool:
    """Whether a template reads an attribute that must be looked at."""
    if depth > 2:
        return False  # str.format itself refuses it
    try:
        return any(
            _guarded_field(field) or (spec and _reads_guarded(spec, depth + 1)) for field, spec in _fields(template)
        )
    except ValueError:  # malformed: str.format says how
        return False


def _fields(template: str) -> list[tuple[str | None, str | None]]:
    return [(field, spec) for _, field, spec, _ in formatter_parser(template)]


def _guarded_field(field: str | None) -> bool:
    steps = formatter_field_name_split(field)[1] if field else ()
    return any(
        is_attribute and (name.startswith("_") or name in names.FORBIDDEN or name in names.SPECIAL)
        for is_attribute, name in steps
    )


class GuardedFormatter(string.Formatter):
    """`string.Formatter`, reading attributes by `read`."""

    def __init__(self, read: Read) -> None:
        self.__read: Final = read

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        if isinstance(key, int) and args is _NO_POSITIONS:
            raise ValueError("Format string contains positional fields")
        if isinstance(key, int) and key >= len(args):
            raise IndexError(f"Replacement index {key} out of range for positional args tuple")
        return super().get_value(key, args, kwargs)

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        first, steps = formatter_field_name_split(str.__str__(field_name))
        value, name = self.get_value(first, args, kwargs), ""
        for is_attribute, name in steps:
            value = self.__read(value, name) if is_attribute else value[name]
        if name in names.GUARDED and name != "__dict__":
            # "{0.__class__.__name__}" is what honest templates say; what stops on the way goes somewhere else.
            raise AttributeError(f"format strings may not read the attribute {name!r}")
        return value, first
