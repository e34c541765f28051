"""A worker that has been taken over, and takes what it can of the host's time, memory and patience."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from glossator.sandbox import HostFunction, Limits, Sandbox
from glossator.sandbox.remote import _may_raise_limits

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


RAISING = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
infinite = (ctypes.c_uint64 * 2)(2**64 - 1, 2**64 - 1)
allowed = []
for kind in range(16):
    if libc.setrlimit(kind, infinite) == 0: allowed.append(("setrlimit", kind))
    for pid in (0, os.getpid(), 1):
        if libc.prlimit(pid, kind, infinite, None) == 0: allowed.append(("prlimit", pid, kind))
"""


def limits_of(pid: int) -> dict[str, list[str]]:
    """Soft and hard limits by name, as the kernel tells them."""
    lines = Path(f"/proc/{pid}/limits").read_text().splitlines()[1:]
    return {line[:26].strip(): line[26:].split()[:2] for line in lines}


def workers() -> list[int]:
    return [pid for zygote in zygotes(os.getpid()) for pid in children(zygote)]


async def test_a_worker_raises_none_of_its_limits_whatever_its_service_may() -> None:
    """Not even one that is no higher: neither as native code, nor by capabilities that a service as root has."""
    async with Sandbox._without_policy(preload=TOOLS) as sandbox:
        session = await sandbox.session()
        await session.run("1")
        before = {pid: limits_of(pid) for pid in workers()}
        assert (await session.run(RAISING + "allowed")).value == "[]"
        after = {pid: limits_of(pid) for pid in workers() if pid in before}
        for pid, limits in after.items():
            for each in (limits, before[pid]):
                del each["Max cpu time"]  # the service grants more for each cell
            assert limits == before[pid] and limits["Max processes"] == limits["Max file size"] == ["0", "0"]
            assert limits["Max address space"][1] != "unlimited"
        assert after


async def test_the_processor_time_of_a_worker_is_bounded_by_the_kernel_where_the_service_may_set_it() -> None:
    if not _may_raise_limits():
        pytest.skip("takes CAP_SYS_RESOURCE in the machine's own user namespace")
    async with Sandbox(limits=Limits(wall_s=5)) as sandbox:
        await (await sandbox.session()).run("1")
        granted = [limits_of(pid)["Max cpu time"] for pid in workers()]
        bounded = [tuple(map(int, each)) for each in granted if "unlimited" not in each]
        assert any(soft <= 5 + 3 and hard == soft + 1 for soft, hard in bounded)
