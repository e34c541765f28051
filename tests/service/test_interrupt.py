"""Ctrl-C: exit code 130, one line or what it leaves in another, no process left behind, nothing half done."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from time import monotonic

from glossator.corpus import Corpus

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


def interrupted(*arguments: str, helpers: int = 0, once: Callable[[], bool] = lambda: True) -> tuple[int, str, str]:
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
    wait_for(lambda: (len(descendants(child.pid)) >= helpers and once()) or child.poll() is not None)
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
    stored, last = filter(None, err.splitlines())
    assert (code, out, last) == (INTERRUPTED, "", "Interrupted.")
    assert "run the same command again" in stored
    again = glossator("add", str(folder), "--json", "--corpus", str(corpus))
    assert again.code == 0 and {outcome["status"] for outcome in again.json} <= {"added", "unchanged"}
    listed = glossator("ls", "--json", "--corpus", str(corpus)).json
    assert sorted(document["title"] for document in listed) == sorted(f"Note {n}" for n in range(20))


def test_embedding(glossator: Glossator, tmp_path: Path) -> None:
    """The documents are stored and found by their words; the next `add` makes the missing vectors and nothing else."""
    sections = "".join(f"## Berth {n}\n\nThe ferry number {n} lies at this berth.\n\n" for n in range(500))
    folder = write(tmp_path / "in", {"berths.md": f"# Berths\n\n{sections}"})
    corpus = tmp_path / "corpus"
    lock = corpus / "writer.lock"  # says who was the last to write

    def embeds() -> bool:
        return lock.exists() and b'"embedding"' in lock.read_bytes()

    code, out, err = interrupted("add", str(folder), "--json", "--corpus", str(corpus), once=embeds)
    stored, last = filter(None, err.splitlines())
    assert (code, out, last) == (INTERRUPTED, "", "Interrupted.")
    assert "the next `glossator add` makes the missing vectors" in stored
    by_words = glossator("search", "number 499", "--mode", "fulltext", "--json", "--corpus", str(corpus))
    assert "number 499" in by_words.json[0]["content"]
    assert vectors(corpus) < 500
    again = glossator("add", str(folder), "--json", "--corpus", str(corpus))
    assert [outcome["status"] for outcome in again.json] == ["unchanged"]
    assert vectors(corpus) == 500


def vectors(corpus: Path) -> int:
    """How many passages have one."""

    async def count() -> int:
        async with await Corpus.open(corpus) as opened:
            index = await opened._store.index()
            return await index._table.count_rows("embedding = 'done'")

    return asyncio.run(count())


# Sends SIGINT to this process as soon as the program's own modules begin to load, then runs the command line.
EARLY = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "glossator.service.program":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
from glossator.service.cli import main
main()
"""


def test_while_the_program_is_loading() -> None:
    done = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, env=environment(), check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")  # a shell makes 130 of it


def test_a_process_that_is_to_ignore_it_does() -> None:
    """As under nohup."""
    ignoring = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    done = subprocess.run(
        [sys.executable, "-c", ignoring + EARLY, "--version"], capture_output=True, env=environment(), check=False
    )
    assert (done.returncode, done.stderr) == (0, b"") and done.stdout.startswith(b"glossator ")
