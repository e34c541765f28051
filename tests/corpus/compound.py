"""Compound files (OLE) as Outlook writes them: enough of the format for small messages with attachments."""

from __future__ import annotations

import struct
from collections.abc import Mapping

Storage = Mapping[str, "bytes | Storage"]

_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_END, _FREE, _FAT, _NONE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFFFF
_STORAGE, _STREAM, _ROOT = 1, 2, 5


def message(subject: str, body: str, attached: Mapping[str, bytes]) -> bytes:
    """A .msg file."""
    root: dict[str, bytes | Storage] = {
        **_texts({0x0037: subject, 0x1000: body}),
        "__properties_version1.0": bytes(32) + _strings({0x0037: subject, 0x1000: body}),
    }
    for number, (name, data) in enumerate(attached.items()):
        properties = _strings({0x3707: name}) + _entry(0x3701, 0x0102, len(data)) + _entry(0x3705, 3, 1)
        root[f"__attach_version1.0_#{number:08X}"] = {
            **_texts({0x3707: name}),
            "__substg1.0_37010102": data,
            "__properties_version1.0": bytes(8) + properties,
        }
    return compound(root)


def _texts(values: Mapping[int, str]) -> dict[str, bytes]:
    return {f"__substg1.0_{id:04X}001F": text.encode("utf-16-le") for id, text in values.items()}


def _strings(values: Mapping[int, str]) -> bytes:
    return b"".join(_entry(id, 0x001F, 2 * len(text) + 2) for id, text in values.items())


def _entry(id: int, kind: int, value: int) -> bytes:
    return struct.pack("<HHIII", kind, id, 6, value, 0)


def compound(root: Storage) -> bytes:
    """A compound file of version 3 with these streams and storages."""
    entries: list[list] = []  # name, kind, child, next sibling, data
    _add(entries, "Root Entry", root, _ROOT)
    mini, mini_fat, big = bytearray(), [], bytearray()
    fat: list[int] = []

    def place(data: bytes) -> int:
        """Put data into sectors of their own; the first one's number."""
        start, count = len(fat), -(-len(data) // _SECTOR)
        fat.extend([*range(start + 1, start + count), _END])
        big.extend(data.ljust(count * _SECTOR, b"\0"))
        return start

    starts: list[int] = []
    for _, kind, _, _, data in entries:
        if kind != _STREAM or not data:
            starts.append(0 if kind != _STREAM else _END)
        elif len(data) >= _CUTOFF:
            starts.append(place(data))
        else:
            starts.append(len(mini_fat))
            count = -(-len(data) // _MINI)
            mini_fat += [*range(len(mini_fat) + 1, len(mini_fat) + count), _END]
            mini.extend(data.ljust(count * _MINI, b"\0"))
    starts[0] = place(bytes(mini)) if mini else _END
    entries[0][4] = bytes(mini)
    mini_fat_start = place(b"".join(struct.pack("<I", each) for each in mini_fat).ljust(_SECTOR, b"\xff"))
    mini_fat_count = len(fat) - mini_fat_start
    directory = b"".join(_directory(entry, start) for entry, start in zip(entries, starts, strict=True))
    directory_start = place(directory.ljust(-(-len(directory) // _SECTOR) * _SECTOR, b"\0"))
    fat_start, fat_count = len(fat), 1
    while (len(fat) + fat_count) * 4 > fat_count * _SECTOR:
        fat_count += 1
    fat += [_FAT] * fat_count
    big += b"".join(struct.pack("<I", each) for each in fat).ljust(fat_count * _SECTOR, b"\xff")
    numbers = [*range(fat_start, fat_start + fat_count)]
    header = struct.pack(
        "<8s16sHHHHH6sIIIIIIIII",
        *(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", bytes(16), 0x3E, 3, 0xFFFE, 9, 6, bytes(6), 0, fat_count),
        *(directory_start, 0, _CUTOFF, mini_fat_start, mini_fat_count, _END, 0),
    )
    return header + struct.pack("<109I", *numbers, *[_FREE] * (109 - fat_count)) + bytes(big)


def _add(entries: list[list], name: str, content: bytes | Storage, kind: int) -> int:
    """The number of the entry; siblings are a chain, which is a tree too."""
    number = len(entries)
    entries.append([name, kind, _NONE, _NONE, content if isinstance(content, bytes) else b""])
    before = None
    for child, inner in sorted(content.items() if not isinstance(content, bytes) else ()):
        added = _add(entries, child, inner, _STREAM if isinstance(inner, bytes) else _STORAGE)
        entries[number if before is None else before][2 if before is None else 3] = added
        before = added
    return number


def _directory(entry: list, start: int) -> bytes:
    name, kind, child, following, data = entry
    text = name.encode("utf-16-le") + b"\0\0"
    links = struct.pack("<III", _NONE, following, child)
    return (
        text.ljust(64, b"\0")
        + struct.pack("<HBB", len(text), kind, 1)
        + links
        + bytes(36)
        + struct.pack("<IQ", start, len(data))
    )
