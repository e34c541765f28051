"""The wire fuzzed from both ends: a worker that says anything at all, and a worker that is told anything at all."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import struct
from typing import Any

import pytest

from glossator.sandbox import HostFunction, Limits, Sandbox
from glossator.sandbox.channel import HostChannel
from glossator.sandbox.frames import FROM_WORKER, encode

pytestmark = pytest.mark.anyio

# Sends what it is given in hex, as it is, then waits to be killed or goes on.
SAY = "import os\nfor part in {parts!r}: os.write(3, bytes.fromhex(part))\n"
VALUES: list[Any] = [0, 1, 2, -1, 1 << 62, True, None, 1.5, "", "search", "x" * 999, [], [1], {}, {"id": 1}, [[[]]]]


def frame(rng: random.Random) -> bytes:
    """Anything: noise, a length that lies, a header of random fields, a real kind with one field that is wrong."""
    match rng.randrange(4):
        case 0:
            return rng.randbytes(rng.randrange(1, 60))
        case 1:
            return struct.pack("<II", rng.choice([0, 3, 1 << 20, (1 << 32) - 1]), rng.choice([0, 9, 1 << 31])) + b"{}"
        case 2:
            header = {rng.choice(["kind", "id", "bodies", "name"]): rng.choice(VALUES) for _ in range(3)}
            text = json.dumps(header).encode()
            return struct.pack("<II", 4 + len(text), len(text)) + text
    kind = rng.choice([*FROM_WORKER])
    fields = {name: expected() for name, expected in FROM_WORKER[kind].items()}
    fields["id"] = rng.choice([1, 2, 3])
    if fields:
        fields[rng.choice([*fields])] = rng.choice(VALUES)
    bodies = [b"x" * rng.choice([0, 1, 1000])] if kind == "piece" and rng.random() < 0.8 else []
    return encode({"kind": kind, **fields}, bodies)


async def search(query: str = "") -> list[str]:
    return [query]


async def survive(seeds: range) -> None:
    """A session that says anything, beside one that must not notice."""
    async with Sandbox._without_policy(limits=Limits(wall_s=0.2, checkpoint_s=0.0)) as sandbox:
        victim = await sandbox.session(functions=[HostFunction("search", search)])
        await victim.run("x = 1")
        for seed in seeds:
            rng = random.Random(seed)
            parts = [frame(rng).hex() for _ in range(rng.randrange(1, 6))]
            attacker = await sandbox.session(functions=[HostFunction("search", search)])
            for code in (SAY.format(parts=parts), "1", "1"):
                result = await attacker.run(code)
                assert result.error is None or len(result.error.message) < 2_000, seed
            await attacker.close()
            assert (await victim.run("x")).value == "1", seed
        assert len(asyncio.all_tasks()) <= 3  # nothing waits for a worker that is gone


async def test_a_worker_that_says_anything_ends_its_own_session_at_most() -> None:
    await survive(range(60))


@pytest.mark.slow
async def test_a_worker_that_says_anything_ends_its_own_session_at_most_often() -> None:
    await survive(range(60, 2_060))


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
                told = {"value": rng.choice(VALUES)} if kind == "answer" else {"error": "ValueError", "message": "no"}
                stream += encode({"kind": kind, "id": rng.randrange(9), **told}, [rng.randbytes(9)])
            stream += encode({"kind": "run", "id": number}, [b"code"])
        while stream:
            size = rng.randrange(1, 80)
            ours.sendall(stream[:size])
            stream = stream[size:]
        assert [channel.order().header["id"] for _ in range(5)] == list(range(5))
