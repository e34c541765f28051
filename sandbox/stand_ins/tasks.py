"""asyncio: the ways to get at an event loop, without the loop (which opens sockets and starts programs)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final


class EventLoop:
    """What `asyncio.get_event_loop()` gives in cells; the same object in all of them."""

    __slots__ = ("_run",)

    def __init__(self, run: Callable[[Any], Any]) -> None:
        self._run = run

    def run_until_complete(self, awaitable: Any) -> Any:
        return self._run(awaitable)

    def create_task(self, coroutine: Any, **options: Any) -> Any:
        return asyncio.create_task(coroutine, **options)

    async def run_in_executor(self, executor: object, function: Callable[..., Any], *args: Any) -> Any:
        return function(*args)

    def time(self) -> float:
        return asyncio.get_running_loop().time()

    def is_running(self) -> bool:
        return asyncio._get_running_loop() is not None

    def is_closed(self) -> bool:
        return False

    def close(self) -> None:
        """The session's loop stays open."""


def loop_names(run: Callable[[Any], Any]) -> dict[str, Any]:
    """The names of asyncio that lead to the session's loop."""
    loop = EventLoop(run)
    return {
        "run": run,
        "get_event_loop": lambda: loop,
        "get_running_loop": lambda: loop,
        "new_event_loop": lambda: loop,
        "set_event_loop": lambda loop: None,
    }


async def to_thread(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """There are no threads: the function runs here and now."""
    return function(*args, **kwargs)


def as_completed(fs: Iterable[Any], *, timeout: float | None = None) -> Any:
    """Starts them in their order: the real one makes a set of them first, which has another order each time."""
    if asyncio.iscoroutine(fs) or asyncio.isfuture(fs):
        raise TypeError(f"an iterable of futures, not {type(fs).__name__}")
    return asyncio.as_completed([asyncio.ensure_future(each) for each in dict.fromkeys(fs)], timeout=timeout)


NAMES: Final = {"to_thread": to_thread, "as_completed": as_completed}
