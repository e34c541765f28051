"""Results, messages and what a terminal is spared."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.service import console

from .conftest import GLOSSATOR, PATIENCE, Glossator, environment, write


def at_terminal(*arguments: str) -> str:
    """What a person sees: stdin, stdout and stderr are one terminal."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [GLOSSATOR, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment({"TERM": "xterm"})
    )
    os.close(theirs)
    seen = b""
    try:
        while piece := os.read(ours, 65536):
            seen += piece
    except OSError:  # Linux reports the last writer's end as EIO
        pass
    finally:
        os.close(ours)
    child.wait(PATIENCE)
    return seen.decode().replace("\r\n", "\n")


def test_a_terminal_is_not_driven_by_a_cell() -> None:
    seen = at_terminal("exec", "-c", r"print('\x1b]0;owned\x07 \x1b[2J ok \u202e')")
    assert "\x1b]0" not in seen and "\x1b[2J" not in seen and "\u202e" not in seen
    assert r"\x1b]0;owned\x07 \x1b[2J ok \u202e" in seen


def test_a_pipe_gets_what_the_cell_printed(glossator: Glossator) -> None:
    assert glossator("exec", "-c", r"print('\x1b[1mbold\x1b[0m')").out == "\x1b[1mbold\x1b[0m\n"


def test_nothing_to_run_at_a_terminal() -> None:
    assert "nothing to run" in at_terminal("exec")


def test_a_terminal_sees_progress(tmp_path: Path) -> None:
    """That a pipe sees none is asserted where the corpus of these tests is made."""
    folder = write(tmp_path / "in", {"a.md": "# A\n\ntext\n", "b.md": "# B\n\ntext\n"})
    seen = at_terminal("add", str(folder), "--corpus", str(tmp_path / "corpus"))
    assert "Adding" in seen and "2/2" in seen


@pytest.mark.parametrize("arguments", [("ls",), ("show", "harbour.md"), ("exec", "-c", "print(1)")], ids=" ".join)
def test_a_reader_that_leaves_early(arguments: tuple[str, ...], corpus: Path) -> None:
    ours, theirs = os.pipe()
    os.close(ours)  # nobody reads, ever
    done = subprocess.run(
        [GLOSSATOR, "--corpus", str(corpus), *arguments],
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    os.close(theirs)
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_encoding_that_knows_little(glossator: Glossator) -> None:
    ran = glossator("exec", "-c", "print('Grüße 返金')", env={"PYTHONIOENCODING": "ascii"})
    assert (ran.code, ran.out) == (0, "Gr\\xfc\\xdfe \\u8fd4\\u91d1\n")


@given(st.text() | st.lists(st.text()))
def test_json_is_read_back(value: object) -> None:
    """Lone surrogates too: the stream escapes them the way JSON does."""
    text = json.dumps(value, ensure_ascii=False)
    assert json.loads(text.encode("utf-8", "backslashreplace")) == value


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("a", "b")], "name  what\na     b\n"),
        ([("a long name", "two\nlines")], "name         what\na long name  two lines\n"),
        ([], "name  what\n"),
    ],
    ids=["short", "line end", "empty"],
)
def test_plain_tables(rows: list[tuple[str, str]], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    console.table(("name", "what"), rows)
    assert capsys.readouterr().out == expected
