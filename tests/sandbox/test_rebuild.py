"""Sessions whose workers die: the next cell finds the variables, or is told which are gone and why."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from glossator.sandbox import FileJournals, GuestError, HostFunction, Limits, Sandbox, SandboxUnavailable, Session
from glossator.sandbox.contracts import Header

from .test_zygote import children, gone, zygotes

pytestmark = pytest.mark.anyio


def kill_workers() -> None:
    """As the operating system would, short of memory."""
    for zygote in zygotes(os.getpid()):
        for worker in children(zygote):
            watched = os.pidfd_open(worker)
            os.kill(worker, signal.SIGKILL)
            gone(watched)


async def slow(ms: int) -> int:
    await asyncio.sleep(ms / 1000)
    return ms


async def rebuilt(session: Session, *cells: str, then: str) -> Any:
    """Run cells, kill the worker, run one more."""
    for cell in cells:
        await session.run(cell)
    kill_workers()
    return await session.run(then)


SAME = {
    "clock": "import time\nx = [time.time(), time.monotonic_ns(), time.perf_counter(), time.ctime(), time.localtime()]",
    "datetime": "from datetime import date\nx = [datetime.now(), datetime.utcnow(), datetime.today(), date.today()]",
    "random": "import random\nx = [random.random(), random.Random().random(), random.sample(range(99), 9)]",
    "seeded": "import random\nrandom.seed(7)\nx = random.random()",
    "secrets": "import secrets\nx = [secrets.token_hex(), secrets.randbelow(10**9), secrets.choice(range(10**9))]",
    "uuid": "import uuid\nx = uuid.uuid4()",
    "order of sets": "x = list({str(n) for n in range(100)})",
    "function": "def f(n): return n + 1\nx = f(1)",
    "class": "class C:\n    def __repr__(self): return 'a C'\nx = C()",
    "generator": "g = iter(range(9))\nx = [next(g), next(g)]",
    "shared": "a = []\nx = [a, a]\na.append(1)",
    "half a cell": "x = 1\nraise ValueError(x)",
    "waits": "import asyncio, time\nawait asyncio.sleep(0)\ntime.sleep(0.01)\nx = 1",
    "host": "x = [await count(), await count()]",
    "host at once": "import asyncio\nx = await asyncio.gather(*[count() for _ in range(80)])",
    "host says no": "try:\n    await count(bad=True)\nexcept KeyError as e:\n    x = str(e)",
    "an answer later than a timer": "t = asyncio.create_task(slow(30))\n"
    "done, left = await asyncio.wait({t}, timeout=0.005)\nx = len(done), len(left), await t\ndel t, done, left",
    "a timeout": "try:\n    x = await asyncio.wait_for(slow(500), 0.005)\nexcept TimeoutError:\n    x = 'late'",
    "a task that is left": "x = [0]\nasync def counts():\n    while True:\n        await count()\n        x[0] += 1\n"
    "t = asyncio.create_task(counts())\nawait asyncio.sleep(0.02)\ndel t",
    "timers": "x = []\nasync def wait(n):\n    await asyncio.sleep(n * 7 % 5 / 1000)\n    x.append(n)\n"
    "await asyncio.gather(*map(wait, range(9)))",
    "as they come": "x = [await t for t in asyncio.as_completed([slow(n * 7 % 5) for n in range(9)])]",
    "a loop in a loop": "async def inner():\n    t = asyncio.create_task(slow(20))\n"
    "    await asyncio.wait({t}, timeout=0.002)\n    return t.done()\nasync def main(): return asyncio.run(inner())\n"
    "x = [await main(), await slow(1)]",
    "a clock of the loop": "loop = asyncio.get_running_loop()\nx = [loop.time()]\nawait asyncio.sleep(0.001)\n"
    "x.append(loop.time())",
    "tasks in a set": "async def name(n):\n    return n\ndone, _ = await asyncio.wait([asyncio.create_task(name(n)) "
    "for n in range(20)])\nx = [t.result() for t in done]\ndel done, _",
    "surrogate": "x = '\\udce4'",
}


@pytest.mark.parametrize("code", SAME.values(), ids=SAME.keys())
async def test_a_cell_that_is_run_again_comes_to_the_same(code: str) -> None:
    counted = 0

    async def count(bad: bool = False) -> int:
        nonlocal counted
        if bad:
            raise GuestError("KeyError", "bad")
        counted += 1
        await asyncio.sleep(0.001 * (counted % 3))
        return counted

    async with Sandbox() as sandbox:
        session = await sandbox.session(functions=[HostFunction("count", count), HostFunction("slow", slow)])
        await session.run(code)
        before = await session.run("repr(x)")
        assert before.error is None
        calls = counted
        kill_workers()
        after = await session.run("repr(x)")
        assert (after.value, after.session_lost) == (before.value, False)
        assert "cells 1-2 ran again" in after.note
        assert counted == calls  # the host was not asked again
        # And so does what follows: the state of random is part of the session.
        following = await rebuilt(session, "import random\ny = random.random()\ny", then="y")
        assert following.error is None


async def test_what_depends_on_addresses_is_not_silently_another_session() -> None:
    """Printed or not: a set of objects has another order in another process, and the variable shows it."""
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        code = "class C:\n    def __init__(self, n): self.n = n\nx = [c.n for c in {C(n) for n in range(100)}]"
        await session.run(code)
        before = await session.run("x")
        await session.run("y = str(x)")
        after = await rebuilt(session, "z = id(y), str(C(1))", then="x")
        assert after.value == before.value or (after.session_lost and "Cell 1 was not run again" in after.note)


async def test_what_took_waiting_only_is_run_again_at_once() -> None:
    async with Sandbox(limits=Limits(rebuild_s=0.3, checkpoint_s=100)) as sandbox:
        session = await sandbox.session(functions=[HostFunction("slow", slow)])
        after = await rebuilt(session, "x = await slow(400)\nawait asyncio.sleep(0.4)", "def f(): return x", then="f()")
        assert (after.value, after.session_lost) == ("400", False)


async def test_another_time_limit_is_none_of_a_cell_that_is_run_again(tmp_path: Path) -> None:
    async with Sandbox(journals=FileJournals(tmp_path)) as sandbox:
        session = await sandbox.session(name="s")
        await session.run("import math\nfor _ in range(400): math.factorial(2000)\ndef f(): return 1")
    async with Sandbox(limits=Limits(wall_s=0.05), journals=FileJournals(tmp_path)) as sandbox:
        after = await (await sandbox.session(name="s")).run("f()")
        assert (after.value, after.session_lost) == ("1", False)


async def test_a_run_that_is_cancelled_while_its_data_is_kept_never_was() -> None:
    async with Sandbox(limits=Limits(checkpoint_s=0.0)) as sandbox:
        session = await sandbox.session()
        await session.run("x = 1; data = [str(n) for n in range(400_000)]")
        running = asyncio.create_task(session.run("x += 1"))
        while 2 not in session.sources:  # noqa: ASYNC110  # nothing tells that a cell was kept
            await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert (await session.run("x")).value == "1"


async def test_the_cell_that_died_did_nothing() -> None:
    async with Sandbox(limits=Limits(wall_s=0.3)) as sandbox:
        session = await sandbox.session()
        await session.run("x = [1]")
        died = await session.run("print('before')\nprint('half', end='', flush=True)\nx.append(2)\nsum(range(10**12))")
        assert (died.stdout, died.worker_ended, died.timed_out) == ("before\nhalf", True, True)
        assert died.error is not None and "as they were before this cell" in died.error.hint
        after = await session.run("x")
        assert (after.value, after.number) == ("[1]", 3)


async def test_a_cell_that_ended_by_its_limit_is_not_run_again() -> None:
    async with Sandbox(limits=Limits(wall_s=0.3)) as sandbox:
        session = await sandbox.session()
        await session.run("x = 1")
        limited = await session.run("x = 2\nwhile True: pass")
        assert limited.timed_out and not limited.worker_ended
        assert (await session.run("x = x + 10; x")).value == "12"  # the worker lives, and so do its variables
        after = await rebuilt(session, then="x")
        assert (after.value, after.session_lost) == ("1", True)
        assert "Cell 2 was not run again: it was ended by its time limit; what cells 2-3 made is gone." in after.note
        # From here on the session is whole again, without these cells.
        assert (await rebuilt(session, "x = 5", then="x")).value == "5"


async def test_after_a_limit_the_death_of_a_worker_says_what_is_left() -> None:
    async with Sandbox(limits=Limits(wall_s=0.3)) as sandbox:
        session = await sandbox.session()
        for code in ("x = 1", "while True: pass"):
            await session.run(code)
        error = (await session.run("sum(range(10**12))")).error
        assert error is not None and "after cell 1. Cell 2 was not run again" in error.hint


@dataclass
class Page:
    """A file system with one page, which may be rewritten."""

    text: bytes

    async def request(self, header: Header) -> tuple[Header, Sequence[bytes]]:
        return {}, [self.text]

    def finish(self, report: Header) -> None: ...


READ = """
import gc
channel = next(o for o in gc.get_objects() if type(o).__name__ == "HostChannel")
text = bytes(channel.request({})[1][0])
"""


@dataclass
class Killer(Page):
    """A page of which the requests named in `plan`, counted from 1, find their worker dead."""

    plan: Sequence[int] = ()
    seen: int = 0

    async def request(self, header: Header) -> tuple[Header, Sequence[bytes]]:
        self.seen += 1
        if self.seen in self.plan:
            await asyncio.sleep(0.3)
            kill_workers()
        return {}, [b"page"]


async def test_a_cell_at_which_every_worker_ends_is_given_up() -> None:
    killer = Killer(b"", plan=range(2, 99))
    async with Sandbox._without_policy(limits=Limits(rebuild_s=0.5)) as sandbox:
        session = await sandbox.session(filesystem=killer)
        await session.run("x = 1")
        after = await rebuilt(session, READ, then="x")
        assert (after.value, after.session_lost) == ("1", True)
        assert "Cell 2 was not run again: its worker ended" in after.note


async def test_workers_that_are_killed_wherever_they_are_cost_no_cell() -> None:
    killer = Killer(b"", plan=(3, 5))  # while cell 2 is run again, then cell 3
    async with Sandbox._without_policy(limits=Limits(rebuild_s=0.5)) as sandbox:
        session = await sandbox.session(filesystem=killer)
        with pytest.raises(SandboxUnavailable, match="Nothing is lost: run the cell once more"):
            await rebuilt(session, "x = 1", READ, READ, then="x")
        after = await session.run("x, text")
        assert (after.value, after.session_lost) == ("(1, b'page')", False)
        assert "cells 1-3 ran again" in after.note


async def test_changed_documents_stop_the_rebuilding_and_the_agent_is_told() -> None:
    page = Page(b"one")
    async with Sandbox._without_policy() as sandbox:
        session = await sandbox.session(filesystem=page)
        await session.run("x = 1")
        assert (await rebuilt(session, READ, then="text")).value == "b'one'"
        page.text = b"two"
        after = await rebuilt(session, then="x")
        assert (after.value, after.session_lost) == ("1", True)
        assert "Cell 2 was not run again: the documents that it read have changed" in after.note
        assert (await session.run("text")).error is not None


async def test_rebuilding_has_a_budget() -> None:
    async with Sandbox(limits=Limits(rebuild_s=0.3, checkpoint_s=100)) as sandbox:
        session = await sandbox.session()
        spin = "import math\nfor _ in range(400): math.factorial(2000)\n"
        after = await rebuilt(session, "x = 1", *[f"{spin}x = {n}" for n in (2, 3, 4, 5, 6, 7, 8, 9)], then="x")
        assert after.value is not None and 1 <= int(after.value) < 10
        assert after.session_lost is (after.value != "9")
        assert "more than 0.3 s" in after.note or after.value == "9"


async def test_a_cell_that_meets_the_end_of_the_budget_is_not_said_to_come_out_otherwise() -> None:
    async with Sandbox._without_policy(limits=Limits(rebuild_s=0.2, checkpoint_s=100)) as sandbox:
        session = await sandbox.session()
        waits = "import select\nselect.select([], [], [], 0.6)\nx = 2"  # takes time, but next to no CPU time
        after = await rebuilt(session, "x = 1", waits, then="x")
        assert (after.value, after.session_lost) == ("1", True)
        assert "Cell 2 was not run again: running the session's cells again takes more than 0.2 s" in after.note


async def test_a_slow_cell_keeps_its_plain_data() -> None:
    runs = 0

    async def count() -> int:
        nonlocal runs
        runs += 1
        return runs

    slow = "import math, random\nrandom.seed(1)\nx = Counter('abca')\ny = x\nn = await count()"
    async with Sandbox(limits=Limits(checkpoint_s=0.0)) as sandbox:
        session = await sandbox.session(functions=[HostFunction("count", count)])
        after = await rebuilt(session, slow, then="math.sqrt(4), x is y, x['a'], n, len(_out), random.random()")
        assert after.value == "(2.0, True, 2, 1, 1, 0.13436424411240122)"
        assert "the data kept after cell 1" in after.note and "ran again" not in after.note
        # With a function there is no whole checkpoint: the older one is the base, and the cell is run again.
        after = await rebuilt(session, "def f(): return 3", then="f(), x['a']")
        assert after.value == "(3, 2)"
        assert "ran again" in after.note and not after.session_lost


async def test_a_checkpoint_with_gaps_is_better_than_nothing() -> None:
    async with Sandbox(limits=Limits(checkpoint_s=0.0, rebuild_s=0.001)) as sandbox:
        session = await sandbox.session()
        after = await rebuilt(session, "def f(): return 1\nx = {'a': [1]}\nsum(range(10**6))", then="x")
        assert (after.value, after.session_lost) == ("{'a': [1]}", True)
        assert "Not in that data, and gone: f." in after.note


async def test_what_is_kept_of_a_session_is_bounded() -> None:
    async with Sandbox(limits=Limits(journal_mb=1)) as sandbox:
        session = await sandbox.session()
        await session.run("x = 1")
        large = f"y = {'z' * 700_000!r}\nx += 1"
        after = await rebuilt(session, large, f"{large}\nclass C: pass", then="x")
        assert (after.value, after.session_lost) == ("2", True)
        assert "larger than 1 MiB" in after.note


async def test_a_session_whose_journal_is_full_goes_on_from_its_plain_data() -> None:
    async with Sandbox(limits=Limits(journal_mb=1)) as sandbox:
        session = await sandbox.session()
        await session.run(f"x = 1; y = {'z' * 700_000!r}")
        for _ in range(3):
            assert (await session.run(f"x += 1; y = {'z' * 700_000!r}")).note == ""  # nothing is at stake
        after = await rebuilt(session, "x += 1", then="x")
        assert (after.value, after.session_lost) == ("5", False)
        told = await session.run(f"def f(): pass\ny = {'z' * 700_000!r}")
        assert "This cell cannot be run again: the session's journal would be larger than 1 MiB" in told.note
        assert (await session.run(f"g = {'z' * 700_000!r}")).note == ""  # once is enough


async def test_a_cell_that_reads_clocks_too_often_is_not_run_again() -> None:
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        often = "import time\nclass C: pass\nfor _ in range(60_000): x = time.time()"
        after = await rebuilt(session, "x = 1", often, then="x")
        assert (after.value, "read clocks too often" in after.note) == ("1", True)
        assert "C." in after.note or "what it made is gone" in after.note


async def test_a_session_continues_in_another_sandbox(tmp_path: Path) -> None:
    async with Sandbox(journals=FileJournals(tmp_path)) as sandbox:
        session = await sandbox.session(name="s")
        await session.run("import random\nx = {str(random.random()) for _ in range(9)}\nlist(x)")
        before = await session.run("def f(): return list(x)\nf()")
    async with Sandbox(journals=FileJournals(tmp_path)) as sandbox:
        session = await sandbox.session(name="s")
        assert session.sources[2].startswith("def f")
        after = await session.run("f()")
        assert (after.value, after.number) == (before.value, 3)
        assert "cells 1-2 ran again" in after.note
        assert (await session.run("f()")).note == ""


HOST = """
import asyncio, sys
from glossator.sandbox import FileJournals, Sandbox

