"""The worker's life after it was jailed: measure, report, then run one cell after the other until the host is gone."""

from __future__ import annotations

import os
import signal
import socket
import sys
import traceback
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module
from typing import Any

from . import jail, reserve
from .channel import HostChannel
from .contracts import Guest
from .frames import encode
from .interpreter import Interpreter
from .limits import Limits
from .outcome import longest_text
from .stubs import stub

SESSION = 3  # the descriptor of the socket to the host, the only one that is open


def serve(separation: jail.Separation) -> None:
    """Take the last steps of the jail, then orders; ends only with the process."""
    for name in ("stdin", "stdout", "stderr"):  # their descriptors are closed, and will be something else
        setattr(sys, name, None)
        setattr(sys, f"__{name}__", None)
    channel = HostChannel(socket.socket(fileno=SESSION))
    channel.tell({"kind": "ready", "isolation": asdict(jail.lock(separation.reasons))})
    start = channel.order().header
    channel.limits = limits = Limits(**start["limits"])
    installed = [import_module(guest).install(channel) for guest in start["guests"]]
    interpreter = Interpreter(
        limits=limits,
        guests=installed,
        functions={each["name"]: stub(channel, **each) for each in start["functions"]},
        policy=start["policy"],
        number=start["number"],
    )
    while True:
        order = channel.order()
        done = _run(interpreter, installed, order.bodies[0].decode("utf-8", "surrogatepass"))
        channel.tell({"kind": "done", "id": order.header["id"], **_encodable(done, longest_text(limits))})


def give_up(error: BaseException) -> None:
    """Tell the host why this worker never served it."""
    where = "".join(traceback.format_exception(error)[-3:])
    os.write(SESSION, encode({"kind": "failed", "reason": f"{type(error).__name__}: {error}\n{where}"}))


def _run(interpreter: Interpreter, guests: Sequence[Guest], code: str) -> dict[str, Any]:
    for guest in guests:
        guest.begin()
    with reserve.held():
        result = interpreter.run(code)
    signal.setitimer(signal.ITIMER_REAL, 0)  # no deadline may outlive its cell
    return {"result": result, "reports": [guest.finish() for guest in guests]}


def _encodable(value: Any, longest: int) -> Any:
    """The same with texts cut, and with what no frame can carry spelled out: a cell may print lone surrogates."""
    if isinstance(value, str):
        return value[:longest].encode("utf-8", "backslashreplace").decode()[:longest]
    if isinstance(value, dict):
        return {_encodable(key, longest): _encodable(item, longest) for key, item in value.items()}
    if isinstance(value, list):
        return [_encodable(item, longest) for item in value]
    return value
