"""Capabilities: the parts of root's power, given up for good."""

from __future__ import annotations

import ctypes
import errno
import struct

from .libc import call, syscall

DAC_READ_SEARCH, KILL, SYS_ADMIN, SYS_RESOURCE = 2, 5, 21, 24  # numbers of bits in `held`

_VERSION_3 = 0x20080522
_BOUNDING_READ, _BOUNDING_DROP, _AMBIENT, _AMBIENT_CLEAR_ALL = 23, 24, 47, 4


def held() -> int:
    """The capabilities that this process can use or take up, as a mask: effective, permitted and inheritable."""
    effective, permitted, inheritable = _sets()
    return effective | permitted | inheritable


def _sets() -> tuple[int, int, int]:
    data = bytearray(24)
    buffer = (ctypes.c_ubyte * 24).from_buffer(data)
    syscall("capget", struct.pack("=Ii", _VERSION_3, 0), buffer)
    low, high = struct.unpack_from("=3I", data, 0), struct.unpack_from("=3I", data, 12)
    return (low[0] | high[0] << 32, low[1] | high[1] << 32, low[2] | high[2] << 32)


def has(capability: int) -> bool:
    return bool(held() >> capability & 1)


def limit() -> None:
    """Empty the bounding and ambient sets: no exec can bring a capability back. Needs CAP_SETPCAP, else nothing."""
    for capability in range(64):
        try:
            call("prctl", _BOUNDING_DROP, capability, 0, 0, 0)
        except OSError as error:
            if error.errno == errno.EINVAL:  # past the last one that the kernel knows
                break
            if error.errno == errno.EPERM:  # no privileges, nothing to give up: no_new_privs keeps it so
                break
            raise
    try:
        call("prctl", _AMBIENT, _AMBIENT_CLEAR_ALL, 0, 0, 0)
    except OSError as error:
        if error.errno != errno.EINVAL:  # kernels before 4.3 have no ambient set
            raise


def drop(*keep: int) -> None:
    """Give up every capability that this process holds, but for those to keep, as far as it has them."""
    kept = sum(1 << capability for capability in set(keep)) & _sets()[1]
    low, high = kept & 0xFFFFFFFF, kept >> 32
    syscall("capset", struct.pack("=Ii", _VERSION_3, 0), struct.pack("=6I", low, low, 0, high, high, 0))
