"""Pictures that lie beside a Markdown file, copied for the child that reads it: it can open nothing else.

Only files in the document's own folder and below are taken, however the text names them: whoever hands over a document
does not hand over what it points at.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from urllib.parse import unquote

from .pictures import MAX_BYTES, MAX_PICTURES

_TEXT_BYTES = 8 << 20  # of a text that are looked through
_ADDRESS = re.compile(
    r"""!\[[^\[\]]{0,500}\]\(\s*(?:<([^<>\n]{1,1000})>|([^\s()<>]{1,1000}))"""
    r"""|^[ ]{0,3}\[[^\[\]]{1,500}\]:\s*<?([^\s<>]{1,1000})"""
    r"""|<img\b[^<>]{0,1000}?\bsrc\s*=\s*["']([^"'<>]{1,1000})""",
    re.IGNORECASE | re.MULTILINE,
)
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]+:|//|/|#", re.IGNORECASE)


def collect(document: Path, copy: Path, into: Path) -> dict[str, str]:
    """Copy the pictures that a document names into a new folder; names of the copies by unquoted address.

    `copy` is what will be read of the document.
    """
    into.mkdir()
    found: dict[str, str] = {}
    room = MAX_BYTES
    for address in _addresses(copy):
        if len(found) == MAX_PICTURES:
            break
        size = _copied(document.parent, address, into / str(len(found)), room)
        if size:
            found[address] = str(len(found))
            room -= size
    return found


def _addresses(copy: Path) -> list[str]:
    """Relative ones, each once."""
    with copy.open("rb") as file:
        text = file.read(_TEXT_BYTES).decode("utf-8", "replace")
    named = (next(filter(None, match.groups())) for match in _ADDRESS.finditer(text))
    return list(dict.fromkeys(unquote(address) for address in named if not _ELSEWHERE.match(address)))


def _copied(folder: Path, address: str, to: Path, room: int) -> int:
    """How many bytes were copied; none of what is not there, not below the folder, no file, or too large."""
    try:
        path = Path(os.path.realpath(folder / address, strict=True))
        if not path.is_relative_to(os.path.realpath(folder)):
            return 0
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > room:
                return 0
            return to.write_bytes(file.read(room))
    except (OSError, ValueError):  # no such file; an address that is no path
        return 0
