"""The host's end of the line to the conversion server: starts the process, sends it jobs, hears how they ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
import tempfile
from typing import IO

import orjson

from ..errors import ConversionUnavailable
from .job import Ended, Job

_SERVER = f"{__package__}.server"
_START_S = 120.0  # for the server to import its libraries on a busy machine


class Link:
    """The server process and the line to it."""

    def __init__(
        self, process: asyncio.subprocess.Process, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer
        self._waiting: dict[int, asyncio.Future[Ended]] = {}
        self._listener = asyncio.create_task(self._listen())

    @property
    def alive(self) -> bool:
        return not self._listener.done()

    @property
    def process_id(self) -> int:
        return self._process.pid

    @classmethod
    async def start(cls) -> Link:
        ours, theirs = socket.socketpair()
        with tempfile.TemporaryFile() as complaints, contextlib.ExitStack() as undo:
            undo.callback(ours.close)
            with theirs:
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-P", "-s", "-m", _SERVER),
                    stdin=theirs.fileno(),
                    stdout=asyncio.subprocess.DEVNULL,
                    stderr=complaints,
                    env=_environment(),
                    start_new_session=True,  # a terminal's Ctrl-C is for the host
                )
            undo.callback(_kill, process)
            reader, writer = await asyncio.open_connection(sock=ours)
            undo.callback(writer.close)
            ready = b""
            with contextlib.suppress(TimeoutError):
                ready = await asyncio.wait_for(reader.readline(), _START_S)
            if ready != b"ready\n":
                _kill(process)
                await process.wait()
                raise ConversionUnavailable(
                    f"the process that converts documents did not start: {_last_line(complaints)};"
                    " `glossator doctor` checks the installation"
                )
            undo.pop_all()
        return cls(process, reader, writer)

    async def run(self, job: Job) -> Ended:
        """Have one job done; ConnectionError when the server has died."""
        ended = self._waiting[job.number] = asyncio.get_running_loop().create_future()
        try:
            self._writer.write(job.line())
            await self._writer.drain()
            return await ended
        finally:
            self._waiting.pop(job.number, None)

    async def _listen(self) -> None:
        try:
            while line := await self._reader.readline():
                ended = Ended(**orjson.loads(line))
                if (waiting := self._waiting.get(ended.number)) is not None and not waiting.done():
                    waiting.set_result(ended)
        finally:
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(ConnectionResetError("the conversion server ended"))

    async def close(self) -> None:
        self._writer.close()
        await asyncio.gather(self._listener, self._process.wait(), return_exceptions=True)


def _kill(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()


def _last_line(file: IO[bytes]) -> str:
    """What a process that ended badly has said last."""
    file.seek(0)
    lines = file.read().decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else "it said nothing"


def _environment() -> dict[str, str]:
    """Nothing of ours: no secrets, no settings. One thread per library, since children are forked."""
    return {
        "PATH": os.defpath,
        "HOME": "/nonexistent",  # libraries ask for it; in containers the user may be in no list of users
        "LANG": "C.UTF-8",
        "HF_HUB_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
