"""Leases: one process at a time runs a session, and another is told which."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import socket
import sys
import time
from pathlib import Path

from .errors import SessionBusy


class Lease:
    """The right to run a session. The kernel takes it back when the process ends, however it ends."""

    def __init__(self, folder: Path, name: str) -> None:
        self._path = folder / f"{name}.lock"
        self._file = self._taken(name)

    def _taken(self, name: str) -> int:
        while True:
            file = opened(self._path, 0)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(file, 1000, 0).decode(errors="replace")
                os.close(file)
                raise SessionBusy(name, holder + _stopped(holder)) from None
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

    def __enter__(self) -> Lease:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def opened(path: Path, flags: int) -> int:
    """A file of one's own, for reading and writing; never through a link that somebody has put there."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | flags, 0o600)


def _who() -> str:
    program = " ".join([Path(sys.argv[0]).name or "python", *sys.argv[1:2]])
    return f"{program} (process {os.getpid()} on {socket.gethostname()}, since {time.strftime('%H:%M:%S')})"


def _stopped(holder: str) -> str:
    """A process that was stopped keeps its lease, and would be waited for in vain."""
    pid = re.search(r"\(process (\d+) on ", holder)
    with contextlib.suppress(OSError, IndexError):
        state = Path(f"/proc/{pid[1]}/stat").read_text().rpartition(")")[2].split()[0] if pid else ""
        return f", which is stopped: `kill -CONT {pid[1]}` lets it go on" if pid and state in "Tt" and state else ""
    return ""
