"""A session: the cells of one conversation, one after the other. Workers come and go; its journal is what it is."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from .calls import Calls
from .contracts import FileSystem, HostFunction
from .deaths import explained
from .errors import IsolationTooWeak, ProtocolError, SandboxClosed, SandboxUnavailable
from .frames import Frame
from .inputs import MOST_READINGS, Turn
from .journal import Cell, Journal, MemoryJournal, digest, made_by
from .launcher import Process
from .limits import Limits
from .outcome import read_result
from .pool import Cost, Pool, PoolLimits
from .rebuild import Plan, Rebuilder
from .remote import RemoteWorker, WorkerEnded
from .results import CellResult, Isolation
from .stubs import describe

# Seconds that a worker has after the limit to end the cell itself, and then to say where it is, before it is killed.
_GRACE_S = 0.75
_ASK_S = 0.2
_CHECKPOINT_S = 10.0  # seconds that writing a checkpoint may take
_ENTROPY_BYTES = 16
_MORE_TRIES = 2  # to start a worker: the zygote or the new worker may just have been killed, the next is another
_CODE_CHARS = 100_000  # of a cell that cannot be run again; the code of a longer one is not kept


class _Told(NamedTuple):
    """What the next result has to say of the rebuilding before it."""

    note: str = ""
    lost: bool = False


_NOTHING = _Told()

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
        journal: Journal | None = None,
        journal_is_lent: bool = False,
        pool: Pool | None = None,
    ) -> None:
        self.id = identity
        self.isolation = Isolation(0, {})
        self._launch = launch
        self._limits = limits
        self._minimum_level = minimum_level
        self._start = {
            "kind": "start",
            "limits": asdict(limits),
            "guests": list(guests),
            "functions": [describe(function) for function in functions],
            "policy": policy,
        }
        self._journal = journal or MemoryJournal()
        self._calls = Calls(functions, filesystem, limits, self._journal)
        self._journal_is_lent = journal_is_lent
        self._kept_bytes = sum(cell.bytes for cell in self._journal.cells)
        self._pool = pool or Pool(PoolLimits())
        self._pool.add(self)
        self._worker: RemoteWorker | None = None
        self._current = False  # True iff the worker holds the variables of the journal's cells
        self._told = _Told(self._journal.damage, True) if self._journal.damage else _NOTHING
        self._lock = asyncio.Lock()
        self._number = self._journal.last_number
        self._used_at = time.monotonic()
        self.closed = False

    @property
    def alive(self) -> bool:
        """True iff there is a worker that holds the variables; without one the next run rebuilds them."""
        return self._worker is not None and self._worker.alive and self._current

    @property
    def sources(self) -> Mapping[int, str]:
        """The code of the session's cells by number, also of those that another process ran."""
        return {cell.number: cell.code for cell in self._journal.cells}

    async def open(self) -> None:
        """Start a worker; raises `IsolationTooWeak` or `SandboxUnavailable`."""
        try:
            self._worker = await self._fresh_worker()
        except BaseException:
            await self.close()
            raise
        self._current = not self._journal.cells
        self._pool.trim(self)

    async def ready(self) -> None:
        """Rebuild the session now if that is needed, rather than in the next run, which tells what was done."""
        async with self._turn():
            await self._rebuilt()

    async def run(self, code: str) -> CellResult:
        """Run a cell and give its result: errors of the code are in it, never raised.

        A worker that is gone is replaced first, and the variables rebuilt; the result's `note` tells. A run that is
        cancelled is as if it never was. Raises `PoolBusy`, what a host function or the file system raised by its own
        fault, and what `open` raises when a worker has to be replaced.
        """
        async with self._turn():
            await self._rebuilt()
            self._number += 1
            told, self._told = self._told, _NOTHING
            try:
                result = await self._cell(code, told)
            except asyncio.CancelledError:
                self._told = told
                raise
            if self._calls.bug is not None:
                self._told = told  # nobody gets this result
                raise self._calls.bug
            return result

    async def close(self) -> None:
        """End the worker and let the journal go; a cell that is running ends with its worker."""
        if not self.closed:
            self.closed = True
            self._discard()
            if not self._journal_is_lent:
                self._journal.close()
            self._pool.remove(self)

    # ---- for the pool -----------------------------------------------------------------------------------------------

    @property
    def memory(self) -> int:
        return self._worker.memory() if self._worker is not None else 0

    def cost(self) -> Cost:
        plan = Plan.of(self._journal, self._limits)
        return Cost(not plan.whole, plan.seconds, self._used_at)

    def evict(self) -> None:
        self._discard()

    # ---- workers ----------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Meanwhile nobody else does anything with this session, and the pool lets it run."""
        async with self._lock:
            self._check_open()
            await self._pool.enter(self)
            try:
                self._check_open()
                yield
            finally:
                self._used_at = time.monotonic()
                self._pool.leave(self)

    def _check_open(self) -> None:
        if self.closed:
            raise SandboxClosed(f"session {self.id} is closed")

    async def _fresh_worker(self) -> RemoteWorker:
        for _ in range(_MORE_TRIES):
            with contextlib.suppress(SandboxUnavailable):
                return await self._one_worker()
        return await self._one_worker()

    async def _one_worker(self) -> RemoteWorker:
        worker = RemoteWorker(await self._launch(), self._calls, self._limits)
        try:
            self.isolation = await worker.open(self._start)
            if self.isolation.level < self._minimum_level:
                raise IsolationTooWeak(_too_weak(self.isolation, self._minimum_level))
            self._check_open()  # while the worker was on its way
        except BaseException:
            worker.kill()
            raise
        return worker

    async def _rebuilt(self) -> None:
        """Have a worker that holds the variables, and remember what there is to tell of it."""
        if self.alive:
            return
        first, self._worker = self._worker, None
        if first is not None and not first.alive:
            first.kill()
            first = None
        started = time.monotonic()
        rebuilder = Rebuilder(self._fresh_worker, self._calls, self._limits)
        worker, plan = await rebuilder.rebuild(self._journal, first)
        if self.closed:
            worker.kill()
            self._check_open()
        self._worker, self._current = worker, True
        if plan.lost:
            self._journal.forget_after(plan.last_number)
        # What an earlier rebuilding lost has to be told, even if this one lost no more.
        notes = [self._told.note if self._told.lost else "", plan.told(time.monotonic() - started)]
        self._told = _Told(" ".join(filter(None, notes)), self._told.lost or not plan.whole)

    def _discard(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker = None

    # ---- cells ------------------------------------------------------------------------------------------------------

    async def _cell(self, code: str, told: _Told) -> CellResult:
        worker, started, reports = self._worker, time.monotonic(), []
        assert worker is not None
        entropy = secrets.token_hex(_ENTROPY_BYTES)
        try:
            frame = await worker.run(self._number, code, self._limits.wall_s + _GRACE_S, entropy=entropy)
            reports = [report for report in frame.header["reports"] if isinstance(report, dict)]
            result = read_result(frame.header["result"], self._limits, self._known(started, told))
            inputs = _inputs(frame)
        except (TimeoutError, WorkerEnded, ProtocolError) as error:
            return await self._killed(worker, error, code, self._known(started, told))
        except asyncio.CancelledError:
            self._discard()
            raise
        finally:
            self._calls.finish(reports)
        stop = self._keep(code, entropy, inputs, result)
        if result.wall_s >= self._limits.checkpoint_s or stop:
            await self._checkpoint(worker, result)
        note = self._told_stop(stop) if stop else ""
        return replace(result, note=f"{told.note} {note}".strip()) if note else result

    def _keep(self, code: str, entropy: str, inputs: _Inputs, result: CellResult) -> str:
        """Put a finished cell into the journal, before anybody learns that it has finished.

        Why it cannot be run again, or "".
        """
        recording = self._calls.recording
        cell = Cell(
            number=self._number,
            code=code,
            entropy=entropy,
            clock=inputs.clock,
            turns=inputs.turns,
            questions=recording.questions,
            replies=tuple(recording.replies),
            files=recording.files,
            digest=digest(result, inputs.state),
            cpu_s=inputs.cpu_s,
            made_by=made_by(),
        )
        stop = _stop(result) or inputs.stop or ("it got more from the host than is kept" if recording.too_long else "")
        if not stop and self._kept_bytes + cell.bytes > self._limits.journal_mb << 20:
            stop = f"the session's journal would be larger than {self._limits.journal_mb} MiB"
            code = ""  # the next ones will not fit either
        if stop:
            cell = Cell(self._number, code if len(code) < _CODE_CHARS else "", made_by=made_by(), stop=stop)
        try:
            self._journal.append(cell)
        except OSError:
            return self._journal.cells[-1].stop
        self._kept_bytes += cell.bytes
        return stop

    async def _checkpoint(self, worker: RemoteWorker, result: CellResult) -> None:
        """Keep the plain data, unless that would lose what running the cells again would give."""
        if _stop(result):  # what a limit has left half-way is not made to last
            return
        before = self._journal.checkpoint
        try:
            checkpoint = await worker.checkpoint(self._number, _CHECKPOINT_S)
        except (TimeoutError, WorkerEnded, ProtocolError):
            self._discard()
            return
        except asyncio.CancelledError:
            self._discard()
            self._journal.forget_after(self._number - 1)  # as if it never was: nobody gets the result
            raise
        if checkpoint.data and (checkpoint.whole or before is None or not before.whole):
            with contextlib.suppress(OSError):  # without it the cell is run again
                self._journal.keep(checkpoint)

    def _told_stop(self, stop: str) -> str:
        """For the first cell that cannot be run again: what that means."""
        lost = Plan.of(self._journal, self._limits).lost
        if not lost or lost[0] != self._number:
            return ""
        return f"This cell cannot be run again: {stop}. If its worker ends, what it and later cells make is gone."

    async def _killed(self, worker: RemoteWorker, error: Exception, code: str, known: dict[str, Any]) -> CellResult:
        """The result of a cell whose worker is gone: with what it printed, and what the next cell will find."""
        try:
            if isinstance(error, WorkerEnded) and known["wall_s"] > self._limits.wall_s:
                error = TimeoutError()  # the kernel's clock was faster than ours
            said = await worker.whereabouts(_ASK_S) if isinstance(error, TimeoutError) else b""
        finally:
            self._discard()
        return CellResult(
            stdout=worker.printed("stdout"),
            stderr=worker.printed("stderr"),
            error=explained(error, self._number, code, said, self._limits, self._outlook()),
            timed_out=isinstance(error, TimeoutError),
            worker_ended=True,
            **known,
        )

    def _outlook(self) -> str:
        plan = Plan.of(self._journal, self._limits)
        if plan.whole:
            return "The next call finds the variables as they were before this cell."
        return f"The next call finds the variables as they were after cell {plan.last_number}. {plan.told_lost()}"

    def _known(self, started: float, told: _Told) -> dict[str, Any]:
        return {
            "number": self._number,
            "wall_s": time.monotonic() - started,
            "host_calls": self._calls.count,
            "read_bytes": self._calls.read_bytes,
            "session_lost": told.lost,
            "note": told.note,
        }


def _stop(result: CellResult) -> str:
    """Why a cell that ended like this cannot be run again: where a limit strikes is never the same twice."""
    if result.timed_out:
        return "it was ended by its time limit"
    if result.error is not None and result.error.type == "MemoryError":
        return "it was ended by its memory limit"
    return ""


class _Inputs(NamedTuple):
    """What a cell took from outside, as its worker says."""

    clock: tuple[int, ...]
    turns: tuple[int, ...]
    cpu_s: float
    state: str
    stop: str  # why it is too much to be kept, or ""


def _inputs(frame: Frame) -> _Inputs:
    clock, turns, cpu = (frame.header[name] for name in ("clock", "turns", "cpu"))
    for name, numbers in (("clock", clock), ("turns", turns)):
        if len(numbers) > MOST_READINGS + len(Turn._fields) or not all(type(number) is int for number in numbers):
            raise ProtocolError(f"malformed frame: done.{name}")
    stop = "it read clocks too often" if len(clock) > MOST_READINGS else ""
    stop = stop or ("it waited too often" if len(turns) > MOST_READINGS else "")
    return _Inputs(tuple(clock), tuple(turns), max(0, cpu) / 10**9, frame.header["state"], stop)


def _too_weak(isolation: Isolation, minimum: int) -> str:
    notes = "".join(f"\n  {note}" for note in isolation.notes)
    return f"isolation level {isolation.level} was measured, at least {minimum} is needed: no code is run{notes}"
