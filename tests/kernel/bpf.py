"""The kernel's side of a filter: an interpreter of the instructions that the assembler uses."""

from __future__ import annotations

import struct
from collections.abc import Sequence

_LOAD, _RETURN = 0x20, 0x06


def judge(program: Sequence[bytes], audit: int, number: int, arguments: Sequence[int] = ()) -> int:
    """What the kernel would do with a call of this number, of this architecture."""
    padded = [each & 2**64 - 1 for each in (*arguments, *[0] * (6 - len(arguments)))]
    data = struct.pack("=IIQ6Q", number, audit, 0, *padded)
    instructions = [struct.unpack("=HBBI", each) for each in program]
    accumulator = position = 0
    while True:
        code, if_true, if_false, value = instructions[position]
        position += 1
        if code == _LOAD:
            accumulator = struct.unpack_from("=I", data, value)[0]
        elif code == _RETURN:
            return value
        else:
            holds = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: accumulator & value != 0}[code]
            position += if_true if holds else if_false
