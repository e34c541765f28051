"""The built-in names of cells."""

from __future__ import annotations

import builtins
import inspect
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from . import guards, names
from .deadline import Deadline
from .facades import Facades
from .instance_dicts import ScopeDict
from .stand_ins.system import exit_cell


def cell_builtins(
    facades: Facades, deadline: Deadline, namespace: dict[str, Any], preloaded: Mapping[str, Any]
) -> dict[str, Any]:
    """Everything that a cell finds without having made it; no cell can reach this dict itself."""
    return {
        **{name: getattr(builtins, name) for name in names.PLAIN_BUILTINS},
        **{n: v for n, v in vars(builtins).items() if isinstance(v, type) and issubclass(v, BaseException)},
        **guards.GUARDS,
        **_scopes(namespace),
        names.ALIVE_GUARD: deadline.check,
        names.PASSED: deadline.passed,
        "__import__": facades.import_,
        "__debug__": True,
        "exit": exit_cell,
        "quit": exit_cell,
        "help": help_,
        "input": input_,
        **preloaded,
    }


def _scopes(namespace: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    """globals(), locals(), and the forms without argument of vars() and dir()."""

    def scope(frame: types.FrameType | None) -> dict[str, Any]:
        # Library code that calls one of these for the cell must not hand out its own variables.
        if frame is None or frame.f_globals is not namespace:
            raise RuntimeError("call this from a cell")
        shown = {name: value for name, value in frame.f_locals.items() if not name.startswith(("__", "$"))}
        if frame.f_code.co_flags & inspect.CO_OPTIMIZED:  # of a function: what is written to its locals() is lost
            return shown
        return ScopeDict(frame.f_locals, shown)

    def globals_() -> dict[str, Any]:
        return ScopeDict(namespace, {n: v for n, v in namespace.items() if not n.startswith("__")})

    def locals_() -> dict[str, Any]:
        return scope(sys._getframe(1))

    def vars_(*ob: Any) -> Mapping[str, Any]:
        return guards.variables(*ob) if ob else scope(sys._getframe(1))

    def dir_(*ob: Any) -> list[str]:
        return dir(*ob) if ob else sorted(scope(sys._getframe(1)))

    return {"globals": globals_, "locals": locals_, "vars": vars_, "dir": dir_}


def help_(ob: Any = None, /) -> None:
    """Prints the signature and the docstring."""
    if ob is None:
        print("help(x) shows the signature and the docstring of x; dir(x) lists its public names")
        return
    named = ob if issubclass(type(ob), type) or type(ob) in _NAMED else type(ob)
    print(named.__name__ + _signature(ob))
    doc = getattr(ob, "__doc__", None)
    if type(doc) is str:
        print(inspect.cleandoc(doc))


_NAMED = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.MethodDescriptorType, types.ModuleType)


def _signature(ob: Any) -> str:
    """Of Python functions only: for objects that pose as built-in ones, inspect evaluates a text of theirs."""
    function = vars(ob).get("__init__") if issubclass(type(ob), type) else ob
    plain = function.__func__ if type(function) is types.MethodType else function
    if type(plain) is not types.FunctionType:
        return ""
    try:
        return str(inspect.signature(function, follow_wrapped=False))
    except (TypeError, ValueError):  # its parameters were tampered with
        return ""


def input_(prompt: object = "", /) -> NoReturn:
    raise RuntimeError("input() is not available here: nobody can be asked from a cell; assign the value")
