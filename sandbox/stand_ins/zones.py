"""zoneinfo: the system's time zones, read before the jail is closed."""

from __future__ import annotations

import io
import os
import zoneinfo
from typing import Any, Final

_MAGIC: Final = b"TZif"
_ALIASES: Final = ("posix", "right")  # the same zones once more
_files: Final[dict[str, bytes]] = {}


def load() -> None:
    """Read every zone (about 700 KB), and have the real ZoneInfo of this process look there only."""
    if _files:
        return
    for root in reversed(zoneinfo.TZPATH):
        for folder, folders, names in os.walk(root):
            folders[:] = [each for each in folders if each not in _ALIASES]
            for name in names:
                _read(os.path.join(folder, name), root)
    zoneinfo.reset_tzpath(to=[])
    zoneinfo._common.load_tzdata = _open  # type: ignore[attr-defined]


def _read(path: str, root: str) -> None:
    with open(path, "rb") as file:
        if file.read(len(_MAGIC)) == _MAGIC:
            _files[os.path.relpath(path, root)] = _MAGIC + file.read()


def _open(key: str) -> io.BytesIO:
    if key not in _files:
        raise zoneinfo.ZoneInfoNotFoundError(f"No time zone found with key {key}")
    return io.BytesIO(_files[key])


def available_timezones() -> set[str]:
    return set(_files) - {"posixrules", "localtime"}


NAMES: Final[dict[str, Any]] = {"available_timezones": available_timezones}
