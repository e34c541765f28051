"""Which documents were opened, on its way to the host: a bit for each, as hexadecimal digits. Used by both halves."""

from __future__ import annotations

_DIGITS = bytes.maketrans(b"\0\1", b"01")
_FLAGS = bytes.maketrans(b"01", b"\0\1")


def packed(flags: bytearray) -> str:
    """Flags, 0 or 1, by position; those of a hundred thousand documents are 25,000 digits."""
    return f"{int(flags[::-1].translate(_DIGITS), 2):x}" if flags else "0"


def unpacked(digits: object, size: int) -> bytes:
    """The first `size` flags; none where `digits` is something else."""
    # A worker may send megabytes of digits: those of documents that do not exist are not looked at.
    last = digits[-(size // 4 + 1) :] if isinstance(digits, str) else ""
    number = int(last, 16) if last and not last.strip("0123456789abcdef") else 0
    flags = f"{number:b}".encode()[::-1].translate(_FLAGS)
    return flags[:size].ljust(size, b"\0")
