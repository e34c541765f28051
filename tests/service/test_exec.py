"""`glossator exec`: cells from options, files and pipes; the JSON object; exit codes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from .conftest import GLOSSATOR, PATIENCE, Glossator, environment, write

KEYS = {"output", "error", "session_id", "isolation_level", "truncated", "timed_out", "wall_s"}


def test_code_from_an_option(glossator: Glossator) -> None:
    ran = glossator("exec", "-c", "print(1)")
    assert (ran.code, ran.out, ran.err) == (0, "1\n", "")


def test_code_from_a_pipe(glossator: Glossator) -> None:
    assert glossator("exec", stdin="print('piped')\n").out == "piped\n"
    assert glossator("exec", "-", stdin="print('dash')\n").out == "dash\n"


def test_files_are_successive_cells_of_one_session(glossator: Glossator, tmp_path: Path) -> None:
    folder = write(tmp_path, {"one.py": "x = 20\nprint('one')", "two.py": "print(x + 1)\nx"})
    ran = glossator("exec", str(folder / "one.py"), str(folder / "two.py"), "--json")
    assert ran.code == 0
    assert ran.json["output"] == "one\n21\n20\n"


def test_each_c_is_a_cell(glossator: Glossator) -> None:
    assert glossator("exec", "-c", "x = 1", "-c", "x += 1", "-c", "print(x)").out == "2\n"


def test_the_object(glossator: Glossator) -> None:
    ran = glossator("exec", "--json", "-c", "print('out')\n6 * 7")
    assert ran.json.keys() == KEYS
    assert ran.json["output"] == "out\n42\n"
    assert ran.json["error"] is None
    assert isinstance(ran.json["session_id"], str) and ran.json["session_id"]
    assert ran.json["isolation_level"] in (2, 3)
    assert (ran.json["truncated"], ran.json["timed_out"]) == (False, False)
    assert ran.json["wall_s"] >= 0


def test_a_cell_that_raises_stops_the_rest(glossator: Glossator) -> None:
    ran = glossator("exec", "--json", "-c", "print('before')", "-c", "\n1 / 0", "-c", "print('never')")
    assert ran.code == 1
    assert ran.json["output"] == "before\n"
    assert ran.json["error"].keys() == {"type", "message", "traceback"}
    assert ran.json["error"]["type"] == "ZeroDivisionError"
    assert "line 2" in ran.json["error"]["traceback"]


def test_an_error_goes_to_stderr_with_its_line(glossator: Glossator) -> None:
    ran = glossator("exec", "-c", "print('before')\ndef half(x):\n    return x / 0\nhalf(2)")
    assert (ran.code, ran.out) == (1, "before\n")
    assert "ZeroDivisionError" in ran.err and "line 3" in ran.err
    assert "site-packages" not in ran.err and "glossator/" not in ran.err


def test_a_time_limit(glossator_here: Glossator) -> None:
    ran = glossator_here("exec", "--json", "--timeout", "0.5", "-c", "while True: pass")
    assert ran.code == 1
    assert ran.json["timed_out"] is True
    assert "0.5" in ran.json["error"]["message"]


def test_output_that_is_too_long_says_so(glossator_here: Glossator) -> None:
    ran = glossator_here("exec", "--json", "-c", "print('x' * 50_000)")
    assert ran.json["truncated"] is True
    assert "... (output truncated)" in ran.json["output"]


def test_the_corpus_is_there(glossator_here: Glossator, corpus: Path) -> None:
    code = """
import json
from pathlib import Path
titles = sorted(json.loads((d / 'metadata.json').read_text())['title'] for d in Path('/documents').iterdir())
listed = sorted(document['title'] for document in await list_documents())
found = await search('How many berths?', limit=3)
print(titles == listed, 'Harbour rules' in titles, '14 berths' in found[0]['content'])
"""
    ran = glossator_here("exec", "--corpus", str(corpus), "-c", code)
    assert (ran.out, ran.err) == ("True True True\n", "")


@pytest.mark.parametrize("code", ["await search('x')", "await list_documents()", "list(Path('/documents').iterdir())"])
def test_a_missing_corpus_is_an_error_in_the_cell(glossator_here: Glossator, tmp_path: Path, code: str) -> None:
    ran = glossator_here("exec", "--json", "--corpus", str(tmp_path / "none"), "-c", code)
    assert ran.code == 1
    assert str(tmp_path / "none") in ran.json["error"]["message"]
    assert "add PATH" in ran.json["error"]["message"]


def test_a_cell_can_go_on_without_a_corpus(glossator_here: Glossator, tmp_path: Path) -> None:
    code = "try:\n    await search('x')\nexcept RuntimeError:\n    print('none')"
    assert glossator_here("exec", "--corpus", str(tmp_path / "none"), "-c", code).out == "none\n"
    assert not (tmp_path / "none").exists()


def test_stderr_of_a_cell(glossator_here: Glossator) -> None:
    code = "import sys\nprint('aside', file=sys.stderr)\nprint('out')\n7"
    ran = glossator_here("exec", "-c", code)
    assert (ran.code, ran.out, ran.err) == (0, "out\n7\n", "aside\n")
    as_json = glossator_here("exec", "--json", "-c", code)
    assert (as_json.json["output"], as_json.err) == ("out\n7\n", "")


def test_cells_are_told_as_they_end() -> None:
    """The second cell runs for ever, and the first has been told."""
    child = subprocess.Popen(
        [GLOSSATOR, "exec", "-c", "print('first')", "-c", "while True: pass"],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env=environment(),
    )
    assert child.stdout
    try:
        assert child.stdout.readline() == b"first\n"
        assert child.poll() is None
    finally:
        child.terminate()
        child.communicate(timeout=PATIENCE)


def test_source_in_the_encoding_that_it_declares(glossator_here: Glossator, tmp_path: Path) -> None:
    files = {
        "latin.py": "# -*- coding: latin-1 -*-\nprint('café')\n".encode("latin-1"),
        "mark.py": b"\xef\xbb\xbfprint('mark')\r\n",
        "klingon.py": "# coding: klingon\nprint('ü')\n".encode(),
    }
    folder = write(tmp_path, files)
    assert glossator_here("exec", *(str(folder / name) for name in files)).out == "café\nmark\nü\n"


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e12", "soon"])
def test_a_time_limit_that_is_none(glossator_here: Glossator, seconds: str) -> None:
    ran = glossator_here("exec", "--timeout", seconds, "-c", "1")
    assert (ran.code, ran.out) == (2, "") and "--timeout" in ran.err


def test_wrong_usage(glossator_here: Glossator, tmp_path: Path) -> None:
    both = glossator_here("exec", "-c", "1", str(tmp_path / "x.py"))
    assert both.code == 2 and "not both" in both.err


def test_a_file_that_cannot_be_read(glossator_here: Glossator, tmp_path: Path) -> None:
    missing = glossator_here("exec", str(tmp_path / "none.py"))
    assert missing.code == 1 and "none.py: No such file" in missing.err
    binary = glossator_here("exec", "--json", str(write(tmp_path, {"x.py": b"\xff\xfe"}) / "x.py"))
    assert binary.code == 1 and "not UTF-8" in binary.json["error"]["message"]
    assert binary.json.keys() == KEYS
