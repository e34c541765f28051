"""Rebuilding a session: its cells run again in a fresh worker, with what they got the first time.

A cell that asks for something else, or comes out otherwise, is not the same cell: rebuilding stops before it, in a
worker that never ran it, and the agent is told which cell it was and why.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .calls import Calls
from .errors import ProtocolError, SandboxUnavailable
from .journal import Cell, Checkpoint, Journal, digest
from .limits import Limits
from .outcome import read_result
from .remote import RemoteWorker, WorkerEnded
from .script import Script

_RESTORE_S = 10.0  # seconds that reading a checkpoint may take
_NAMED = 20  # variables that are named in one message
# Of workers at the same cell, until it is taken for the cause: it ended well once, so somebody may have killed them.
_ENDS = 10
_ENDS_AT_LEAST = 3  # when the time for running cells again is over, and they have ended at no other
_KILLED = (
    "{number} workers were ended from outside within {seconds:g} s, at several cells, while they ran the session's"
    " cells again. Nothing is lost: run the cell once more"
)


class _Failure(NamedTuple):
    """Why the cell at `place` of the plan cannot be run again; -1 stands for the checkpoint."""

    place: int
    reason: str
    for_good: bool = True  # False: the worker ended, which may have nothing to do with the cell


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do so that a fresh worker holds the session's variables."""

    base: Checkpoint | None  # to begin from, instead of the cells up to it
    cells: Sequence[Cell]  # to run again, in order
    lost: Sequence[int] = ()  # numbers of the cells whose effect is gone
    reason: str = ""  # why the first of them cannot be run again

    @classmethod
    def of(cls, journal: Journal, limits: Limits) -> Plan:
        """The plan that keeps most: from a whole checkpoint, else from the beginning, else from one with gaps."""
        kept = journal.checkpoint
        if kept is not None and (kept.whole or _seconds(_runnable(journal.cells)) > limits.rebuild_s):
            return cls._from(kept, [cell for cell in journal.cells if cell.number > kept.number], limits)
        return cls._from(None, journal.cells, limits)

    @classmethod
    def _from(cls, base: Checkpoint | None, cells: Sequence[Cell], limits: Limits) -> Plan:
        spent = 0.0
        for place, cell in enumerate(cells):
            spent += cell.cpu_s
            if cell.stop:
                return cls(base, cells).stopped(place, cell.stop)
            if spent > limits.rebuild_s:
                return cls(base, cells).stopped(place, _over_budget(limits))
        return cls(base, cells)

    @property
    def last_number(self) -> int:
        """Of the last cell whose effect there will be."""
        if self.cells:
            return self.cells[-1].number
        return self.base.number if self.base is not None else 0

    @property
    def whole(self) -> bool:
        return not self.lost and (self.base is None or self.base.whole)

    @property
    def seconds(self) -> float:
        """About what it will take."""
        return _seconds(self.cells)

    def stopped(self, place: int, reason: str) -> Plan:
        """The same up to the cell at `place`."""
        lost = [*(cell.number for cell in self.cells[place:]), *self.lost]
        return replace(self, cells=self.cells[:place], lost=lost, reason=reason)

    def told(self, seconds: float) -> str:
        """What was done, for the agent; nothing when there was nothing to do."""
        return " ".join(filter(None, [self._told_kept(seconds), self._told_gaps(), self.told_lost()]))

    def _told_kept(self, seconds: float) -> str:
        base = f"the data kept after cell {self.base.number}" if self.base is not None else ""
        again = f"{_numbers([cell.number for cell in self.cells])} ran again" if self.cells else ""
        if not base and not again:
            return "Session not rebuilt." if self.lost else ""
        how = ", then ".join(filter(None, [base, again]))
        as_before = f": variables are as after cell {self.last_number}" if self.whole else ""
        return f"Session rebuilt in {seconds:.1f} s ({how}){as_before}."

    def _told_gaps(self) -> str:
        if self.base is None:
            return ""
        left, reordered = map(_listed, (self.base.left, self.base.reordered))
        gone = f"Not in that data, and gone: {left}." if left else ""
        return " ".join(
            filter(None, [gone, f"In another order than before: sets in {reordered}." if reordered else ""])
        )

    def told_lost(self) -> str:
        """Which cells are gone and why, for the agent."""
        if not self.lost:
            return ""
        first, many = self.lost[0], len(self.lost) > 1
        what = f"what {_numbers(self.lost)} made is gone" if many else "what it made is gone"
        return f"Cell {first} was not run again: {self.reason}; {what}."


