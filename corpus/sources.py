"""Which files `add` and `sync` take: names, walks, identities. Nothing here reads a file's content but `Digests`."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import BinaryIO, Literal
from urllib.parse import quote, unquote, unquote_to_bytes

from .companions import is_sidecar
from .documents import INSIDE
from .folder import Folder
from .patterns import Selection

_ID_LENGTH = 10
_BLOCK = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was named or found, or the reason why it cannot be taken."""

    path: Path  # absolute, without links
    refusal: str | None = None
    because: Literal["fault", "link", "choice"] = "fault"  # of a refusal: what it is due to
    member: str = ""  # of a file in the file: what its uri has more

    @property
    def uri(self) -> str:
        return uri_of(self.path) + self.member

    @property
    def name(self) -> str:
        """The file's name as text."""
        return name_of(self.uri)

    @property
    def place(self) -> str:
        """The path, with the way inside the file."""
        return f"{self.path}{unquote(self.member)}"

    def inside(self, name: str) -> Source:
        """A file in this one."""
        return Source(self.path, member=f"{self.member}{INSIDE}{quote(name.encode('utf-8', 'replace'))}")


@dataclass(frozen=True, slots=True)
class Digest:
    """What a file held when it was read."""

    hex: str  # SHA-256
    size: int  # bytes


def uri_of(path: Path) -> str:
    return f"file://{quote(os.fsencode(path))}"


def path_of(uri: str) -> Path:
    """Where the source with a uri of ours lies; of one in a file, that file."""
    return Path(os.fsdecode(unquote_to_bytes(uri.removeprefix("file://").partition(INSIDE)[0])))


def place_of(uri: str) -> str:
    """Where a source with a uri of ours lies, for people; of one in a file with the way inside it."""
    _, inside, member = uri.partition(INSIDE)
    return f"{path_of(uri)}{inside}{unquote(member)}"


def is_member(uri: str) -> bool:
    """Whether it is a file in another one."""
    return INSIDE in uri


def name_of(uri: str) -> str:
    """The file's name as text: the system's names are bytes, and need not be."""
    return unquote_to_bytes(re.split(f"[/{INSIDE}]", uri)[-1]).decode("utf-8", "replace")


def document_id(uri: str, number: int = 0) -> str:
    """The id for a document with this uri, the same in every corpus: ten characters of base32.

    `number` counts the ids that are taken: by a document whose hash begins the same, or that once lay at this uri.
    """
    digest = hashlib.sha256((f"{uri}\x1f{number}" if number else uri).encode()).digest()
    return base64.b32encode(digest).decode().lower()[:_ID_LENGTH]


def identify(uris: Iterable[str], known: Mapping[str, str], taken: Collection[str]) -> dict[str, str]:
    """The id for each uri: that of the document stored under it (`known`), else a new one that is not `taken`."""
    ids, used = {}, {*taken}
    for uri in uris:
        id = known.get(uri) or next(id for number in count() if (id := document_id(uri, number)) not in used)
        used.add(id)
        ids[uri] = id
    return ids


def survey(folder: Path, selection: Selection) -> Iterator[Source]:
    """Every file below `folder` in sorted order; what is left out with the reason."""
    return _inside(folder, folder, selection)


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
    return (source for source in _inside(root, root, Selection()) if source.because != "choice")


def _inside(folder: Path, root: Path, selection: Selection) -> Iterator[Source]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Source(folder, f"cannot be listed: {error.strerror}")
        return
    for entry in entries:
        path, is_folder = Path(entry.path), entry.is_dir(follow_symlinks=False)
        if left_out := _left_out(entry, path.relative_to(root).as_posix(), is_folder, selection):
            yield Source(path, left_out, "choice")
        elif entry.is_symlink():
            if not Path(os.path.realpath(path)).is_relative_to(root):
                yield Source(path, f"a link that leaves the folder, to {os.readlink(path)}", "link")
        elif is_folder:
            yield from _inside(path, root, selection)
        else:
            yield _source(path)


def _left_out(entry: os.DirEntry[str], path: str, is_folder: bool, selection: Selection) -> str | None:
    if entry.name.startswith("."):
        return "hidden"
    if is_folder and Folder(Path(entry.path)).is_corpus():  # the one that is added to, most likely
        return "a corpus"
    if is_sidecar(Path(entry.path)):
        return "metadata of the file beside it"
    return selection.refusal(path, is_folder=is_folder)


def _source(path: Path) -> Source:
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return Source(
            path, "no such file" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
        )
    return Source(path, None if stat.S_ISREG(mode) else "not a regular file")


def digest_of(path: Path) -> Digest:
    """What a file holds now."""
    with path.open("rb") as file:
        return _digest(file)


class Digests:
    """Digests of files, read once as long as nothing about a file has changed; for one who looks again and again."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[tuple[int, ...], Digest]] = {}

    def of(self, path: Path) -> Digest:
        with path.open("rb") as file:
            marks = _marks(file.fileno())
            before, found = self._known.get(path, (None, None))
            if found is None or before != marks:
                found = _digest(file)
            # A file that is written while it is read is read again the next time.
            self._known[path] = (marks, found)
        return found


def _marks(descriptor: int) -> tuple[int, ...]:
    """What changes with every change of a file: the system itself keeps the last one."""
    found = os.fstat(descriptor)
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _digest(file: BinaryIO) -> Digest:
    result, size = hashlib.sha256(), 0
    while block := file.read(_BLOCK):
        result.update(block)
        size += len(block)
    return Digest(result.hexdigest(), size)
