"""Library modules that open files by themselves: `linecache`, `fileinput` and what of `codecs` reads files."""

from __future__ import annotations

import codecs
import io
import sys
import tokenize
from collections.abc import Callable
from typing import IO, Any

from .copies import Copies, Names

Opener = Callable[..., IO[Any]]

_CODECS_NAMES = (
    "BOM_UTF8 BOM_UTF16 BOM_UTF16_BE BOM_UTF16_LE BOM_UTF32 BOM_UTF32_BE BOM_UTF32_LE StreamReader getreader"
).split()
# Not hook_compressed: it opens files through modules that are none of ours.
_FILEINPUT_NAMES = "FileInput close filelineno filename fileno hook_encoded input isfirstline isstdin lineno nextfile"


def modules(copies: Copies, open: Opener, cached: dict[str, list[str]]) -> dict[str, dict[str, object]]:
    """The modules as cells import them; `cached` is filled with what linecache holds, lines by file name."""
    fileinput = copies.load("fileinput")
    fileinput.sys = Names(
        argv=["-c"], stdin=io.StringIO(), flags=sys.flags
    )  # nobody is at the keyboard, and no arguments are given
    return {
        "linecache": _linecache(open, cached),
        "fileinput": {name: getattr(fileinput, name) for name in _FILEINPUT_NAMES.split()},
        "codecs": {name: getattr(codecs, name) for name in _CODECS_NAMES} | {"open": _codecs_open(open)},
    }


def _codecs_open(open: Opener) -> Opener:
    def codecs_open(
        filename: Any, mode: str = "r", encoding: str | None = None, errors: str = "strict", buffering: int = -1
    ) -> Any:
        """Open a file whose lines end as they are stored; text is decoded, without `encoding` it is bytes."""
        if encoding is not None:
            mode = mode.replace("U", "")
            mode = mode if "b" in mode else mode + "b"
        file = open(filename, mode, buffering)
        if encoding is None:
            return file
        try:
            info = codecs.lookup(encoding)
            reader = codecs.StreamReaderWriter(file, info.streamreader, info.streamwriter, errors)
        except BaseException:
            file.close()
            raise
        reader.encoding = encoding
        return reader

    codecs_open.__name__ = codecs_open.__qualname__ = "open"
    return codecs_open


def _linecache(open: Opener, cache: dict[str, list[str]]) -> dict[str, object]:
    def getlines(filename: str, module_globals: object = None) -> list[str]:
        """The lines of a file, the last one with a line end too; [] for one that cannot be read."""
        if filename not in cache:
            try:
                cache[filename] = _lines(open, filename)
            except (OSError, UnicodeDecodeError, SyntaxError):
                return []
        return cache[filename]

    def getline(filename: str, lineno: int, module_globals: object = None) -> str:
        """One line of a file, counted from 1; "" if there is none."""
        lines = getlines(filename)
        return lines[lineno - 1] if 1 <= lineno <= len(lines) else ""

    def clearcache() -> None:
        """Forget what was read."""
        cache.clear()

    def checkcache(filename: str | None = None) -> None:
        """Forget what may have changed: files do between cells at most."""
        cache.clear()

    return {each.__name__: _named(each) for each in (getlines, getline, clearcache, checkcache)}


def _named(function: Any) -> Any:
    function.__qualname__ = function.__name__
    return function


def _lines(open: Opener, filename: str) -> list[str]:
    with open(filename, "rb") as file:
        encoding, _ = tokenize.detect_encoding(file.readline)
        file.seek(0)
        lines = io.TextIOWrapper(file, encoding, line_buffering=True).readlines()  # type: ignore[arg-type]
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return lines
