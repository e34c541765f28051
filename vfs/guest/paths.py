"""`pathlib` for cells: the private copy, in which whole files are read without a file object between."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .copies import PATHLIB, Copies
from .tree import FILE_DEPTH, Place, Tree

NAMES = ("Path", "PosixPath", "PurePath", "PurePosixPath")

_PLAIN = (None, "locale", "utf-8", "utf8", "UTF-8", "UTF8")  # encodings that bytes.decode does in the same way


def pathlib(copies: Copies, tree: Tree) -> dict[str, Any]:
    """The classes that cells import from pathlib."""
    module = copies.load(PATHLIB)
    for pure, concrete in ((module.PurePath, module.PurePosixPath), (module.Path, module.PosixPath)):
        if not hasattr(pure, "_flavour") and hasattr(concrete, "_flavour"):
            pure._flavour = concrete._flavour  # 3.11: makes Path a base class, as it is from 3.12 on
    module.Path.read_bytes = _bytes_reader(tree)
    for name, is_wanted in (("exists", lambda place: True), ("is_file", _is_file), ("is_dir", _is_folder)):
        setattr(module.Path, name, _prober(tree, getattr(module.Path, name), is_wanted))
    module.Path.read_text = _text_reader(tree, module.Path.read_text)
    return {name: getattr(module, name) for name in NAMES}


def _bytes_reader(tree: Tree) -> Callable[..., bytes]:
    def read_bytes(self: os.PathLike[str]) -> bytes:
        """The bytes of the file."""
        return tree.open(self)

    return read_bytes


def _is_file(place: Place) -> bool:
    return len(place) == FILE_DEPTH


def _is_folder(place: Place) -> bool:
    return len(place) < FILE_DEPTH


def _prober(tree: Tree, by_stat: Callable[..., bool], is_wanted: Callable[[Place], bool]) -> Callable[..., bool]:
    def probe(self: os.PathLike[str], **options: Any) -> bool:
        try:
            place = tree.find(self)
        except (OSError, ValueError):
            return by_stat(self, **options)  # which of them are no error differs from version to version
        return is_wanted(place)

    probe.__name__, probe.__doc__ = by_stat.__name__, by_stat.__doc__
    return probe


def _text_reader(tree: Tree, through_file: Callable[..., str]) -> Callable[..., str]:
    def read_text(
        self: os.PathLike[str], encoding: str | None = None, errors: str | None = None, *more: Any, **options: Any
    ) -> str:
        """The text of the file, every line end a newline."""
        if more or options or encoding not in _PLAIN or errors not in (None, "strict"):
            return through_file(self, encoding, errors, *more, **options)
        text = tree.open(self).decode()
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text

    return read_text
