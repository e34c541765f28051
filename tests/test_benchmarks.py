"""The benchmarks of /documents run: a corpus is built, and programs print the same in a cell and on local files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


def run(*arguments: str | Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GLOSSATOR_")}
    done = subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, timeout=120, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_corpus_is_built_and_measured(tmp_path: Path) -> None:
    built = run(BENCHMARKS / "scale.py", tmp_path / "c", "30", "--embedder", "words")
    assert "30 documents" in built and "maintenance" in built
    peer = ("--peer", sys.executable)  # which has no haiku.rag: that is told, and the rest goes on
    measured = run(BENCHMARKS / "documents.py", tmp_path / "c", "--rounds", "1", "--only", "items and content", *peer)
    assert "30 documents" in measured
    assert "haiku.rag-slim cannot run: ModuleNotFoundError" in measured
    assert measured.splitlines()[-1].startswith("items and content together")
