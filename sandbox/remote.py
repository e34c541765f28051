"""A worker seen from the host: its process, its connection, and what it is waited for."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..kernel import capabilities
from .calls import Calls
from .connection import Connection
from .errors import ProtocolError, SandboxUnavailable
from .frames import Frame
from .launcher import Process
from .limits import Limits
from .outcome import read_isolation
from .results import Isolation

_REASON_CHARS = 1_000  # of what a worker says of its failure


class WorkerEnded(Exception):
    """The worker's process is gone in the middle of a cell."""


class RemoteWorker:
    """One worker process from `open` to `kill`; it is never used again after anything went wrong with it."""

    def __init__(self, process: Process, calls: Calls, limits: Limits) -> None:
        self._process = process
        self._calls = calls
        self._limits = limits
        self._connection: Connection | None = None
        self._expected: tuple[str, int] | None = None  # kind and id of the frame that `_answer` is for
        self._answer: asyncio.Future[Frame] | None = None
        self._killed = False

    @property
    def alive(self) -> bool:
        return not self._killed and self._connection is not None and not self._connection.ended.done()

    async def open(self, start: Mapping[str, Any]) -> Isolation:
        """Wait until the worker has jailed itself and give what it measured; raises `SandboxUnavailable`."""
        self._connection = await Connection.over(self._process.stream, self._limits.frame_bytes, self._receive)
        self._connection.ended.add_done_callback(lambda _: self._end())
        answer = self._expect("ready", 0)
        self._connection.send(start)
        try:
            async with asyncio.timeout(self._limits.start_s):
                return read_isolation((await answer).header["isolation"])
        except TimeoutError:
            raise SandboxUnavailable(f"a new worker was not ready within {self._limits.start_s:g} s") from None
        except (WorkerEnded, ProtocolError) as error:
            raise SandboxUnavailable(f"a new worker ended before it was ready: {error}") from None

    async def run(self, number: int, code: str, within_s: float) -> Frame:
        """Run a cell and give the frame that ends it; raises TimeoutError, `WorkerEnded`, `ProtocolError`."""
        assert self._connection is not None
        answer = self._expect("done", number)
        self._grant_cpu(within_s)
        self._calls.begin(self._connection)
        # As a body: text that is no UTF-8 (lone surrogates) is the interpreter's to refuse.
        self._connection.send({"kind": "run", "id": number}, [code.encode("utf-8", "surrogatepass")])
        async with asyncio.timeout(within_s):
            return await answer

    def kill(self) -> None:
        """End the process and all that it started. Once is enough; more does nothing."""
        if not self._killed:
            self._killed = True
            self._process.kill()
            os.close(self._process.pidfd)
            if self._connection is not None:
                self._connection.close()
            else:
                self._process.stream.close()

    def _expect(self, kind: str, identity: int) -> asyncio.Future[Frame]:
        self._expected = (kind, identity)
        self._answer = asyncio.get_running_loop().create_future()
        if not self.alive:
            self._end()  # too late for the callback to find this answer
        return self._answer

    def _receive(self, kind: str, frame: Frame) -> None:
        running = self._expected is not None and self._expected[0] == "done"
        if kind in ("call", "file") and running:
            self._calls.accept(kind, frame)
        elif kind == "failed":
            raise ProtocolError(frame.header["reason"][:_REASON_CHARS])
        elif self._expected == (kind, frame.header.get("id", 0)):
            self._expected = None
            if self._answer is not None and not self._answer.done():
                self._answer.set_result(frame)
        else:
            raise ProtocolError(f"{kind!r} out of place")

    def _end(self) -> None:
        self.kill()  # whatever closed its connection may still be spinning
        if self._answer is not None and not self._answer.done():
            assert self._connection is not None
            self._answer.set_exception(self._connection.failure or WorkerEnded("its process ended"))

    def _grant_cpu(self, seconds: float) -> None:
        """The second clock, kept by the kernel: it ends a worker whose host is too busy to look at the first.

        Only CAP_SYS_RESOURCE may raise a hard limit for the next cell, or the limit of another user. Without it the
        soft limit is set if that is allowed, which pid 1 of a namespace survives: then there is only the host's clock.
        """
        pid = self._process.pid
        # ESRCH: it has just ended, the connection will say so.
        with contextlib.suppress(PermissionError, ProcessLookupError):
            soft = int(time.clock_gettime(_cpu_clock(pid)) + seconds) + 2
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
