"""`glossator sync`: what it reports, its exit codes, and --watch in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from .conftest import GLOSSATOR, PATIENCE, Glossator, environment, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "folder", {"a.md": "# A\n\nThe first gate.\n", "b.md": "The second gate.\n"})


def test_what_was_done_is_reported(glossator_here: Glossator, tmp_path: Path, folder: Path) -> None:
    place = ("--corpus", str(tmp_path / "c"))
    first = glossator_here("sync", str(folder), *place)
    assert first.code == 0 and first.out.splitlines()[-1].split() == ["2", "0", "0", "0", "0", "0", "0", "0"]
    os.rename(folder / "a.md", folder / "c.md")
    (folder / "b.md").unlink()
    write(folder, {"n.tmp": "x"})
    second = glossator_here("sync", str(folder), "--exclude", "*.tmp", "--json", *place)
    assert {Path(each["path"]).name: (each["status"], each["reason"]) for each in second.json} == {
        **{"c.md": ("renamed", None), "b.md": ("removed", None), "n.tmp": ("skipped", "excluded by *.tmp")},
    }
    assert [each["title"] for each in glossator_here("ls", "--json", *place).json] == ["A"]


def test_an_emptied_folder_is_an_error_with_the_way_out(
    glossator_here: Glossator, tmp_path: Path, folder: Path
) -> None:
    place = ("--corpus", str(tmp_path / "c"))
    glossator_here("sync", str(folder), *place)
    for path in folder.iterdir():
        path.unlink()
    told = glossator_here("sync", str(folder), *place)
    assert (told.code, told.out) == (1, "") and "--allow-empty" in told.err and "Traceback" not in told.err
    assert glossator_here("sync", str(folder), "--allow-empty", *place).code == 0
    assert glossator_here("ls", "--json", *place).json == []
    assert glossator_here("sync", "", *place).code == 2
    assert "there is no folder" in glossator_here("sync", str(tmp_path / "no"), *place).err


def test_watching_until_it_is_interrupted(tmp_path: Path, folder: Path) -> None:
    command = [GLOSSATOR, "sync", str(folder), "--watch", "--json", "--corpus", str(tmp_path / "c")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
        assert process.stdout is not None and process.stderr is not None
        assert b"Watching" in process.stderr.readline()
        write(folder, {"c.md": "The third gate.\n"})
        printed = b""
        while printed.count(b"\n]") < 2:
            printed += process.stdout.readline()
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(PATIENCE) == 130
        finally:
            process.kill()  # one that goes on would be waited for without end
        assert b"Traceback" not in process.stderr.read()
    first, second = (json.loads(part + b"]") for part in printed.split(b"\n]")[:2])
    assert {each["status"] for each in first} == {"added"}
    assert {Path(each["path"]).name: each["status"] for each in second}["c.md"] == "added"
