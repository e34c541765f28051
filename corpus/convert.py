"""The host's side of conversion: hands a file to the conversion server and takes the result.

What comes back was made by a process that has read a hostile file: shapes are checked, sizes capped, links refused.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import re
import signal
import stat
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any

import orjson

from . import beside, formats, ocr
from .conversion.job import BESIDE, FILES, OUTPUT, PICTURES, RESULT, SOURCE, Confinement, Ended, Job
from .conversion.link import Link
from .documents import PICTURE_TYPES, Chunk, Picture, Status
from .errors import ConversionFailed
from .members import Members, collect

_MIB = 1 << 20
_OURS = (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE)  # errors that say nothing about the document
_NAMED_PAGES = 10
_REF = re.compile(r"#/pictures/\d+")
_MAGIC = tuple(zip(PICTURE_TYPES, (b"\x89PNG\r\n", b"\xff\xd8\xff", b"WEBP", b"GIF8"), (0, 0, 8, 0), strict=True))


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
    status: Status  # unreadable: a picture that nobody has read, which can be looked at
    reason: str | None
    source_digest: str  # SHA-256 of the bytes that were converted
    source_size: int
    confinement: Confinement  # of the child that did it
    scans: tuple[int, ...] = ()  # pages that are pictures and were not read
    pictures: tuple[Picture, ...] = ()
    members: Members = field(default_factory=lambda: Members([]))  # to be closed by whoever reads them


class Converter:
    """Converts files in jailed children of one server process, which starts at the first file.

    `ConversionUnavailable` when it cannot start: that says nothing about the file.
    """

    def __init__(self, limits: ConversionLimits = ConversionLimits(), *, read_scans: bool = True) -> None:
        """`read_scans`: by tesseract, where it is installed."""
        self.limits = limits
        self._read_scans = read_scans
        self._slots = asyncio.Semaphore(limits.parallel)
        self._starting = asyncio.Lock()
        self._server: Link | None = None
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
                named = formats.by_name(name) == "markdown"
                pictures = (
                    await asyncio.to_thread(beside.collect, path, private / SOURCE, private / BESIDE) if named else {}
                )
                job = replace(self._job(private, name, document_id, mime_type), beside=pictures)
                ended = await self._run(job)
                result = await asyncio.to_thread(self._collect, job, ended, copy)
                if result.scans and self._read_scans and (program := ocr.program()):
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

    async def _running(self) -> Link:
        async with self._starting:
            if self._server is None or not self._server.alive:
                if self._server is not None:
                    await self._server.close()
                self._server = await Link.start()
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
            members = collect(result["members"], int(result["left_in"]), job.output)
            return replace(_converted(result, files, job.document_id, copy), members=members)
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
        pictures=tuple(_pictures(result["pictures"], files[PICTURES])),
    )


def _pictures(told: Sequence[Any], data: bytes) -> Iterator[Picture]:
    """The pictures that a child has left; each is what it is said to be, as far as its first bytes tell."""
    end = 0
    for ref, media_type, width, height, size in told:
        start, end = end, end + int(size)
        body = data[start:end]
        if not _REF.fullmatch(ref) or not _looks_like(media_type, body) or len(body) != size:
            raise ValueError(PICTURES)
        yield Picture(ref, media_type, int(width), int(height), body)
    if end != len(data):
        raise ValueError(PICTURES)


def _looks_like(media_type: str, data: bytes) -> bool:
    return any(kind == media_type and data.startswith(magic, at) for kind, magic, at in _MAGIC)


def _told(result: Converted, job: Job) -> Converted:
    """A document of pictures is not empty, but not read; one with some of them says so."""
    if not result.scans:
        return result
    one = len(result.scans) == 1
    if result.status == "empty":
        what = "a picture" if result.page_count == 1 else f"a scan: {len(result.scans)} pages are pictures"
        reason = f"{what}; {ocr.ADVICE}"
        if result.pictures:
            return replace(result, status="unreadable", reason=reason)
        raise ConversionFailed(reason)
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