async def main():
    async with Sandbox(journals=FileJournals(sys.argv[1])) as sandbox:
        session = await sandbox.session(name="s")
        await session.run("x = [1]")
        await session.run("x.append(2)")
        print("ready", flush=True)
        await session.run("x.append(3)\\nwhile True: pass")

asyncio.run(main())
"""


async def test_a_session_survives_the_death_of_its_host_in_the_middle_of_a_cell(tmp_path: Path) -> None:
    host = await asyncio.create_subprocess_exec(sys.executable, "-c", HOST, tmp_path, stdout=subprocess.PIPE)
    assert host.stdout is not None and await host.stdout.readline() == b"ready\n"
    host.kill()
    await host.wait()
    async with Sandbox(journals=FileJournals(tmp_path)) as sandbox:
        session = await sandbox.session(name="s")
        assert (await session.run("x")).value == "[1, 2]"


async def test_a_worker_that_is_killed_while_a_session_is_rebuilt_costs_nothing() -> None:
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        for n in range(5):
            await session.run(f"import time\ny{n} = sum(range(400_000))")
        kill_workers()
        running = asyncio.create_task(session.run("y0 == y4"))
        await asyncio.sleep(0.02)
        for zygote in zygotes(os.getpid()):
            for worker in children(zygote):
                os.kill(worker, signal.SIGKILL)
        result = await running
        assert result.value == "True" or (result.worker_ended and (await session.run("y0 == y4")).value == "True")
