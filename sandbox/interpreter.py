"""Runs the cells of one session: policy, namespace, output, deadline, errors for the model."""

from __future__ import annotations

import ast
import contextlib
import contextvars
import decimal
import gc
import sys
import types
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import CO_COROUTINE
from typing import Any

from . import checkpoints, facades, ownership, seal, tracebacks, variables
from .cell_builtins import cell_builtins
from .contracts import Guest
from .deadline import Deadline, TimeLimit
from .explanations import Explainer, lines_before
from .forgotten import Forgotten
from .limits import Limits
from .loops import CellLoop
from .output import Output, Tell
from .policy import restrict
from .stand_ins.hints import reader as hint_reader
from .stand_ins.tasks import loop_names

_BURIAL_S = 0.5
_PRELOADED = ("json", "re", "math", "asyncio", "collections.Counter", "collections.defaultdict", "datetime.datetime")


def preload() -> None:
    """Import everything that cells may import; for the process that workers are forked from."""
    facades.preload()


@dataclass(slots=True)
class _Compiled:
    """A cell as far as it has been compiled."""

    statements: list[tuple[int, int]] = field(default_factory=list)  # first and last line of each
    # The statements, then the last expression, whose value is shown.
    codes: list[types.CodeType] = field(default_factory=list)


class Interpreter:
    """One session's namespace and the way to run cells in it.

    `functions` are the host functions, awaitable in cells; `tell` gets what cells print while they run; `policy=False`
    runs plain Python (tests of the jail only).
    """

    def __init__(
        self,
        *,
        limits: Limits,
        guests: Sequence[Guest],
        functions: Mapping[str, Callable[..., Awaitable[Any]]],
        policy: bool = True,
        tell: Tell = lambda name, text: None,
    ) -> None:
        self._policy = policy
        self._limits = limits
        self._number = 0  # of the cell that runs, or ran last
        self._outputs: dict[int, str] = {}  # `_out` of cells
        self._deadline = Deadline(limits.wall_s)
        self._output = Output(limits, tell)
        self._loop = CellLoop()
        self._before: variables.Snapshot = {}
        self._context = contextvars.Context()  # decimal keeps its precision there; other sessions have their own
        self._context.run(decimal.getcontext)
        self._module = types.ModuleType(ownership.MODULE)
        self._namespace = self._module.__dict__
        own = {
            "asyncio": loop_names(self._loop.run),
            "typing": {"get_type_hints": hint_reader(self._namespace)},
        }
        self._facades = facades.Facades([own, *(guest.modules for guest in guests)])
        preloaded = {**self._preloaded(), **{n: v for guest in guests for n, v in guest.names.items()}, **functions}
        if policy:
            self._namespace["__builtins__"] = cell_builtins(self._facades, self._deadline, self._namespace, preloaded)
        else:
            self._namespace.update(preloaded)
        hints = [guest.hint for guest in guests]
        self._explainer = Explainer(limits, self._namespace, preloaded, self._facades.known, hints)
        self._given = frozenset(self._namespace)  # names that are not of any cell
        self._settings = {name: each for guest in guests for name, each in guest.settings.items()}
        self._settings["the settings of logging"] = self._facades.loggers.state, self._facades.loggers.resume

    def _preloaded(self) -> dict[str, Any]:
        found: dict[str, Any] = {"_out": self._outputs}
        for path in _PRELOADED:
            module, _, name = path.rpartition(".")
            found[name] = getattr(self._facades.module(module), name) if module else self._facades.module(name)
        return found

    def run(self, source: str, number: int | None = None, wall_s: float | None = None) -> dict[str, Any]:
        """Run one cell; the fields of `CellResult` that a worker can know, as JSON values. Never raises.

        Beside them, as `state`, the fingerprint of the variables that it made or changed.
        `number` is the cell's; without it the next one. It may take `wall_s` seconds; without them, what the limit is.
        """
        self._number = self._number + 1 if number is None else number
        self._deadline.wall_s = self._limits.wall_s if wall_s is None else wall_s
        try:
            return self._context.run(self._run, source)
        except MemoryError:  # there was not enough left to tell what happened
            message = f"more than {self._limits.memory_mb} MiB of memory were needed"
            return {"error": {"type": "MemoryError", "message": message, "traceback": f"MemoryError: {message}"}}

    def checkpoint(self) -> checkpoints.Checkpoint:
        """The session's plain data as bytes; raises MemoryError."""
        own = {name: value for name, value in self._namespace.items() if name not in self._given}
        more = {name: get() for name, (get, _) in self._settings.items()}
        return self._context.run(
            checkpoints.write, own, self._outputs, self._facades.places(), self._facades.find, more
        )

    def restore(self, data: bytes) -> None:
        """Take over what another worker wrote in `checkpoint`; raises `checkpoints.NoCheckpoint`."""
        restored = self._context.run(checkpoints.read, data, self._facades.find)
        self._namespace.update(restored.variables)
        self._outputs.update(restored.outputs)
        for name, value in restored.more.items():
            self._context.run(self._settings[name][1], value)

    def close(self) -> None:
        """Give the event loop's descriptors back; a worker need not, it ends."""
        self._loop.close()

    def _run(self, source: str) -> dict[str, Any]:
        main, sys.modules[ownership.MODULE] = sys.modules.get(ownership.MODULE), self._module  # dataclasses look there
        forgotten = Forgotten()
        try:
            with self._output.captured(), forgotten.noticed():
                outcome = self._outcome(source, forgotten)
        finally:
            if main is not None:
                sys.modules[ownership.MODULE] = main
        changed = variables.changes(self._before, self._namespace)
        forgotten.look_at({name: self._namespace[name] for name in changed})
        printed = self._printed(forgotten.told(), self._loop.told())
        truncated = printed["truncated"] or outcome.get("truncated", False)
        state = variables.fingerprint(self._namespace, changed) if changed else ""
        return {**outcome, **printed, "truncated": truncated, "new_names": changed, "state": state}

    def _outcome(self, source: str, forgotten: Forgotten) -> dict[str, Any]:
        """Everything that may run code of the cell, down to its __repr__ and __str__, under the deadline."""
        compiled = _Compiled()
        try:
            with self._deadline:
                # What only the last look at the variables still held ends here.
                self._before = variables.snapshot(self._namespace)
                forgotten.attend()
                try:
                    self._compile(source, compiled)
                    value = self._execute(compiled)
                    forgotten.look_at({"": value})
                    shown = self._value(value)
                    self._deadline.check()  # a limit that struck in a finalizer is lost: Python ignores errors there
                    return shown
                except TimeLimit:
                    raise
                # The outermost boundary of the cell: whatever it raises is its result.
                except BaseException as error:
                    return self._failed(error, source, compiled)
        except TimeLimit as limit:
            if (before := limit.__context__) is not None and not tracebacks.lines_of(limit):
                limit.__traceback__ = before.__traceback__  # it struck while that was being told
            limit.__cause__ = limit.__context__ = None  # what it interrupted is beside the point, and could never end
            failed = self._failed(limit, source, compiled)
            limit.__traceback__ = None  # it holds what is to be buried
            self._bury()
            return {**failed, "timed_out": True}

    def _bury(self) -> None:
        """End the coroutines that the time limit left half-way now, not in the middle of the next cell."""
        self._loop.abandon()
        with contextlib.suppress(TimeLimit), Deadline(_BURIAL_S):
            gc.collect()

    def _failed(self, error: BaseException, source: str, compiled: _Compiled) -> dict[str, Any]:
        if isinstance(error, SystemExit) and not isinstance(error, TimeLimit) and error.code in (None, 0):
            return {"value": None}
        told = self._explainer.explain(error, source, self._number)
        return {"error": told, "kept_lines": lines_before(told["line"], compiled.statements)}

    def _compile(self, source: str, into: _Compiled) -> None:
        name = tracebacks.cell_name(self._number)
        tracebacks.remember(self._number, source)
        tree = _parsed(source, name)
        into.statements = [(node.lineno, node.end_lineno or node.lineno) for node in tree.body]
        if self._policy:
            restrict(tree, guard_writes=not seal.sealed())
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        if tree.body:
            into.codes.append(_code(tree, name, "exec"))
        if isinstance(last, ast.Expr):
            into.codes.append(_code(ast.Expression(last.value), name, "eval"))

    def _execute(self, compiled: _Compiled) -> Any:
        """The value of the last expression."""
        if any(code.co_flags & CO_COROUTINE for code in compiled.codes):
            return self._loop.run(self._awaited(compiled.codes))  # in one go: its tasks live until the cell's end
        value = None
        for code in compiled.codes:
            value = eval(code, self._namespace)
        return value

    async def _awaited(self, codes: list[types.CodeType]) -> Any:
        value = None
        for code in codes:
            value = eval(code, self._namespace)
            if code.co_flags & CO_COROUTINE:
                value = await value
        return value

    def _value(self, value: Any) -> dict[str, Any]:
        if value is None:
            return {"value": None}
        text, cut = self._output.shown(str.__str__(repr(value)), "repr(...)")
        return {"value": text, "truncated": cut}

    def _printed(self, notes: str, warnings: str) -> dict[str, Any]:
        text, errors = self._output.printed()
        self._outputs[self._number] = text
        stdout, cut = self._output.shown(text, f"_out[{self._number}]")
        stderr, _ = self._output.shown(errors, "...")
        return {"stdout": stdout + notes, "stderr": stderr + warnings, "truncated": cut}


def _parsed(source: str, name: str) -> ast.Module:
    try:
        return ast.parse(source, name)
    except MemoryError:  # what the parser says when its stack is full
        raise SyntaxError("this code is nested too deeply, or too long") from None


def _code(tree: Any, name: str, mode: str) -> types.CodeType:
    return compile(tree, name, mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
