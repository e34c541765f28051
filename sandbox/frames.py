"""The wire between host and worker: frames over one stream socket. Pure: no I/O here.

    u32 length of the rest | u32 length of the header | header: a JSON object | bodies: raw bytes, back to back

The header's "bodies" lists their lengths, its "kind" says what the frame is. `FROM_WORKER` is everything that a worker
may say, with the fields and their types: a frame that is longer, malformed or not in the table is a `ProtocolError`.
Numbers are little-endian. The host trusts no frame; a worker trusts the host.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from .errors import ProtocolError

_LENGTHS = struct.Struct("<II")

# kind: {field: type}, every field required.
FROM_WORKER: Mapping[str, Mapping[str, type]] = {
    "ready": {"isolation": dict},  # the worker is jailed and waits; what its probes measured
    "failed": {"reason": str},  # the worker could not jail itself or get ready
    "call": {"id": int, "name": str, "args": list, "kwargs": dict},  # an awaited host function
    "file": {"id": int, "header": dict},  # a request of the file system
    "output": {"id": int, "name": str, "text": str},  # a running cell printed this
    # a cell has ended; what it took from clocks and from its event loop's turns; the time that it computed, in ns;
    # a fingerprint of the variables that it made or changed
    "done": {
        "id": int,
        "result": dict,
        "reports": list,
        "clock": list,
        "turns": list,
        "cpu": int,
        "state": str,
    },
    "piece": {"id": int},  # of a checkpoint, as the one body
    # a checkpoint is complete but for variables that are left out, and sets whose order it does not keep
    "kept": {"id": int, "left": list, "reordered": list},
    "restored": {"id": int, "reason": str},  # a checkpoint was read, or why not
}
_WITH_BODY = frozenset({"piece"})


class Frame(NamedTuple):
    header: dict[str, Any]
    bodies: list[bytes]
    size: int = 0  # bytes of the header's text and the bodies


def encode(header: Mapping[str, Any], bodies: Sequence[bytes] = ()) -> bytes:
    """One frame; a header that is no JSON (a set, a lone surrogate, an integer of more than 64 bits) is a TypeError."""
    lengths = {"bodies": [len(body) for body in bodies]} if bodies else {}
    return pack(orjson.dumps({**header, **lengths}), bodies)


def pack(header: bytes, bodies: Sequence[bytes] = ()) -> bytes:
    """One frame of a header that is JSON text already."""
    rest = 4 + len(header) + sum(map(len, bodies))
    return b"".join((_LENGTHS.pack(rest, len(header)), header, *bodies))


class Decoder:
    """Takes bytes as they come, gives whole frames; holds at most one frame of `frame_bytes` and what follows it.

    `add` and `next` change nothing if memory runs out: they can be called again, or the frame given up by `skip`.
    """

    def __init__(self, frame_bytes: int) -> None:
        self._frame_bytes = frame_bytes
        self._buffer = bytearray()
        self._skipping = 0  # bytes still to come of a frame that was given up

    def add(self, data: bytes | memoryview) -> None:
        if self._skipping:
            skipped = min(self._skipping, len(data))
            self._skipping -= skipped
            data = data[skipped:]
        self._buffer += data

    def skip(self) -> None:
        """Give up the frame that is coming in: it needs more memory than there is. The stream goes on behind it."""
        if len(self._buffer) >= _LENGTHS.size:
            end = 4 + _LENGTHS.unpack_from(self._buffer)[0]
            self._skipping = max(0, end - len(self._buffer))
            del self._buffer[:end]

    def next(self) -> Frame | None:
        """The next frame, None until it is complete. After a `ProtocolError` the stream is lost."""
        if len(self._buffer) < _LENGTHS.size:
            return None
        rest, header_length = _LENGTHS.unpack_from(self._buffer)
        # Checked before a body is waited for: a length of 4 GiB must not make the host collect it.
        if rest > self._frame_bytes:
            raise ProtocolError(f"a frame of {rest:,} bytes; at most {self._frame_bytes:,} are accepted")
        if header_length + 4 > rest:
            raise ProtocolError("a header that is longer than its frame")
        end = 4 + rest
        if len(self._buffer) < end:
            return None
        with memoryview(self._buffer) as buffer, buffer[_LENGTHS.size : end] as content:
            frame = _split(content, header_length)
        del self._buffer[:end]
        return frame


def _split(content: memoryview, header_length: int) -> Frame:
    header = _parse(bytes(content[:header_length]))
    lengths = header.pop("bodies", [])
    _require(isinstance(lengths, list) and all(type(n) is int and n >= 0 for n in lengths), "bodies")
    _require(sum(lengths) == len(content) - header_length, "lengths of bodies")
    bodies, start = [], header_length
    for length in lengths:
        bodies.append(bytes(content[start : start + length]))
        start += length
    return Frame(header, bodies, len(content))


def _parse(text: bytes) -> dict[str, Any]:
    try:
        header = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise ProtocolError(f"a header that is no JSON: {error}") from None
    _require(isinstance(header, dict), "header")
    return header


def check(frame: Frame) -> str:
    """The kind of a worker's frame, when the frame is one of `FROM_WORKER`; raises `ProtocolError` otherwise."""
    kind = frame.header.get("kind")
    fields = FROM_WORKER.get(kind) if isinstance(kind, str) else None
    if fields is None:
        raise ProtocolError(f"a frame of unknown kind {kind!r:.80}")
    if frame.header.keys() != {"kind", *fields}:
        raise _malformed(f"fields of {kind!r}")
    for name, expected in fields.items():
        # Exactly the type: JSON's true is an int to isinstance.
        if type(frame.header[name]) is not expected:
            raise _malformed(f"{kind}.{name}")
    if len(frame.bodies) != (kind in _WITH_BODY):
        raise _malformed(f"bodies of {kind!r}")
    return str(kind)


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise _malformed(what)


def _malformed(what: str) -> ProtocolError:
    return ProtocolError(f"malformed frame: {what}")
