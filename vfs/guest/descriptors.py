"""Numbers for open files: `os.open`, `os.read`, `os.fstat` and their kin. They mean something in one worker only."""

from __future__ import annotations

import errno
import itertools
import os
from collections.abc import Callable
from typing import Any

from .refusals import path_argument
from .streams import FileIO
from .system import System
from .tree import Tree, fail

FIRST = 3  # below are the standard streams of a process
MOST = 1024  # open files with a number, as most systems allow: a session that forgets to close them is told
_CHANGING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Descriptors:
    """The open files of one guest by number. A file that was closed has none; its number is given out again."""

    def __init__(self, tree: Tree, system: System) -> None:
        self._tree = tree
        self._system = system
        self._open: dict[int, FileIO] = {}

    def calls(self) -> dict[str, Callable[..., Any]]:
        """The functions by their names in `os`."""
        return {name: getattr(self, name) for name in ("open", "close", "read", "pread", "lseek", "fstat", "stat")}

    def number(self, file: FileIO) -> int:
        """The number of an open file: what its `fileno()` gives."""
        for number, other in self._open.items():
            if other is file:
                return number
        number = next(n for n in itertools.count(FIRST) if n not in self._open or self._open[n].closed)
        if number >= MOST:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        self._open[number] = file
        return number

    def state(self) -> list[FileIO]:
        """The files that are open: no plain data, if there are any."""
        return [file for file in self._open.values() if not file.closed]

    def find(self, number: Any) -> FileIO:
        """The open file with this number; else an OSError, as CPython's."""
        if not hasattr(type(number), "__index__"):
            raise TypeError(f"{type(number).__name__!r} object cannot be interpreted as an integer")
        file = self._open.get(number)
        if file is None or file.closed:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return file

    def open(self, path: Any, flags: int, mode: int = 0o777, *, dir_fd: None = None) -> int:
        """Open a file for reading; flags that would change something are a PermissionError."""
        name = path_argument("open", path)
        if flags & _CHANGING:
            fail(errno.EACCES, name)
        place = self._tree.file(name)
        return self.number(FileIO(self._tree.read(place), place, name, self))

    def close(self, fd: int) -> None:
        """Close a file."""
        self.find(fd).close()
        del self._open[fd]

    def read(self, fd: int, length: int, /) -> bytes:
        """The next bytes of a file."""
        return self.find(fd).read(_size(length))

    def pread(self, fd: int, length: int, offset: int, /) -> bytes:
        """Bytes from anywhere; the position stays."""
        return self.find(fd).getvalue()[offset : offset + _size(length)]

    def lseek(self, fd: int, position: int, how: int, /) -> int:
        """Move the position; the new one."""
        return self.find(fd).seek(position, how)

    def stat(self, path: Any, *, dir_fd: None = None, follow_symlinks: bool = True) -> os.stat_result:
        """Size, times and kind of a file or directory, by its path or number."""
        return self.fstat(path) if isinstance(path, int) else self._system.stat(path)

    def fstat(self, fd: int) -> os.stat_result:
        """Size, times and kind of an open file."""
        return self._system.describe(self.find(fd)._place)


def _size(length: int) -> int:
    if length < 0:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    return length
