"""The calls of `os` and `shutil` that would change something: each is a PermissionError, and changes nothing."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import Any, NoReturn

from .tree import fail

# The paths among the arguments of each call, by the names that CPython gives them. `os.open` is in descriptors.py.
OS = {
    "chflags": "path",
    "chmod": "path",
    "chown": "path",
    "lchmod": "path",
    "lchown": "path",
    "link": "src dst",
    "mkdir": "path",
    "mkfifo": "path",
    "mknod": "path",
    "remove": "path",
    "removedirs": "name",
    "removexattr": "path",
    "rename": "src dst",
    "renames": "old new",
    "replace": "src dst",
    "rmdir": "path",
    "setxattr": "path",
    "symlink": "src dst",
    "truncate": "path",
    "unlink": "path",
    "utime": "path",
}
SHUTIL = {
    "chown": "path",
    "copy": "src dst",
    "copy2": "src dst",
    "copyfile": "src dst",
    "copymode": "src dst",
    "copystat": "src dst",
    "copytree": "src dst",
    "make_archive": "base_name",
    "move": "src dst",
    "rmtree": "path",
    "unpack_archive": "filename extract_dir",
}


def of_os() -> dict[str, Callable[..., NoReturn]]:
    """The refused calls of `os`; the error names every path, as CPython's does."""
    return {name: _refusal(name, paths.split()) for name, paths in OS.items()}


def of_shutil() -> dict[str, Callable[..., NoReturn]]:
    """The refused calls of `shutil`; the error names the path that would be written."""
    return {name: _refusal(name, paths.split(), shown=1) for name, paths in SHUTIL.items()}


def _refusal(name: str, parameters: list[str], shown: int = 2) -> Callable[..., NoReturn]:
    def refuse(*arguments: Any, **options: Any) -> NoReturn:
        given = dict(zip(parameters, arguments, strict=False)) | options
        if parameters[0] not in given:
            raise TypeError(f"{name}() missing required argument {parameters[0]!r} (pos 1)")
        paths = [path_argument(name, given[each], each) for each in parameters if each in given]
        fail(errno.EACCES, *paths[-shown:])

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "Refused: /documents is read-only."
    return refuse


def path_argument(
    call: str, path: Any, parameter: str = "path", kinds: str = "string, bytes or os.PathLike"
) -> str | bytes:
    """The path as str or bytes; anything else is a TypeError in the words of CPython's `os`."""
    if isinstance(path, (str, bytes)) or hasattr(type(path), "__fspath__"):
        return os.fspath(path)
    raise TypeError(f"{call}: {parameter} should be {kinds}, not {type(path).__name__}")
