"""Whole programs as models write them print exactly what CPython prints: alone, and all in one session."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from . import programs_language, programs_library, programs_subjects
from .cells import interpreter, output

PROGRAMS = {**programs_language.PROGRAMS, **programs_library.PROGRAMS, **programs_subjects.PROGRAMS}

# Reads {name: source} and prints {name: what the program printed}; a program that fails stops it.
CPYTHON = """
import io, json, sys, types
programs, printed = json.load(sys.stdin), {}
for name, source in programs.items():
    real, sys.stdout = sys.stdout, io.StringIO()
    sys.modules["__main__"] = module = types.ModuleType("__main__")
    try:
        exec(compile(source, name, "exec", dont_inherit=True), module.__dict__)
    except SystemExit:
        pass
    printed[name], sys.stdout = sys.stdout.getvalue(), real
print(json.dumps(printed))
"""


@pytest.fixture(scope="module")
def cpython() -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CPYTHON],
        input=json.dumps(PROGRAMS),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", PROGRAMS)
def test_prints_what_cpython_prints(name: str, cpython: dict[str, str]) -> None:
    assert output(PROGRAMS[name]) == cpython[name]


def test_all_in_one_session(cpython: dict[str, str]) -> None:
    with interpreter() as session:
        for name, source in PROGRAMS.items():
            result = session.run(source)
            assert (name, result.get("error"), result["stdout"]) == (name, None, cpython[name])


def _reference(shared: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (shared / "sandbox" / "programs.jsonl").read_text().splitlines()]


def test_reference_programs_alone(shared: Path) -> None:
    failed = {program["id"] for program in _reference(shared) if output(program["code"]) != program["stdout"]}
    assert failed == set()


def test_reference_programs_in_one_session(shared: Path) -> None:
    with interpreter() as session:
        failed = {
            program["id"]
            for program in _reference(shared)
            if session.run(program["code"])["stdout"] != program["stdout"]
        }
    assert failed == set()
