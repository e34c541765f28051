"""The event loop of a session: top-level await, asyncio.run() in cells, the end of tasks that were left.

What a cell makes of its timers and of the host's answers may depend on which comes first. So a loop looks at the world
once in each turn, notes what came (`inputs.Turns`), and a cell that is run again meets the same at the same turn.
"""

from __future__ import annotations

import asyncio
import inspect
import selectors
import time
import types
from asyncio import events
from collections import Counter
from itertools import count
from typing import Any, Final, Protocol

from .deadline import TimeLimit
from .inputs import CLOCK, TURNS
from .tracebacks import lines_of

_SECOND = 10**9  # nanoseconds
_NEVER = float("-inf")  # a time at which no timer is due
_NAMED: Final = 5  # kinds of tasks that are named
_numbers: Final = count(1)  # of tasks


class Wire(Protocol):
    """The line to the host, as a loop sees it."""

    @property
    def arrived(self) -> int:
        """Answers that were not handed out yet."""
        ...

    @property
    def outgoing(self) -> bool:
        """True iff something waits to be sent."""
        ...

    def fileno(self) -> int: ...

    def exchange(self) -> None:
        """Send and receive what can be, without waiting."""
        ...

    def wait(self) -> None:
        """The same, and wait until something can be."""
        ...

    def hand_out(self, answers: int) -> None:
        """Give the first answers to those who await them."""
        ...


class CellLoop:
    """One loop lives as long as the session, so that locks and queues of one cell work in the next."""

    def __init__(self) -> None:
        self._loop = _quiet_loop()
        self._left: list[str] = []  # what was still running when everything else had ended

    def told(self) -> str:
        """What was cancelled since this was asked last, a line each."""
        if not self._left:
            return ""
        names, self._left = Counter(self._left), []
        return "".join(
            f"{name} was still running when the cell ended, and was cancelled"
            f"{f' ({times} times)' if times > 1 else ''}: await it, or asyncio.gather(...) it, in the cell\n"
            for name, times in names.most_common(_NAMED)
        )

    def run(self, awaitable: Any) -> Any:
        """`asyncio.run` of cells, and how a cell with top-level await is run."""
        if not inspect.isawaitable(awaitable):
            raise ValueError(f"a coroutine was expected, got {awaitable!r}; call the function: asyncio.run(main())")
        if events._get_running_loop() is None:
            return self._complete(self._loop, awaitable)
        return self._nested(awaitable)

    def _nested(self, awaitable: Any) -> Any:
        """Inside a running loop: a second loop runs to its end while the first one waits."""
        outer, inner = events._get_running_loop(), _quiet_loop()
        events._set_running_loop(None)
        try:
            return self._complete(inner, awaitable)
        finally:
            events._set_running_loop(outer)
            inner.close()

    def _complete(self, loop: asyncio.AbstractEventLoop, awaitable: Any) -> Any:
        coroutine = awaitable if inspect.iscoroutine(awaitable) else _awaited(awaitable)
        try:
            result = loop.run_until_complete(coroutine)
        except TimeLimit as limit:  # no time for the tasks that are left: the loop is abandoned
            raise _located(limit, coroutine) from None
        except BaseException:
            self._cancel_left(loop)
            raise
        self._cancel_left(loop)
        return result

    def _cancel_left(self, loop: asyncio.AbstractEventLoop) -> None:
        left = asyncio.all_tasks(loop)
        for task in left:
            if not task.cancelling():
                self._left.append(_name(task))
            task.cancel()
        if left:
            try:
                loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
            except TimeLimit as limit:
                stubborn = next((task for task in left if not task.done()), None)
                raise _located(limit, stubborn and stubborn.get_coro()) from None
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop._asyncgens_shutdown_called = False  # type: ignore[attr-defined]  # or generators of the next cell warn

    def close(self) -> None:
        self._loop.close()

    def abandon(self) -> None:
        """After the time limit nothing of the old loop may run again, not even to be cancelled."""
        self._loop.close()
        self._loop = _quiet_loop()


