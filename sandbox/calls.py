"""What a running cell asks of the host: host functions and files, within a budget.

Nothing here believes the worker: names are looked up, arguments bound anew, bytes counted as they leave.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import orjson

from .connection import Connection
from .contracts import FileSystem, GuestError, Header, HostFunction
from .errors import ProtocolError
from .frames import Frame
from .journal import Journal, ReplyKind
from .journal import question as called
from .limits import Limits
from .script import Diverged, Recording, Script, spoken

# Calls of one worker that are worked on at the same time; more wait in its socket.
_AT_ONCE = 64
_ENVELOPE_BYTES = 4096  # of a frame around its arguments

_Answer = tuple[bytes | AsyncIterator[Any], Sequence[bytes]]  # JSON, or pages of a list; and bodies


class Calls:
    """The host calls of a session's cells: `begin`, then `accept` frames, then `finish`, for each cell anew."""

    def __init__(
        self, functions: Sequence[HostFunction], filesystem: FileSystem | None, limits: Limits, journal: Journal
    ) -> None:
        self._functions = {each.name: (each.call, inspect.signature(each.call)) for each in functions}
        self._filesystem = filesystem
        self._limits = limits
        self._journal = journal
        self._tasks: set[asyncio.Task[None]] = set()
        self._file_turn = asyncio.Lock()
        self._connection: Connection | None = None
        self._script: Script | None = None  # the cell is run again
        self.recording = Recording()  # of this cell
        self.count = 0  # host functions called by this cell
        self.read_bytes = 0  # bytes of files delivered to this cell
        self._file_requests = 0  # of this cell
        self.bug: Exception | None = None  # of a host function or file system: the caller's to see, not the cell's

    def begin(self, connection: Connection, script: Script | None = None) -> None:
        """A cell starts; with `script` it is run again, and gets what it got then."""
        self._connection = connection
        self._script = script
        self.recording = Recording(self._journal.cells)
        self.count, self.read_bytes, self._file_requests, self.bug = 0, 0, 0, None

    def accept(self, kind: str, frame: Frame) -> None:
        """Answer a frame of kind "call" or "file" of the cell that is running, some time."""
        connection = self._connection
        assert connection is not None
        # The worker checks too, to tell the cell; this is for one that does not. Small JSON can be large objects.
        if frame.size > self._limits.argument_bytes + _ENVELOPE_BYTES:
            raise ProtocolError(f"a {kind!r} of {frame.size:,} bytes; {self._limits.argument_bytes:,} are accepted")
        self.recording.questions += kind == "call"
        if self.recording.questions > self._limits.host_calls:  # the worker counts too: this one keeps the host busy
            raise ProtocolError(f"more than {self._limits.host_calls:,} host calls in one cell")
        self._file_requests += kind == "file"
        if self._file_requests > self._limits.file_requests:  # here too the worker counts, and raises before
            raise ProtocolError(f"more than {self._limits.file_requests:,} requests of files in one cell")
        question = Question(kind, self.recording.questions, frame, self.recording, self._script)
        task = asyncio.ensure_future(self._answer(connection, question))
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
            told = getattr(self._filesystem, "told", None)
            if told is not None:
                self.recording.files = dict(told())

    def _done(self, task: asyncio.Task[None]) -> None:
        if task not in self._tasks:  # of a cell that has ended
            return
        self._tasks.discard(task)
        if len(self._tasks) == _AT_ONCE - 1 and self._connection is not None:
            self._connection.release()

    async def _answer(self, connection: Connection, question: Question) -> None:
        if question.kind == "call":
            await self._respond(connection, question, self._call)
            return
        # A guest asks for one file at a time. Who asks for more waits, and until earlier answers are taken: else a
        # flood of requests would fill the host's memory (`test_a_flood_that_reads_no_answers_stops_at_the_deadline`).
        async with self._file_turn:
            await connection.writable.wait()
            await self._respond(connection, question, self._read)

    async def _respond(
        self, connection: Connection, question: Question, work: Callable[[Question], Awaitable[_Answer]]
    ) -> None:
        identity = question.frame.header["id"]
        try:
            value, bodies = await work(question)
            if isinstance(value, AsyncIterator):
                value = await self._send_pages(connection, identity, value)
                connection.send({"kind": "answer", "id": identity, "value": []}, bodies)
            else:
                connection.send({"kind": "answer", "id": identity, "value": orjson.Fragment(value)}, bodies)
            question.answered(value)
        except GuestError as error:
            connection.send({"kind": "raise", "id": identity, "error": error.kind, "message": error.message})
            question.failed(error)
        except Diverged as error:
            assert question.script is not None
            question.script.fail(str(error))
            connection.close()  # what would follow is not this session
        # The outermost boundary of integrators' code: the cell is told that it is not its fault, `Session.run` raises.
        except Exception as error:
            self.bug = self.bug or error
            told = GuestError("RuntimeError", "the host failed; this is not a mistake of the code")
            connection.send({"kind": "raise", "id": identity, "error": told.kind, "message": told.message})
            question.failed(told)

    async def _send_pages(self, connection: Connection, identity: int, pages: AsyncIterator[Any]) -> bytes:
        """Send a long list page by page; the whole of it, for the journal."""
        sent: list[bytes] = []
        async for page in pages:
            await connection.writable.wait()
            text = orjson.dumps(page)
            connection.send({"kind": "answer", "id": identity, "value": orjson.Fragment(text), "more": True})
            sent.append(text[1:-1])
        return b"[" + b",".join(filter(None, sent)) + b"]"

    async def _call(self, question: Question) -> _Answer:
        name, args, kwargs = (question.frame.header[field] for field in ("name", "args", "kwargs"))
        question.asked = called(name, args, kwargs)
        if question.script is not None:
            return spoken(await question.script.turn(question.number, question.asked)), ()
        self.count += 1
        if name not in self._functions:
            raise GuestError("NameError", f"there is no host function {name!r:.80}")
        function, signature = self._functions[name]
        try:
            signature.bind(*args, **kwargs)
        except TypeError as error:
            raise GuestError("TypeError", f"{name}(): {error}") from None
        result = await function(*args, **kwargs)
        return result if isinstance(result, AsyncIterator) else orjson.dumps(result), ()

    async def _read(self, question: Question) -> _Answer:
        if self._filesystem is None:
            raise GuestError("FileNotFoundError", "this session has no files")
        if self.read_bytes > self._limits.read_bytes:
            raise GuestError("OSError", f"more than {self._limits.read_bytes:,} bytes of files read in one cell")
        asked = question.frame.header["header"]
        value, bodies = await self._filesystem.request(asked)
        self.read_bytes += sum(map(len, bodies))
        if not hasattr(self._filesystem, "told"):
            question.recording.files[_digest(asked)] = _digest(value, *bodies)
        return orjson.dumps(value), bodies


@dataclass(slots=True)
class Question:
    """What a cell asks of the host, and what becomes of it."""

    kind: str  # "call" or "file"
    number: int  # in the cell, from 1
    frame: Frame
    recording: Recording
    script: Script | None
    asked: str = ""

    def answered(self, value: bytes) -> None:
        self._keep("value", value)

    def failed(self, error: GuestError) -> None:
        self._keep("error", orjson.dumps([error.kind, error.message]))

    def _keep(self, kind: ReplyKind, content: bytes) -> None:
        if self.kind == "file":  # is read again, and compared when the cell has ended
            return
        self.recording.add(self.number, self.asked, kind, content)
        if self.script is not None:
            self.script.answered(self.number)


def _digest(value: Header, *bodies: bytes) -> str:
    digest = blake2b(orjson.dumps(value), digest_size=16)
    for body in bodies:
        digest.update(body)
    return digest.hexdigest()
