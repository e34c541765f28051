"""The event loop of a session: top-level await, asyncio.run() in cells, the end of tasks that were left."""

from __future__ import annotations

import asyncio
import inspect
from asyncio import events
from typing import Any

from .deadline import TimeLimit


class CellLoop:
    """One loop lives as long as the session, so that locks and queues of one cell work in the next."""

    def __init__(self) -> None:
        self._loop = _quiet_loop()

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
        try:
            result = loop.run_until_complete(_awaited(awaitable))
        except TimeLimit:
            raise  # no time for the tasks that are left: the loop is abandoned
        except BaseException:
            self._cancel_left(loop)
            raise
        self._cancel_left(loop)
        return result

    def _cancel_left(self, loop: asyncio.AbstractEventLoop) -> None:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop._asyncgens_shutdown_called = False  # type: ignore[attr-defined]  # or generators of the next cell warn

    def close(self) -> None:
        self._loop.close()

    def abandon(self) -> None:
        """After the time limit nothing of the old loop may run again, not even to be cancelled."""
        self._loop.close()
        self._loop = _quiet_loop()


def _quiet_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda loop, context: None)  # of tasks that nobody awaited: there is no log to write to
    return loop


async def _awaited(awaitable: Any) -> Any:
    return await awaitable
