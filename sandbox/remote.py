"""A worker seen from the host: its process, its connection, and what it is waited for."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import select
import signal
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ..kernel import capabilities
from .calls import Calls
from .connection import Connection
from .errors import ProtocolError, SandboxUnavailable
from .frames import Frame
from .journal import Cell, Checkpoint
from .launcher import Process
from .limits import Limits
from .outcome import read_isolation
from .results import Isolation
from .script import Script

_WHERE = signal.SIGUSR1  # asks a worker where it is
_REASON_CHARS = 1_000  # of what a worker says of its failure
_PAGE = resource.getpagesize()
_STREAMS = ("stdout", "stderr")
_SPELLED = 10  # characters that one may become which no frame can carry: "\\U0010ffff"
_QUICK_S = 0.005  # an order done so soon has filled no memory to speak of: measuring would cost more
_FIRST = {"clock": None, "turns": None, "wall_s": None}  # of a cell that runs for the first time
_IDLE_BYTES = 8 << 20  # of a worker that has run nothing, most of it page tables and copies of shared pages


_REST_S = 1.0  # how long a worker without an order may go on running: an honest one waits, another might compute


class WorkerEnded(Exception):
    """The worker's process is gone in the middle of a cell."""


class _Printed:
    """What a cell printed to one stream, as far as it is shown."""

    def __init__(self, room: int) -> None:
        self.parts: list[str] = []
        self._room = room
        self._patience = _SPELLED * room  # in characters; a frame without any counts as one

    def add(self, text: str) -> None:
        self._patience -= max(1, len(text))
        if self._patience < 0:  # an honest worker knows what is shown: this one keeps the host busy
            raise ProtocolError("more output than is shown")
        if text and self._room > 0:
            self.parts.append(text[: self._room])
            self._room -= len(text)


