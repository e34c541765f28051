"""Results, messages and what a terminal is spared."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.service import console

from .conftest import GLOSSATOR, PATIENCE, Glossator, environment, run, write


def at_terminal(*arguments: str, columns: int = 80) -> str:
    """What a person sees: stdin, stdout and stderr are one terminal."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [GLOSSATOR, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment({"TERM": "xterm", "COLUMNS": str(columns)}),
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


def test_a_narrow_terminal_has_one_line_per_document(corpus: Path, tmp_path: Path) -> None:
    """Whole ids; titles and file names are cut when there is no room."""
    name = f"{'very ' * 20}long.md"
    folder = write(tmp_path / "in", {name: f"# {'endless ' * 20}\n\ntext\n", "blank.txt": ""})
    to = ("--corpus", str(tmp_path / "corpus"))
    assert run("add", str(folder), *to).code == 0
    ids = {document["id"] for document in run("ls", "--json", *to).json}
    for columns in (80, 20):
        seen = re.sub(r"\x1b\[[0-9;]*m", "", at_terminal("ls", *to, columns=columns))
        heads, rule, *rows = seen.splitlines()
        assert heads.split() == ["id", "title", "file", "pages", "passages", "status"] and set(rule) == {"─"}
        assert {row.split()[0] for row in rows[:2]} == ids and rows[2] == ""
        assert all(len(row) <= max(columns, console.NARROWEST) for row in rows)
        assert [row.split()[1:] for row in rows[-1:]] == [["blank.txt", "no", "text"]]


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


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [("ls",), ("ls", "--json"), ("show", "harbour.md"), ("--help",)], ids=" ".join)
def test_a_full_disk(arguments: tuple[str, ...], corpus: Path) -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [GLOSSATOR, "--corpus", str(corpus), *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            timeout=PATIENCE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"Error: No space left on device\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed(closed: str, corpus: Path) -> None:
    """Nor is the number of a closed one given to a database, which a message would then be written into."""
    script = f'"$0" ls --corpus "$1" {closed}; echo $? >"$2"; exit 0'
    code = corpus.parent / "code"
    subprocess.run(["sh", "-c", script, GLOSSATOR, str(corpus), str(code)], env=environment(), check=True)
    assert code.read_text() == "0\n"


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
