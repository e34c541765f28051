"""What the model is told when a cell failed: the error, its own lines, the nearest fix."""

from __future__ import annotations

import difflib
import json
import re
import types
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from . import names, substitutes, variables
from .deadline import TimeLimit
from .limits import Limits
from .output import OutputLimit
from .policy import PolicyError
from .tracebacks import is_cell, lines_of, message_of, user_lines

_CLOSE: Final = 0.6  # how alike a name must be to be suggested
_NO_AWAIT: Final = "the call is no coroutine: leave out `await`"
_LINES: Final = "there is one JSON value per line: [json.loads(line) for line in text.splitlines()]"
_AWAIT: Final = "it was not awaited: write `await` before the call"
_KEYS: Final = 500  # keys that are compared with a missing one
_MAGIC: Final = re.compile(r"\s*[%!]")


class Explainer:
    def __init__(
        self,
        limits: Limits,
        namespace: Mapping[str, Any],
        builtin_names: Mapping[str, Any],
        modules: Collection[str],
        guests: Sequence[Callable[[BaseException], str]] = (),
    ) -> None:
        self._limits = limits
        self._modules = modules  # that can be imported
        self._guests = guests  # what they say to an error
        self._namespace = namespace
        self._builtins = builtin_names

    def explain(self, error: BaseException, source: str, cell: int) -> dict[str, Any]:
        """The fields of `CellError`."""
        try:
            return self._explained(error, source, cell)
        except (TimeLimit, MemoryError):
            raise
        # The outermost boundary of the error's own code: its __str__, its arguments' __eq__.
        except BaseException:
            kind = type(error).__name__
            return {"type": kind, "message": "", "traceback": f"{kind}\n", "hint": "", "line": None}

    def _explained(self, error: BaseException, source: str, cell: int) -> dict[str, Any]:
        if isinstance(error, SyntaxError) and (
            error.filename in (None, f"<cell {cell}>") or isinstance(error, PolicyError)
        ):
            return self._syntax(error, source, cell)
        own = [line for line in lines_of(error) if line.cell == cell]
        return {
            "type": type(error).__name__,
            "message": self._message(error),
            "traceback": self._traceback(error),
            "hint": self._hint(error),
            "line": own[0].line if own else None,
        }

    def _message(self, error: BaseException) -> str:
        if isinstance(error, MemoryError):
            return f"more than {self._limits.memory_mb} MiB of memory were needed"
        return message_of(error)

    def _traceback(self, error: BaseException) -> str:
        text = user_lines(error)
        if isinstance(error, MemoryError):
            return text.rstrip("\n") + f": {self._message(error)}\n"
        return text

    def _syntax(self, error: SyntaxError, source: str, cell: int) -> dict[str, Any]:
        line = error.lineno
        lines = source.splitlines()
        text = lines[line - 1].strip()[:200] if line and line <= len(lines) else ""
        where = f"cell {cell}, line {line}" if line else f"cell {cell}"
        kind, message = type(error).__name__, error.msg or "invalid syntax"
        shown = f"  {where}\n      {text}\n" if text else f"  {where}\n"
        return {
            "type": kind,
            "message": message,
            "traceback": f"{shown}{kind}: {message}\n",
            "hint": error.hint if isinstance(error, PolicyError) else self._syntax_hint(text),
            "line": line,
        }

    @staticmethod
    def _syntax_hint(text: str) -> str:
        if _MAGIC.match(text):
            return "% and ! commands do not exist here; write Python"
        if re.match(r"(type\s+\w+\s*=|(def|class)\s+\w+\s*\[)", text):
            return "this Python is older than that syntax; use typing.TypeVar and a plain assignment"
        return ""

    def _hint(self, error: BaseException) -> str:
        for guest in self._guests:
            if told := guest(error):
                return told
        for kind, hint in self._HINTS.items():
            if isinstance(error, kind):
                return hint(self, error)
        return ""

    def _name_hint(self, error: Any) -> str:
        name = error.name or ""
        if name in substitutes.BUILTINS:
            return substitutes.BUILTINS[name]
        if name in self._modules:
            return f"write `import {name}` first"
        near = difflib.get_close_matches(name, self._known(), 1, _CLOSE)
        return f"Did you mean {self._told(near[0])}?" if near else ""

    def _known(self) -> list[str]:
        return [
            n
            for n in {*self._namespace, *self._builtins}
            if type(n) is str and n.isidentifier() and not names.is_dunder(n)
        ]

    def _told(self, name: str) -> str:
        if name not in self._namespace:
            return name
        return f"{name} ({variables.describe(self._namespace[name])})"

    def _attribute_hint(self, error: Any) -> str:
        kind, name = type(error.obj), error.name or ""
        if kind is types.CoroutineType:
            return _AWAIT
        if issubclass(kind, types.ModuleType):
            path, known = f"{error.obj.__name__}.{name}", vars(error.obj)
        else:
            path, known = f"{variables.type_name(kind)}.{name}", _attributes(kind)
        if kind is dict and name in error.obj:
            return f"it is a dict: write [{name!r}]"
        if path in substitutes.ATTRIBUTES or f"*.{name}" in substitutes.ATTRIBUTES:
            return substitutes.ATTRIBUTES.get(path) or substitutes.ATTRIBUTES[f"*.{name}"]
        near = difflib.get_close_matches(name, [n for n in known if not n.startswith("_")], 1, _CLOSE)
        return f"Did you mean .{near[0]}?" if near else ""

    def _key_hint(self, error: BaseException) -> str:
        key = error.args[0] if error.args else None
        if type(key) is not str:
            return ""
        near = difflib.get_close_matches(key, _keys_near(error.__traceback__), 1, _CLOSE)
        return f"Did you mean {near[0]!r}?" if near else ""

    def _runtime_hint(self, error: BaseException) -> str:
        message = message_of(error)
        if "no running event loop" in message:
            return "await something in the cell itself, then tasks can be made"
        if "host calls in one cell" in message:
            return "ask for more in one call, keep what you have in variables, and do the rest in the next cell"
        return ""

    def _value_hint(self, error: BaseException) -> str:
        message = message_of(error)
        if "digits) for integer string conversion" in message:
            return "hex(x) has no such limit; math.log10(x) tells the size, x % 10**20 the last digits"
        return _LINES if type(error) is json.JSONDecodeError and message.startswith("Extra data") else ""

    def _type_hint(self, error: BaseException) -> str:
        message = message_of(error)
        if "immutable type" in message:
            return "classes of libraries cannot be changed here; write a subclass"
        if "can't be used in 'await' expression" in message:
            return _NO_AWAIT
        return _AWAIT if "'coroutine' object" in message else ""

    def _time_hint(self, error: BaseException) -> str:
        return "keep intermediate results in variables and do the rest in the next cell"

    def _memory_hint(self, error: BaseException) -> str:
        return "del what you no longer need, and go through documents one at a time"

    def _recursion_hint(self, error: BaseException) -> str:
        return "a function calls itself without an end, or data is nested too deeply; use a loop with a list as stack"

    def _output_hint(self, error: BaseException) -> str:
        return "print less: counts, the first items, or slices"

    _HINTS: Final = {
        TimeLimit: _time_hint,
        MemoryError: _memory_hint,
        RecursionError: _recursion_hint,
        OutputLimit: _output_hint,
        NameError: _name_hint,
        AttributeError: _attribute_hint,
        KeyError: _key_hint,
        TypeError: _type_hint,
        ValueError: _value_hint,
        RuntimeError: _runtime_hint,
    }


