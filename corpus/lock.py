"""The writer lock: one file, locked by the kernel, that says who holds it."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from .errors import CorpusBusy, CorpusError, CorpusNotWritable

WAIT_S = 600.0  # how long a writer waits for another one
_POLL_S = 0.02


class WriterLock:
    """Taken by everything that changes a corpus, for as long as one publication takes.

    The kernel ends the lock with the process that holds it. What the file says then stays: the next one learns from it
    that its predecessor did not finish.
    """

    def __init__(self, path: Path, wait_s: float = WAIT_S):
        self._path = path
        self._wait_s = wait_s

    @asynccontextmanager
    async def held(self, purpose: str) -> AsyncIterator[bool]:
        """Hold the lock; `purpose` is what others who wait for it are told.

        The value is whether the one before died or failed while it held the lock.
        """
        descriptor = self._open()
        try:
            await self._take(descriptor)
            unfinished = os.fstat(descriptor).st_size > 0
            self._sign(descriptor, purpose)
            try:
                yield unfinished
            except CorpusError:
                os.ftruncate(descriptor, 0)  # a refusal is an end, too
                raise
            os.ftruncate(descriptor, 0)
        finally:
            os.close(descriptor)

    def _open(self) -> int:
        try:
            return os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise CorpusNotWritable(f"cannot write to {self._path.parent}: {error.strerror}") from error

    async def _take(self, descriptor: int) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._wait_s
        while True:
            try:
                return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if loop.time() >= deadline:
                    raise CorpusBusy(f"{self._path.parent} is being written by {self._holder()}") from None
            await asyncio.sleep(_POLL_S)

    def _sign(self, descriptor: int, purpose: str) -> None:
        since = datetime.now(UTC).isoformat(timespec="seconds")
        holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": since, "purpose": purpose}
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps(holder).encode(), 0)

    def _holder(self) -> str:
        try:
            holder = json.loads(self._path.read_bytes())
            return f"process {holder['pid']} on {holder['host']} ({holder['purpose']}, since {holder['since']})"
        except (OSError, ValueError, KeyError):
            return "another process"
