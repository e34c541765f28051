"""Sessions of random length whose worker, zygote or host is killed at random: no variable lost, no wrong answer, no
process left over.

What every cell must come to is computed beside it, by plain Python, from the cells that have finished.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from glossator.sandbox import FileJournals, HostFunction, Sandbox

from .test_zygote import children, zygotes

pytestmark = pytest.mark.anyio

MOST_CELLS = 12


async def double(n: int) -> int:
    await asyncio.sleep(0)
    return 2 * n


class Model:
    """What the session's variables must be."""

    def __init__(self) -> None:
        self.items: list[int] = []
        self.total = 0

    def cell(self, rng: random.Random) -> tuple[str, list[int], int]:
        """Code, and what `items` and `total` are after it; the model itself changes when the cell has finished."""
        n = rng.randrange(1000)
        spin = f"for _ in range({rng.choice([0, 0, 1000, 200_000])}): pass\n"
        match rng.randrange(5):
            case 0:
                return f"{spin}items.append({n})\ntotal += {n}", [*self.items, n], self.total + n
            case 1:
                return f"def f(k): return k + {n}\n{spin}total = f(total)", self.items, self.total + n
            case 2:
                code = f"d = await double({n})\n{spin}items = [*items, d]"
                return code, [*self.items, 2 * n], self.total
            case 3:
                code = f"import random, time\nr = [random.random(), time.time()]\n{spin}items.append(len(r))"
                return code, [*self.items, 2], self.total
        return f"total += 1\n{spin}items.append(total)\n1 / 0", [*self.items, self.total + 1], self.total + 1


SHOW = "(items, total)"


def kill(rng: random.Random) -> None:
    """SIGKILL for the zygote, or for one of its workers."""
    for zygote in zygotes(os.getpid()):
        victims = children(zygote)
        with contextlib.suppress(ProcessLookupError):
            os.kill(rng.choice(victims) if victims and rng.random() < 0.85 else zygote, signal.SIGKILL)


async def live(sandbox: Sandbox, seed: int) -> int:
    """One session; how often it was hit."""
    rng, model, hits = random.Random(seed), Model(), 0
    functions = [HostFunction("double", double)]
    session = await sandbox.session(name=f"s{seed}", functions=functions)
    while (await session.run("items, total = [], 0")).worker_ended:
        pass
    for _ in range(rng.randrange(1, MOST_CELLS)):
        code, items, total = model.cell(rng)
        running = asyncio.create_task(session.run(code))
        if rng.random() < 0.4:
            hits += 1
            await asyncio.sleep(rng.choice([0, 0, 0.001, 0.003, 0.01]))
            kill(rng)
        result = await running
        assert not result.session_lost, (seed, result.note)
        if not result.worker_ended:
            model.items, model.total = items, total
        if rng.random() < 0.2:  # as another process would take it up
            await session.close()
            session = await sandbox.session(name=f"s{seed}", functions=functions)
        shown = await session.run(SHOW)
        assert not shown.session_lost, (seed, shown.note)
        assert shown.worker_ended or shown.value == repr((model.items, model.total)), (seed, shown)
    final = await session.run(SHOW)
    while final.worker_ended:
        final = await session.run(SHOW)
    assert final.value == repr((model.items, model.total)), seed
    await session.close()
    return hits


async def live_all(seeds: Sequence[int], folder: Path) -> int:
    hits = 0
    async with Sandbox(journals=FileJournals(folder)) as sandbox:
        for seed in seeds:
            hits += await live(sandbox, seed)
    assert zygotes(os.getpid()) == []
    return hits


async def test_sessions_survive_kills(tmp_path: Path) -> None:
    assert await live_all(range(8), tmp_path) > 3


@pytest.mark.slow
async def test_a_thousand_sessions_survive_kills(tmp_path: Path) -> None:
    assert await live_all(range(100, 1_100), tmp_path) > 300


HOST = """
import asyncio, sys
from glossator.sandbox import FileJournals, Sandbox

async def main():
    async with Sandbox(journals=FileJournals(sys.argv[1])) as sandbox:
        session = await sandbox.session(name="s")
        print((await session.run("counts = counts if 'counts' in dir() else []\\ncounts")).value, flush=True)
        while True:
            result = await session.run("counts.append(len(counts))\\nlen(counts)")
            print(result.value, flush=True)

asyncio.run(main())
"""


async def hosts(times: int, folder: Path, seeds: Sequence[int]) -> None:
    """One session over many hosts, each killed while it runs cells as fast as it can."""
    finished = 0
    for seed in seeds:
        host = await asyncio.create_subprocess_exec(sys.executable, "-c", HOST, folder, stdout=asyncio.subprocess.PIPE)
        assert host.stdout is not None
        begun = (await host.stdout.readline()).decode().strip()
        counts = [int(n) for n in begun.strip("[]").split(", ") if n]
        # Nothing that anybody was told of is lost; the cell whose result was on its way may have been kept too.
        assert counts == list(range(len(counts))) and finished <= len(counts) <= finished + 1, (seed, begun, finished)
        finished = len(counts)
        for _ in range(random.Random(seed).randrange(times)):
            finished = int(await host.stdout.readline())
        host.kill()
        rest = (await host.stdout.read()).decode().split("\n")
        finished = max([finished, *(int(line) for line in rest[:-1])])
        await host.wait()


async def test_a_session_survives_its_hosts(tmp_path: Path) -> None:
    await hosts(30, tmp_path, range(4))


@pytest.mark.slow
async def test_a_session_survives_a_hundred_hosts(tmp_path: Path) -> None:
    await hosts(10, tmp_path, range(100))
