"""Control groups, on machines that have the second version with a memory controller and let root make groups."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glossator.kernel import cgroups

from ..environments import ORDINARY

TREE = Path("/sys/fs/cgroup")
POSSIBLE = os.geteuid() == 0 and {"memory", "pids"} <= set(
    (TREE / "cgroup.subtree_control").read_text().split() if (TREE / "cgroup.subtree_control").exists() else ()
)
needs_version_2 = pytest.mark.skipif(
    not POSSIBLE, reason="takes root and control groups of version 2 with memory, pids"
)

HOST = """
import asyncio, json, os, sys
from pathlib import Path
from glossator.kernel import process
from glossator.sandbox import Limits, PoolLimits, Sandbox

group, user = Path(sys.argv[1]), int(sys.argv[2])
inner = group / "glossator-service"  # made by an earlier host; a group that has such children holds no process itself
((inner if inner.exists() else group) / "cgroup.procs").write_text(str(os.getpid()))
if user:
    process.become(user)
    os.environ["HOME"] = "/"

async def main():
    pool = PoolLimits(memory_mb=64)
    async with Sandbox(limits=Limits(memory_mb=400), pool=pool) as sandbox:
        session = await sandbox.session()
        first = (await session.run("1 + 1")).value
        held = sandbox.control_group
        bounds = held and [(held / name).read_text().strip() for name in ("memory.max", "pids.max")]
        inside = held and len((held / "cgroup.procs").read_text().split())
        others = [await sandbox.session() for _ in range(3)]
        greedy = await asyncio.gather(*(each.run("x = b'x' * (300 << 20)\\nlen(x)") for each in others))
        ended = [each.error.type for each in greedy if each.error]
        again = (await session.run("2 + 2")).value
        print(json.dumps({"first": first, "group": str(held), "bounds": bounds, "inside": inside, "ended": ended,
                          "again": again}), flush=True)
        if len(sys.argv) > 3: os.kill(os.getpid(), 9)

asyncio.run(main())
"""


@pytest.fixture
def delegated() -> Iterator[Path]:
    """A group that is left to whoever owns it, as systemd would leave one."""
    folder = TREE / "glossator-test"
    folder.mkdir()
    os.setxattr(folder, "user.delegate", b"1")
    for path in (folder, folder / "cgroup.procs", folder / "cgroup.subtree_control", folder / "cgroup.threads"):
        os.chown(path, ORDINARY, ORDINARY)
    yield folder
    (folder / "cgroup.kill").write_text("1")
    for each in (*folder.glob("*/"), folder):
        cgroups.Group(each).remove()


def said(delegated: Path, user: int, *more: str) -> dict[str, Any]:
    command = [sys.executable, "-c", HOST, str(delegated), str(user), *more]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ran.stdout, ran.stderr
    return json.loads(ran.stdout)


@needs_version_2
@pytest.mark.parametrize("user", [0, ORDINARY])
def test_all_workers_together_are_bounded(delegated: Path, user: int) -> None:
    told = said(delegated, user)
    assert (told["first"], told["again"]) == ("2", "4")
    assert told["bounds"] == [str(64 + 400 + 128 << 20), "4096"]
    assert told["inside"] == 2  # the zygote and a worker
    assert told["ended"] and set(told["ended"]) == {"WorkerEnded"}
    assert [each.name for each in delegated.glob("glossator-*/")] == ["glossator-service"]


@needs_version_2
def test_the_group_of_a_host_that_was_killed_is_removed_by_the_next(delegated: Path) -> None:
    first, second = (said(delegated, 0, "die")["group"] for _ in range(2))
    assert first != second and not Path(str(first)).exists()


@needs_version_2
def test_root_does_not_help_itself_to_what_it_was_not_left(delegated: Path) -> None:
    os.removexattr(delegated, "user.delegate")
    assert said(delegated, 0)["group"] == "None"
