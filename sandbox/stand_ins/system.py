"""sys, traceback and ast: what cells may know of the interpreter."""

from __future__ import annotations

import ast
import sys
import types
from typing import Any, NoReturn

from ..tracebacks import user_lines


class Facade(types.ModuleType):
    """A module as cells see it. It cannot be changed: what one cell replaced, another would call."""

    def __setattr__(self, name: str, value: object) -> None:
        if not hasattr(type(self), name):
            raise AttributeError(f"modules cannot be changed here ({self.__name__}.{name})")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"modules cannot be changed here ({self.__name__}.{name})")


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
