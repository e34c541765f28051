"""The wire fuzzed from both ends: a worker that says anything at all, and a worker that is told anything at all."""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import socket
import struct
from typing import Any

import pytest

from glossator.sandbox import HostFunction, Limits, Sandbox
from glossator.sandbox.channel import HostChannel
from glossator.sandbox.frames import FROM_WORKER, encode

pytestmark = pytest.mark.anyio

# Sends what it is given in hex, as it is. "pause" is a pause, "again" a flood until somebody stops it, "wait" is
# silence, perhaps in the middle of a frame.
SAY = """
import os, time
for part in {parts!r}:
    if part == "pause": time.sleep(0.002)
    elif part == "wait": time.sleep(60)
    elif part == "again":
        while True: os.write(3, said)
    else:
        said = bytes.fromhex(part)
        for n in range(0, len(said), {piece}): os.write(3, said[n:n + {piece}])
"""
SMALL: list[Any] = [0, 1, 2, -1, 1 << 62, True, None, 1.5, "", "search", "x" * 999, [], [1], {}, {"id": 1}, [[[]]]]
VALUES = [
    *SMALL,
    (1 << 63) - 1,
    1 << 63,
    (1 << 64) - 1,
    -(1 << 63),
    1e308,
    "\0",
    "\ud7ff",
    ["x"] * 10_000,
    {"x" * 9999: 1},
]
# What JSON texts may hold, and what only looks like it.
TEXTS = [b"NaN", b"Infinity", b"1e999", b"-0", b"99999999999999999999999", b'"\\ud800"', b'"\\udfff\\ud800"', b"nul"]
TEXTS += [b"[" * 2000 + b"]" * 2000, b'{"a":' * 2000 + b"1" + b"}" * 2000, b"[" * 5000, b"\xff\xfe", b'"\xc3"', b"[1,]"]
TEXTS += [b'"\\u0000"', b"[" + b"[]," * 9999 + b"[]]", b'{"kind":"done","kind":"call"}', b"//", b"", b" " * 999]
PACE = 0.02  # of the sayings wait or flood: each costs the cell's time limit


def frame(rng: random.Random) -> bytes:
    """Anything: noise, a length that lies, a header of random fields, a real kind with one field that is wrong."""
    match rng.randrange(6):
        case 0:
            return rng.randbytes(rng.randrange(1, 60))
        case 1:
            return struct.pack("<II", rng.choice([0, 3, 1 << 20, (1 << 32) - 1]), rng.choice([0, 9, 1 << 31])) + b"{}"
        case 2:
            header = {rng.choice(["kind", "id", "bodies", "name"]): rng.choice(VALUES) for _ in range(3)}
            return packed(json.dumps(header).encode())
        case 3:
            kind, field = rng.choice([*FROM_WORKER]), rng.choice(["id", "result", "args", "text", "bodies", "clock"])
            return packed(b'{"kind":"%b","id":1,"%b":%b}' % (kind.encode(), field.encode(), rng.choice(TEXTS)))
        case 4:
            whole = real(rng)
            return whole[: rng.randrange(len(whole))]
    return real(rng)


def packed(header: bytes) -> bytes:
    return struct.pack("<II", 4 + len(header), len(header)) + header


def real(rng: random.Random) -> bytes:
    """A frame that a worker may send, in the wrong moment, or with one field that is wrong."""
    kind = rng.choice([*FROM_WORKER])
    fields = {name: expected() for name, expected in FROM_WORKER[kind].items()}
    fields["id"] = rng.choice([1, 2, 3])
    if kind == "call":
        fields |= {"name": rng.choice(["search", "nope"]), "args": rng.choice([[], ["x"], [1, 2, 3]])}
    if fields and rng.random() < 0.7:
        fields[rng.choice([*fields])] = rng.choice(VALUES)
    bodies = [b"x" * rng.choice([0, 1, 1000])] if kind == "piece" and rng.random() < 0.8 else []
    return encode({"kind": kind, **fields}, bodies)


def sayings(rng: random.Random) -> str:
    """The code of a cell that says anything."""
    parts = [frame(rng).hex() for _ in range(rng.randrange(1, 6))]
    parts += rng.choices(["pause", parts[0]], k=rng.randrange(3))  # the same id twice
    rng.shuffle(parts)
    if rng.random() < PACE:
        parts += [frame(rng).hex(), rng.choice(["wait", "again"])]
    return SAY.format(parts=parts, piece=rng.choice([1 << 20, 1 << 20, 7]))


async def search(query: str = "") -> list[str]:
    return [query]


