"""Sessions that live through deaths: what `test_chaos` runs, in its own process or as a host of its own.

A life is a session of random cells. What its variables must be is computed beside it, by plain Python, from the cells
that have finished. As a program, `python -m tests.sandbox.lives FOLDER` is a host: it takes lives to go on with from
its first line of input, tells each finished cell in a line of output, and can be killed at any moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from glossator.sandbox import CellResult, FileJournals, HostFunction, Limits, Sandbox, SandboxUnavailable, Session

from .test_zygote import children, zygotes

MOST_CELLS = 12
AT_ONCE = 4  # lives that a host runs at the same time
SHOW = "(items, total)"
BEGIN = "items, total = [], 0"


async def double(n: int) -> int:
    await asyncio.sleep(n % 3 / 1000)
    return 2 * n


FUNCTIONS = (HostFunction("double", double),)


class State(NamedTuple):
    """What the variables must be."""

    items: tuple[Any, ...] = ()
    total: int = 0

    @property
    def shown(self) -> str:
        return repr((list(self.items), self.total))


class Step(NamedTuple):
    code: str
    after: State


def script(seed: int) -> list[Step]:
    """The cells of a life, and what the variables are after each."""
    rng, steps = random.Random(seed), [Step(BEGIN, State())]
    for _ in range(rng.randrange(1, MOST_CELLS)):
        before, n = steps[-1].after, rng.randrange(1000)
        kind = rng.choice(list(KINDS))
        code, items, total = kind(n, before)
        spin = f"for _ in range({rng.choice([0, 0, 1000, 200_000])}): pass\n"
        steps.append(Step(spin + code, State(items, total)))
    return steps


Made = tuple[str, tuple[Any, ...], int]


def _append(n: int, before: State) -> Made:
    return f"items.append({n})\ntotal += {n}", (*before.items, n), before.total + n


def _function(n: int, before: State) -> Made:
    return f"def f(k): return k + {n}\ntotal = f(total)", before.items, before.total + n


def _ask(n: int, before: State) -> Made:
    return f"d = await double({n})\nitems = [*items, d]", (*before.items, 2 * n), before.total


def _ask_at_once(n: int, before: State) -> Made:
    code = f"items += await asyncio.gather(*[double({n} + k) for k in range(5)])"
    return code, (*before.items, *(2 * (n + k) for k in range(5))), before.total


def _race(n: int, before: State) -> Made:
    """Whichever comes first: what it was must be the same afterwards, and is read back from `first`."""
    code = (
        f"t = asyncio.create_task(double({n}))\ndone, _ = await asyncio.wait({{t}}, timeout=0.001)\n"
        "first = globals().get('first', []) + [len(done)]\nitems.append(await t)\ndel t, done, _"
    )
    return code, (*before.items, 2 * n), before.total


def _chance(n: int, before: State) -> Made:
    code = "import random, time\nr = [random.random(), time.time()]\nitems.append(len(r))"
    return code, (*before.items, 2), before.total


def _error(n: int, before: State) -> Made:
    total = before.total + 1
    return "total += 1\nitems.append(total)\n1 / 0", (*before.items, total), total


def _generator(n: int, before: State) -> Made:
    code = f"g = iter(range({n}, {n} + 9))\nitems.append(next(g))\nitems.append(next(g))"
    return code, (*before.items, n, n + 1), before.total


def _class(n: int, before: State) -> Made:
    code = f"class C:\n    def __init__(self, k): self.k = k\nc = C({n})\ntotal += c.k"
    return code, before.items, before.total + n


KINDS: tuple[Callable[[int, State], Made], ...] = (
    *(_append, _function, _ask, _ask_at_once, _race, _chance, _error, _generator, _class),
)


@dataclass
class Counts:
    """What happened, for the report."""

    kills: dict[str, int] = field(default_factory=lambda: {"worker": 0, "zygote": 0, "host": 0})
    cells: int = 0
    rebuilt: int = 0
    refused: int = 0  # cells, because no worker could be started: they were sent again
    lives: int = 0

    def add(self, other: Mapping[str, Any]) -> None:
        for kind, number in other["kills"].items():
            self.kills[kind] += number
        for name in ("cells", "rebuilt", "refused", "lives"):
            setattr(self, name, getattr(self, name) + other[name])


def kill(rng: random.Random, counts: Counts) -> None:
    """SIGKILL for the zygote, or for one of its workers."""
    for zygote in zygotes(os.getpid()):
        victims = children(zygote)
        worker = bool(victims) and rng.random() < 0.85
        with contextlib.suppress(ProcessLookupError):
            os.kill(rng.choice(victims) if worker else zygote, signal.SIGKILL)
            counts.kills["worker" if worker else "zygote"] += 1


class Life:
    """One session, from the beginning or from the step that it had reached."""

    def __init__(self, sandbox: Sandbox, seed: int, reached: int, counts: Counts) -> None:
        self._sandbox = sandbox
        self._seed = seed
        self._steps = script(seed)
        self._reached = reached  # steps that have finished
        self._rng = random.Random(f"{seed} {reached} {os.getpid()}")
        self._counts = counts
        self._session: Session | None = None

    async def live(self, tell: Callable[[int, int], Awaitable[None]]) -> None:
        if self._reached:
            await self._take_up()
        while self._reached < len(self._steps):
            step = self._steps[self._reached]
            result = await self._run(step.code, hit=0.4)
            if result.worker_ended or result.session_lost:
                continue
            self._reached += 1
            await tell(self._seed, self._reached)
            if self._rng.random() < 0.2:  # as another process would take it up
                await (await self._opened()).close()
                self._session = None
            await self._check()
        await (await self._opened()).close()
        self._counts.lives += 1

    async def _opened(self) -> Session:
        if self._session is None:
            self._session = await self._sandbox.session(name=f"s{self._seed}", functions=FUNCTIONS)
        return self._session

    async def _take_up(self) -> None:
        """The cell that ran when the host died may have been kept, though nobody was told."""
        shown = await self._shown()
        now = self._steps[self._reached - 1 : self._reached + 1]
        fits = [place for place, step in enumerate(now) if step.after.shown == shown.value]
        assert fits, (self._seed, self._reached, shown, now)
        self._reached += fits[0] if len(fits) == 1 else self._kept_more()

    def _kept_more(self) -> int:
        """Two steps that leave the same variables: which of them was the last to be kept, its code tells."""
        assert self._session is not None
        ours = [code for code in self._session.sources.values() if code != SHOW]
        return int(self._reached < len(self._steps) and ours[-1] == self._steps[self._reached].code)

    async def _check(self) -> None:
        shown = await self._shown()
        assert shown.value == self._steps[self._reached - 1].after.shown, (self._seed, self._reached, shown)

    async def _shown(self) -> CellResult:
        while True:
            result = await self._run(SHOW, hit=0.05)
            if not result.worker_ended:
                return result

    async def _run(self, code: str, *, hit: float) -> CellResult:
        while True:
            try:
                return await self._run_once(await self._opened(), code, hit)
            except SandboxUnavailable:  # three workers were killed on their way: nothing has happened
                self._counts.refused += 1

    async def _run_once(self, session: Session, code: str, hit: float) -> CellResult:
        running = asyncio.create_task(session.run(code))
        if self._rng.random() < hit:
            await asyncio.sleep(self._rng.choice([0, 0, 0.001, 0.003, 0.01]))
            kill(self._rng, self._counts)
        result = await running
        self._counts.cells += 1
        self._counts.rebuilt += "Session rebuilt" in result.note
        assert not result.session_lost, (self._seed, self._reached, result.note)
        return result


async def host(folder: str, lives: Mapping[int, int]) -> Counts:
    """Live on, each from the step that it had reached, a few at once."""
    counts, waiting = Counts(), sorted(lives.items(), reverse=True)

    async def tell(seed: int, reached: int) -> None:
        print(json.dumps({"seed": seed, "reached": reached}), flush=True)

    async def one_after_the_other(sandbox: Sandbox) -> None:
        while waiting:
            seed, reached = waiting.pop()
            await Life(sandbox, seed, reached, counts).live(tell)
            print(json.dumps({"seed": seed, "done": True, **vars(counts)}), flush=True)
            counts.__init__()

    async with Sandbox(journals=FileJournals(folder), limits=Limits(checkpoint_s=0.02)) as sandbox:
        await asyncio.gather(*[one_after_the_other(sandbox) for _ in range(AT_ONCE)])
    assert zygotes(os.getpid()) == []
    return counts


if __name__ == "__main__":
    asyncio.run(host(sys.argv[1], {int(seed): reached for seed, reached in json.loads(sys.stdin.readline()).items()}))
