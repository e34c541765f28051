"""Sessions that outlive the process: `exec --session`, `sessions`, and an MCP server that is started again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from glossator.sandbox import FileJournals
from glossator.service.configuration import configure
from glossator.service.failures import Failure

from .conftest import Glossator
from .test_mcp import NEW_SESSION, client, text


def test_a_session_continues_over_processes(glossator: Glossator, own_corpus: Path) -> None:
    where = ("--corpus", str(own_corpus))
    first = glossator(
        "exec", *where, "--session", "tally", "-c", "x = {d['title'] for d in await list_documents()}\nlen(x)"
    )
    assert (first.code, first.out, first.err) == (0, "3\n", "")
    again = glossator("exec", *where, "--session", "tally", "-c", "y = list(x); len(y)")
    assert (again.code, again.out) == (0, "3\n")
    assert "Session rebuilt" in again.err and "variables are as after cell 1" in again.err
    told = glossator("exec", *where, "--session", "tally", "-c", "y == list(x)", "--json").json
    assert (told["output"], told["session_id"], "as after cell 2" in told["note"]) == ("True\n", "tally", True)
    assert "NameError" in glossator("exec", *where, "--session", "other", "-c", "x").err


def test_a_changed_corpus_stops_the_rebuilding(glossator: Glossator, own_corpus: Path) -> None:
    where = ("--corpus", str(own_corpus))
    # With a function, so that no slow machine keeps its data instead of running it again.
    read = "def f(): pass\ntotal = sum(len((d / 'content.txt').read_text()) for d in Path('/documents').iterdir())"
    glossator("exec", *where, "--session", "s", "-c", "x = 1", "-c", read)
    assert "cells 1-2 ran again" in glossator("exec", *where, "--session", "s", "-c", "total > 0").err
    glossator("rm", *where, "harbour.md")
    after = glossator("exec", *where, "--session", "s", "-c", "x")
    assert after.out == "1\n"
    assert "Cell 2 was not run again: the documents that it read have changed" in after.err


def test_two_processes_cannot_run_one_session(glossator: Glossator, own_corpus: Path) -> None:
    journal = FileJournals(own_corpus / "sessions").open("mine")
    ran = glossator("exec", "--corpus", str(own_corpus), "--session", "mine", "-c", "1")
    assert (ran.code, ran.out) == (1, "")
    assert f"in use by {Path(sys.argv[0]).name}" in ran.err and f"process {os.getpid()} " in ran.err
    assert "Traceback" not in ran.err
    journal.close()


def test_a_name_that_is_no_name(glossator: Glossator, own_corpus: Path) -> None:
    ran = glossator("exec", "--corpus", str(own_corpus), "--session", "../x", "-c", "1")
    assert (ran.code, "cannot name a session" in ran.err) == (1, True)


def test_sessions_are_listed_and_deleted(glossator: Glossator, tmp_path: Path, sources: Path) -> None:
    where = ("--corpus", str(tmp_path / "new"))
    assert glossator("sessions", *where, "--json").json == []
    glossator("exec", *where, "--session", "one", "-c", "x = 1")
    (kept,) = glossator("sessions", *where, "--json").json
    assert kept["name"] == "one" and kept["bytes"] > 100
    assert "one" in glossator("sessions", *where).out
    assert glossator("sessions", *where, "--delete", "one", "--json").json == []
    gone = glossator("sessions", *where, "--delete", "one")
    assert (gone.code, "no session 'one'" in gone.err) == (1, True)
    # A corpus that holds sessions is still a corpus, and one can be made where only sessions are.
    assert glossator("add", *where, str(sources / "fees.csv")).code == 0


def test_how_long_sessions_are_kept_is_a_setting() -> None:
    assert configure(None, {"GLOSSATOR_SESSION_DAYS": "0.5"}).session_s == 43200
    for wrong in ("soon", "-1", "nan", "inf"):
        with pytest.raises(Failure, match="GLOSSATOR_SESSION_DAYS"):
            configure(None, {"GLOSSATOR_SESSION_DAYS": wrong})


@pytest.mark.anyio
async def test_an_mcp_session_survives_a_restart_of_the_server(own_corpus: Path) -> None:
    async with client(own_corpus) as connected:
        named = NEW_SESSION.search(await text(connected, "analysis_execute_code", code="fee = 120\nprint(fee)"))
        assert named is not None
    async with client(own_corpus) as connected:
        again = await text(connected, "analysis_execute_code", code="fee * 2\n", session_id=named[1])
        assert again.startswith("Session rebuilt") and "-> 240" in again
        assert "-> 120" in await text(connected, "analysis_execute_code", code="fee", session_id=named[1])
