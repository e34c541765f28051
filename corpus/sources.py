"""Which files `add` takes: names, walks, identities. Nothing here reads a file's content but `digest`."""

from __future__ import annotations

import base64
import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from .folder import Folder

_ID_LENGTH = 10
_BLOCK = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was named or found, or the reason why it cannot be taken."""

    path: Path  # absolute, without links
    refusal: str | None = None

    @property
    def uri(self) -> str:
        return f"file://{quote(os.fsencode(self.path))}"

    @property
    def name(self) -> str:
        """The file's name as text: the system's names are bytes, and need not be."""
        return os.fsencode(self.path.name).decode("utf-8", "replace")

    @property
    def document_id(self) -> str:
        return document_id(self.uri)


@dataclass(frozen=True, slots=True)
class Digest:
    """What a file held when it was read."""

    hex: str  # SHA-256
    size: int  # bytes


def document_id(uri: str) -> str:
    """The id of the document with this uri, the same in every corpus: ten characters of base32."""
    digest = hashlib.sha256(uri.encode()).digest()
    return base64.b32encode(digest).decode().lower()[:_ID_LENGTH]


def walk(paths: Sequence[str | Path]) -> Iterator[Source]:
    """The files at `paths`, folders walked in sorted order, each file once.

    Hidden files and folders are left out when found on a walk, not when named; a corpus is left out in a folder that is
    walked, and refused when named. A link is followed when it is named; on a walk one that stays inside the folder is
    left out, since its target is met anyway, and one that leaves it is refused: whoever hands over a folder does not
    hand over what a link in it points at.
    """
    seen: set[Path] = set()
    for path in paths:
        root = Path(os.path.realpath(os.path.expanduser(path)))
        for source in _named(root):
            if source.path not in seen:
                seen.add(source.path)
                yield source


def _named(root: Path) -> Iterator[Source]:
    if not root.is_dir():
        return iter([_source(root)])
    if Folder(root).is_corpus():
        return iter([Source(root, "a corpus; its databases are no documents")])
    return _inside(root, root)


def _inside(folder: Path, root: Path) -> Iterator[Source]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Source(folder, f"cannot be listed: {error.strerror}")
        return
    for entry in entries:
        path = Path(entry.path)
        if entry.name.startswith("."):
            continue
        if entry.is_symlink():
            if not Path(os.path.realpath(path)).is_relative_to(root):
                yield Source(path, f"a link that leaves the folder, to {os.readlink(path)}")
        elif entry.is_dir(follow_symlinks=False):
            if not Folder(path).is_corpus():  # the one that is added to, most likely
                yield from _inside(path, root)
        else:
            yield _source(path)


def _source(path: Path) -> Source:
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return Source(
            path, "no such file" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
        )
    return Source(path, None if stat.S_ISREG(mode) else "not a regular file")


def digest(path: Path) -> Digest:
    result, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            result.update(block)
            size += len(block)
    return Digest(result.hexdigest(), size)
