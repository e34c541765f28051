"""Random programs print what CPython prints, or are refused before they run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .grammar import program
from .twins import Twin, Twins

_BATCH = 50
_LATE = 0.03  # of all programs: refused where only the running program could tell


class Jailed:
    """Twins in an event loop of their own."""

    def __init__(self, runner: asyncio.Runner, twins: Twins) -> None:
        self._runner = runner
        self._twins = twins

    def run(self, *sources: str) -> list[Twin]:
        return self._runner.run(self._twins.run(sources))


@pytest.fixture(scope="module")
def jailed() -> Iterator[Jailed]:
    with asyncio.Runner() as runner:
        twins = runner.run(Twins().__aenter__())
        yield Jailed(runner, twins)
        runner.run(twins.__aexit__())


def _compare(jailed: Jailed, seeds: range) -> list[Twin]:
    twins: list[Twin] = []
    for start in range(seeds.start, seeds.stop, _BATCH):
        batch = range(start, min(start + _BATCH, seeds.stop))
        twins += jailed.run(*(program(Random(seed)) for seed in batch))
    differ = [twin for twin in twins if not twin.agrees]
    assert differ == [], f"{len(differ)} differ; the first:\n{differ[0].source}\n{differ[0].policy}\n{differ[0].plain}"
    return twins


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_a_program_prints_what_cpython_prints_or_is_refused(jailed: Jailed, chance: Random) -> None:
    (twin,) = jailed.run(program(chance))
    assert twin.agrees, f"{twin.source}\n--- here:\n{twin.policy}\n--- CPython:\n{twin.plain}"


def test_programs_agree(jailed: Jailed) -> None:
    twins = _compare(jailed, range(150))
    assert sum(twin.refused for twin in twins) < len(twins) / 5  # most of them say something


@pytest.mark.slow
def test_thousands_of_programs_agree(jailed: Jailed) -> None:
    twins = _compare(jailed, range(1_000, 6_000))
    assert sum(twin.refused_late for twin in twins) < _LATE * len(twins)


def test_differences_are_found(jailed: Jailed) -> None:
    """The oracle itself: what is different here on purpose shows, and what is refused is known as such."""
    nested, refused, late, same = jailed.run(
        "import asyncio\nasync def f(): return 1\nasync def g(): return asyncio.run(f())\nprint(await g())",
        "print(1)\nx.__globals__",
        "print(1)\n(1).__class__.__mro__",
        "print(object())",
    )
    assert (nested.agrees, nested.policy != nested.plain) == (False, True)
    assert (refused.refused, refused.refused_late) == (True, False)
    assert (late.refused, late.refused_late) == (False, True)
    assert same.policy == same.plain == "<object object at 0x>\nNone\n"
