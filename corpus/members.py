"""Files that were in a file, unpacked by a child into a folder of their own, for as long as they are needed."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .conversion.job import MEMBER

_LONGEST_NAME = 200  # bytes of a file's name that its copy keeps


@dataclass(frozen=True, slots=True)
class Unpacked:
    """One of them."""

    name: str  # with the folders in the archive
    path: Path | None  # None if it was not unpacked
    refusal: str = ""  # why


class Members:
    """What a child has unpacked; deleted when it is closed or forgotten."""

    def __init__(self, files: Sequence[Unpacked], folder: Path | None = None, left_in: int = 0) -> None:
        self.files = files
        self.left_in = left_in  # files that were not even looked at: there were too many
        self.close = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True) if folder else _nothing

    @property
    def bytes(self) -> int:
        return sum(file.path.stat().st_size for file in self.files if file.path is not None)

    def __enter__(self) -> Members:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _nothing() -> None:
    pass


def collect(told: Sequence[Any], left_in: int, output: Path) -> Members:
    """Take over the files that a child has left.

    ValueError for one that is no plain file: a link could point anywhere.
    """
    if not told:
        return Members([])
    folder = Path(tempfile.mkdtemp(prefix="glossator-members-"))
    members = Members([_taken(entry, number, output, folder) for number, entry in enumerate(told)], folder, left_in)
    return members


def _taken(entry: Any, number: int, output: Path, folder: Path) -> Unpacked:
    name, refusal = map(str, entry)
    if refusal:
        return Unpacked(name, None, refusal.splitlines()[0])
    file = output / f"{MEMBER}{number}"
    if not stat.S_ISREG(os.lstat(file).st_mode):
        raise ValueError(file.name)
    (folder / str(number)).mkdir()
    return Unpacked(name, file.rename(folder / str(number) / _plain(name)))


def _plain(name: str) -> str:
    """The name as that of a file of ours: its end tells the format."""
    last = (
        name.rsplit("/", 1)[-1].replace("\0", "").encode("utf-8", "replace")[-_LONGEST_NAME:].decode("utf-8", "ignore")
    )
    return last if last.strip(". ") else "file"
