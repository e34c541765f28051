"""The calls of `os` that look at files by path, over the tree."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from typing import Any

from .documents import KINDS, Documents
from .refusals import path_argument
from .tree import FILE_DEPTH, PathArgument, Place, Tree, fail, text_of

DIRECTORY_MODE = stat.S_IFDIR | 0o555
FILE_MODE = stat.S_IFREG | 0o444
DIRECTORY_SIZE = BLOCK_SIZE = 4096  # bytes, as most file systems say

_OR_NUMBER = "string, bytes, os.PathLike or integer"
_OR_NOTHING = "string, bytes, os.PathLike, integer or None"


class DirEntry:
    """What `scandir` yields."""

    __slots__ = ("_place", "_system", "name", "path")

    def __init__(self, system: System, place: Place, name: str | bytes, path: str | bytes) -> None:
        self._system = system
        self._place = place
        self.name = name
        self.path = path

    def __fspath__(self) -> str | bytes:
        return self.path

    def __repr__(self) -> str:
        return f"<DirEntry {self.name!r}>"

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return not self.is_file()

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return len(self._place) == FILE_DEPTH

    def is_symlink(self) -> bool:
        return False

    def is_junction(self) -> bool:
        return False

    def inode(self) -> int:
        return self.stat().st_ino

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return self._system.describe(self._place)


class ScandirIterator:
    """The iterator of `scandir`, which is a context manager too."""

    def __init__(self, entries: Iterator[DirEntry]) -> None:
        self._entries = entries

    def __iter__(self) -> ScandirIterator:
        return self

    def __next__(self) -> DirEntry:
        return next(self._entries)

    def __enter__(self) -> ScandirIterator:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Forget the entries that are left."""
        self._entries = iter(())


class System:
    """`os`, as far as it reads by path; numbers of open files are in descriptors.py."""

    def __init__(self, documents: Documents, tree: Tree) -> None:
        self._documents = documents
        self._tree = tree

    def calls(self) -> dict[str, Callable[..., Any]]:
        """The functions by their names in `os`."""
        reading = ("access", "chdir", "getcwd", "getcwdb", "listdir", "lstat", "readlink", "scandir", "stat")
        return {name: getattr(self, name) for name in reading}

    def stat(self, path: PathArgument, *, dir_fd: None = None, follow_symlinks: bool = True) -> os.stat_result:
        """Size, times and kind of a file or directory."""
        return self.describe(self._tree.find(path_argument("stat", path, kinds=_OR_NUMBER)))

    def lstat(self, path: PathArgument, *, dir_fd: None = None) -> os.stat_result:
        """Like stat: there are no links."""
        return self.describe(self._tree.find(path_argument("lstat", path)))

    def describe(self, place: Place) -> os.stat_result:
        """The stat of a place; inode numbers follow the corpus's order."""
        if len(place) < 2:
            return _stat(DIRECTORY_MODE, 1 + len(place), DIRECTORY_SIZE, 0.0)
        facts = self._documents.facts(place[1])
        number = (self._documents.ids()[place[1]] + 1) * 8
        if len(place) == 2:
            return _stat(DIRECTORY_MODE, number, DIRECTORY_SIZE, facts.modified)
        kind = KINDS.index(place[2])
        return _stat(FILE_MODE, number + kind + 1, facts.sizes[kind], facts.modified)

    def listdir(self, path: PathArgument | None = None) -> list[Any]:
        """The names in a directory."""
        path = "." if path is None else path_argument("listdir", path, kinds=_OR_NOTHING)
        _, names = self._tree.list(path)
        return [os.fsencode(name) for name in names] if _is_bytes(path) else names

    def scandir(self, path: PathArgument | None = None) -> ScandirIterator:
        """The entries of a directory."""
        path = "." if path is None else path_argument("scandir", path, kinds=_OR_NOTHING)
        place, names = self._tree.list(path)
        front = os.path.join(text_of(path), "")
        kind = os.fsencode if _is_bytes(path) else str
        entries = (DirEntry(self, (*place, name), kind(name), kind(front + name)) for name in names)
        return ScandirIterator(entries)

    def access(
        self,
        path: PathArgument,
        mode: int,
        *,
        dir_fd: None = None,
        effective_ids: bool = False,
        follow_symlinks: bool = True,
    ) -> bool:
        """True iff the path exists and may be used so."""
        path = path_argument("access", path)
        try:
            place = self._tree.find(path)
        except OSError:
            return False
        return not mode & os.W_OK and not (mode & os.X_OK and len(place) == FILE_DEPTH)

    def readlink(self, path: PathArgument, *, dir_fd: None = None) -> str:
        """Nothing here is a link."""
        path = path_argument("readlink", path)
        self._tree.find(path)
        fail(errno.EINVAL, path)

    def chdir(self, path: PathArgument) -> None:
        """Change the directory that relative paths start from."""
        self._tree.go(path_argument("chdir", path, kinds=_OR_NUMBER))

    def getcwd(self) -> str:
        """The directory that relative paths start from: `/` at first."""
        return self._tree.here()

    def getcwdb(self) -> bytes:
        """The same as bytes."""
        return os.fsencode(self.getcwd())


def _stat(mode: int, number: int, size: int, modified: float) -> os.stat_result:
    links = 1 if mode == FILE_MODE else 2
    exact = round(modified * 10**6) * 1000  # nanoseconds; a corpus keeps microseconds
    second, rest = divmod(exact, 10**9)
    seconds, floats, exacts = (second,) * 3, (second + 1e-9 * rest,) * 3, (exact,) * 3
    blocks = (BLOCK_SIZE, -(-size // 512), 0)
    return os.stat_result((mode, number, 1, links, 0, 0, size, *seconds, *floats, *exacts, *blocks))


def _is_bytes(path: PathArgument) -> bool:
    return isinstance(os.fspath(path), bytes)
