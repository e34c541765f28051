"""ZIP archives: a table of the files in them, each of which becomes a document of its own."""

from __future__ import annotations

import io
import posixpath
import stat
import zipfile
from collections.abc import Iterator

from ..items import Item, Member, Reading, Source, Table, Unreadable
from .archive import BROKEN, member

_MAX_ENTRIES = 20_000
_MAX_BYTES = 256 << 20  # of one file; larger ones are not read outside of archives either
_LITTER = ("__MACOSX/",)  # of the programs that pack


def read(source: Source) -> Reading:
    try:
        archive = zipfile.ZipFile(io.BytesIO(source.data))
    except BROKEN as error:
        raise Unreadable(f"broken archive: {error}") from error
    entries = [entry for entry in archive.infolist() if not entry.is_dir() and not _is_hidden(entry.filename)]
    if len(entries) > _MAX_ENTRIES:
        raise Unreadable(f"an archive of {len(entries)} files: more than {_MAX_ENTRIES} are too much")
    if not entries:
        return Reading([])
    members = [
        Member(name, lambda entry=entry: member(archive, entry, _MAX_BYTES), _refusal(entry))
        for name, entry in zip(_names(entries), entries, strict=True)
    ]
    rows = [(each.name, str(entry.file_size)) for each, entry in zip(members, entries, strict=True)]
    return Reading([Item("table", table=Table.of(("File", "Bytes"), rows))], members=members)


def _names(entries: list[zipfile.ZipInfo]) -> Iterator[str]:
    """The files' names without what would lead out of the archive; no two are the same."""
    used: set[str] = set()
    for entry in entries:
        parts = entry.filename.replace("\\", "/").split("/")
        name = "/".join(part for part in parts if part.strip() not in ("", ".", "..")) or "file"
        stem, suffix = posixpath.splitext(name)
        number = 1
        while name in used:
            number += 1
            name = f"{stem} ({number}){suffix}"
        used.add(name)
        yield name


def _is_hidden(name: str) -> bool:
    return name.startswith(_LITTER) or any(part.startswith(".") and part not in (".", "..") for part in name.split("/"))


def _refusal(entry: zipfile.ZipInfo) -> str:
    if entry.flag_bits & 1:
        return "encrypted: a password is needed"
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "a link"
    if entry.file_size > _MAX_BYTES:
        return f"larger than {_MAX_BYTES >> 20} MB"
    return ""
