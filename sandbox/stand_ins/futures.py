"""concurrent.futures without threads: what is submitted runs at once."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Self


class Executor:
    def __init__(self, max_workers: int | None = None, *args: Any, **options: Any) -> None:
        if max_workers is not None and max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        self._closed = False

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        if self._closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        future.set_running_or_notify_cancel()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:  # whatever the cell's function raises is raised again by result()
            future.set_exception(error)
        return future

    def map(
        self, function: Callable[..., Any], *iterables: Iterable[Any], timeout: float | None = None, chunksize: int = 1
    ) -> Iterator[Any]:
        futures = [self.submit(function, *arguments) for arguments in zip(*iterables, strict=False)]
        return (future.result() for future in futures)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()


class ThreadPoolExecutor(Executor):
    pass


class ProcessPoolExecutor(Executor):
    pass


NAMES: Final = {each.__name__: each for each in (Executor, ProcessPoolExecutor, ThreadPoolExecutor)}
