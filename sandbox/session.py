"""A session: the cells of one conversation, one after the other in one worker, which is replaced if it had to die."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from typing import Any

from .calls import Calls
from .contracts import FileSystem, HostFunction
from .errors import IsolationTooWeak, ProtocolError, SandboxClosed
from .launcher import Process
from .limits import Limits
from .outcome import read_result
from .remote import RemoteWorker, WorkerEnded
from .results import CellError, CellResult, Isolation
from .stubs import describe

# Seconds that a worker has after the limit to end the cell itself, before it is killed.
_GRACE_S = 1.0

Launch = Callable[[], Awaitable[Process]]


class Session:
    """Made by `Sandbox.session`. `run` may be called by several tasks: cells queue."""

    def __init__(
        self,
        identity: str,
        launch: Launch,
        *,
        limits: Limits,
        minimum_level: int,
        guests: Sequence[str] = (),
        functions: Sequence[HostFunction] = (),
        filesystem: FileSystem | None = None,
        policy: bool = True,
    ) -> None:
        self.id = identity
        self.isolation = Isolation(0, {})
        self._launch = launch
        self._limits = limits
        self._minimum_level = minimum_level
        described = [describe(function) for function in functions]
        self._start = {
            "kind": "start",
            "limits": asdict(limits),
            "guests": list(guests),
            "functions": described,
            "policy": policy,
        }
        self._calls = Calls(functions, filesystem, limits)
        self._worker: RemoteWorker | None = None
        self._lock = asyncio.Lock()
        self._number = 0  # of the last cell
        self._lost = False  # True iff variables are gone and no result has said so
        self.closed = False

    @property
    def alive(self) -> bool:
        """True iff the variables of earlier cells are still there."""
        return self._worker is not None and self._worker.alive

    async def open(self) -> None:
        """Start the worker; raises `IsolationTooWeak` or `SandboxUnavailable`."""
        worker = RemoteWorker(await self._launch(), self._calls, self._limits)
        try:
            self.isolation = await worker.open(self._start | {"number": self._number})
            if self.isolation.level < self._minimum_level:
                raise IsolationTooWeak(_too_weak(self.isolation, self._minimum_level))
            if self.closed:  # while the worker was on its way
                raise SandboxClosed(f"session {self.id} is closed")
        except BaseException:
            worker.kill()
            raise
        self._worker = worker

    async def run(self, code: str) -> CellResult:
        """Run a cell and give its result: errors of the code are in it, never raised.

        Raises what a host function or the file system raised by its own fault, and what `open` raises when a worker
        has to be replaced. A run that is cancelled costs the variables; the next result says so.
        """
        async with self._lock:
            if self.closed:
                raise SandboxClosed(f"session {self.id} is closed")
            if not self.alive:
                self._lost = self._lost or self._worker is not None
                self._discard()
                await self.open()
            self._number += 1
            result = await self._cell(code)
            if self._calls.bug is not None:
                raise self._calls.bug
            return result

    async def close(self) -> None:
        """End the worker and forget the variables; a cell that is running ends with its worker."""
        self.closed = True
        self._discard()

    async def _cell(self, code: str) -> CellResult:
        worker, started, reports = self._worker, time.monotonic(), []
        assert worker is not None
        lost = self._lost
        try:
            frame = await worker.run(self._number, code, self._limits.wall_s + _GRACE_S)
            reports = [report for report in frame.header["reports"] if isinstance(report, dict)]
            result = read_result(frame.header["result"], self._limits, self._known(started, lost))
            self._lost = False
            return result
        except (TimeoutError, WorkerEnded, ProtocolError) as error:
            self._discard()
            return self._killed(error, started)
        except asyncio.CancelledError:
            self._discard()
            self._lost = True
            raise
        finally:
            self._calls.finish(reports)

    def _killed(self, error: Exception, started: float) -> CellResult:
        """The result of a cell whose worker is gone: it says so, the next result says so again."""
        self._lost = True
        overtime = isinstance(error, TimeoutError)
        kind, message = _DEATHS[type(error)]
        message = message.format(wall_s=self._limits.wall_s, memory_mb=self._limits.memory_mb, error=error)
        cell_error = CellError(kind, message, f"{kind}: {message}", "Variables are gone: the next cell starts afresh.")
        return CellResult(stdout="", error=cell_error, timed_out=overtime, **self._known(started, True))

    def _known(self, started: float, lost: bool) -> dict[str, Any]:
        return {
            "number": self._number,
            "wall_s": time.monotonic() - started,
            "host_calls": self._calls.count,
            "read_bytes": self._calls.read_bytes,
            "session_lost": lost,
        }

    def _discard(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker = None


# What ended a worker: the type and message that the model reads.
_DEATHS: dict[type[Exception], tuple[str, str]] = {
    TimeoutError: ("TimeLimit", "the cell ran for more than {wall_s:g} s and did not stop: its worker was ended"),
    WorkerEnded: ("WorkerEnded", "it crashed, or needed far more than the limit of {memory_mb} MiB of memory"),
    ProtocolError: ("WorkerEnded", "the worker was ended: {error}"),
}


def _too_weak(isolation: Isolation, minimum: int) -> str:
    notes = "".join(f"\n  {note}" for note in isolation.notes)
    return f"isolation level {isolation.level} was measured, at least {minimum} is needed: no code is run{notes}"
