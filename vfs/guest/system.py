"""The calls of `os` that look at files, over the tree; the calls that would change something are refused."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from .documents import KINDS, Documents
from .tree import FILE_DEPTH, PathArgument, Place, Tree, fail, text_of

DIRECTORY_MODE = stat.S_IFDIR | 0o555
FILE_MODE = stat.S_IFREG | 0o444
DIRECTORY_SIZE = 4096  # bytes, as most file systems say

# Calls that would change something, and how many of their arguments are paths.
REFUSED = {
    "chflags": 1,
    "chmod": 1,
    "chown": 1,
    "lchmod": 1,
    "lchown": 1,
    "link": 2,
    "mkdir": 1,
    "mkfifo": 1,
    "mknod": 1,
    "open": 1,  # what `Path.touch` calls; reading through descriptors is not offered
    "remove": 1,
    "removedirs": 1,
    "removexattr": 1,
    "rename": 2,
    "renames": 2,
    "replace": 2,
    "rmdir": 1,
    "setxattr": 1,
    "symlink": 2,
    "truncate": 1,
    "unlink": 1,
    "utime": 1,
}


def refusal(name: str, paths: int = 1) -> Callable[..., NoReturn]:
    """A call named `name` that always raises PermissionError."""

    def refuse(*arguments: Any, **options: Any) -> NoReturn:
        named = [os.fspath(path) for path in arguments[:paths]]
        fail(errno.EACCES, *(named or [None]))

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "Refused: /documents is read-only."
    return refuse


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


class Scan:
    """The iterator of `scandir`, which is a context manager too."""

    def __init__(self, entries: Iterator[DirEntry]) -> None:
        self._entries = entries

    def __iter__(self) -> Scan:
        return self

    def __next__(self) -> DirEntry:
        return next(self._entries)

    def __enter__(self) -> Scan:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Forget the entries that are left."""
        self._entries = iter(())


class System:
    """`os`, as far as it reads; no argument is a descriptor, since none is open."""

    def __init__(self, documents: Documents, tree: Tree) -> None:
        self._documents = documents
        self._tree = tree

    def calls(self) -> dict[str, Callable[..., Any]]:
        """The functions by their names in `os`."""
        reading = ("access", "chdir", "getcwd", "getcwdb", "listdir", "lstat", "readlink", "scandir", "stat")
        refused = {name: refusal(name, paths) for name, paths in REFUSED.items()}
        return refused | {name: getattr(self, name) for name in reading}

    def stat(self, path: PathArgument, *, dir_fd: None = None, follow_symlinks: bool = True) -> os.stat_result:
        """Size, times and kind of a file or directory."""
        return self.describe(self._tree.find(path))

    def lstat(self, path: PathArgument, *, dir_fd: None = None) -> os.stat_result:
        """Like stat: there are no links."""
        return self.stat(path)

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
        path = "." if path is None else path
        _, names = self._tree.list(path)
        return [os.fsencode(name) for name in names] if _is_bytes(path) else names

    def scandir(self, path: PathArgument | None = None) -> Scan:
        """The entries of a directory."""
        path = "." if path is None else path
        place, names = self._tree.list(path)
        front = os.path.join(text_of(path), "")
        kind = os.fsencode if _is_bytes(path) else str
        entries = (DirEntry(self, (*place, name), kind(name), kind(front + name)) for name in names)
        return Scan(entries)

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
        try:
            place = self._tree.find(path)
        except OSError:
            return False
        return not mode & os.W_OK and not (mode & os.X_OK and len(place) == FILE_DEPTH)

    def readlink(self, path: PathArgument, *, dir_fd: None = None) -> str:
        """Nothing here is a link."""
        self._tree.find(path)
        fail(errno.EINVAL, os.fspath(path))

    def chdir(self, path: PathArgument) -> None:
        """Change the directory that relative paths start from."""
        self._tree.go(path)

    def getcwd(self) -> str:
        """The directory that relative paths start from: `/` at first."""
        return self._tree.here()

    def getcwdb(self) -> bytes:
        """The same as bytes."""
        return os.fsencode(self.getcwd())


def _stat(mode: int, number: int, size: int, modified: float) -> os.stat_result:
    links = 1 if mode == FILE_MODE else 2
    second, exact = int(modified), int(modified * 10**9)
    seconds, floats, exacts = (second,) * 3, (modified,) * 3, (exact,) * 3
    return os.stat_result((mode, number, 1, links, 0, 0, size, *seconds, *floats, *exacts))


def _is_bytes(path: PathArgument) -> bool:
    return isinstance(os.fspath(path), bytes)
