"""The zygote: a small process that has imported what workers need, and forks one for each session.

Started by `host` as `python -P -s -m glossator.sandbox.zygote CONTROL HOST MODULE…` with nothing in its environment
but PYTHONHASHSEED. It runs no code of anyone, has one thread, and talks to the host only. For each message on the
control socket, which brings a session's socket, it forks twice:

    zygote ── middle: namespaces, reports the worker's pid and pidfd to the host, ends
                 └── worker: pid 1 of its namespace, becomes the zygote's child, jails itself, serves the session

Nothing outlives its maker: the zygote ends when the host's process ends or closes the control socket, a worker is
killed when the zygote ends.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import socket
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

import orjson

from ..kernel import process
from . import filenames, jail, seal, worker
from .interpreter import preload
from .stand_ins.clocks import record_datetime

_MESSAGE_BYTES = 4096
_GO = b"g"


class _Line(NamedTuple):
    """What a forked process needs of the zygote."""

    control: socket.socket
    session: int  # the descriptor that came with the order
    lifeline: int  # readable end of a pipe that hangs up when the zygote is gone
    go: int  # readable end of a pipe that says when the zygote has become the worker's parent


def main(arguments: Sequence[str]) -> None:
    control = socket.socket(fileno=int(arguments[0]))
    host = os.pidfd_open(int(arguments[1]))
    if os.getppid() != int(arguments[1]):  # it died before we looked, and its number may be another's by now
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the host, which then ends us
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps: the host watches its workers by pidfd
    process.adopt_orphans()
    process.first_to_go()
    preload()
    record_datetime()
    for module in arguments[2:]:
        import_module(module)
    seal.seal(seal.every_class())
    filenames.hide_folders()
    # What is alive now stays in pages that all workers share: the collector must not touch it.
    gc.collect()
    gc.freeze()
    _serve(control, host)


def _serve(control: socket.socket, host: int) -> None:
    lifeline, _held_until_we_die = os.pipe()
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(host, select.POLLIN)
    while host not in {descriptor for descriptor, _ in poll.poll()}:
        message, descriptors, _, _ = socket.recv_fds(control, _MESSAGE_BYTES, 1)
        if not message:
            return
        go, ready = os.pipe()
        _start(_Line(control, descriptors[0], lifeline, go), ready, orjson.loads(message))
        for descriptor in (*descriptors, go, ready):
            os.close(descriptor)


def _start(line: _Line, ready: int, order: dict[str, Any]) -> None:
    try:
        middle = os.fork()
    except OSError as error:
        _refuse(line, order, error)
        return
    if middle == 0:
        _middle(line, order)
    with contextlib.suppress(ChildProcessError):  # reaped by the kernel; all the same, it is over now
        os.waitpid(middle, 0)
    # Only now are we the worker's parent: asked for earlier, its death signal would be for the middle's end.
    os.write(ready, _GO)


def _middle(line: _Line, order: dict[str, Any]) -> NoReturn:
    """Runs in the first fork: never returns."""
    try:
        process.close_all_but(line.control.fileno(), line.session, line.lifeline, line.go)
        separation = jail.separate()
        pid = os.fork()
        if pid == 0:
            _worker(line, order, separation)
        answer = orjson.dumps({"id": order["id"], "pid": pid})
        socket.send_fds(line.control, [answer], [os.pidfd_open(pid)])
    # The outermost boundary of this process: the host waits for an answer.
    except Exception as error:
        _refuse(line, order, error)
    finally:
        os._exit(0)


def _worker(line: _Line, order: dict[str, Any], separation: jail.Separation) -> NoReturn:
    """Runs in the second fork: never returns, whatever happens."""
    try:
        # Whatever the zygote had there is closed already: its control socket or its view of the host.
        os.dup2(line.session, worker.SESSION, inheritable=False)
        if os.read(line.go, 1) != _GO:  # the zygote died
            os._exit(0)
        process.die_with_parent()
        jail.renounce(separation.uid, order["memory_bytes"])
        process.die_with_parent()  # cleared by the change of user
        if select.select([line.lifeline], [], [], 0)[0]:  # the zygote died before we asked
            os._exit(0)
        process.close_all_but(worker.SESSION)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        worker.serve(separation)
    # The outermost boundary of this process: no half-jailed worker goes on, and the host learns why.
    except BaseException as error:
        worker.give_up(error)
    finally:
        os._exit(0)


def _refuse(line: _Line, order: dict[str, Any], error: Exception) -> None:
    code = error.errno if isinstance(error, OSError) else None
    line.control.send(orjson.dumps({"id": order["id"], "error": str(error), "errno": code}))


if __name__ == "__main__":
    main(sys.argv[1:])
