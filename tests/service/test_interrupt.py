"""Ctrl-C: exit code 130, one line, no process left behind, nothing half done."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from threading import Event
from time import monotonic

from .conftest import GLOSSATOR, PATIENCE, Glossator, environment, write

INTERRUPTED = 130
POLL_S = 0.02  # seconds between two looks at the processes


def parents() -> dict[int, int]:
    """Living process -> its parent; zombies are dead."""
    found: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split() if entry.name.isdigit() else []
        except OSError:  # it ended while we looked
            continue
        if fields and fields[0] != "Z":
            found[int(entry.name)] = int(fields[1])
    return found


def descendants(ancestor: int) -> set[int]:
    alive = parents()
    found: set[int] = set()
    while more := {child for child, parent in alive.items() if parent in found | {ancestor}} - found:
        found |= more
    return found


def wait_for(condition: Callable[[], bool]) -> None:
    """Until it holds; the deadline only ends a test that has failed."""
    deadline = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < deadline
        Event().wait(POLL_S)


def interrupted(*arguments: str, helpers: int) -> tuple[int, str, str]:
    """Interrupt a command's whole process group, as a terminal would, once it has started so many processes."""
    child = subprocess.Popen(
        [GLOSSATOR, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )
    wait_for(lambda: len(descendants(child.pid)) >= helpers or child.poll() is not None)
    started = descendants(child.pid)
    os.killpg(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=PATIENCE)
    wait_for(lambda: not started & parents().keys())
    return child.returncode, out, err


def test_a_running_cell(tmp_path: Path) -> None:
    """The zygote is one process, the worker at least another."""
    code, out, err = interrupted("exec", "--json", "--corpus", str(tmp_path), "-c", "while True: pass", helpers=2)
    assert (code, out, err.strip()) == (INTERRUPTED, "", "Interrupted.")


def test_adding(glossator: Glossator, tmp_path: Path) -> None:
    """Whatever was stored is whole, and adding again finishes the rest."""
    folder = write(tmp_path / "in", {f"{n:03}.md": f"# Note {n}\n\nText of note {n}.\n" for n in range(20)})
    corpus = tmp_path / "corpus"
    code, out, err = interrupted("add", str(folder), "--json", "--corpus", str(corpus), helpers=1)
    assert (code, out, err.strip()) == (INTERRUPTED, "", "Interrupted.")
    again = glossator("add", str(folder), "--json", "--corpus", str(corpus))
    assert again.code == 0 and {outcome["status"] for outcome in again.json} <= {"added", "unchanged"}
    listed = glossator("ls", "--json", "--corpus", str(corpus)).json
    assert sorted(document["title"] for document in listed) == sorted(f"Note {n}" for n in range(20))
