"""Programs that read a corpus print the same as cells on /documents and in plain CPython on an export of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glossator.analysis import Analysis, analysis_sandbox
from glossator.corpus import Corpus
from glossator.instructions import load
from glossator.sandbox import Limits

from ..vfs.programs_errors import ERRORS
from ..vfs.programs_reading import READING
from . import plain

pytestmark = pytest.mark.anyio

SNIPPETS = re.findall(r"^```python\n(.*?)^```", load("analysis", modules=""), re.MULTILINE | re.DOTALL)
PROGRAMS = {f"snippet {n}": text for n, text in enumerate(SNIPPETS, 1)} | READING | ERRORS
QUERIES = ("limit of liability", "term of notice")


@pytest.fixture(scope="session")
def root() -> Iterator[Path]:
    """A folder that every user can read: the one that pytest makes is its owner's."""
    with tempfile.TemporaryDirectory(prefix="mirror-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)
        for path in Path(folder, "documents").rglob("*"):
            path.chmod(0o755)
        Path(folder, "documents").chmod(0o755)


@pytest.fixture(scope="session")
async def expected(corpus: Corpus, root: Path) -> dict[str, Any]:
    """What plain CPython makes of the programs."""
    async with await corpus.snapshot() as snapshot:
        await snapshot.export(root / "documents")
        documents = [json.loads(brief) for page in snapshot.documents.briefs() for brief in page]
        found = {query: [hit.as_dict() for hit in (await snapshot.search(query)).results] for query in QUERIES}
    for path in (root / "documents").rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    (root / "documents").chmod(0o555)
    orders = {"root": str(root), "programs": PROGRAMS, "documents": documents, "found": found}
    command = [sys.executable, "-W", "ignore", plain.__file__]
    done = subprocess.run(command, input=json.dumps(orders), capture_output=True, text=True, check=False)  # noqa: ASYNC221
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="session")
async def printed(corpus: Corpus) -> dict[str, Any]:
    """What cells make of them, all in one session, as in one process there."""

    async def opened() -> Corpus:
        return corpus

    results: dict[str, Any] = {}
    async with analysis_sandbox(Limits(output_chars=1 << 20)) as sandbox:
        analysis = Analysis(opened, sandbox)
        for name, program in PROGRAMS.items():
            await analysis.execute_code("import os\nos.chdir('/')\nfrom datetime import datetime")
            result = (await analysis.execute_code(program)).result
            results[name] = [result.stdout, result.error and [result.error.type, result.error.message]]
        await analysis.close()
    return results


@pytest.mark.parametrize("name", PROGRAMS)
async def test_same_as_on_the_export(name: str, expected: dict[str, Any], printed: dict[str, Any]) -> None:
    assert printed[name] == expected[name]


def test_enough_programs() -> None:
    assert len(SNIPPETS) >= 6 and len(PROGRAMS) >= 160


async def test_programs_that_are_to_succeed_do(expected: dict[str, Any]) -> None:
    """Else two sides that fail alike would pass for equal."""
    assert {name: error for name in READING if (error := expected[name][1]) is not None} == {}
    assert [name for name in ERRORS if expected[name][1] is None] == []
    assert sum(len(expected[name][0]) > 0 for name in READING) > 0.9 * len(READING)
