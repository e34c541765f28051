"""A worker that has been taken over, and takes what it can of the host's time, memory and patience."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from glossator.sandbox import HostFunction, Limits, Sandbox

from .processes import children, zygotes

pytestmark = pytest.mark.anyio

TOOLS = ("ctypes", "fcntl", "glossator.sandbox.frames", "mmap", "resource", "select", "signal", "socket")
SAY = """
import os, signal, struct
def say(header: str) -> None:
    text = header.encode()
    message = struct.pack("<II", 4 + len(text), len(text)) + text
    while message: message = message[os.write(3, message):]
signal.setitimer(signal.ITIMER_REAL, 0)
"""


async def search(query: str = "") -> list[str]:
    return [query]


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


async def stopped(pid: int) -> None:
    async with asyncio.timeout(60):
        while state(pid) != "T":  # noqa: ASYNC110 (the kernel tells only its parent)
            await asyncio.sleep(0)


async def test_a_cell_that_says_it_is_done_cannot_go_on_in_secret() -> None:
    """Once its cell is over a worker is stopped by the kernel, and its memory is counted as it is then."""
    code = """
done = {"kind": "done", "id": 1, "result": {}, "reports": []}
from glossator.sandbox.frames import FROM_WORKER
import json
done |= {name: kind() for name, kind in FROM_WORKER["done"].items() if name not in done}
say(json.dumps(done))
grabbed = bytearray(b"x") * (100 << 20)
while True: pass
"""
    before = zygotes(os.getpid())
    async with Sandbox._without_policy(limits=Limits(wall_s=1), preload=TOOLS) as sandbox:
        session = await sandbox.session()
        (zygote,) = [each for each in zygotes(os.getpid()) if each not in before]
        (worker,) = children(zygote)
        assert (await session.run(SAY + code)).error is None
        await stopped(worker)
        assert session.memory > 100 << 20
        # It was in the middle of a cell that is over: what it says when it wakes up is out of place.
        result = await session.run("1")
        assert result.error is None or result.error.type in ("WorkerEnded", "TimeLimit")


async def test_an_honest_worker_that_was_stopped_goes_on() -> None:
    before = zygotes(os.getpid())
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        (zygote,) = [each for each in zygotes(os.getpid()) if each not in before]
        (worker,) = children(zygote)
        assert (await session.run("x = 41")).error is None
        await stopped(worker)
        result = await session.run("x + 1")
        assert (result.value, result.note) == ("42", "")
        assert children(zygote) == [worker]


FLOODS = {
    "output": """while True: say('{"kind":"output","id":1,"name":"stdout","text":"' + "x" * 5000 + '"}')""",
    "empty output": """while True: say('{"kind":"output","id":1,"name":"stderr","text":""}')""",
    "calls": """while True: say('{"kind":"call","id":1,"name":"search","args":[],"kwargs":{}}')""",
    "frames of every kind": """while True: say('{"kind":"restored","id":1,"reason":""}')""",
    "a frame without end": """while True: os.write(3, b"\\0\\0\\x7f\\0" * 4096)""",
    "noise": """while True: os.write(3, bytes(range(256)) * 64)""",
}


@pytest.mark.parametrize("name", FLOODS)
async def test_a_flood_ends_its_own_session_long_before_its_time(name: str) -> None:
    async with Sandbox._without_policy(limits=Limits(wall_s=600), preload=TOOLS) as sandbox:
        functions = [HostFunction("search", search)]
        session, other = [await sandbox.session(functions=functions) for _ in range(2)]
        async with asyncio.timeout(60):
            result = await session.run(SAY + FLOODS[name])
            assert result.error is not None and result.error.type == "WorkerEnded"
            assert (await other.run("2 + 2")).value == "4"
            assert (await session.run("3 + 3")).value == "6"


GREED = {
    "processes": """
for _ in range(1000):
    try: os.fork()
    except OSError as error: told.add(error.errno)
""",
    "descriptors": """
held = []
for _ in range(1000):
    try: held.append(socket.socketpair())
    except OSError as error: told.add(error.errno)
told.add(len(held))
""",
    "memory": """
held = []
try:
    while True: held.append(mmap.mmap(-1, 16 << 20))
except (OSError, MemoryError, ValueError): told.add(len(held) < 40)
held.clear()
""",
    "memory shared with nobody": """
held = []
try:
    while True: held.append(mmap.mmap(-1, 16 << 20, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS))
except (OSError, MemoryError, ValueError): told.add(len(held) < 40)
held.clear()
""",
    "files": """
for _ in range(100):
    try: os.open("/tmp/x", os.O_CREAT | os.O_RDWR)
    except OSError as error: told.add(error.errno)
""",
    "locked memory": """
for name in (149, 151, 325):
    if libc.syscall(name, 0, 4096, 0) == -1: told.add(ctypes.get_errno())
""",
    "its own limits": """
for kind in range(16):
    try: resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (OSError, ValueError): told.add(1)
""",
    "timers": """
for _ in range(1000):
    if libc.timer_create(1, None, ctypes.byref(ctypes.c_long())) == -1: told.add(ctypes.get_errno())
""",
    "buffers of sockets": """
pairs = []
try:
    while True: pairs.append(socket.socketpair())
except OSError: pass
for one, _ in pairs:
    one.setblocking(False)
    try:
        while True: one.send(bytes(65536))
    except BlockingIOError: pass
    try: one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
    except OSError as error: told.add(error.errno)
assert len(pairs) < 8
""",
}
BOUNDED = {"descriptors": "{24, 6}", "memory": "{True}", "memory shared with nobody": "{True}", "files": "{13}"}


@pytest.mark.parametrize("name", GREED)
async def test_what_a_worker_can_take_is_bounded(name: str) -> None:
    begin = "import ctypes, mmap, os, resource, socket\nlibc = ctypes.CDLL(None, use_errno=True)\ntold = set()\n"
    async with Sandbox._without_policy(preload=TOOLS) as sandbox:
        session = await sandbox.session()
        result = await session.run(begin + GREED[name] + "\ntold")
        assert result.error is None
        assert result.value == BOUNDED.get(name, "{1}")
        assert (await session.run("told.clear()\n5")).value == "5"