class RemoteWorker:
    """One worker process from `open` to `kill`; it is never used again after anything went wrong with it."""

    def __init__(self, process: Process, calls: Calls, limits: Limits) -> None:
        self._process = process
        self._end_poll = select.poll()
        self._end_poll.register(process.pidfd, select.POLLIN)
        self._calls = calls
        self._limits = limits
        self._connection: Connection | None = None
        self._expected: tuple[str, int] | None = None  # kind and id of the frame that `_answer` is for
        self._answer: asyncio.Future[Frame] | None = None
        self._pieces = bytearray()  # of the checkpoint that is being written
        self._printed = {name: _Printed(limits.output_chars) for name in _STREAMS}  # by the cell that runs
        self._baseline = 0  # resident bytes when it was ready
        self._granted_s = 0  # of CPU time, since the process began
        self._busy = False  # True iff it works on an order
        self._rest: asyncio.TimerHandle | None = None  # until somebody looks whether it is to be stopped
        self._idle_since = 0.0  # on the event loop's clock
        self._stopped = False
        self._memory: int | None = None  # as measured; None after an order that may have changed it
        self._killed = False

    @property
    def alive(self) -> bool:
        """Asks the kernel: what was killed a moment ago has not hung up yet."""
        return not self._killed and self._connection is not None and not self._end_poll.poll(0)

    async def open(self, start: Mapping[str, Any]) -> Isolation:
        """Wait until the worker has jailed itself and give what it measured; raises `SandboxUnavailable`."""
        self._connection = await Connection.over(self._process.stream, self._limits.frame_bytes, self._receive)
        self._connection.ended.add_done_callback(lambda _: self._end())
        try:
            isolation = read_isolation((await self._answered(start, "ready", self._limits.start_s)).header["isolation"])
            self._baseline = _resident(self._process.pid)
            self._may_rest()
            return isolation
        except TimeoutError:
            raise SandboxUnavailable(f"a new worker was not ready within {self._limits.start_s:g} s") from None
        except (WorkerEnded, ProtocolError) as error:
            raise SandboxUnavailable(f"a new worker ended before it was ready: {error}") from None

    async def run(
        self,
        number: int,
        code: str,
        within_s: float,
        *,
        entropy: str,
        before: Cell | None = None,
        script: Script | None = None,
    ) -> Frame:
        """Run a cell and give the frame that ends it; raises TimeoutError, `WorkerEnded`, `ProtocolError`.

        With `before` and `script`, of an earlier run, it is run again, and only `within_s` is its time limit.
        """
        assert self._connection is not None
        self._printed = {name: _Printed(self._limits.output_chars) for name in _STREAMS}
        self._calls.begin(self._connection, script)
        again = {"clock": before.clock, "turns": before.turns, "wall_s": within_s} if before is not None else _FIRST
        header = {"kind": "run", "id": number, "entropy": entropy, **again}
        # As a body: text that is no UTF-8 (lone surrogates) is the interpreter's to refuse.
        return await self._order(header, "done", within_s, [code.encode("utf-8", "surrogatepass")])

    async def checkpoint(self, number: int, within_s: float) -> Checkpoint:
        """The session's plain data after its cell `number`; raises as `run` does."""
        self._pieces.clear()
        frame = await self._order({"kind": "checkpoint", "id": number}, "kept", within_s)
        for names in (frame.header["left"], frame.header["reordered"]):
            if not all(isinstance(name, str) and len(name) <= _REASON_CHARS for name in names):
                raise ProtocolError("malformed frame: kept")
        left, reordered = frame.header["left"], frame.header["reordered"]
        return Checkpoint(number, tuple(left), bytes(self._pieces), tuple(reordered))

    async def restore(self, checkpoint: Checkpoint, within_s: float) -> str:
        """Hand a checkpoint to a worker that has run nothing yet; why it could not read it, or "". Raises as `run`."""
        header = {"kind": "restore", "id": checkpoint.number}
        frame = await self._order(header, "restored", within_s, [checkpoint.data])
        return frame.header["reason"][:_REASON_CHARS]

    async def whereabouts(self, within_s: float) -> bytes:
        """What a worker that does not stop says of the lines that it is at; nothing else can be had from it any more.

        It says so by itself, from the handler of a signal, also in the middle of a call in C.
        """
        said = self._connection.divert() if self._connection is not None else bytearray()
        if not self._killed:
            with contextlib.suppress(OSError):  # it has just ended
                signal.pidfd_send_signal(self._process.pidfd, _WHERE)
                await asyncio.sleep(within_s)
        return bytes(said)

    def printed(self, name: str) -> str:
        """What the cell that runs, or that was killed, has printed to "stdout" or "stderr", as far as it is shown."""
        return "".join(self._printed[name].parts)

    def memory(self) -> int:
        """Bytes that this worker has beside what it shares with all of them."""
        if self._killed:
            return 0
        if self._memory is not None and not self._busy:
            return self._memory
        self._memory = max(0, _resident(self._process.pid) - self._baseline) + _IDLE_BYTES
        return self._memory

    async def _order(
        self, header: Mapping[str, Any], kind: str, within_s: float, bodies: Sequence[bytes] = ()
    ) -> Frame:
        """Send an order and wait for the frame that says it is done."""
        started = time.monotonic()
        self._busy = True
        self._wake()
        try:
            return await self._answered(header, kind, within_s, bodies)
        finally:
            self._busy = False
            self._may_rest()
            if time.monotonic() - started > _QUICK_S:
                self._memory = None

    async def _answered(
        self, header: Mapping[str, Any], kind: str, within_s: float, bodies: Sequence[bytes] = ()
    ) -> Frame:
        """Send a frame and wait for the one of `kind` that answers it."""
        if self._killed:
            raise self._failure()
        assert self._connection is not None
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        late = loop.call_later(within_s, _fail, answer, TimeoutError())
        self._answer, self._expected = answer, (kind, header.get("id", 0))
        try:
            self._connection.send(header, bodies)
            self._grant_cpu(within_s)
            return await answer
        finally:
            late.cancel()
            answer.cancel()  # nobody waits any more: a worker that ends now has nobody to tell

    def _may_rest(self) -> None:
        """After a while without an order the worker is stopped: a cell that says it is done cannot go on in secret.

        One timer runs on over many orders and looks again: one per order would cost a tenth of a small cell.
        """
        if not self._killed:
            loop = asyncio.get_running_loop()
            self._idle_since = loop.time()
            if self._rest is None:
                self._rest = loop.call_later(_REST_S, self._look)

    def _look(self) -> None:
        self._rest = None
        if self._killed or self._busy:
            return  # it may rest again after this order
        loop = asyncio.get_running_loop()
        left = self._idle_since + _REST_S - loop.time()
        if left > 0:
            self._rest = loop.call_later(left, self._look)
            return
        self._stopped = True
        self._memory = None  # from here on it stays as it is
        self._process.signal(signal.SIGSTOP)

    def _wake(self) -> None:
        if self._stopped:
            self._stopped = False
            self._process.signal(signal.SIGCONT)

    def kill(self) -> None:
        """End the process and all that it started. Once is enough; more does nothing."""
        if not self._killed:
            self._killed = True
            if self._rest is not None:
                self._rest.cancel()
            self._process.kill()
            os.close(self._process.pidfd)
            if self._connection is not None:
                self._connection.close()
            else:
                self._process.stream.close()

    def _receive(self, kind: str, frame: Frame) -> None:
        expected, number = self._expected or ("", 0)
        if kind in ("call", "file") and expected == "done":
            self._calls.accept(kind, frame)
        elif kind == "output" and (expected, number) == ("done", frame.header["id"]):
            self._print(frame.header["name"], frame.header["text"])
        elif kind == "piece" and (expected, number) == ("kept", frame.header["id"]):
            self._pieces += frame.bodies[0]
            if len(self._pieces) > self._limits.checkpoint_mb << 20:
                raise ProtocolError("a checkpoint that is larger than its limit")
        elif kind == "failed":
            raise ProtocolError(frame.header["reason"][:_REASON_CHARS])
        elif self._expected == (kind, frame.header.get("id", 0)):
            self._expected = None
            if self._answer is not None and not self._answer.done():
                self._answer.set_result(frame)
        else:
            raise ProtocolError(f"{kind!r} out of place")

    def _print(self, name: str, text: str) -> None:
        if name not in self._printed:
            raise ProtocolError("malformed frame: output.name")
        self._printed[name].add(text)

    def _end(self) -> None:
        self.kill()  # whatever closed its connection may still be spinning
        if self._answer is not None:
            _fail(self._answer, self._failure())

    def _failure(self) -> Exception:
        failure = self._connection.failure if self._connection is not None else None
        return failure or WorkerEnded("its process ended")

    def _grant_cpu(self, seconds: float) -> None:
        """The second clock, kept by the kernel: it ends a worker whose host is too busy to look at the first.

        Only CAP_SYS_RESOURCE may raise a hard limit for the next cell, or the limit of another user. Without it the
        soft limit is set if that is allowed, which pid 1 of a namespace survives: then there is only the host's clock.
        """
        pid = self._process.pid
        # Not allowed, or it has just ended (ESRCH, for its clock EINVAL): the connection will say so.
        with contextlib.suppress(OSError):
            soft = int(time.clock_gettime(_cpu_clock(pid)) + seconds) + 2
            if soft != self._granted_s:
                self._granted_s = soft  # also if it is not allowed: it will not be allowed for the next cell either
                hard = soft + 1 if _may_raise_limits() else resource.RLIM_INFINITY
                resource.prlimit(pid, resource.RLIMIT_CPU, (soft, hard))


@cache
def _may_raise_limits() -> bool:
    # In a user namespace the capability is listed, but the kernel wants it of the machine's own.
    everyone = ["0", "0", str(2**32 - 1)]
    return capabilities.has(capabilities.SYS_RESOURCE) and Path("/proc/self/uid_map").read_text().split() == everyone


def _cpu_clock(pid: int) -> int:
    """What clock_getcpuclockid(3) gives: the clock of the CPU time that another process has used."""
    return ~pid << 3 | 2


def _fail(answer: asyncio.Future[Frame], error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)


def _resident(pid: int) -> int:
    """Bytes of memory that a process has, shared ones included; 0 where nobody tells."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except OSError:
        return 0