async def survive(seeds: range) -> None:
    """A session that says anything, beside one that must not notice."""
    async with Sandbox._without_policy(limits=Limits(wall_s=0.2, checkpoint_s=0.0)) as sandbox:
        victim = await sandbox.session(functions=[HostFunction("search", search)])
        await victim.run("x = 1")
        for seed in seeds:
            rng = random.Random(seed)
            attacker = await sandbox.session(functions=[HostFunction("search", search)])
            for code in (sayings(rng), "1", sayings(rng), "1"):
                result = await attacker.run(code)
                assert result.error is None or len(result.error.message) < 2_000, seed
            await attacker.close()
            assert (await victim.run("x")).value == "1", seed
        assert len(asyncio.all_tasks()) <= 3  # nothing waits for a worker that is gone


async def test_a_worker_that_says_anything_ends_its_own_session_at_most() -> None:
    await survive(range(60))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
async def test_a_worker_that_says_anything_ends_its_own_session_at_most_often(block: int) -> None:
    await survive(range(100 + 200 * block, 300 + 200 * block))


FLOODS = {
    "output": {"kind": "output", "id": 1, "name": "stdout", "text": "x" * 1000},
    "nothing printed": {"kind": "output", "id": 1, "name": "stdout", "text": ""},
    "calls": {"kind": "call", "id": 1, "name": "search", "args": [], "kwargs": {}},
    "calls of nothing": {"kind": "call", "id": 1, "name": "nope", "args": [[[]]] * 9000, "kwargs": {}},
    "files": {"kind": "file", "id": 1, "header": {"x": [{}] * 9000}},
    "large objects": {"kind": "call", "id": 1, "name": "search", "args": [[]] * 300_000, "kwargs": {}},
    "done": {"kind": "nonsense"},
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
async def test_a_flood_fills_no_memory_and_stops_nobody(
    flood: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    async with Sandbox._without_policy(limits=Limits(wall_s=0.3, host_calls=50)) as sandbox:
        victim = await sandbox.session()
        attacker = await sandbox.session(functions=[HostFunction("search", search)])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        saying = encode(flood)
        flooding = asyncio.create_task(attacker.run(f"import os\nwhile True: os.write(3, {saying!r})"))
        while not flooding.done():
            assert (await victim.run("1")).value == "1"
        result = flooding.result()
        assert result.error is not None and len(result.error.message) < 2_000
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert grown < 200_000, grown  # KiB: one frame of 8 MiB as objects, and what the socket holds
        assert (await attacker.run("2")).value == "2"
    assert not caplog.records


async def test_a_zygote_that_is_told_nonsense_is_replaced() -> None:
    async with Sandbox() as sandbox:
        await (await sandbox.session()).run("1")
        for nonsense in (b"nonsense", b"{}", b"[]", b"\xff" * 4000):
            assert sandbox._launcher._control is not None
            sandbox._launcher._control.send(nonsense)
            assert (await (await sandbox.session()).run("1 + 1")).value == "2"


@pytest.mark.parametrize("seed", range(40))
def test_a_worker_takes_its_orders_whatever_stands_around_them(seed: int) -> None:
    """Answers to nothing, to the wrong question, twice: the host is trusted, its late answers are not waited for."""
    rng = random.Random(seed)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        channel = HostChannel(theirs)
        stream = b""
        for number in range(5):
            for _ in range(rng.randrange(4)):
                kind = rng.choice(["answer", "raise"])
                told = {"value": rng.choice(SMALL)} if kind == "answer" else {"error": "ValueError", "message": "no"}
                stream += encode({"kind": kind, "id": rng.randrange(9), **told}, [rng.randbytes(9)])
            stream += encode({"kind": "run", "id": number}, [b"code"])
        while stream:
            size = rng.randrange(1, 80)
            ours.sendall(stream[:size])
            stream = stream[size:]
        assert [channel.order().header["id"] for _ in range(5)] == list(range(5))


@pytest.mark.parametrize("seed", range(40))
def test_a_worker_that_is_told_nonsense_ends(seed: int) -> None:
    """The host is trusted; one that is broken must not leave a worker that spins or waits for ever."""
    rng = random.Random(seed)
    ours, theirs = socket.socketpair()
    worker = os.fork()
    if worker == 0:
        try:
            ours.close()
            channel = HostChannel(theirs)
            while True:
                channel.order()
        finally:  # whatever it met
            os._exit(0)
    with ours:
        theirs.close()
        for _ in range(5):
            try:
                ours.sendall(frame(rng))
            except OSError:
                break
    assert os.waitpid(worker, 0)[0] == worker