def _attributes(kind: type) -> list[str]:
    """Names that instances have, read off the classes: dir() may run the cell's code."""
    return [name for cls in type.__dict__["__mro__"].__get__(kind) for name in type.__dict__["__dict__"].__get__(cls)]


def _keys_near(traceback: types.TracebackType | None) -> list[str]:
    """Keys of the dicts in reach of the innermost lines of a cell: of variables, and of the first items of lists."""
    found: dict[str, None] = {}
    while traceback is not None:
        if is_cell(traceback.tb_frame.f_code.co_filename):
            found = {}
            frame = traceback.tb_frame
            for value in (*_own(frame.f_locals), *_own(frame.f_globals)):
                held = value[0] if type(value) is list and value else value
                if type(held) is dict and len(found) < _KEYS:
                    found.update((key, None) for key in list(held)[:_KEYS] if type(key) is str)
        traceback = traceback.tb_next
    return list(found)


def _own(namespace: Mapping[str, Any]) -> list[Any]:
    """The values of variables, without what the interpreter keeps beside them."""
    return [value for name, value in namespace.items() if name.isidentifier() and not names.is_dunder(name)]


def lines_before(error_line: int | None, statements: list[tuple[int, int]]) -> str:
    """Which lines ran for certain: those of the statements before the one that failed; "" if none did."""
    if error_line is None:
        return ""
    done = [last for first, last in statements if last < error_line and not first <= error_line <= last]
    return (
        f"{statements[0][0]}-{max(done)}" if done and statements[0][0] != max(done) else str(max(done)) if done else ""
    )
