"""The host's side of conversion: hands a file to the conversion server and takes the result.

What comes back was made by a process that has read a hostile file: shapes are checked, sizes capped, links refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import hashlib
import os
import signal
import socket
import stat
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal

import orjson

from . import ocr
from .conversion.job import FILES, OUTPUT, RESULT, SOURCE, Confinement, Ended, Job
from .documents import Chunk
from .errors import ConversionFailed, ConversionUnavailable

_MIB = 1 << 20
_SERVER = f"{__package__}.conversion.server"
_OURS = (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE)  # errors that say nothing about the document
_NAMED_PAGES = 10
_START_S = 120.0  # for the server to import its libraries on a busy machine


@dataclass(frozen=True, slots=True)
class ConversionLimits:
    """What one document may cost; past any of these it fails with a reason that names the number."""

    wall_s: float = 120.0  # seconds from start to end
    cpu_s: int = 110  # seconds of processor time
    memory_mb: int = 2048  # MiB of address space above the preloaded libraries
    source_mb: int = 256  # MiB of the file itself
    output_mb: int = 512  # MiB of any one file written
    ocr_page_s: float = 20.0  # seconds more for each page that is a picture
    parallel: int = max(1, min(4, os.cpu_count() or 1))  # documents at a time


@dataclass(frozen=True, slots=True)
class Converted:
    """A document, converted: four of its five files as they are to be stored, and what the fifth needs to know."""

    title: str | None
    mime_type: str
    page_count: int | None
    language: str | None  # ISO 639-1
    metadata: dict[str, Any]
    content: bytes
    items: bytes
    chunks_file: bytes
    toc: bytes
    item_count: int
    chunks: list[Chunk]
    status: Literal["ok", "empty"]
    reason: str | None
    source_digest: str  # SHA-256 of the bytes that were converted
    source_size: int
    confinement: Confinement  # of the child that did it
    scans: tuple[int, ...] = ()  # pages that are pictures and were not read


class Converter:
    """Converts files in jailed children of one server process, which starts at the first file.

    `ConversionUnavailable` when it cannot start: that says nothing about the file.
    """

    def __init__(self, limits: ConversionLimits = ConversionLimits()) -> None:
        self.limits = limits
        self._slots = asyncio.Semaphore(limits.parallel)
        self._starting = asyncio.Lock()
        self._server: _Server | None = None
        self._number = 0

    async def __aenter__(self) -> Converter:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def convert(self, path: Path, *, document_id: str, mime_type: str | None = None) -> Converted:
        """Convert the file as it is now; raises `ConversionFailed` with one honest line."""
        async with self._slots:
            with tempfile.TemporaryDirectory(prefix="glossator-", ignore_cleanup_errors=True) as folder:
                private = Path(folder)
                copy = await asyncio.to_thread(_copy, path, private / SOURCE, self.limits.source_mb * _MIB)
                (private / OUTPUT).mkdir()
                name = os.fsencode(path.name).decode("utf-8", "replace")  # names are bytes; a title is text
                job = self._job(private, name, document_id, mime_type)
                ended = await self._run(job)
                result = await asyncio.to_thread(self._collect, job, ended, copy)
                if result.scans and (program := ocr.program()):
                    job = self._with_ocr(job, program, len(result.scans))
                    ended = await self._run(job)
                    result = await asyncio.to_thread(self._collect, job, ended, copy)
                return _told(result, job)

    @property
    def process_id(self) -> int | None:
        """Of the server, while it runs."""
        return self._server.process_id if self._server is not None and self._server.alive else None

    async def close(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            await server.close()

    def _job(self, folder: Path, name: str, document_id: str, mime_type: str | None) -> Job:
        self._number += 1
        limits = self.limits
        return Job(
            number=self._number,
            folder=str(folder),
            name=name,
            document_id=document_id,
            mime_type=mime_type,
            wall_s=limits.wall_s,
            cpu_s=limits.cpu_s,
            memory_mb=limits.memory_mb,
            file_mb=limits.output_mb,
        )

    def _with_ocr(self, job: Job, program: str, pages: int) -> Job:
        more = self.limits.ocr_page_s * min(pages, ocr.MAX_PAGES)
        self._number += 1
        return replace(job, number=self._number, ocr=program, wall_s=job.wall_s + more, cpu_s=job.cpu_s + int(more))

    async def _run(self, job: Job) -> Ended:
        for _ in range(2):  # a server that has died is replaced once per document
            try:
                return await (await self._running()).run(job)
            except ConnectionError:
                continue
        raise ConversionFailed("the conversion server ended twice while this file was read")

    async def _running(self) -> _Server:
        async with self._starting:
            if self._server is None or not self._server.alive:
                if self._server is not None:
                    await self._server.close()
                self._server = await _Server.start()
            return self._server

    def _collect(self, job: Job, ended: Ended, copy: _Copy) -> Converted:
        limits = self.limits
        if ended.late or ended.signal == signal.SIGXCPU:
            raise ConversionFailed(f"took longer than {job.wall_s:g} s to read")
        if ended.signal:
            raise ConversionFailed(_crash(ended, limits))
        try:
            files = {
                name: _read(job.output / name, limits.output_mb * _MIB)
                for name in FILES
                if (job.output / name).exists()
            }
            result = orjson.loads(files[RESULT])
            if reason := result.get("failed"):
                raise ConversionFailed(str(reason).splitlines()[0])
            return _converted(result, files, job.document_id, copy)
        except (KeyError, TypeError, ValueError, OSError, AttributeError) as error:
            raise ConversionFailed(f"the reader left an unusable result ({type(error).__name__})") from error


def _crash(ended: Ended, limits: ConversionLimits) -> str:
    """Why a child was killed. A library written in C aborts when it gets no more memory; the system kills for it."""
    if ended.signal in (signal.SIGABRT, signal.SIGKILL) or ended.peak_mb * 2 > limits.memory_mb:
        return f"needs more than {limits.memory_mb} MB of memory"
    return f"broken: its reader crashed on it ({signal.Signals(ended.signal).name})"


@dataclass(frozen=True, slots=True)
class _Copy:
    digest: str
    size: int


def _copy(path: Path, to: Path, limit: int) -> _Copy:
    """Copy the source once, hashing it: what was hashed is what is converted."""
    digest, size = hashlib.sha256(), 0
    try:
        with path.open("rb") as source, to.open("xb") as copy:
            if not stat.S_ISREG(os.fstat(source.fileno()).st_mode):
                raise ConversionFailed("not a regular file")
            while block := source.read(_MIB):
                size += len(block)
                if size > limit:
                    raise ConversionFailed(f"larger than {limit // _MIB} MB")
                digest.update(block)
                copy.write(block)
    except OSError as error:
        if error.errno in _OURS:
            raise
        raise ConversionFailed(f"cannot be opened: {error.strerror or error}") from error
    return _Copy(digest.hexdigest(), size)


def _read(path: Path, limit: int) -> bytes:
    """A file that the child has left; a link could point anywhere, and is an OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
            raise ValueError(f"{path.name} is no regular file of at most {limit} bytes")
        return file.read(limit)


