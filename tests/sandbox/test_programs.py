"""Whole programs as models write them print, in the jail, what CPython prints: alone, and all in one session."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

import pytest

from glossator.sandbox import Sandbox
from glossator.sandbox.results import CellResult

from . import (
    programs_formats,
    programs_language,
    programs_library,
    programs_modules,
    programs_structure,
    programs_subjects,
)

_FILES = (
    programs_formats,
    programs_language,
    programs_library,
    programs_modules,
    programs_structure,
    programs_subjects,
)
PROGRAMS = {name: source for file in _FILES for name, source in file.PROGRAMS.items()}
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
_AT_ONCE = 4
_Run = Callable[[Mapping[str, str]], Coroutine[Any, Any, dict[str, CellResult]]]

# Reads {name: source} and prints {name: what the program printed}; a program that fails stops it.
CPYTHON = """
import ast, asyncio, inspect, io, json, logging, sys, types
programs, printed = json.load(sys.stdin), {}
for name, source in programs.items():
    real, sys.stdout, sys.stderr = sys.stdout, io.StringIO(), io.StringIO()
    sys.modules["__main__"] = module = types.ModuleType("__main__")
    try:
        code = compile(source, name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        waiting = eval(code, module.__dict__)
        if inspect.iscoroutine(waiting):
            asyncio.run(waiting)
    except SystemExit:
        pass
    printed[name], sys.stdout, sys.stderr = sys.stdout.getvalue(), real, sys.__stderr__
    logging.root.handlers.clear()
    logging.root.setLevel("WARNING")
print(json.dumps(printed))
"""


@pytest.fixture(scope="module")
def cpython() -> Mapping[str, str]:
    command = [sys.executable, "-W", "ignore", "-c", CPYTHON]
    done = subprocess.run(command, input=json.dumps(PROGRAMS), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


async def _alone(programs: Mapping[str, str]) -> dict[str, CellResult]:
    turns = asyncio.Semaphore(_AT_ONCE)
    async with Sandbox() as sandbox:

        async def one(source: str) -> CellResult:
            async with turns:
                session = await sandbox.session()
                try:
                    return await session.run(source)
                finally:
                    await session.close()

        return dict(zip(programs, await asyncio.gather(*map(one, programs.values())), strict=True))


async def _together(programs: Mapping[str, str]) -> dict[str, CellResult]:
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        return {name: await session.run(source) for name, source in programs.items()}


def _shown(text: str) -> str:
    return _ADDRESS.sub("0x", text)


@pytest.fixture(scope="module")
def alone() -> Mapping[str, CellResult]:
    return asyncio.run(_alone(PROGRAMS))


@pytest.mark.parametrize("name", PROGRAMS)
def test_prints_what_cpython_prints(name: str, alone: Mapping[str, CellResult], cpython: Mapping[str, str]) -> None:
    assert alone[name].error is None
    assert _shown(alone[name].stdout) == _shown(cpython[name])


def test_all_in_one_session(cpython: Mapping[str, str]) -> None:
    for name, result in asyncio.run(_together(PROGRAMS)).items():
        assert (name, result.error, _shown(result.stdout)) == (name, None, _shown(cpython[name]))


def _reference(shared: Path) -> dict[str, dict[str, str]]:
    lines = (shared / "sandbox" / "programs.jsonl").read_text().splitlines()
    return {program["id"]: program for program in map(json.loads, lines)}


@pytest.mark.parametrize("run", [_alone, _together])
def test_reference_programs(run: _Run, shared: Path) -> None:
    programs = _reference(shared)
    results = asyncio.run(run({name: program["code"] for name, program in programs.items()}))
    assert [name for name, result in results.items() if result.stdout != programs[name]["stdout"]] == []
