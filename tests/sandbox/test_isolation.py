"""The measured level, in every place where the product may have to run, and what its workers look like from outside."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from glossator.sandbox import Sandbox
from glossator.sandbox.probes import judge

from ..environments import BARE, ORDINARY, PLACES, Place, entering, run_at
from .processes import children, gone, zygotes

SERVICE = """
import asyncio, json
from glossator.sandbox import Limits, Sandbox, SandboxError

async def main():
    async with Sandbox(limits=Limits(wall_s=600)) as sandbox:
        isolation = await sandbox.isolation()
        said = {"level": isolation.level, "notes": isolation.notes}
        said["missing"] = [layer for layer, holds in isolation.layers.items() if not holds]
        try:
            sessions = [await sandbox.session() for _ in range(2)]
            said["result"] = (await sessions[0].run("2 + 2")).value
        except SandboxError as error:
            said["result"] = str(error)
            print(json.dumps(said), flush=True)
            return
        spinning = asyncio.create_task(sessions[1].run("while True: pass"))
        await asyncio.sleep(0)
        print(json.dumps(said), flush=True)
        await spinning

asyncio.run(main())
"""


@pytest.mark.parametrize("name", PLACES)
def test_a_place(name: str) -> None:
    """What is measured there, how a worker looks from outside, and that nothing survives the death of its host."""
    place = PLACES[name]
    command = entering(place, [sys.executable, "-c", SERVICE])
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as host:
        try:
            assert host.stdout is not None
            said = json.loads(host.stdout.readline())
            assert (said["level"], said["missing"], said["result"]) == (place.level, list(place.missing), "4")
            assert bool(said["notes"]) == bool(place.missing)
            (zygote,) = zygotes(host.pid)
            workers = children(zygote)
            assert len(workers) == 2
            for worker in workers:
                check_from_outside(worker, place)
            watched = [os.pidfd_open(pid) for pid in (zygote, *workers)]
        finally:
            host.kill()
    for pidfd in watched:
        gone(pidfd)


def check_from_outside(worker: int, place: Place) -> None:
    """The kernel's own record of a worker. It is pid 1 of its namespace: no keeper stands there unjailed."""
    folder = Path(f"/proc/{worker}")
    status = dict(line.split(":\t", 1) for line in (folder / "status").read_text().splitlines())
    assert (status["Seccomp"], status["NoNewPrivs"], status["Threads"]) == ("2", "1", "1")
    assert {int(status[kind], 16) for kind in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {0}
    if place.user is None and "keep" not in place.prepare:
        assert int(status["CapBnd"], 16) == 0
        assert {int(uid) for uid in status["Uid"].split()} == {int(gid) for gid in status["Gid"].split()}
        assert int(status["Uid"].split()[0]) > 60_000
        assert status["Groups"].strip() == ""
    if "namespaces" not in place.missing:
        assert status["NSpid"].split()[-1] == "1"
        assert os.listdir(folder / "root") == []
        for kind in ("net", "mnt", "ipc", "uts", "pid"):
            assert os.readlink(folder / "ns" / kind) != os.readlink(f"/proc/self/ns/{kind}")
    # The socket to the host; an event loop's poll and the pair that wakes it.
    opened = {int(each.name): os.readlink(each).partition(":")[0] for each in (folder / "fd").iterdir()}
    assert opened in ({3: "socket"}, {0: "anon_inode", 1: "socket", 2: "socket", 3: "socket"})
    assert re.fullmatch(rb"PYTHONHASHSEED=\d+\0", (folder / "environ").read_bytes())
    limits = (folder / "limits").read_text()
    for name in ("processes", "file size", "core file size", "locked memory", "msgqueue size"):
        assert re.search(rf"^Max {name} +0 +0 ", limits, re.MULTILINE), name


def test_below_the_minimum_no_code_is_run() -> None:
    said = json.loads(run_at(BARE, sys.executable, "-c", SERVICE).stdout)
    assert (said["level"], said["missing"]) == (1, list(BARE.missing))
    assert said["result"].startswith("isolation level 1 was measured, at least 2 is needed: no code is run")
    assert "allow unprivileged user namespaces" in said["result"]


FEW = "process.limit({{resource.RLIMIT_NPROC: {}}})"
UNAVAILABLE = {
    "no process for the zygote": (Place(0, prepare=FEW.format(1), user=ORDINARY + 1), "raise `ulimit -u`"),
    "no process for the worker": (Place(0, prepare=FEW.format(2), user=ORDINARY + 2), "raise `ulimit -u`"),
    "no descriptors": (Place(0, prepare="process.limit({resource.RLIMIT_NOFILE: 8})"), "raise `ulimit -n`"),
    "an old kernel": (Place(0, refused={"pidfd_open": "ENOSYS"}), "needs Linux 5.3 or newer"),
}


@pytest.mark.parametrize("name", UNAVAILABLE)
def test_where_no_worker_can_be_started_it_is_said(name: str) -> None:
    place, way_out = UNAVAILABLE[name]
    ran = run_at(place, sys.executable, "-c", SERVICE)
    assert "SandboxUnavailable: no worker could be started: " in ran.stderr
    assert way_out in ran.stderr.splitlines()[-1]


@pytest.mark.anyio
async def test_this_machine() -> None:
    async with Sandbox() as sandbox:
        isolation = await sandbox.isolation()
        session = await sandbox.session()
        assert session.isolation == isolation
        assert isolation.level >= 2
        assert sandbox.control_group is None or sandbox.control_group.is_dir()
        assert set(isolation.layers) == {
            *("namespaces", "landlock", "seccomp", "rlimits", "no_new_privs", "capabilities"),
        }


@pytest.mark.parametrize(
    ("walls", "level"),
    [
        (("seccomp", "landlock", "namespaces"), 3),
        (("seccomp", "landlock"), 2),
        (("seccomp", "namespaces"), 2),
        (("landlock", "namespaces"), 1),
        (("seccomp",), 1),
        ((), 1),
    ],
)
def test_levels(walls: tuple[str, ...], level: int) -> None:
    layers = {layer: layer in walls for layer in ("namespaces", "landlock", "seccomp")}
    isolation = judge(layers, ("why",))
    assert isolation.level == level
    assert isolation.notes[0] == "why"
    assert len(isolation.notes) == 1 + 3 - len(walls)
