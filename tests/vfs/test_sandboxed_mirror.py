"""The same programs as cells: through the language policy, the jail and the wire, against CPython on an export."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from textwrap import indent

import pytest

from glossator.sandbox import Limits, Sandbox, Session
from glossator.vfs import DocumentFiles

from .fakes import MemorySnapshot
from .test_mirror import FILES, FIRST, PROGRAMS, SECOND, outcome, real_names, root

__all__ = ["root"]  # the fixture: the export

pytestmark = pytest.mark.anyio

PREAMBLE = f"""
import csv, fnmatch, glob, io, itertools, json, os, shutil, stat, sys
from pathlib import Path, PosixPath, PurePath, PurePosixPath
D = Path("/documents")
A, B = D / {FIRST!r}, D / {SECOND!r}
F = A / "metadata.json"
KINDS = ("metadata.json", "content.txt", "items.jsonl", "chunks.jsonl", "toc.json")
all_files = lambda: iter(sorted(D.glob("*/*")))
kind = lambda outcome: outcome.split(":")[0]
lines = []
show = lambda *values: lines.append(" ".join(map(repr, values)))
def try_(call):
    try:
        return call()
    except Exception as error:
        return f"{{type(error).__name__}}: {{error}}"
"""
LIMITS = Limits(output_chars=1 << 20)  # what programs show is compared whole


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def session(anyio_backend: str) -> AsyncIterator[Session]:
    snapshot = MemorySnapshot(FILES)

    async def newest() -> MemorySnapshot:
        return snapshot

    async with Sandbox(limits=LIMITS, guest_modules=["glossator.vfs.guest"]) as sandbox:
        session = await sandbox.session(filesystem=DocumentFiles(newest))
        result = await session.run(PREAMBLE)
        assert result.error is None, result.error.traceback
        yield session


async def cell(session: Session, program: str) -> list[str]:
    code = f"lines.clear()\nos.chdir('/')\ntry:\n{indent(program, '    ')}\nexcept Exception as error:\n"
    code += "    lines.append(f\"{type(error).__name__}: {error}, {getattr(error, 'errno', None)}\")\nlines"
    result = await session.run(code)
    assert result.error is None, result.error.traceback
    return json.loads((await session.run("print(json.dumps(lines))")).stdout)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # files that programs leave open, as programs do
async def test_same_as_a_real_directory(
    name: str, root: str, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    expected = outcome(PROGRAMS[name], root, real_names())
    assert await cell(session, PROGRAMS[name]) == expected
