from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.sandbox import ProtocolError
from glossator.sandbox.frames import FROM_WORKER, Decoder, Frame, check, encode

LIMIT = 10_000

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
headers = st.dictionaries(st.text(max_size=8).filter(lambda key: key != "bodies"), values, max_size=5)
bodies = st.lists(st.binary(max_size=50), max_size=4)


def decoded(stream: bytes, limit: int = LIMIT) -> list[Frame]:
    decoder = Decoder(limit)
    decoder.add(stream)
    return list(iter(decoder.next, None))


def raw(header: bytes, *parts: bytes) -> bytes:
    rest = 4 + len(header) + sum(map(len, parts))
    return struct.pack("<II", rest, len(header)) + header + b"".join(parts)


@given(st.lists(st.tuples(headers, bodies), max_size=4), st.integers(1, 40))
def test_frames_survive_any_cut_of_the_stream(sent: list[tuple[dict[str, Any], list[bytes]]], step: int) -> None:
    stream = b"".join(encode(header, parts) for header, parts in sent)
    decoder, received = Decoder(LIMIT), []
    for start in range(0, len(stream), step):
        decoder.add(stream[start : start + step])
        received += iter(decoder.next, None)
    assert [(frame.header, frame.bodies) for frame in received] == sent
    assert all(frame.size >= sum(map(len, frame.bodies)) for frame in received)


@given(st.binary(min_size=1, max_size=200), st.integers(0, 300), st.integers(1, 40))
def test_the_stream_goes_on_behind_a_frame_that_is_given_up(body: bytes, given_up_at: int, step: int) -> None:
    large = encode({"kind": "large"}, [body])
    stream = large + encode({"kind": "next"}) + encode({"kind": "last"})
    decoder, received = Decoder(LIMIT), []
    given_up = False
    for start in range(0, len(stream), step):
        decoder.add(stream[start : start + step])
        if not given_up and start + step >= min(max(given_up_at, 8), len(large)):
            decoder.skip()
            given_up = True
        received += iter(decoder.next, None)
    assert [frame.header["kind"] for frame in received] in (["next", "last"], ["large", "next", "last"])


@given(st.binary(max_size=200))
def test_no_bytes_do_anything_but_wait_or_be_refused(garbage: bytes) -> None:
    try:
        frames = decoded(garbage)
    except ProtocolError:
        return
    for frame in frames:
        with pytest.raises(ProtocolError):
            check(frame)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "kind": st.sampled_from([*FROM_WORKER, "run", "answer"]) | values,
            "id": values,
            "name": values,
            "args": values,
            "kwargs": values,
            "header": values,
            "result": values,
            "reports": values,
            "isolation": values,
            "reason": values,
            "clock": values,
            "left": values,
            "text": values,
            "more": values,
        },
    )
)
def test_what_passes_the_check_has_every_field_of_its_kind_and_no_other(header: dict[str, Any]) -> None:
    try:
        kind = check(decoded(encode(header))[0])
    except ProtocolError:
        return
    assert {name: type(value) for name, value in header.items() if name != "kind"} == FROM_WORKER[kind]


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        pytest.param(b"\xff" * 8, "4,294,967,295 bytes; at most 10,000", id="endless"),
        pytest.param(struct.pack("<II", LIMIT + 1, 2), "10,001 bytes", id="one too long"),
        pytest.param(struct.pack("<II", 10, 7) + b"x" * 10, "longer than its frame", id="header past its frame"),
        pytest.param(raw(b"{"), "no JSON", id="no JSON"),
        pytest.param(raw(b"\xff"), "no JSON", id="no UTF-8"),
        pytest.param(raw(b"[" * 5000), "no JSON", id="deep"),
        pytest.param(raw(b"[]"), "header", id="no object"),
        pytest.param(raw(b'{"bodies": 1}'), "bodies", id="bodies are no list"),
        pytest.param(raw(b'{"bodies": [true]}', b"x"), "bodies", id="a length that is no number"),
        pytest.param(raw(b'{"bodies": [-1, 2]}', b"x"), "bodies", id="a negative length"),
        pytest.param(raw(b'{"bodies": [2]}', b"x"), "lengths", id="more than there is"),
        pytest.param(raw(b"{}", b"x"), "lengths", id="less than there is"),
    ],
)
def test_malformed_frames(stream: bytes, reason: str) -> None:
    with pytest.raises(ProtocolError, match=reason):
        decoded(stream)


def test_a_long_frame_is_refused_before_it_is_collected() -> None:
    decoder = Decoder(LIMIT)
    decoder.add(struct.pack("<II", 1 << 31, 10))
    with pytest.raises(ProtocolError):
        decoder.next()


@pytest.mark.parametrize(
    "header",
    [
        {},
        {"kind": 1},
        {"kind": ["call"]},
        {"kind": "run", "id": 1},
        {"kind": "call", "id": 1, "name": "f", "args": []},
        {"kind": "call", "id": True, "name": "f", "args": [], "kwargs": {}},
        {"kind": "call", "id": 1, "name": "f", "args": {}, "kwargs": {}},
        {"kind": "file", "id": 1, "header": {}, "more": 1},
        {"kind": "done", "id": 1.0, "result": {}, "reports": [], "clock": []},
    ],
    ids=str,
)
def test_frames_that_no_worker_sends(header: dict[str, Any]) -> None:
    with pytest.raises(ProtocolError):
        check(Frame(header, []))


def test_a_worker_sends_no_bodies() -> None:
    with pytest.raises(ProtocolError, match="bodies"):
        check(Frame({"kind": "file", "id": 1, "header": {}}, [b""]))


@pytest.mark.parametrize("value", [{1}, "\ud800", 1 << 70, object()], ids=["set", "surrogate", "large", "object"])
def test_only_json_can_be_sent(value: object) -> None:
    with pytest.raises(TypeError):
        encode({"kind": "answer", "value": value})
