"""str.format and str.format_map, which walk attributes in C: their templates may read public ones only."""

from __future__ import annotations

import functools
from _string import formatter_field_name_split, formatter_parser  # pyright: ignore[reportMissingImports]
from typing import Any

from . import names

_BuiltinMethod = type("".join)
_MethodDescriptor = type(str.join)


def safe_format(value: Any, name: str) -> Any:
    """Whatever way it was reached (super(), a generic alias, a proxy), the method itself tells what it is."""
    if type(value) is _BuiltinMethod and isinstance(value.__self__, str):
        return value if harmless(value.__self__) else _Bound(value.__self__, name)
    if type(value) is _MethodDescriptor and value.__objclass__ is str:
        return _unbound_format if name == "format" else _unbound_format_map
    return value


def harmless(text: Any) -> bool:
    """Whether `text` is a template that the real method may have: exactly a str, so that it stays what it is."""
    if type(text) is not str:
        return False
    try:
        _check_template(text)
    except (AttributeError, ValueError):
        return False
    return True


class _Bound:
    """`text.format` or `text.format_map`, with its template checked at each call."""

    __slots__ = ("_name", "_text")

    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        return _format_checked(self._text, self._name, args, kwargs)


def _unbound_format(text: str, /, *args: Any, **kwargs: Any) -> str:
    return _format_checked(text, "format", args, kwargs)


def _unbound_format_map(text: str, mapping: Any, /) -> str:
    return _format_checked(text, "format_map", (mapping,), {})


def _format_checked(text: str, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    if not isinstance(text, str):
        raise TypeError(f"descriptor '{name}' requires a 'str' object")
    plain = str.__str__(text)  # a subclass may lie about its characters in every other way
    _check_template(plain)
    return getattr(str, name)(plain, *args, **kwargs)


@functools.lru_cache(1_024)
def _check_template(text: str, depth: int = 0) -> None:
    if depth > 2:
        raise ValueError("Max string recursion exceeded")
    for _, field, spec, _ in formatter_parser(text):
        if field:
            for is_attribute, name in formatter_field_name_split(field)[1]:
                if is_attribute and (name.startswith("_") or name in names.FORBIDDEN or name in names.SPECIAL):
                    raise AttributeError(f"format strings may not read the attribute {name!r}")
        if spec:
            _check_template(spec, depth + 1)
