"""Where code cannot be confined, or no worker started: it is not run, all else goes on, and both are said."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from ..environments import BARE, ORDINARY, Place, entering, run_at
from .conftest import GLOSSATOR, Ran, environment

PLACES = {
    "too little isolation": (BARE, "isolation level 1 was measured, at least 2 is needed"),
    "an old kernel": (Place(0, refused={"pidfd_open": "ENOSYS"}, user=ORDINARY), "needs Linux 5.3 or newer"),
}


@pytest.fixture(scope="module")
def theirs(corpus: Path, sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with copies of the corpus and its sources that belong to an ordinary user, who has no home."""
    folder = tmp_path_factory.mktemp("theirs")
    shutil.copytree(corpus, folder / "corpus")
    shutil.copytree(sources, folder / "sources")
    for path in (folder, *folder.rglob("*")):
        os.chown(path, ORDINARY, ORDINARY)
    return folder


def at(place: Place, folder: Path, *command: str) -> Ran:
    arguments = [GLOSSATOR, "--corpus", str(folder / "corpus"), *command]
    done = run_at(place, *arguments, shown=[folder], env=environment())
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.anyio
async def test_only_code_is_missing(name: str, theirs: Path) -> None:
    place, reason = PLACES[name]
    ran = at(place, theirs, "exec", "-c", "1 + 1")
    assert (ran.code, ran.out) == (1, "") and reason in ran.err and "Traceback" not in ran.err
    assert "14 berths" in at(place, theirs, "search", "berths of the north quay").out
    asked = at(place, theirs, "ask", "How many berths has the north quay?").out
    assert "14 berths" in asked and "no code is run here" in asked and reason in asked
    checks = {check["name"]: check for check in at(place, theirs, "doctor", "--json").json["checks"]}
    assert checks["sandbox"]["status"] == "broken" and checks["sandbox"]["fix"]
    assert {checks[part]["status"] for part in ("store", "embedder")} == {"ok"}

    command = entering(place, [GLOSSATOR, "--corpus", str(theirs / "corpus"), "mcp"], [theirs])
    transport = StdioTransport(command[0], command[1:], env=environment(), keep_alive=False)
    async with Client(transport) as connected:
        assert [tool.name for tool in await connected.list_tools()] == ["analysis_search", "analysis_cite"]
        (content,) = (await connected.call_tool("analysis_search", {"query": "berths"})).content
        assert content.type == "text" and "14 berths" in content.text


def test_a_user_without_a_home_can_add_documents(theirs: Path) -> None:
    (theirs / "sources" / "tide.md").write_text("# Tide\n\nHigh water is at noon.\n")
    added = at(Place(3, user=ORDINARY), theirs, "add", str(theirs / "sources" / "tide.md"), "--json")
    assert (added.code, [each["status"] for each in added.json]) == (0, ["added"])
