"""What cells and sessions cost, journal included. `loops.py` has the speed of what runs in a cell.

    python benchmarks/cells.py [--quick]

Prints times, memory and the machine; nothing is asserted, and other work on the machine shows.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from machine import machine

from glossator.sandbox import FileJournals, HostFunction, PoolLimits, Sandbox, Session

ROOMY = PoolLimits(memory_mb=1 << 16)  # nothing is evicted
# The kernel takes the namespaces of ended workers down later, under a lock that new ones wait for: a hundred that have
# just been evicted double the time of a new session.
_SETTLE_S = 3


async def search(query: str) -> list[str]:
    return [query]


async def timed(what: Callable[[], Awaitable[Any]], times: int) -> list[float]:
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        await what()
        spent.append(time.perf_counter() - started)
    return spent


def show(name: str, spent: Sequence[float]) -> None:
    ordered = sorted(spent)
    p95 = ordered[int(len(ordered) * 0.95)]
    print(f"  {name:<26} p50 {statistics.median(ordered) * 1e3:8.3f} ms   p95 {p95 * 1e3:8.3f} ms   n={len(ordered)}")


async def cells(sandbox: Sandbox, times: int) -> None:
    started = time.perf_counter()
    session = await sandbox.session(functions=[HostFunction("search", search)])
    print(f"  {'first session':<26}     {(time.perf_counter() - started) * 1e3:8.1f} ms   zygote included")
    show("warm cell", await timed(lambda: session.run("1 + 1"), times))
    show("warm cell that prints", await timed(lambda: session.run("print('a line')"), times))
    show("one host call", await timed(lambda: session.run("await search('a')"), times))
    together = "import asyncio\nawait asyncio.gather(*[search('a') for _ in range(100)])\nNone"
    show("100 host calls together", await timed(lambda: session.run(together), times // 20))
    await session.close()


async def rebuilding(sandbox: Sandbox, times: int) -> None:
    session = await sandbox.session()
    for n in range(20):
        await session.run(f"x{n} = [{n}] * 100")

    async def evicted() -> None:
        session.evict()
        await session.run("x19")

    show("20 cells run again", await timed(evicted, times // 20))
    await session.close()


async def many(sandbox: Sandbox, sessions: int, times: int) -> None:
    """Live sessions, each of which has run something: what one more costs, what they take, what a cell costs then."""
    live: list[Session] = []
    await asyncio.sleep(_SETTLE_S)

    async def another() -> None:
        live.append(await sandbox.session())

    show("new session", await timed(another, sessions))
    for session in live:
        await session.run("x = [1] * 100\nlen(x)")
    pss = _pss()
    assert len(pss) == sessions, len(pss)
    mean, most = statistics.mean(pss) / 1024, max(pss) / 1024
    print(f"  {'memory per idle session':<26}     {mean:8.2f} MiB  PSS, at most {most:.2f}; {len(pss)} live sessions")
    show(f"warm cell, {sessions} sessions", await timed(lambda: live[0].run("1 + 1"), times))


def _pss() -> list[int]:
    """KiB of each worker: the workers are the grandchildren of this process."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parents[int(entry)] = int(Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:  # it has ended
                continue
    workers = [pid for pid, parent in parents.items() if parents.get(parent) == os.getpid()]
    rollups = (Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in workers)
    return [int(text.split("Pss:")[1].split()[0]) for text in rollups]


async def main() -> None:
    quick = "--quick" in sys.argv
    times = 200 if quick else 2000
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox(journals=FileJournals(folder), pool=ROOMY) as sandbox:
            await cells(sandbox, times)
            await rebuilding(sandbox, times)
            await many(sandbox, 20 if quick else 200, times)
        async with Sandbox() as sandbox:
            print(f"  isolation level {(await sandbox.isolation()).level}")


if __name__ == "__main__":
    asyncio.run(main())
