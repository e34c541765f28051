"""Journals as files: one append-only file per session in one folder.

    NAME.journal     a line per record: CRC-32 of the rest, a blank, JSON
    NAME.checkpoint  the newest checkpoint: one such line, then its bytes
    NAME.lock        held by the process that runs the session, with a line that says which
    hash-seed        PYTHONHASHSEED of all workers

A record is written by one call before the cell's result is given to anyone, and not forced to the disk: it survives the
death of every process, and is lost at most when the machine itself goes down, the last ones first. Closing forces the
file to the disk. A line that is cut short, or does not fit its checksum, ends the journal there: it is cut off, with
what follows it, by whoever opens the session next.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
import socket
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from .errors import BadSessionName, SessionBusy
from .journal import Cell, Checkpoint, as_json, from_json

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
DAY_S = 24 * 3600
EXPIRE_S = 30 * DAY_S  # seconds since its last cell after which a session may be deleted


class FileJournals:
    """The journals in `folder`, which is made when it is needed. Sessions silent for `expire_s` seconds are deleted."""

    def __init__(self, folder: str | Path, *, expire_s: float = EXPIRE_S) -> None:
        self.folder = Path(folder)
        self._expire_s = expire_s

    @property
    def hash_seed(self) -> int:
        path = self._made() / "hash-seed"
        with contextlib.suppress(FileExistsError):
            # Linked when complete: no other process reads half of it.
            draft = path.with_name(f".hash-seed-{secrets.token_hex(8)}")
            draft.write_text(str(1 + secrets.randbelow(2**32 - 1)))  # 0 would switch randomisation off
            try:
                os.link(draft, path)
            finally:
                draft.unlink()
        return int(path.read_text())

    def open(self, name: str) -> FileJournal:
        """The session's journal, a new one if there is none; raises `SessionBusy`, `BadSessionName`."""
        _check(name)
        self._made()
        return FileJournal(self.folder, name)

    def __contains__(self, name: str) -> bool:
        return NAME.fullmatch(name) is not None and (self.folder / f"{name}.journal").exists()

    def new_name(self) -> str:
        """A name that no session has, and that nobody guesses."""
        return next(name for name in iter(lambda: f"s{secrets.token_hex(5)}", "") if name not in self)

    def names(self) -> list[str]:
        """Every session that is kept, the one used last first."""
        found = sorted(self.folder.glob("*.journal"), key=lambda path: path.stat().st_mtime, reverse=True)
        return [path.stem for path in found]

    def used_at(self, name: str) -> float:
        """When the session's last cell ended, in seconds since 1970."""
        return (self.folder / f"{name}.journal").stat().st_mtime

    def size(self, name: str) -> int:
        """Bytes that the session takes."""
        files = (self.folder / f"{name}.{kind}" for kind in ("journal", "checkpoint"))
        return sum(path.stat().st_size for path in files if path.exists())

    def delete(self, name: str) -> bool:
        """Delete a session; False if there is none. Raises `SessionBusy` while somebody runs it."""
        _check(name)
        if name not in self:
            return False
        with _Lease(self.folder, name):
            for kind in ("journal", "checkpoint", "lock"):
                (self.folder / f"{name}.{kind}").unlink(missing_ok=True)
        return True

    def expire(self) -> list[str]:
        """Delete the sessions that were silent for too long and that nobody runs; gives their names."""
        oldest = time.time() - self._expire_s
        gone = []
        for path in self.folder.glob("*.journal"):
            with contextlib.suppress(SessionBusy, FileNotFoundError):
                if path.stat().st_mtime < oldest and self.delete(path.stem):
                    gone.append(path.stem)
        return gone

    def _made(self) -> Path:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.folder