class Rebuilder:
    """Carries out plans for one session. `start` gives a fresh worker."""

    def __init__(self, start: Callable[[], Awaitable[RemoteWorker]], calls: Calls, limits: Limits) -> None:
        self._start = start
        self._calls = calls
        self._limits = limits

    async def rebuild(self, journal: Journal, first: RemoteWorker | None) -> tuple[RemoteWorker, Plan]:
        """A worker that holds the session, and the plan as it could be carried out. `first` is used if it is fresh."""
        plan = Plan.of(journal, self._limits)
        ended: Counter[int] = Counter()  # workers, by the place of the cell that they were at
        end = time.monotonic() + self._limits.rebuild_s
        while True:
            worker = first if first is not None else await self._start()
            first = None
            try:
                failure = await self._carry_out(plan, worker)
            except BaseException:
                worker.kill()
                raise
            if failure is None:
                return worker, plan
            worker.kill()
            ended[failure.place] += 1
            over = time.monotonic() > end
            if failure.for_good or _is_the_cause(ended, failure.place, over):
                plan = self._shorter(plan, failure, journal)
                ended.clear()
                end = time.monotonic() + self._limits.rebuild_s
            elif over and len(ended) > 1:
                raise SandboxUnavailable(_KILLED.format(number=ended.total(), seconds=self._limits.rebuild_s))

    def _shorter(self, plan: Plan, failure: _Failure, journal: Journal) -> Plan:
        if failure.place >= 0:
            return plan.stopped(failure.place, failure.reason)
        return Plan._from(None, journal.cells, self._limits)  # the checkpoint is of no use

    async def _carry_out(self, plan: Plan, worker: RemoteWorker) -> _Failure | None:
        end = time.monotonic() + self._limits.rebuild_s
        place = -1
        script: Script | None = None
        try:
            if plan.base is not None and (reason := await worker.restore(plan.base, _RESTORE_S)):
                return _Failure(-1, reason)
            for place, cell in enumerate(plan.cells):
                script = Script(cell)
                if reason := await self._otherwise(worker, cell, script, end - time.monotonic()):
                    return _Failure(place, reason)
        except TimeoutError:
            return _Failure(place, _over_budget(self._limits))
        except ProtocolError as error:
            return _Failure(place, str(error))
        except WorkerEnded as error:
            diverged = script.diverged if script is not None else ""
            return _Failure(place, diverged or f"its worker ended ({error})", bool(diverged))
        return None

    async def _otherwise(self, worker: RemoteWorker, cell: Cell, script: Script, within_s: float) -> str:
        """Run a cell again; in what it did not come to the same, or ""."""
        reports: list[dict[str, Any]] = []
        try:
            frame = await worker.run(cell.number, cell.code, within_s, entropy=cell.entropy, before=cell, script=script)
            reports = [report for report in frame.header["reports"] if isinstance(report, dict)]
        finally:
            self._calls.finish(reports)
        result = read_result(frame.header["result"], self._limits, {"number": cell.number})
        if result.timed_out:  # of the budget, which may be less than it took before: what it read is not all of it
            return _over_budget(self._limits)
        if self._calls.recording.files != cell.files:
            return "the documents that it read have changed"
        return "" if digest(result, frame.header["state"]) == cell.digest else "it came out otherwise than before"


def _is_the_cause(ended: Counter[int], place: int, over: bool) -> bool:
    """Whether the cell at `place` ends its workers, rather than somebody who kills them wherever they are."""
    return ended[place] >= (_ENDS_AT_LEAST if over and len(ended) == 1 else _ENDS)


def _runnable(cells: Sequence[Cell]) -> Sequence[Cell]:
    return next((cells[:place] for place, cell in enumerate(cells) if cell.stop), cells)


def _seconds(cells: Sequence[Cell]) -> float:
    return sum(cell.cpu_s for cell in cells)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")


def _over_budget(limits: Limits) -> str:
    return f"running the session's cells again takes more than {limits.rebuild_s:g} s"


def _numbers(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"cell {numbers[0]}"
    return f"cells {numbers[0]}-{numbers[-1]}"
