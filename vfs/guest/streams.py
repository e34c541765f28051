"""File objects: CPython's own text and buffer layers over a raw file that reads from memory."""

from __future__ import annotations

import codecs
import errno
import io
import os
import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any, NamedTuple, NoReturn

from .tree import PathArgument, Place, Tree, fail

if TYPE_CHECKING:
    from .descriptors import Descriptors

# Decoders are modules; they must be there before the worker is jailed.
for _name in (
    "ascii latin-1 utf-8 utf-8-sig utf-16 utf-16-le utf-16-be utf-32 utf-7 "
    "cp437 cp850 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 iso8859-2 iso8859-5 iso8859-7 iso8859-15 "
    "koi8-r mac-roman big5 euc-jp euc-kr gb18030 shift-jis"
).split():
    codecs.lookup(_name)

ENCODING = "UTF-8"  # of every file; what `open` uses when it is told no other


class FileIO(io.BytesIO):
    """A read-only raw file, named and printed as CPython's; over BytesIO, which reads without a call into Python."""

    def __init__(self, body: bytes, place: Place, name: PathArgument, descriptors: Descriptors) -> None:
        super().__init__(body)  # shares the bytes
        self._size = len(body)
        self._place = place
        self._descriptors = descriptors
        self.name: PathArgument | int = name
        self.mode = "rb"  # pyright: ignore[reportAttributeAccessIssue]
        self.closefd = True

    def __repr__(self) -> str:
        if self.closed:
            return "<_io.FileIO [closed]>"
        return f"<_io.FileIO name={self.name!r} mode='rb' closefd=True>"

    def seek(self, offset: int, whence: int = 0, /) -> int:
        starts = {os.SEEK_SET: 0, os.SEEK_CUR: self.tell(), os.SEEK_END: self._size}
        if whence not in starts or starts[whence] + offset < 0:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return super().seek(starts[whence] + offset)

    def fileno(self) -> int:
        if self.closed:
            raise ValueError("I/O operation on closed file")
        return self._descriptors.number(self)

    def _again(self) -> FileIO:
        """The same file at the same position, to be closed on its own."""
        other = FileIO(self.getvalue(), self._place, "", self._descriptors)
        other.seek(self.tell())
        return other

    def writable(self) -> bool:
        return False

    def write(self, *data: object) -> NoReturn:
        self.tell()  # a closed file says that first
        raise io.UnsupportedOperation("File not open for writing")

    writelines = truncate = write
    readall = io.BytesIO.read
    readlines: Any = io.IOBase.readlines  # BytesIO's own understands the hint differently


def file_opener(tree: Tree, descriptors: Descriptors) -> Callable[..., IO[Any]]:
    """The function that cells call `open`."""

    def open(
        file: PathArgument | int,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,
        opener: Callable[[PathArgument, int], int] | None = None,
    ) -> IO[Any]:
        """Open a file below /documents for reading; every other mode is a PermissionError."""
        if not isinstance(file, int):
            file = os.fspath(file)
        form = _form(mode)
        if buffering != -1 or (encoding, errors, newline) != (None, None, None):
            _check(form.binary, buffering, {"encoding": encoding, "errors": errors, "newline": newline})
        if not closefd and not isinstance(file, int):
            raise ValueError("Cannot use closefd=False with file name")
        if form.writing:
            fail(errno.EACCES, file)
        raw: Any
        if opener is not None and not isinstance(file, int):
            raw = descriptors.find(_opened(opener(file, os.O_RDONLY | os.O_CLOEXEC)))
            raw.name = file
        elif isinstance(file, int):
            raw = descriptors.find(file)
            if not closefd:  # closing the new one leaves the other open
                raw = raw._again()
            raw.name = file
        else:
            place = tree.file(file)
            raw = FileIO(tree.read(place), place, file, descriptors)
        if buffering == 0:
            return raw
        buffered = io.BufferedReader(raw, buffering if buffering > 1 else io.DEFAULT_BUFFER_SIZE)
        if form.binary:
            return buffered
        text = io.TextIOWrapper(buffered, _encoding(encoding), errors, newline, buffering == 1)
        text.mode = mode  # pyright: ignore[reportAttributeAccessIssue]
        return text

    open.__qualname__ = "open"
    return open


def fdopen_of(open: Callable[..., IO[Any]]) -> Callable[..., IO[Any]]:
    """The function that cells call `os.fdopen`."""

    def fdopen(fd: int, mode: str = "r", buffering: int = -1, encoding: str | None = None, *more: Any) -> IO[Any]:
        """A file object over an open descriptor."""
        if not isinstance(fd, int):
            raise TypeError(f"invalid fd type ({type(fd)}, expected integer)")
        return open(fd, mode, buffering, encoding, *more)

    fdopen.__qualname__ = "fdopen"
    return fdopen


class _Form(NamedTuple):
    """What a mode string asks for."""

    binary: bool
    writing: bool


@lru_cache
def _form(mode: str) -> _Form:
    """Read a mode; refuses in the words of CPython's `open`."""
    if not isinstance(mode, str):
        raise TypeError(f"open() argument 'mode' must be str, not {type(mode).__name__}")
    modes = set(mode)
    if modes - set("axrwb+t") or len(mode) > len(modes):
        raise ValueError(f"invalid mode: {mode!r}")
    if {"b", "t"} <= modes:
        raise ValueError("can't have text and binary mode at once")
    if len(modes & set("axrw")) > 1:
        raise ValueError("must have exactly one of create/read/write/append mode")
    if not modes & set("axrw"):
        raise ValueError("Must have exactly one of create/read/write/append mode and at most one plus")
    return _Form("b" in modes, bool(modes & set("wax+")))


def _check(binary: bool, buffering: int, text_only: dict[str, str | None]) -> None:
    """Refuse what goes with text only, or with bytes only; `text_only` holds the arguments that bytes do not take."""
    given = {name: value for name, value in text_only.items() if value is not None}
    for name, value in given.items():
        if not isinstance(value, str):
            raise TypeError(f"open() argument {name!r} must be str or None, not {type(value).__name__}")
        if binary:
            raise ValueError(f"binary mode doesn't take {'a' if name == 'newline' else 'an'} {name} argument")
    if buffering == 0 and not binary:
        raise ValueError("can't have unbuffered text I/O")
    if buffering == 1 and binary:
        message = "line buffering (buffering=1) isn't supported in binary mode, the default buffer size will be used"
        warnings.warn(message, RuntimeWarning, stacklevel=3)


def _opened(number: object) -> int:
    """What an opener gave; refuses in the words of CPython's `open`."""
    if not isinstance(number, int):
        raise TypeError("expected integer from opener")
    if number < 0:
        raise ValueError(f"opener returned {number}")
    return number


def _encoding(encoding: str | None) -> str:
    return ENCODING if encoding in (None, "locale") else encoding
