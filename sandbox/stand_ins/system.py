"""sys, traceback and ast: what cells may know of the interpreter."""

from __future__ import annotations

import ast
import sys
import types
from typing import Any, Final, NoReturn

from ..tracebacks import lines_through, user_lines


class Facade(types.ModuleType):
    """A module as cells see it. It cannot be changed: what one cell replaced, another would call."""

    def __setattr__(self, name: str, value: object) -> None:
        if not hasattr(type(self), name):
            raise AttributeError(f"modules cannot be changed here ({self.__name__}.{name})")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"modules cannot be changed here ({self.__name__}.{name})")


_MOST_CALLS: Final = 10_000  # deeper recursion could use up the C stack


def set_recursion_limit(limit: int, /) -> None:
    """As far as it is safe; the deepest recursion is that of a program that begins with nothing on its stack."""
    if limit < 1:
        raise ValueError("recursion limit must be greater or equal than 1")
    sys.setrecursionlimit(min(limit, _MOST_CALLS) + OWN_CALLS)


def get_recursion_limit() -> int:
    return sys.getrecursionlimit() - OWN_CALLS


OWN_CALLS: Final = 27  # of ours around a cell


def exc_info() -> tuple[Any, Any, Any]:
    error = sys.exception()
    return (None, None, None) if error is None else (type(error), error, error.__traceback__)


class SysModule(Facade):
    """`sys` of cells; putting something in place of `sys.stdout` redirects print() until the cell ends."""

    @property
    def stdout(self) -> Any:
        return sys.stdout

    @stdout.setter
    def stdout(self, stream: Any) -> None:
        sys.stdout = stream

    @property
    def stderr(self) -> Any:
        return sys.stderr

    @stderr.setter
    def stderr(self, stream: Any) -> None:
        sys.stderr = stream


def exit_cell(code: object = None, /) -> NoReturn:
    """Ends the cell, not the session."""
    raise SystemExit(code)


def literal_eval(text: str) -> Any:
    if not isinstance(text, str):
        raise TypeError("literal_eval() takes a string here")
    return ast.literal_eval(str.__str__(text))


def format_exc(limit: int | None = None, chain: bool = True) -> str:
    error = sys.exception()
    return user_lines(error) if error is not None else "NoneType: None\n"


def print_exc(limit: int | None = None, file: Any = None, chain: bool = True) -> None:
    print(format_exc(), file=file or sys.stderr, end="")


def format_exception(exc: Any, /, value: Any = None, tb: Any = None, **options: Any) -> list[str]:
    error = exc if isinstance(exc, BaseException) else value
    return user_lines(error).splitlines(keepends=True)


def print_exception(exc: Any, /, value: Any = None, tb: Any = None, *, file: Any = None, **options: Any) -> None:
    print(*format_exception(exc, value), sep="", end="", file=file or sys.stderr)


def format_tb(tb: types.TracebackType | None, limit: int | None = None) -> list[str]:
    return [f"  {line}\n" for line in lines_through(tb)]


def print_tb(tb: types.TracebackType | None, limit: int | None = None, file: Any = None) -> None:
    print(*format_tb(tb), sep="", end="", file=file or sys.stderr)


TRACEBACK: Final = {
    each.__name__: each for each in (format_exc, print_exc, format_exception, print_exception, format_tb, print_tb)
}
