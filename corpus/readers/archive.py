"""Zip containers (Office, OpenDocument, EPUB): opened with care, and the properties that they carry."""

from __future__ import annotations

import io
import zipfile
import zlib

from lxml.etree import QName

from ..items import Look, Unreadable
from .xml import parse

_MAX_UNPACKED = 1 << 30  # bytes in all
_MAX_ENTRIES = 50_000
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError)
# Where properties stand, and which of their elements are kept under which key.
_PROPERTY_FILES = ("docProps/core.xml", "meta.xml")
_PROPERTIES = {
    "title": "title",
    "creator": "author",
    "initial-creator": "author",
    "subject": "subject",
    "description": "description",
    "keywords": "keywords",
    "keyword": "keywords",
    "category": "category",
    "created": "created",
    "creation-date": "created",
    "modified": "modified",
    "language": "language",
}


def open_archive(data: bytes) -> zipfile.ZipFile:
    """The archive; raises `Unreadable` when it is broken, encrypted or unpacks to too much."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except BROKEN as error:
        raise Unreadable(f"broken archive: {error}") from error
    entries = archive.infolist()
    if any(entry.flag_bits & 1 for entry in entries):
        raise Unreadable("encrypted: a password is needed")
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > _MAX_UNPACKED or len(entries) > _MAX_ENTRIES:
        raise Unreadable(f"unpacks to {unpacked >> 20} MB in {len(entries)} files: too much")
    return archive


def member(archive: zipfile.ZipFile, name: str | zipfile.ZipInfo, limit: int = _MAX_UNPACKED) -> bytes:
    """The bytes of one file in the archive, empty if there is none of that name.

    Sizes in the directory may lie (zip bombs do): no more than `limit` bytes are ever unpacked.
    """
    called = name if isinstance(name, str) else name.filename
    try:
        with archive.open(name) as file:
            data = file.read(limit + 1)
    except KeyError:
        return b""
    except BROKEN as error:
        raise Unreadable(f"broken archive: {called}: {error}") from error
    if len(data) > limit:
        raise Unreadable(f"{called} unpacks to more than {limit >> 20} MB")
    return data


def picture(data: bytes, name: str) -> Look:
    """A picture in the archive that `data` is, unpacked when it is looked at."""

    def look() -> bytes:
        with open_archive(data) as archive:
            return member(archive, name)

    return look


def properties(archive: zipfile.ZipFile) -> dict[str, str]:
    """The document's own properties: title, author, created, …; empty ones are left out."""
    found: dict[str, str] = {}
    for name in _PROPERTY_FILES:
        if data := member(archive, name):
            try:
                root = parse(data)
            except Unreadable:  # properties that cannot be read are no reason to refuse the text
                continue
            for element in root.iter():
                key = _PROPERTIES.get(QName(element).localname) if isinstance(element.tag, str) else None
                if key and (value := " ".join((element.text or "").split())):
                    found[key] = f"{found[key]}, {value}" if key == "keywords" and key in found else value
    return found
