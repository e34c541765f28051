"""Host functions as cells see them: async functions with the host's signature that ask over the channel.

`describe` runs in the host and makes JSON of a signature, `stub` runs in the worker and makes a function of that.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from .contracts import HostFunction

_Parameter = dict[str, Any]
_HostFunction = Callable[..., Coroutine[Any, Any, Any]]


class _Caller(Protocol):
    async def call(self, name: str, args: Any, kwargs: Any) -> Any: ...


def describe(function: HostFunction) -> dict[str, Any]:
    """Name, doc and parameters: for each its name, the name of its kind, and the text of its default if it has one."""
    parameters = inspect.signature(function.call).parameters.values()
    return {"name": function.name, "doc": function.doc, "parameters": [_parameter(each) for each in parameters]}


def _parameter(parameter: inspect.Parameter) -> _Parameter:
    default = {} if parameter.default is parameter.empty else {"default": repr(parameter.default)}
    return {"name": parameter.name, "kind": parameter.kind.name, **default}


class _Default:
    """Shown in a signature as the host's default; never sent: the host fills it in."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def stub(channel: _Caller, name: str, doc: str, parameters: list[_Parameter]) -> _HostFunction:
    """The function that cells call. Wrong arguments are a TypeError at the call; the answer has to be awaited."""
    signature = inspect.Signature([_restored(each) for each in parameters])

    async def ask(args: Any, kwargs: Any) -> Any:
        return await channel.call(name, args, kwargs)

    def call(*args: Any, **kwargs: Any) -> Coroutine[Any, Any, Any]:
        try:
            signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}{signature}: {error}") from None
        return ask(args, kwargs)

    for function in (ask, call):  # a coroutine that was never awaited is shown with this name
        function.__name__ = function.__qualname__ = name
    call.__doc__ = doc
    call.__signature__ = signature  # help() and inspect read it
    return call


def _restored(parameter: _Parameter) -> inspect.Parameter:
    default = _Default(parameter["default"]) if "default" in parameter else inspect.Parameter.empty
    return inspect.Parameter(parameter["name"], getattr(inspect.Parameter, parameter["kind"]), default=default)
