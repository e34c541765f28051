"""Names to places: walks a path as a kernel walks it, in a tree that holds nothing but `/documents`."""

from __future__ import annotations

import errno
import os
from collections.abc import Collection
from typing import NoReturn

from .documents import KINDS, Documents

MOUNT = "documents"
NAME_BYTES = 255  # the longest file name, as on Linux
PATH_BYTES = 4095  # the longest path, as on Linux

# (), (MOUNT,), (MOUNT, id) or (MOUNT, id, kind): every place that exists has one of these forms.
Place = tuple[str, ...]
PathArgument = str | bytes | os.PathLike[str] | os.PathLike[bytes]

FILE_DEPTH = 3  # parts of a file's place; every shorter one is a directory


def fail(code: int, path: object, second: object = None) -> NoReturn:
    """Raise the OSError that CPython raises for `code`, with its message and class."""
    if second is None:
        raise OSError(code, os.strerror(code), path)
    raise OSError(code, os.strerror(code), path, None, second)


def text_of(path: PathArgument) -> str:
    """The path as an exact str: what a subclass of str overrides does not matter."""
    path = os.fspath(path)
    return str.__str__(path) if isinstance(path, str) else os.fsdecode(path)


class Tree:
    """Where paths lead. Nothing above `/` can be named, and `..` is resolved place by place."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._here: Place = ()

    def find(self, path: PathArgument) -> Place:
        """The place that `path` names; raises FileNotFoundError, NotADirectoryError, ValueError as a kernel would."""
        text = path if type(path) is str else text_of(path)
        parts = text.split("/")
        if len(parts) == 4 and not parts[0] and parts[1] == MOUNT and parts[3] in KINDS:
            document, kind = parts[2:]
            if document in self._documents.ids():  # the usual spelling of a file, which needs no walk
                return (MOUNT, document, kind)
        return self._walk(text, parts, os.fspath(path))

    def _walk(self, text: str, parts: list[str], path: object) -> Place:
        if "\0" in text:
            raise ValueError("embedded null byte")
        if not text:
            fail(errno.ENOENT, path)
        if len(os.fsencode(text)) > PATH_BYTES:  # fsencode: lone surrogates are a UnicodeEncodeError, as in CPython
            fail(errno.ENAMETOOLONG, path)
        place = () if text.startswith("/") else self._here
        for part in parts:
            place = self._step(place, part, path)
        return place

    def _step(self, place: Place, part: str, path: object) -> Place:
        if len(place) == FILE_DEPTH:  # also for "file/" and "file/."
            fail(errno.ENOTDIR, path)
        if part in ("", "."):
            return place
        if part == "..":
            return place[:-1]
        if len(os.fsencode(part)) > NAME_BYTES:
            fail(errno.ENAMETOOLONG, path)
        if part not in self.names(place):
            fail(errno.ENOENT, path)
        return (*place, part)

    def names(self, place: Place) -> Collection[str]:
        """The names in a directory, in the corpus's order."""
        if len(place) == 1:
            return self._documents.ids()
        return KINDS if place else (MOUNT,)

    def list(self, path: PathArgument) -> tuple[Place, list[str]]:
        """A directory's place and the names in it."""
        place = self.find(path)
        if len(place) == FILE_DEPTH:
            fail(errno.ENOTDIR, os.fspath(path))
        return place, list(self.names(place))

    def here(self) -> str:
        """The working directory."""
        return "/" + "/".join(self._here)

    def go(self, path: PathArgument) -> None:
        """Change the working directory."""
        self._here, _ = self.list(path)

    def resume(self, here: str) -> None:
        """Set the working directory that was another worker's, without asking whether it is there still."""
        self._here = tuple(filter(None, here.split("/")))

    def file(self, path: PathArgument) -> Place:
        """The place of a file."""
        place = self.find(path)
        if len(place) < FILE_DEPTH:
            fail(errno.EISDIR, os.fspath(path))
        return place

    def read(self, file: Place) -> bytes:
        """The bytes of a file, which counts as opened from now on."""
        return self._documents.open(file[1], file[2])

    def open(self, path: PathArgument) -> bytes:
        """The bytes of the file that `path` names."""
        return self.read(self.file(path))
