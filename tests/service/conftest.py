"""The real command line in subprocesses, and a small corpus of documents written for these tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from glossator.service import program

GLOSSATOR = str(Path(sysconfig.get_path("scripts"), "glossator"))
PATIENCE = 120  # seconds before a command that hangs fails its test

HARBOUR = """\
---
title: Harbour rules
year: 2031
---
# Harbour rules

## Berths

The north quay has 14 berths. A berth costs 120 crowns for each night.

## Speed

No vessel may pass the breakwater faster than 4 knots.
"""
LIGHT = "The lighthouse on Gull Rock was lit in 1887. Its keeper was Ada Brandt.\n"
FEES = "vessel,fee\nOrca,40\nTern,25\nPuffin,35\n"


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Glossator = Callable[..., Ran]


def environment(extra: Mapping[str, str] = {}) -> dict[str, str]:
    """Ours, without the settings of whoever runs the tests."""
    mine = {key: value for key, value in os.environ.items() if not key.startswith(("GLOSSATOR_", "OPENAI_"))}
    return {**mine, **extra}


def run(*arguments: str, stdin: str | None = None, env: Mapping[str, str] = {}) -> Ran:
    """One command line in a process of its own, to its end."""
    done = subprocess.run(
        [GLOSSATOR, *arguments],
        input=stdin if stdin is None else stdin.encode(),
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        env=environment(env),
        timeout=PATIENCE,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_here(*arguments: str, env: Mapping[str, str] = {}) -> Ran:
    """The same in this process: libraries that take seconds of processor time to import are imported once."""
    out, err = (TextIOWrapper(BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for key in os.environ.keys() - environment().keys():
            patch.delenv(key)
        for key, value in env.items():
            patch.setenv(key, value)
        code = program.run(arguments)
    return Ran(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))


@pytest.fixture(scope="session")
def glossator() -> Glossator:
    return run


@pytest.fixture(scope="session")
def glossator_here() -> Glossator:
    return run_here


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Files of a test, below `folder`."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three documents that can be read."""
    files = {"harbour.md": HARBOUR, "notes/lighthouse.txt": LIGHT, "fees.csv": FEES}
    return write(tmp_path_factory.mktemp("sources"), files)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory, sources: Path) -> Path:
    """A corpus of the three documents that no test changes."""
    folder = tmp_path_factory.mktemp("corpus") / "harbour"
    added = run("add", str(sources), "--corpus", str(folder), "--meta", "origin=harbour office")
    assert (added.code, added.err) == (0, "")
    assert "\x1b" not in added.out
    return folder


@pytest.fixture
def own_corpus(corpus: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    return Path(shutil.copytree(corpus, tmp_path / "own"))
