"""Zip files whose bytes depend on their contents alone."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip file can hold


def pack(members: Mapping[str, bytes | str], path: Path) -> None:
    """Write the members in the order given; a first one called mimetype is stored, as EPUB and OpenDocument demand."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)


def repack(data: bytes, path: Path) -> None:
    """The same members without the time at which the library wrote them."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        pack({entry.filename: archive.read(entry) for entry in archive.infolist()}, path)
