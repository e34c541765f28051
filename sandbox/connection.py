"""The host's end of a worker's wire: checked frames in, frames out, and an end that everybody notices."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .errors import ProtocolError
from .frames import Decoder, Frame, check, encode

_READ_BYTES = 1 << 18


class Connection(asyncio.BufferedProtocol):
    """Frames of one worker, handed to `receive(kind, frame)` as they come; `ended` when there will be no more.

    A `ProtocolError`, from the decoder or from `receive`, ends the connection: `failure` keeps it.
    """

    def __init__(self, frame_bytes: int, receive: Callable[[str, Frame], None]) -> None:
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.failure: ProtocolError | None = None
        self.writable = asyncio.Event()  # set while the worker takes its answers
        self.writable.set()
        self._decoder = Decoder(frame_bytes)
        self._inbox = memoryview(bytearray(_READ_BYTES))  # costs memory as far as it was ever filled
        self._receive = receive
        self._transport: asyncio.Transport | None = None
        self._holds = 0
        self._diverted: bytearray | None = None

    @classmethod
    async def over(cls, stream: socket.socket, frame_bytes: int, receive: Callable[[str, Frame], None]) -> Connection:
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_unix_connection(lambda: cls(frame_bytes, receive), sock=stream)
        return connection

    def send(self, header: Mapping[str, Any], bodies: Sequence[bytes] = ()) -> None:
        """Queue a frame; nothing happens after the end. A header that is no JSON is a TypeError."""
        message = encode(header, bodies)
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(message)

    def divert(self) -> bytearray:
        """From now on nothing is a frame: the bytes that come, up to a limit, go into what is given back."""
        self._diverted = bytearray()
        if self._holds:
            self._holds = 0
            self._take_in(True)
        return self._diverted

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def hold(self) -> None:
        """Take in nothing more until `release`: there is enough to do. Counted."""
        self._holds += 1
        if self._holds == 1:
            self._take_in(False)

    def release(self) -> None:
        if self._holds == 0:  # diverted since
            return
        self._holds -= 1
        if self._holds == 0:
            self._take_in(True)
            self._go_on()

    def _take_in(self, more: bool) -> None:
        if self._transport is not None and not self._transport.is_closing():
            (self._transport.resume_reading if more else self._transport.pause_reading)()

    # ---- asyncio.BufferedProtocol -----------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._inbox

    def buffer_updated(self, nbytes: int) -> None:
        if self._diverted is not None:
            self._diverted += self._inbox[: min(nbytes, _READ_BYTES - len(self._diverted))]
            return
        self._decoder.add(self._inbox[:nbytes])
        self._go_on()

    def _go_on(self) -> None:
        """Hand on the frames that have come, one by one: each may be the one that makes us hold."""
        try:
            while self._holds == 0 and self.failure is None and (frame := self._decoder.next()) is not None:
                self._receive(check(frame), frame)
        except ProtocolError as error:
            self.failure = error
            self.close()

    # A worker that does not read its answers gets no further questions in: they would pile up here.
    def pause_writing(self) -> None:
        self.writable.clear()
        self.hold()

    def resume_writing(self) -> None:
        self.writable.set()
        self.release()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_result(None)
