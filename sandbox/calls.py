"""What a running cell asks of the host: host functions and files, within a budget.

Nothing here believes the worker: names are looked up, arguments bound anew, bytes counted as they leave.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

from .connection import Connection
from .contracts import FileSystem, GuestError, Header, HostFunction
from .errors import ProtocolError
from .frames import Frame
from .limits import Limits

# Calls of one worker that are worked on at the same time; more wait in its socket.
_AT_ONCE = 64
_ENVELOPE_BYTES = 4096  # of a frame around its arguments

_Answer = tuple[Any, Sequence[bytes]]  # a JSON value and bodies


class Calls:
    """The host calls of a session's cells: `begin`, then `accept` frames, then `finish`, for each cell anew."""

    def __init__(self, functions: Sequence[HostFunction], filesystem: FileSystem | None, limits: Limits) -> None:
        self._functions = {each.name: (each.call, inspect.signature(each.call)) for each in functions}
        self._filesystem = filesystem
        self._limits = limits
        self._tasks: set[asyncio.Task[None]] = set()
        self._file_turn = asyncio.Lock()
        self._connection: Connection | None = None
        self.count = 0  # host functions called by this cell
        self.read_bytes = 0  # bytes of files delivered to this cell
        self.bug: Exception | None = None  # of a host function or file system: the caller's to see, not the cell's

    def begin(self, connection: Connection) -> None:
        self._connection = connection
        self.count, self.read_bytes, self.bug = 0, 0, None

    def accept(self, kind: str, frame: Frame) -> None:
        """Answer a frame of kind "call" or "file" of the cell that is running, some time."""
        connection = self._connection
        assert connection is not None
        # The worker checks too, to tell the cell; this is for one that does not. Small JSON can be large objects.
        if frame.size > self._limits.argument_bytes + _ENVELOPE_BYTES:
            raise ProtocolError(f"a {kind!r} of {frame.size:,} bytes; {self._limits.argument_bytes:,} are accepted")
        task = asyncio.ensure_future(self._answer(connection, kind, frame))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        if len(self._tasks) == _AT_ONCE:
            connection.hold()

    def finish(self, reports: Sequence[Header]) -> None:
        """The cell has ended: nobody waits for what is still being worked on."""
        connection, self._connection = self._connection, None
        tasks, self._tasks = self._tasks, set()
        if connection is not None and len(tasks) >= _AT_ONCE:
            connection.release()
        for task in tasks:
            task.cancel()
        if self._filesystem is not None:
            # Once per cell, so that a file system knows its cells apart; a killed one reports nothing.
            self._filesystem.finish({key: value for report in reports for key, value in report.items()})

    def _done(self, task: asyncio.Task[None]) -> None:
        if task not in self._tasks:  # of a cell that has ended
            return
        self._tasks.discard(task)
        if len(self._tasks) == _AT_ONCE - 1 and self._connection is not None:
            self._connection.release()

    async def _answer(self, connection: Connection, kind: str, frame: Frame) -> None:
        if kind == "call":
            await self._respond(connection, frame, self._call)
            return
        # A guest asks for one file at a time. Who asks for more waits, and until earlier answers are taken: else a
        # flood of requests would fill the host's memory (`test_a_flood_that_reads_no_answers_stops_at_the_deadline`).
        async with self._file_turn:
            await connection.writable.wait()
            await self._respond(connection, frame, self._read)

    async def _respond(self, connection: Connection, frame: Frame, work: Callable[[Frame], Awaitable[_Answer]]) -> None:
        identity = frame.header["id"]
        try:
            value, bodies = await work(frame)
            if isinstance(value, AsyncIterator):
                async for page in value:
                    await connection.writable.wait()
                    connection.send({"kind": "answer", "id": identity, "value": page, "more": True})
                value = []
            connection.send({"kind": "answer", "id": identity, "value": value}, bodies)
        except GuestError as error:
            connection.send({"kind": "raise", "id": identity, "error": error.kind, "message": error.message})
        # The outermost boundary of integrators' code: the cell is told that it is not its fault, `Session.run` raises.
        except Exception as error:
            self.bug = self.bug or error
            message = "the host failed; this is not a mistake of the code"
            connection.send({"kind": "raise", "id": identity, "error": "RuntimeError", "message": message})

    async def _call(self, frame: Frame) -> _Answer:
        name, args, kwargs = (frame.header[field] for field in ("name", "args", "kwargs"))
        self.count += 1
        if self.count > self._limits.host_calls:
            raise GuestError("RuntimeError", f"more than {self._limits.host_calls:,} host calls in one cell")
        if name not in self._functions:
            raise GuestError("NameError", f"there is no host function {name!r:.80}")
        function, signature = self._functions[name]
        try:
            signature.bind(*args, **kwargs)
        except TypeError as error:
            raise GuestError("TypeError", f"{name}(): {error}") from None
        return await function(*args, **kwargs), ()

    async def _read(self, frame: Frame) -> _Answer:
        if self._filesystem is None:
            raise GuestError("FileNotFoundError", "this session has no files")
        if self.read_bytes > self._limits.read_bytes:
            raise GuestError("OSError", f"more than {self._limits.read_bytes:,} bytes of files read in one cell")
        value, bodies = await self._filesystem.request(frame.header["header"])
        self.read_bytes += sum(map(len, bodies))
        return value, bodies
