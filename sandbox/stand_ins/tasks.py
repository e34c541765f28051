"""asyncio: the ways to get at an event loop, without the loop (which opens sockets and starts programs)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final, Self

Run = Callable[[Any], Any]


class EventLoop:
    """What `asyncio.get_event_loop()` gives in cells; the same object in all of them."""

    __slots__ = ("_run",)
    _run: Run

    def __new__(cls, run: Run) -> Self:
        # Not in __init__, which a cell could call again: what one cell put there, the next would run.
        loop = super().__new__(cls)
        loop._run = run
        return loop

    def __repr__(self) -> str:
        return f"<_UnixSelectorEventLoop running={self.is_running()} closed=False debug=False>"

    def run_until_complete(self, awaitable: Any) -> Any:
        return self._run(awaitable)

    def create_task(self, coroutine: Any, **options: Any) -> Any:
        return asyncio.create_task(coroutine, **options)

    def create_future(self) -> Any:
        return asyncio.Future()

    async def run_in_executor(self, executor: object, function: Callable[..., Any], *args: Any) -> Any:
        return function(*args)

    def call_soon(self, callback: Callable[..., Any], *args: Any) -> Any:
        return asyncio.get_running_loop().call_soon(callback, *args)

    def call_later(self, delay: float, callback: Callable[..., Any], *args: Any) -> Any:
        return asyncio.get_running_loop().call_later(delay, callback, *args)

    def time(self) -> float:
        return asyncio.get_running_loop().time()

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return asyncio._get_running_loop() is not None

    def is_closed(self) -> bool:
        return False

    def close(self) -> None:
        """The session's loop stays open."""


class Runner:
    """`asyncio.Runner` over the session's loop."""

    __slots__ = ("_loop", "_run")

    def __init__(self, run: Run, loop: EventLoop) -> None:
        self._run, self._loop = run, loop

    def run(self, main: Any, *, context: object = None) -> Any:
        return self._run(main)

    def get_loop(self) -> EventLoop:
        return self._loop

    def close(self) -> None:
        """The session's loop stays open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing to close."""


def loop_names(complete: Run) -> dict[str, Any]:
    """The names of asyncio that lead to the session's loop."""
    loop = EventLoop(complete)

    def run(main: Any, *, debug: bool | None = None, loop_factory: object = None) -> Any:
        return complete(main)

    def runner(*, debug: bool | None = None, loop_factory: object = None) -> Runner:
        return Runner(complete, loop)

    return {
        "run": run,
        "Runner": runner,
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


def all_tasks(loop: object = None) -> set[Any]:
    return asyncio.all_tasks()


def current_task(loop: object = None) -> Any:
    return asyncio.current_task()


NAMES: Final = {each.__name__: each for each in (all_tasks, as_completed, current_task, to_thread)}
