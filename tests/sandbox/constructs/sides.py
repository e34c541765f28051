"""What the tests of constructs share: what is allowed prints what CPython prints, what is refused says what to do."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import inspect
import io
import re
import sys
import types

from ..cells import error, output

_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


def agrees(source: str) -> None:
    """The cell prints something, and exactly what plain Python prints."""
    printed = output(source)
    assert printed, "a case that prints nothing shows nothing"
    assert _ADDRESS.sub("0x", printed) == _ADDRESS.sub("0x", _plain(source))


def _plain(source: str) -> str:
    main, sys.modules["__main__"] = sys.modules["__main__"], (module := types.ModuleType("__main__"))
    try:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            code = compile(source, "<plain>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
            waiting = eval(code, vars(module))
            if inspect.iscoroutine(waiting):
                asyncio.run(waiting)
        return printed.getvalue()
    finally:
        sys.modules["__main__"] = main


def refused(source: str, says: str = "") -> None:
    """The cell does not run at all; the refusal, or its hint, says `says`."""
    failed = error(source)
    assert failed["type"] == "PolicyError", failed
    assert says in f"{failed['message']} {failed['hint']}"


def fails(source: str, says: str) -> None:
    """The cell runs up to an error that says `says`."""
    failed = error(source)
    assert failed["type"] not in ("PolicyError", "SyntaxError"), failed
    assert says in f"{failed['message']} {failed['hint']}"
