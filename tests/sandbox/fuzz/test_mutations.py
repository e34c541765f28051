"""Random variations of every known attack fail, too."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from random import Random

import pytest

from glossator.sandbox import Limits, Sandbox
from glossator.sandbox.contracts import HostFunction
from glossator.sandbox.results import CellResult
from glossator.sandbox.session import Session

from ..test_attacks import EVERY, search
from .mutations import can_be_changed, mutant

# Attacks on time and memory would only be slow here.
_SLOW = re.compile(r"while True|\*\*|sleep\(|<<|range\(10|count\(|\* 10|1000|\)\+|fork|kill")
ATTACKS = [code for code in EVERY.values() if can_be_changed(code) and not _SLOW.search(code)]
# What nothing in a cell may show: folders of the host, and objects that lead out.
_HOST = re.compile(r"site-packages|/lib/python3|<frame|<code object|<module '(os|sys|builtins)' (from|\(built)")
_BATCH = 20
_AT_ONCE = 3


def shows_an_escape(result: CellResult) -> bool:
    said = result.stdout + result.stderr + str(result.value) + (result.error.message if result.error else "")
    return "PWNED" in said or _HOST.search(said) is not None


async def _session(sandbox: Sandbox) -> Session:
    return await sandbox.session(functions=[HostFunction("search", search)])


async def _escapes(sandbox: Sandbox, sources: Sequence[str]) -> list[str]:
    """Those that came through."""
    session, through = await _session(sandbox), []
    for source in sources:
        result = await session.run(source)
        if shows_an_escape(result):
            through.append(source)
        if result.timed_out or result.worker_ended:
            await session.close()
            session = await _session(sandbox)
    await session.close()
    return through


async def _attack(seeds: range) -> list[str]:
    turns = asyncio.Semaphore(_AT_ONCE)
    async with Sandbox(limits=Limits(wall_s=1.0)) as sandbox:

        async def batch(start: int) -> list[str]:
            sources = [mutant(Random(seed), ATTACKS) for seed in range(start, min(start + _BATCH, seeds.stop))]
            async with turns:
                return await _escapes(sandbox, sources)

        found = await asyncio.gather(*map(batch, range(seeds.start, seeds.stop, _BATCH)))
        return [source for each in found for source in each]


def test_no_mutant_comes_through() -> None:
    assert asyncio.run(_attack(range(300))) == []


@pytest.mark.slow
def test_none_of_thousands_comes_through() -> None:
    assert asyncio.run(_attack(range(10_000, 15_000))) == []


def test_most_attacks_are_changed() -> None:
    assert len(ATTACKS) > 150
    changed = {mutant(Random(seed), ATTACKS) for seed in range(200)}
    assert len(changed) > 190


@pytest.mark.anyio
async def test_what_comes_through_is_seen() -> None:
    async with Sandbox() as sandbox:
        assert await _escapes(sandbox, ["print(1)", "print('PWN' + 'ED')"]) == ["print('PWN' + 'ED')"]
