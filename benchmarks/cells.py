"""What a cell costs: a new session, a warm cell, host calls, and pure Python against plain CPython in the same run.

    python benchmarks/cells.py [--quick]

Prints times, ratios and the machine; nothing is asserted, and other work on the machine shows.
"""

from __future__ import annotations

import asyncio
import os
import platform
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from glossator.sandbox import HostFunction, Sandbox, Session

PURE_PYTHON = {
    "attributes": """
class Point:
    def __init__(self, x): self.x = x
    def moved(self): return Point(self.x + 1)
p = Point(0)
for _ in range(100_000): p = p.moved()
""",
    "private attributes": """
class Counted:
    def __init__(self): self._count = 0
    def up(self): self._count += 1
c = Counted()
for _ in range(100_000): c.up()
""",
    "dict": """
counts = {}
for n in range(200_000):
    key = n % 1000
    counts[key] = counts.get(key, 0) + 1
""",
    "regex": r"""
import re
text = "The cap of EUR 2,000,000 holds until 31 December 2026. " * 20_000
found = len(re.findall(r"\b[A-Z]{3} [\d,]+\b", text))
""",
    "comprehensions": """
rows = [{"n": n, "square": n * n} for n in range(50_000)]
total = sum(row["square"] for row in rows if row["n"] % 3 == 0)
""",
}
TIMED = "import time\nstarted = time.perf_counter()\n{code}\nprint(time.perf_counter() - started)"


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
    print(f"  {name:<24} p50 {statistics.median(ordered) * 1e3:8.2f} ms   p95 {p95 * 1e3:8.2f} ms   n={len(ordered)}")


async def cells(times: int) -> None:
    started = time.perf_counter()
    async with Sandbox() as sandbox:
        session = await sandbox.session(functions=[HostFunction("search", search)])
        print(f"  {'first session':<24}     {(time.perf_counter() - started) * 1e3:8.2f} ms   zygote included")
        show("warm cell", await timed(lambda: session.run("1 + 1"), times))
        show("one host call", await timed(lambda: session.run("await search('a')"), times))
        together = "import asyncio\nawait asyncio.gather(*[search('a') for _ in range(100)])\nNone"
        show("100 host calls together", await timed(lambda: session.run(together), times // 20))
        kept: list[Session] = []

        async def another() -> None:
            kept.append(await sandbox.session())

        show("new session", await timed(another, times // 10))
        print(f"  {'memory per idle session':<24}     {_pss(kept) / 1024:8.2f} MiB  PSS, {len(kept)} sessions")


def _pss(sessions: Sequence[Session]) -> float:
    """KiB per worker: the workers are the grandchildren of this process."""
    pids = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
    parents = {pid: _parent(pid) for pid in pids}
    workers = [pid for pid, parent in parents.items() if parents.get(parent) == os.getpid()]
    rollups = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in workers]
    return statistics.mean(int(text.split("Pss:")[1].split()[0]) for text in rollups)


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


async def pure_python(times: int) -> None:
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        for name, code in PURE_PYTHON.items():
            plain, inside = [], []
            for _ in range(times):  # in turns, so that a busy machine slows both
                plain.append(_plain(code))
                inside.append(await _inside(session, code))
            ratio = min(inside) / min(plain)
            print(f"  {name:<24} CPython {min(plain) * 1e3:7.1f} ms   cell {min(inside) * 1e3:7.1f} ms   x{ratio:.2f}")


def _plain(code: str) -> float:
    namespace: dict[str, Any] = {"__name__": "plain"}
    compiled = compile(code, "plain", "exec")
    started = time.perf_counter()
    exec(compiled, namespace)
    return time.perf_counter() - started


async def _inside(session: Session, code: str) -> float:
    result = await session.run(TIMED.format(code=code))
    assert result.error is None, result.error
    return float(result.stdout)


def machine() -> str:
    model = next((line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), "")
    load = "/".join(f"{value:.1f}" for value in os.getloadavg())
    return (
        f"CPython {platform.python_version()}, Linux {platform.release()}, {platform.machine()}, "
        f"{os.cpu_count()} CPUs{model.partition(':')[2]}, load {load}"
    )


async def main() -> None:
    times = 100 if "--quick" in sys.argv else 1000
    print(machine())
    async with Sandbox() as sandbox:
        isolation = await sandbox.isolation()
    print(f"isolation level {isolation.level}")
    print("cells")
    await cells(times)
    print("pure Python, best of several")
    await pure_python(3 if "--quick" in sys.argv else 9)


if __name__ == "__main__":
    asyncio.run(main())