class _Lease:
    """The right to run a session. The kernel takes it back when the process ends, however it ends."""

    def __init__(self, folder: Path, name: str) -> None:
        self._path = folder / f"{name}.lock"
        self._file = self._taken(name)

    def _taken(self, name: str) -> int:
        while True:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(file, 1000, 0).decode(errors="replace")
                os.close(file)
                raise SessionBusy(name, holder) from None
            if self._is_there(file):
                os.ftruncate(file, 0)
                os.pwrite(file, _who().encode(), 0)
                return file
            os.close(file)  # deleted between our two calls

    def _is_there(self, file: int) -> bool:
        try:
            return os.stat(self._path).st_ino == os.fstat(file).st_ino
        except FileNotFoundError:
            return False

    def release(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> _Lease:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class FileJournal:
    """The journal of one session, held from the beginning until `close`."""

    def __init__(self, folder: Path, name: str) -> None:
        self._lease = _Lease(folder, name)
        self._path = folder / f"{name}.journal"
        self._checkpoint_path = folder / f"{name}.checkpoint"
        self._cells: list[Cell] = []
        self.last_number = 0
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            self._load()
        except BaseException:
            self._lease.release()
            raise
        self.checkpoint = self._load_checkpoint()

    @property
    def cells(self) -> Sequence[Cell]:
        return self._cells

    def append(self, cell: Cell) -> None:
        self._write(as_json(cell))
        self._cells.append(cell)
        self.last_number = cell.number

    def forget_after(self, number: int) -> None:
        self._write(orjson.dumps({"forget_after": number}))
        self._forget(number)
        if self.checkpoint is not None and self.checkpoint.number > number:
            self.checkpoint = None
            self._checkpoint_path.unlink(missing_ok=True)

    def keep(self, checkpoint: Checkpoint) -> None:
        draft = self._checkpoint_path.with_suffix(".draft")
        head = {"number": checkpoint.number, "left": checkpoint.left, "crc": zlib.crc32(checkpoint.data)}
        draft.write_bytes(_line(orjson.dumps(head)) + checkpoint.data)
        draft.replace(self._checkpoint_path)
        self.checkpoint = checkpoint

    def close(self) -> None:
        if self._file >= 0:
            with contextlib.suppress(OSError):  # a full disk, a file system without it: what is written is written
                os.fdatasync(self._file)
            os.close(self._file)
            self._file = -1
            self._lease.release()

    def _write(self, record: bytes) -> None:
        before, line = os.fstat(self._file).st_size, memoryview(_line(record))
        try:
            while line:
                line = line[os.write(self._file, line) :]
        except OSError:  # a full disk: half a line would end the journal for good
            os.ftruncate(self._file, before)
            raise

    def _forget(self, number: int) -> None:
        self._cells = [cell for cell in self._cells if cell.number <= number]

    def _load(self) -> None:
        with open(self._file, "rb", closefd=False) as file:
            data = file.read()
        whole = 0
        for end, record in _records(data):
            whole = end
            if "forget_after" in record:
                self._forget(record["forget_after"])
            else:
                cell = from_json(record)
                self._cells.append(cell)
                self.last_number = max(self.last_number, cell.number)
        if whole < len(data):
            os.ftruncate(self._file, whole)

    def _load_checkpoint(self) -> Checkpoint | None:
        try:
            line, _, data = self._checkpoint_path.read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        head = _record(line)
        # Written before the cells that it stands for were lost: it belongs to another past.
        known = head is not None and any(cell.number == head["number"] for cell in self._cells)
        if head is None or not known or zlib.crc32(data) != head["crc"]:
            return None
        return Checkpoint(head["number"], tuple(head["left"]), data)


def _line(record: bytes) -> bytes:
    return b"%08x %b\n" % (zlib.crc32(record), record)


def _records(data: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """The whole records from the beginning, each with the position behind it."""
    start = 0
    while (end := data.find(b"\n", start)) >= 0:
        record = _record(data[start:end])
        if record is None:
            return
        start = end + 1
        yield start, record


def _record(line: bytes) -> dict[str, Any] | None:
    checksum, _, record = line.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(record):
        return None
    return orjson.loads(record)


def _check(name: str) -> None:
    if NAME.fullmatch(name) is None:
        raise BadSessionName(name)


def _who() -> str:
    program = " ".join([Path(sys.argv[0]).name or "python", *sys.argv[1:2]])
    return f"{program} (process {os.getpid()} on {socket.gethostname()}, since {time.strftime('%H:%M:%S')})"
