"""Sessions of random length whose worker, zygote or host is killed at random: no variable lost, no wrong answer, no
process left over.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from glossator.sandbox import FileJournals, Sandbox

from ..conftest import ROOT
from .lives import Counts, Life
from .test_zygote import children, gone, zygotes

pytestmark = pytest.mark.anyio

HOST = [sys.executable, "-m", "tests.sandbox.lives"]


async def in_here(seeds: Sequence[int], folder: Path) -> Counts:
    """Lives whose workers and zygotes are killed."""
    counts = Counts()

    async def nobody(seed: int, reached: int) -> None: ...

    async with Sandbox(journals=FileJournals(folder)) as sandbox:
        for seed in seeds:
            await Life(sandbox, seed, 0, counts).live(nobody)
    assert zygotes(os.getpid()) == []
    return counts


async def over_hosts(seeds: Sequence[int], folder: Path, most: int) -> Counts:
    """Lives whose host is killed as well, between cells and in the middle of them, until all have ended.

    It is killed after fewer than `most` lines, which tell finished cells and lives.
    """
    counts, lives, rng = Counts(), dict.fromkeys(seeds, 0), random.Random(seeds[0])
    pipe = asyncio.subprocess.PIPE
    while lives:
        host = await asyncio.create_subprocess_exec(*HOST, folder, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe)
        assert host.stdin is not None and host.stdout is not None and host.stderr is not None
        host.stdin.write(json.dumps(lives).encode() + b"\n")
        saying = asyncio.create_task(host.stderr.read())
        for _ in range(rng.randrange(1, most)):
            _hear(await host.stdout.readline(), lives, counts)
        watched = _processes(host.pid)
        if host.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(host.pid, signal.SIGKILL)  # not by `host.kill`, which takes the exit code of one that has ended
                counts.kills["host"] += 1
        for line in (await host.stdout.read()).splitlines():
            _hear(line, lives, counts)
        assert await host.wait() in (0, -9), (await saying).decode()
        await saying
        for pidfd in watched:
            gone(pidfd)
    return counts


def _hear(line: bytes, lives: dict[int, int], counts: Counts) -> None:
    if not line.rstrip().endswith(b"}"):  # the host died in the middle of it, or has ended
        return
    said = json.loads(line)
    if "done" in said:
        del lives[said["seed"]]
        counts.add(said)
    else:
        lives[said["seed"]] = said["reached"]


def _processes(host: int) -> list[int]:
    """The host's zygote and workers, by descriptors that name them for ever."""
    watched = []
    for pid in [pid for zygote in zygotes(host) for pid in (zygote, *children(zygote))]:
        try:
            watched.append(os.pidfd_open(pid))
        except ProcessLookupError:  # it was about to end
            continue
    return watched


async def test_sessions_survive_kills(tmp_path: Path) -> None:
    counts = await in_here(range(6), tmp_path)
    assert counts.lives == 6 and sum(counts.kills.values()) > 3 and counts.rebuilt > 3


async def test_sessions_survive_their_hosts(tmp_path: Path) -> None:
    counts = await over_hosts(range(6, 9), tmp_path, 6)
    assert counts.lives == 3 and counts.kills["host"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
async def test_a_thousand_sessions_survive_kills(tmp_path: Path, block: int) -> None:
    """`-s` shows what happened: lives, cells, rebuildings, kills of each kind."""
    counts = await over_hosts(range(100 + 100 * block, 200 + 100 * block), tmp_path, 200)
    print(f"\nblock {block}: {counts}")
    assert counts.lives == 100 and counts.rebuilt > 100
    assert counts.kills["worker"] > 50 and counts.kills["zygote"] > 5 and counts.kills["host"] > 2