class Task(asyncio.Task[Any]):
    """A task whose place in a set, such as those that `asyncio.wait` returns, does not depend on its address."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._hash = next(_numbers)
        super().__init__(*args, **options)

    def __hash__(self) -> int:
        return self._hash


class TurningLoop(asyncio.SelectorEventLoop):
    """A loop whose turns can be repeated."""

    def __init__(self) -> None:
        self.wire: Wire | None = None
        self.now: float | None = None  # of this turn, until the loop has looked which timers are due
        super().__init__(_Turning(self))

    # Not by a task factory: with one, CPython 3.13.0 to 3.13.2 calls a task that was given no name "None".
    def create_task(self, coro: Any, **options: Any) -> Task:
        self._check_closed()  # type: ignore[attr-defined]
        return Task(coro, loop=self, **options)

    def time(self) -> float:
        now, self.now = self.now, None
        return CLOCK.read(time.monotonic_ns) / _SECOND if now is None else now

    def watch(self, wire: Wire) -> None:
        """Wait for this line, too, whenever there is nothing to do."""
        if self.wire is None:
            self.wire = wire
            self._selector.register(wire, selectors.EVENT_READ, (None, None))  # type: ignore[attr-defined]

    def until_due(self, now: int) -> float | None:
        """Seconds until the first timer is due, None without one; as `BaseEventLoop._run_once` counts."""
        timers = self._scheduled  # type: ignore[attr-defined]
        if not timers:
            return None
        return max(0.0, timers[0].when() - now / _SECOND - self._clock_resolution)  # type: ignore[attr-defined]


class _Turning(selectors.DefaultSelector):
    """What a loop calls once in each turn, to wait."""

    def __init__(self, loop: TurningLoop) -> None:
        super().__init__()
        self._loop = loop
        self._watched = selectors.EVENT_READ  # of the wire

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        turn, wire = TURNS.next(), self._loop.wire
        if turn is not None:
            while wire is not None and wire.arrived < turn.answers:
                wire.wait()
            self._turn(turn.now, turn.answers)
            return []
        if TURNS.replaying and timeout == 0:  # nothing came here the first time
            if wire is not None:
                wire.exchange()
            self._loop.now = _NEVER
            return []
        return self._live(timeout)

    def _live(self, timeout: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        loop, wire = self._loop, self._loop.wire
        while True:
            self._watch_outgoing()
            # Answers also come in while a cell waits for a file.
            found = super().select(0 if wire is not None and wire.arrived else timeout)
            others = [each for each in found if each[0].fileobj is not wire]
            if wire is not None and len(others) < len(found):
                wire.exchange()
            now, answers = time.monotonic_ns(), wire.arrived if wire is not None else 0
            left = loop.until_due(now)
            if answers or left == 0:
                TURNS.came(now, answers)
                self._turn(now, answers)
                return others
            if timeout == 0 or others:
                loop.now = _NEVER
                return others
            timeout = left  # it was half an answer, or the wire took more

    def _turn(self, now: int, answers: int) -> None:
        if answers and self._loop.wire is not None:
            self._loop.wire.hand_out(answers)
        self._loop.now = now / _SECOND

    def _watch_outgoing(self) -> None:
        wire = self._loop.wire
        if wire is not None:
            wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if wire.outgoing else 0)
            if wanted != self._watched:
                self.modify(wire, wanted, (None, None))
                self._watched = wanted


def _quiet_loop() -> asyncio.AbstractEventLoop:
    loop = TurningLoop()
    loop.set_exception_handler(lambda loop, context: None)  # of tasks that nobody awaited: there is no log to write to
    return loop


def _name(task: asyncio.Task[Any]) -> str:
    coroutine = task.get_coro()
    return f"{coroutine.__qualname__}(...)" if type(coroutine) is types.CoroutineType else "a task"


def _located(limit: TimeLimit, coroutine: Any) -> TimeLimit:
    """The limit with the line that it struck; when everything waited, that is where `coroutine` waits."""
    return limit if lines_of(limit) else limit.with_traceback(_waiting_at(coroutine))


def _waiting_at(awaited: Any) -> types.TracebackType | None:
    """Where a coroutine waits, as a traceback of the coroutines that it awaits."""
    frames = []
    while type(awaited) is types.CoroutineType and awaited.cr_frame is not None:
        frames.append(awaited.cr_frame)
        awaited = awaited.cr_await
    traceback = None
    for frame in reversed(frames):
        traceback = types.TracebackType(traceback, frame, frame.f_lasti, frame.f_lineno)
    return traceback


async def _awaited(awaitable: Any) -> Any:
    return await awaitable
