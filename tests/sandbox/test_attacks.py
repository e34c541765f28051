"""Every known attack, in the jail, with the policy on: none reaches what it wants, and the session answers."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import NamedTuple

import pytest

from glossator.sandbox import Limits, Sandbox
from glossator.sandbox.contracts import HostFunction
from glossator.sandbox.results import CellResult

from .attacks import ATTACKS
from .attacks_deputies import DEPUTIES
from .attacks_modules import MODULES
from .attacks_reach import REACH

_SHARED = Path(os.environ.get("GLOSSATOR_SHARED", Path(__file__).resolve().parents[3] / "shared"))
_FILE = _SHARED / "sandbox" / "attacks.jsonl"
_KNOWN = [json.loads(line) for line in _FILE.read_text().splitlines()] if _FILE.is_file() else []
EVERY = {**{attack["id"]: attack["code"] for attack in _KNOWN}, **ATTACKS, **DEPUTIES, **MODULES, **REACH}
_AT_ONCE = 4


class Outcome(NamedTuple):
    result: CellResult
    after: CellResult  # of an innocent cell of the same session


async def search(query: str, limit: int = 10) -> list[str]:
    return [query[:limit]]


async def _attack(sandbox: Sandbox, code: str) -> Outcome:
    session = await sandbox.session(functions=[HostFunction("search", search)])
    try:
        result = await session.run(code)
        return Outcome(result, await session.run("import json\nprint(json.dumps([1 + 1]))"))
    finally:
        await session.close()


async def _attack_all() -> dict[str, Outcome]:
    turns = asyncio.Semaphore(_AT_ONCE)
    async with Sandbox(limits=Limits(wall_s=1.0)) as sandbox:

        async def one(name: str) -> tuple[str, Outcome]:
            async with turns:
                return name, await _attack(sandbox, EVERY[name])

        return dict(await asyncio.gather(*map(one, EVERY)))


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    return asyncio.run(_attack_all())


@pytest.mark.parametrize("name", EVERY)
def test_fails(name: str, outcomes: dict[str, Outcome]) -> None:
    result, after = outcomes[name]
    assert "PWNED" not in result.stdout + result.stderr + str(result.value)
    # Whatever it did to its own session, a new cell runs or the session says that it had to start anew.
    if after.error is None:
        assert after.stdout == "[2]\n"
    else:
        assert after.error.type == "MemoryError", after.error  # its variables still fill the session


# What one cell changes for the next ones, in the same session.
POISON = {
    "the output's method": ("import sys\nsys.stdout.write = lambda text: 0", "print('clean')"),
    "the output's class": ("import sys\ntype(sys.stdout).write = lambda self, text: 0", "print('clean')"),
    "a library class": ("import json\njson.JSONDecoder.decode = lambda s, t: 'no'", "print(json.loads('\"clean\"'))"),
    "a facade": ("import json\njson.loads = lambda t: 'no'", "import json\nprint(json.loads('\"clean\"'))"),
    "a preloaded class": ("Counter.most_common = lambda self: 'no'", "print(*Counter(['clean']).most_common()[0][:1])"),
    "the event loop": (
        "loop = asyncio.get_event_loop()\nloop.run_until_complete = lambda x: 'no'",
        "async def f(): return 'clean'\nprint(asyncio.get_event_loop().run_until_complete(f()))",
    ),
    "the output's slots": (
        "import sys\nsys.stdout.__init__('x', [], lambda n: None, None)\nsys.stderr.__init__('x', [], None, None)",
        "print('clean')",
    ),
    "the event loop's slot": (
        "loop = asyncio.get_event_loop()\nloop.__init__(lambda x: 'no')",
        "async def f(): return 'clean'\nprint(asyncio.get_event_loop().run_until_complete(f()))",
    ),
    "a class of logging": (
        "import logging\nlogging.Logger.getEffectiveLevel = lambda self: 'no'",
        "import logging\nprint(['no', 'clean'][logging.getLogger('x').getEffectiveLevel() == 30])",
    ),
    "what stands for a metaclass": (
        "from abc import ABC\nclass A(ABC): pass\ntype(A).register = type(A).spoiled = 'no'",
        "from abc import ABC\nclass A(ABC): pass\nprint(getattr(type(A), 'spoiled', 'clean'))",
    ),
    "guards among globals": (
        "globals()['$private'] = globals()['$special'] = lambda ob, name: 'no'",
        "class C:\n    def __init__(self): self._x = 'clean'\nprint(C()._x)",
    ),
    "typing.NamedTuple": (
        "from typing import NamedTuple\nNamedTuple.spoiled = 'no'",
        "from typing import NamedTuple\nprint(getattr(NamedTuple, 'spoiled', 'clean'))",
    ),
    "through a generic alias": (
        "import typing\ntyping.Counter[int].most_common = lambda self: 'no'",
        "print(*Counter(['clean']).most_common()[0][:1])",
    ),
    "an ABC's members": (
        "from collections.abc import Mapping\nMapping.register(list)",
        "from collections.abc import Mapping\nprint('no' if isinstance([], Mapping) else 'clean')",
    ),
}


@pytest.mark.anyio
async def test_what_one_cell_spoils_the_next_does_not_see() -> None:
    async with Sandbox() as sandbox:
        for name, (spoil, look) in POISON.items():
            session = await sandbox.session()
            await session.run(spoil)
            result = await session.run(look)
            assert (name, result.error, result.stdout) == (name, None, "clean\n")


def test_all_shared_attacks_are_here() -> None:
    if not _KNOWN:
        pytest.skip(f"no shared material at {_SHARED}")
    assert len(_KNOWN) == 133
