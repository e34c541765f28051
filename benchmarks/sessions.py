"""What a session costs, journal included: cells, new sessions, rebuilding, memory; beside pydantic-monty where it is.

    python benchmarks/sessions.py [--quick]

Prints times and the machine; nothing is asserted, and other work on the machine shows.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cells import PURE_PYTHON, machine, show, timed

from glossator.sandbox import FileJournals, PoolLimits, Sandbox, Session


async def cells(folder: Path, times: int) -> None:
    async with Sandbox(journals=FileJournals(folder)) as sandbox:
        session = await sandbox.session(name="warm")
        await session.run("1")
        show("warm cell, journal", await timed(lambda: session.run("1 + 1"), times))
        show("warm cell that prints", await timed(lambda: session.run("print('a line')"), times))

        spent = []
        for n in range(times // 10):
            started = time.perf_counter()
            other = await sandbox.session(name=f"new{n}")
            spent.append(time.perf_counter() - started)
            await other.close()
        show("new session, journal", spent)


async def rebuilding(folder: Path, times: int) -> None:
    async with Sandbox(journals=FileJournals(folder)) as sandbox:
        session = await sandbox.session(name="rebuilt")
        for n in range(20):
            await session.run(f"x{n} = [{n}] * 100")

        async def evicted() -> None:
            session.evict()
            await session.run("x19")

        show("20 cells run again", await timed(evicted, times // 20))


async def memory(folder: Path, many: int) -> None:
    async with Sandbox(journals=FileJournals(folder), pool=PoolLimits(memory_mb=1 << 16)) as sandbox:
        kept: list[Session] = []
        for n in range(many):
            kept.append(await sandbox.session(name=f"idle{n}"))
            await kept[-1].run("x = [1] * 100")
        pss = _pss()
        print(f"  {'memory per idle session':<24}     {statistics.mean(pss) / 1024:8.2f} MiB  PSS, {len(pss)} sessions")


def _pss() -> list[int]:
    """KiB of each worker: the workers are the grandchildren of this process."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parents[int(entry)] = int(Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
    workers = [pid for pid, parent in parents.items() if parents.get(parent) == os.getpid()]
    rollups = (Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in workers)
    return [int(text.split("Pss:")[1].split()[0]) for text in rollups]


async def beside_monty(times: int) -> None:
    """The same programs in both, in turns; monty is another interpreter, with less of Python."""
    try:
        import pydantic_monty
    except ImportError:
        print("  pydantic-monty is not installed here")
        return
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        for name, code in {"1 + 1": "1 + 1", **PURE_PYTHON}.items():
            with pydantic_monty.Monty() as pool, pool.checkout() as other:
                ours, theirs, problem = [], [], ""
                for _ in range(times):
                    started = time.perf_counter()
                    await session.run(code)
                    ours.append(time.perf_counter() - started)
                    started = time.perf_counter()
                    try:
                        other.feed_run(code)
                    except pydantic_monty.MontyError as error:  # what it cannot run is told, not measured
                        problem = f"monty: {str(error).splitlines()[-1][:60]}"
                        break
                    theirs.append(time.perf_counter() - started)
                them = problem or f"monty {min(theirs) * 1e3:8.2f} ms"
                print(f"  {name:<24} here {min(ours) * 1e3:8.2f} ms   {them}")


async def main() -> None:
    quick = "--quick" in sys.argv
    times = 200 if quick else 2000
    print(machine())
    steps: list[tuple[str, Callable[[Path], Any]]] = [
        ("cells", lambda folder: cells(folder, times)),
        ("rebuilding", lambda folder: rebuilding(folder, times)),
        ("memory", lambda folder: memory(folder, 20 if quick else 200)),
    ]
    for name, step in steps:
        print(name)
        with tempfile.TemporaryDirectory() as folder:
            await step(Path(folder))
    print("pydantic-monty, best of several")
    await beside_monty(3 if quick else 9)


if __name__ == "__main__":
    asyncio.run(main())