def _converted(result: dict[str, Any], files: dict[str, bytes], document_id: str, copy: _Copy) -> Converted:
    metadata = result["metadata"]
    if not isinstance(metadata, dict) or result["status"] not in ("ok", "empty"):
        raise ValueError("result.json")
    return Converted(
        title=_optional(result["title"], str),
        mime_type=str(result["mime_type"]),
        page_count=_optional(result["page_count"], int),
        language=_optional(result["language"], str),
        metadata=metadata,
        content=files["content.txt"],
        items=files["items.jsonl"],
        chunks_file=files["chunks.jsonl"],
        toc=files["toc.json"],
        item_count=int(result["item_count"]),
        chunks=[
            _chunk(line, position, document_id) for position, line in enumerate(files["chunks.jsonl"].splitlines())
        ],
        status=result["status"],
        reason=_optional(result["reason"], str),
        scans=tuple(map(int, result["scans"])),
        source_digest=copy.digest,
        source_size=copy.size,
        confinement=Confinement(**result["confinement"]),
    )


def _told(result: Converted, job: Job) -> Converted:
    """A document of pictures is not empty, but not read; one with some of them says so."""
    if not result.scans:
        return result
    one = len(result.scans) == 1
    if result.status == "empty":
        what = "a picture" if result.page_count == 1 else f"a scan: {len(result.scans)} pages are pictures"
        raise ConversionFailed(f"{what}; {ocr.ADVICE}")
    named = ", ".join(map(str, result.scans[:_NAMED_PAGES])) + (" …" if len(result.scans) > _NAMED_PAGES else "")
    reason = f"page {named} is a picture" if one else f"pages {named} are pictures"
    why = f"no more than {ocr.MAX_PAGES} are read of one document" if job.ocr else ocr.ADVICE
    return replace(result, reason=f"{reason}, not read; {why}")


def _optional(value: Any, kind: type) -> Any:
    if value is not None and not isinstance(value, kind):
        raise TypeError(kind.__name__)
    return value


def _chunk(line: bytes, position: int, document_id: str) -> Chunk:
    row = orjson.loads(line)
    meta = row["metadata"]
    return Chunk(
        id=str(row["chunk_id"]),
        document_id=document_id,
        position=position,
        content=str(row["content"]),
        headings=tuple(map(str, meta.pop("headings"))),
        page_numbers=tuple(map(int, meta.pop("page_numbers"))),
        doc_item_refs=tuple(map(str, meta.pop("doc_item_refs"))),
        labels=tuple(map(str, meta.pop("labels"))),
        metadata=meta,
    )


class _Server:
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
    async def start(cls) -> _Server:
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
