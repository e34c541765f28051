"""The worker's end of the wire: blocking requests of the file system, awaited host functions, orders of the host.

One socket serves all three; whoever waits takes in every frame that comes and hands it to its owner. The interpreter's
deadline may raise at any point of this code, so all work on the stream is done uninterrupted, in steps that never wait;
waiting is done in between, where an interruption loses nothing.
"""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import json
import os
import re
import select
import socket
import time
from collections import deque
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import orjson

from .contracts import Header
from .deadline import uninterrupted
from .frames import Decoder, Frame, encode, pack
from .limits import Limits
from .loops import TurningLoop

_READ_BYTES = 1 << 18
_ANY_LENGTH = 1 << 32  # the host is trusted
# How long a worker looks for the next order before it sleeps: cells of a program that drives many come at once, and to
# be woken costs more than a small cell. It yields meanwhile: whoever else wants the core gets it.
_LINGER_NS = 200_000
_HUGE_NUMBER = re.compile(rb"\d{300}")


class HostChannel:
    """Meets `contracts.Channel` and `loops.Wire`. There is one per worker; its methods are called by one thread."""

    def __init__(self, connection: socket.socket) -> None:
        self.limits = Limits()  # until the host has said which
        self._socket = connection
        self._decoder = Decoder(_ANY_LENGTH)
        self._inbox = memoryview(bytearray(_READ_BYTES))
        self._unread = 0  # bytes of the inbox that the decoder has not taken yet
        self._outgoing = bytearray()
        self._ids = count(1)
        self._orders: deque[Frame] = deque()
        self._futures: dict[int, asyncio.Future[Any]] = {}
        self._pages: dict[int, list[Any]] = {}  # of answers that come in parts
        self._called: set[int] = set()  # calls of this cell whose answer has not come
        self._answers: deque[Frame] = deque()  # that have come and wait for a turn of the event loop
        self._requests: dict[int, Frame | None] = {}  # None until the answer is there
        self._calls = 0  # of this cell
        self._file_requests = 0  # of this cell

    def order(self) -> Frame:
        """The next frame that is no answer; waits for it. Ends the process when the host is gone."""
        # What was still open when the last cell ended was given up: late answers find no owner.
        self._futures.clear()
        self._pages.clear()
        self._called.clear()
        self._answers.clear()
        self._requests.clear()
        self._calls = self._file_requests = 0
        linger_until = time.monotonic_ns() + _LINGER_NS
        while not self._orders:
            with contextlib.suppress(MemoryError):  # an answer that nobody waits for any more
                if time.monotonic_ns() < linger_until:
                    os.sched_yield()
                    self._step()
                else:
                    self._wait()
        return self._orders.popleft()

    def tell(self, header: Mapping[str, Any], bodies: Sequence[bytes] = ()) -> None:
        """Send a frame, whole."""
        self._send(encode(header, bodies))
        while self._outgoing:
            self._wait()

    def mention(self, header: Mapping[str, Any]) -> None:
        """Send a frame from within a cell, as far as the socket takes it now; the rest goes before the next one."""
        self._send(pack(json.dumps(header).encode()))  # by `json`: see `_message`

    def request(self, header: Header) -> tuple[Header, list[bytes]]:
        """Ask the host half of the file system and wait, also inside a running event loop."""
        return self.answer(self.ask(header))

    def ask(self, header: Header) -> int:
        if self._file_requests == self.limits.file_requests:  # the host counts too, and ends a worker that goes on
            raise OSError(f"more than {self.limits.file_requests:,} requests of files in one cell")
        self._file_requests += 1
        identity = next(self._ids)
        message = encode({"kind": "file", "id": identity, "header": header})
        self._requests[identity] = None
        self._send(message)
        return identity

    def forget(self, number: int) -> None:
        self._requests.pop(number, None)

    def answer(self, number: int) -> tuple[Header, list[bytes]]:
        while (answer := self._requests[number]) is None:
            self._wait()
        del self._requests[number]
        if (error := _error(answer)) is not None:
            raise error
        return answer.header["value"], answer.bodies

    async def call(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Await a host function; raises in the cell what the host says that the cell did wrong."""
        self._calls += 1
        # The host counts too, and its count decides; refused here, a flood costs nobody anything.
        if self._calls > self.limits.host_calls:
            raise RuntimeError(f"more than {self.limits.host_calls:,} host calls in one cell")
        loop = asyncio.get_running_loop()
        assert isinstance(loop, TurningLoop)
        identity = next(self._ids)
        message = self._message(identity, name, args, kwargs)
        future = self._futures[identity] = loop.create_future()
        try:
            loop.watch(self)
            self._called.add(identity)
            self._send(message)
            return await future
        finally:
            self._futures.pop(identity, None)

    def _message(self, identity: int, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bytes:
        # By `json`: short of memory it raises, where orjson's allocator would abort the process.
        try:
            text = [json.dumps(values, ensure_ascii=False, allow_nan=False).encode() for values in (args, kwargs)]
            for part in filter(_HUGE_NUMBER.search, text):
                orjson.loads(part)  # as the host will, for whom a number that is no double is no JSON
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"{name}() takes JSON values only: {error}") from None
        if (size := sum(map(len, text))) > self.limits.argument_bytes:
            raise ValueError(f"{name}(): {size:,} bytes of arguments; at most {self.limits.argument_bytes:,} are sent")
        fragments = dict(zip(("args", "kwargs"), map(orjson.Fragment, text), strict=True))
        return encode({"kind": "call", "id": identity, "name": name, **fragments})

    # ---- for the event loop while host functions are awaited --------------------------------------------------------

    @property
    def arrived(self) -> int:
        return len(self._answers)

    @property
    def outgoing(self) -> bool:
        return bool(self._outgoing)

    def fileno(self) -> int:
        return self._socket.fileno()

    def exchange(self) -> None:
        with contextlib.suppress(MemoryError):  # told to all who wait
            self._step()

    def wait(self) -> None:
        with contextlib.suppress(MemoryError):
            self._wait()

    def hand_out(self, answers: int) -> None:
        for _ in range(answers):
            frame = self._answers.popleft()
            future = self._futures.get(frame.header["id"])
            pages = self._pages.pop(frame.header["id"], None)
            if future is None or future.done():
                continue
            if (error := _error(frame)) is not None:
                future.set_exception(error)
            else:
                future.set_result(frame.header["value"] if pages is None else pages)

    # ---- the stream -------------------------------------------------------------------------------------------------

    def _wait(self) -> None:
        """Wait until the socket can take or give something (the deadline may interrupt here), then do that."""
        if not self._unread:
            select.select([self._socket], [self._socket] if self._outgoing else [], [])
        self._step()

    def _send(self, message: bytes) -> None:
        with uninterrupted:
            self._outgoing += message
            self._flush()

    def _step(self) -> None:
        with uninterrupted:
            self._flush()
            self._receive()

    def _flush(self) -> None:
        try:
            while self._outgoing:
                del self._outgoing[: self._socket.send(self._outgoing, socket.MSG_DONTWAIT)]
        except BlockingIOError:
            return
        except OSError:  # the host is gone
            os._exit(0)

    def _receive(self) -> None:
        try:
            # Kept until the decoder has it: after a MemoryError the next step goes on from the same byte.
            self._unread = self._unread or self._socket.recv_into(self._inbox, 0, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except ConnectionError:
            os._exit(0)
        if not self._unread:
            os._exit(0)
        while (frame := self._next()) is not None:
            self._deliver(frame)

    def _next(self) -> Frame | None:
        try:
            self._decoder.add(self._inbox[: self._unread])
            self._unread = 0
            return self._decoder.next()
        except MemoryError as error:
            # It never will fit. Whoever waits for it must not wait for ever, and we do not know who that is.
            self._decoder.skip()
            for future in self._futures.values():
                if not future.done():
                    future.set_exception(error)
            raise

    def _deliver(self, frame: Frame) -> None:
        identity = frame.header.get("id")
        if frame.header["kind"] not in ("answer", "raise"):
            self._orders.append(frame)
        elif identity in self._requests:
            self._requests[identity] = frame
        elif identity in self._called:
            if frame.header.get("more"):
                self._pages.setdefault(identity, []).extend(frame.header["value"])
            else:  # counted also if nobody awaits it any more: run again, the cell must count alike
                self._called.discard(identity)
                self._answers.append(frame)


def _error(frame: Frame) -> Exception | None:
    """The exception that an answer of kind "raise" stands for: a built-in one, RuntimeError if there is none such."""
    if frame.header["kind"] != "raise":
        return None
    named = getattr(builtins, frame.header["error"], None)
    if isinstance(named, type) and issubclass(named, Exception):
        return named(frame.header["message"])
    return RuntimeError(frame.header["message"])
