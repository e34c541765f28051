"""Many sessions, few workers: who runs, who waits, who gives way."""

from __future__ import annotations

import asyncio
import os

import pytest

from glossator.sandbox import HostFunction, Limits, PoolBusy, PoolLimits, Sandbox

from .test_zygote import children, zygotes

pytestmark = pytest.mark.anyio

SMALL = PoolLimits(memory_mb=20)  # two idle workers


def workers() -> int:
    return sum(len(children(zygote)) for zygote in zygotes(os.getpid()))


async def test_idle_sessions_give_their_memory_back_and_lose_nothing() -> None:
    async with Sandbox(pool=SMALL) as sandbox:
        sessions = [await sandbox.session() for _ in range(6)]
        for n, session in enumerate(sessions):
            await session.run(f"x = {n}")
        assert sum(session.alive for session in sessions) <= 3
        for n, session in enumerate(sessions):
            assert (await session.run("x")).value == str(n)
        assert sum(session.alive for session in sessions) <= 3


async def test_the_cheapest_to_rebuild_goes_first_and_what_cannot_be_rebuilt_last() -> None:
    limits = Limits(wall_s=0.5)
    async with Sandbox(pool=PoolLimits(memory_mb=28), limits=limits) as sandbox:
        cheap, dear, lossy, more = [await sandbox.session() for _ in range(4)]
        await lossy.run("x = 1\nwhile True: pass")
        await dear.run("x = sum(range(3_000_000))")
        await cheap.run("x = 1")
        await more.run("x = 1")
        await more.run("y = 1")
        assert (lossy.alive, dear.alive, cheap.alive) == (True, True, False)


async def test_who_waits_for_too_long_is_told() -> None:
    begun, end = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        begun.set()
        await end.wait()

    async with Sandbox(pool=PoolLimits(running=1, wait_s=0.05)) as sandbox:
        session, other = await sandbox.session(functions=[HostFunction("hold", hold)]), await sandbox.session()
        running = asyncio.create_task(session.run("await hold()"))
        await begun.wait()
        with pytest.raises(PoolBusy, match=r"1 cells are running, and this cell waited 0\.05 s"):
            await other.run("1")
        end.set()
        await running
        assert (await other.run("1")).value == "1"


async def test_a_session_with_many_cells_does_not_crowd_out_the_others() -> None:
    order: list[str] = []

    async def note(who: str) -> None:
        order.append(who)

    async with Sandbox(pool=PoolLimits(running=1)) as sandbox:
        function = HostFunction("note", note)
        greedy, modest = await sandbox.session(functions=[function]), await sandbox.session(functions=[function])
        cells = [asyncio.create_task(greedy.run("await note('greedy')")) for _ in range(10)]
        await asyncio.sleep(0)
        await modest.run("await note('modest')")
        await asyncio.gather(*cells)
    assert order.index("modest") <= 2


async def test_memory_that_others_use_is_waited_for() -> None:
    begun, end = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        begun.set()
        await end.wait()

    async with Sandbox(pool=PoolLimits(memory_mb=20, wait_s=30)) as sandbox:
        large = await sandbox.session(functions=[HostFunction("hold", hold)])
        other = await sandbox.session()
        running = asyncio.create_task(large.run("x = bytearray(1) * 40_000_000\nawait hold()\ndel x"))
        await begun.wait()
        waiting = asyncio.create_task(other.run("1"))
        await asyncio.wait([waiting], timeout=0.05)
        assert not waiting.done()
        end.set()
        await running
        assert (await waiting).value == "1"


async def test_leftovers_of_a_cell_are_cleaned_up() -> None:
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        await session.run("import asyncio\nasync def f():\n    while True: await asyncio.sleep(0)")
        await session.run("async def g():\n    global t\n    t = asyncio.create_task(f())\nawait g()")
        assert (await session.run("t.cancelled()")).value == "True"
