"""Deaths: of the zygote, of the host, of workers; and what the zygote carries."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from glossator.sandbox import FileJournals, Limits, Sandbox, SandboxUnavailable

from .processes import children, gone, zygotes

pytestmark = pytest.mark.anyio


@pytest.fixture
def mine() -> Callable[[], list[int]]:
    """The zygotes of this process that the test has started: other tests keep theirs for a whole run."""
    before = zygotes(os.getpid())
    return lambda: [each for each in zygotes(os.getpid()) if each not in before]


def environment(pid: int) -> list[str]:
    text = Path(f"/proc/{pid}/environ").read_text()
    return [each.partition("=")[0] for each in text.split("\0") if each]


async def test_a_dead_zygote_takes_its_workers_along_and_is_replaced(mine: Callable[[], list[int]]) -> None:
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        await session.run("x = 1")
        (zygote,) = mine()
        (worker,) = children(zygote)
        watched = os.pidfd_open(worker)
        os.kill(zygote, signal.SIGKILL)
        gone(watched)
        result = await session.run("x")
        assert (result.value, result.session_lost, "cell 1 ran again" in result.note) == ("1", False, True)
        assert (await (await sandbox.session()).run("3")).value == "3"
        assert mine() != [zygote]


HOST = """
import asyncio, sys
from glossator.sandbox import Sandbox

async def main():
    async with Sandbox() as sandbox:
        sessions = [await sandbox.session() for _ in range(20)]
        for session in sessions:
            await session.run("x = 1")
        cells = ["while True: pass", "sum(range(10**12))", "await asyncio.sleep(1000)"]
        running = [asyncio.create_task(each.run(code)) for each, code in zip(sessions, cells)]
        await asyncio.sleep(0.1)
        print("spinning", flush=True)
        await asyncio.gather(*running)

asyncio.run(main())
"""


def test_nothing_survives_the_death_of_the_host() -> None:
    host = subprocess.Popen([sys.executable, "-c", HOST], stdout=subprocess.PIPE, text=True)
    assert host.stdout is not None
    assert host.stdout.readline() == "spinning\n"
    (zygote,) = zygotes(host.pid)
    workers = children(zygote)
    assert len(workers) == 20
    watched = [os.pidfd_open(pid) for pid in (zygote, *workers)]
    host.kill()
    host.communicate()
    for pidfd in watched:
        gone(pidfd)


async def test_closing_ends_all_processes(mine: Callable[[], list[int]]) -> None:
    async with Sandbox() as sandbox:
        await sandbox.session()
        (zygote,) = mine()
        watched = [os.pidfd_open(pid) for pid in children(zygote)]
        assert len(watched) == 1
    for pidfd in watched:
        gone(pidfd)
    assert mine() == []


async def test_a_killed_session_leaves_no_process(mine: Callable[[], list[int]]) -> None:
    async with Sandbox(limits=Limits(wall_s=0.2)) as sandbox:
        session = await sandbox.session()
        (zygote,) = mine()
        (worker,) = children(zygote)
        watched = os.pidfd_open(worker)
        assert (await session.run("sum(range(10**12))")).timed_out
        gone(watched)
        await session.close()


async def test_the_zygote_is_small_and_has_no_environment(mine: Callable[[], list[int]]) -> None:
    heavy = ("lancedb", "pyarrow", "pydantic", "numpy", "sqlalchemy", "docling_core")
    async with Sandbox._without_policy(preload=["glossator.vfs.guest"]) as sandbox:
        result = await (await sandbox.session()).run(f"import sys\n[name for name in {heavy} if name in sys.modules]")
        assert result.value == "[]"
        (zygote,) = mine()
        assert environment(zygote) == ["PYTHONHASHSEED"]
        assert len(os.listdir(f"/proc/{zygote}/task")) == 1


async def test_the_hash_seed_is_kept_with_the_journals(tmp_path: Path) -> None:
    values = set()
    for _ in range(2):
        async with Sandbox(journals=FileJournals(tmp_path)) as sandbox:
            values.add((await (await sandbox.session()).run("hash('a')")).value)
    assert len(values) == 1


async def test_a_guest_that_cannot_be_imported_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    async with Sandbox(guest_modules=["no_such_module"]) as sandbox:
        with pytest.raises(SandboxUnavailable, match="standard error"):
            await sandbox.session()
    assert "No module named 'no_such_module'" in capfd.readouterr().err
