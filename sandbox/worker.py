"""The worker's life after it was jailed: measure, report, then run one cell after the other until the host is gone."""

from __future__ import annotations

import faulthandler
import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module
from typing import Any

from . import jail, reserve, seal
from .channel import HostChannel
from .checkpoints import Checkpoint, NoCheckpoint
from .contracts import Guest
from .frames import Frame, encode
from .inputs import CLOCK, ENTROPY, TURNS
from .interpreter import Interpreter
from .limits import Limits
from .outcome import longest_text
from .stand_ins import chance
from .stubs import stub

SESSION = 3  # the descriptor of the socket to the host, the only one that is open
_PIECE_BYTES = 4 << 20  # of a checkpoint in one frame
_NAMES = 1000  # of variables that a checkpoint has not, or not as they were
_NAME_CHARS = 200


def serve(separation: jail.Separation) -> None:
    """Take the last steps of the jail, then orders; ends only with the process."""
    for name in ("stdin", "stdout", "stderr"):  # their descriptors are closed, and will be something else
        setattr(sys, name, None)
        setattr(sys, f"__{name}__", None)
    channel = HostChannel(socket.socket(fileno=SESSION))
    channel.tell({"kind": "ready", "isolation": asdict(jail.lock(separation.reasons))})
    # Asked where it is, a worker that does not stop writes its frames in place of further ones: it will be ended then.
    faulthandler.register(signal.SIGUSR1, SESSION, all_threads=False)
    start = channel.order().header
    channel.limits = limits = Limits(**start["limits"])
    installed = [import_module(guest).install(channel) for guest in start["guests"]]
    current = _Current(channel)
    interpreter = Interpreter(
        limits=limits,
        guests=installed,
        functions={each["name"]: stub(channel, **each) for each in start["functions"]},
        policy=start["policy"],
        tell=current.printed,
    )
    seal.seal(seal.new_classes())
    current.serve(interpreter, installed)


class _Current:
    """What the host has ordered, one order after the other."""

    def __init__(self, channel: HostChannel) -> None:
        self._channel = channel
        self._number = 0  # of the cell that the order is about
        self._ran = False  # whether this worker has run a cell, or taken over from another

    def serve(self, interpreter: Interpreter, guests: Sequence[Guest]) -> None:
        while True:
            order = self._channel.order()
            self._number = order.header["id"]
            match order.header["kind"]:
                case "run":
                    self._run(order, interpreter, guests)
                case "checkpoint":
                    self._checkpoint(interpreter)
                case "restore":
                    self._restore(order.bodies[0], interpreter)

    def printed(self, name: str, text: str) -> None:
        """A cell prints."""
        text = text.encode("utf-8", "backslashreplace").decode()
        self._channel.mention({"kind": "output", "id": self._number, "name": name, "text": text})

    def _run(self, order: Frame, interpreter: Interpreter, guests: Sequence[Guest]) -> None:
        ENTROPY.begin(bytes.fromhex(order.header["entropy"]))
        CLOCK.begin(order.header["clock"])
        TURNS.begin(order.header["turns"])
        started = time.process_time_ns()
        if not self._ran:
            chance.SHARED.seed()
            self._ran = True
        for guest in guests:
            guest.begin()
        with reserve.held():
            source = order.bodies[0].decode("utf-8", "surrogatepass")
            result = interpreter.run(source, self._number, order.header["wall_s"])
        signal.setitimer(signal.ITIMER_REAL, 0)  # no deadline may outlive its cell
        reports = [guest.finish() for guest in guests]
        state = result.pop("state", "")
        encodable = _encodable({"result": result, "reports": reports}, longest_text(self._channel.limits))
        inputs = {
            "clock": CLOCK.readings,
            "turns": TURNS.record,
            "cpu": time.process_time_ns() - started,
            "state": state,
        }
        self._channel.tell({"kind": "done", "id": self._number, **inputs, **encodable})

    def _checkpoint(self, interpreter: Interpreter) -> None:
        try:
            checkpoint = interpreter.checkpoint()
        except MemoryError:
            checkpoint = Checkpoint(b"", ("*",))  # nothing is kept of it
        if len(checkpoint.data) > self._channel.limits.checkpoint_mb << 20:
            checkpoint = Checkpoint(b"", ("*",))
        for start in range(0, len(checkpoint.data), _PIECE_BYTES):
            piece = checkpoint.data[start : start + _PIECE_BYTES]
            self._channel.tell({"kind": "piece", "id": self._number}, [piece])
        names = {"left": list(checkpoint.left[:_NAMES]), "reordered": list(checkpoint.reordered[:_NAMES])}
        self._channel.tell({"kind": "kept", "id": self._number, **_encodable(names, _NAME_CHARS)})

    def _restore(self, data: bytes, interpreter: Interpreter) -> None:
        reason = ""
        try:
            interpreter.restore(data)
            self._ran = True
        except (NoCheckpoint, MemoryError) as error:
            reason = _encodable(f"the data kept of it cannot be read ({type(error).__name__}: {error})", 1000)
        self._channel.tell({"kind": "restored", "id": self._number, "reason": reason})


def give_up(error: BaseException) -> None:
    """Tell the host why this worker never served it."""
    where = "".join(traceback.format_exception(error)[-3:])
    os.write(SESSION, encode({"kind": "failed", "reason": f"{type(error).__name__}: {error}\n{where}"}))


def _encodable(value: Any, longest: int) -> Any:
    """The same with texts cut, and with what no frame can carry spelled out: a cell may print lone surrogates."""
    if isinstance(value, str):
        return value[:longest].encode("utf-8", "backslashreplace").decode()[:longest]
    if isinstance(value, dict):
        return {_encodable(key, longest): _encodable(item, longest) for key, item in value.items()}
    if isinstance(value, list):
        return [_encodable(item, longest) for item in value]
    return value
