"""An MCP server that is killed and started again: whoever names the session goes on, with variables and evidence."""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

from glossator.sandbox import FileJournals

from .conftest import Glossator, environment
from .test_mcp import NEW_SESSION, error, text

pytestmark = pytest.mark.anyio

SERVER = """
import asyncio, sys
from glossator.service.configuration import configure
from glossator.service.mcp import serve
from glossator.service.scoping import Choice

transport = {"transport": "http", "host": "127.0.0.1", "port": int(sys.argv[2])}
asyncio.run(serve(configure(sys.argv[1], {}), Choice(), transport))
"""


class Server:
    """The MCP server over HTTP, in a process that can be killed; a new one takes the same address."""

    def __init__(self, corpus: Path) -> None:
        self._corpus = corpus
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", SERVER, str(self._corpus), str(self._port)]
        return subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill_and_start(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process = self._start()

    @asynccontextmanager
    async def client(self) -> AsyncIterator[Client[Any]]:
        await asyncio.to_thread(self._wait)
        async with Client(StreamableHttpTransport(f"http://127.0.0.1:{self._port}/mcp")) as connected:
            yield connected

    def _wait(self) -> None:
        while self.process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self._port)) == 0:
                    return
        pytest.fail("the server ended")


@pytest.fixture
def server(own_corpus: Path) -> Any:
    started = Server(own_corpus)
    yield started
    started.process.kill()
    started.process.wait()


def named(reply: str) -> str:
    found = NEW_SESSION.search(reply)
    assert found is not None, reply
    return found[1]


def chunk_of(reply: str) -> str:
    found = re.search(r"^(?:> )?\[?([0-9a-f]{8})\b", reply, re.MULTILINE)
    assert found is not None, reply
    return found[1]


async def test_a_killed_server_loses_neither_variables_nor_evidence(server: Server) -> None:
    async with server.client() as connected:
        found = await text(connected, "analysis_search", query="How many berths has the north quay?", limit=2)
        session, chunk = named(found), chunk_of(found)
        code = "fee = 120\nhits = await search('light')\nprint(hits[0]['chunk_id'], hits[0]['content'])"
        shown = chunk_of(await text(connected, "analysis_execute_code", code=code, session_id=session))
        read = "total = sum(len(p.read_text()) for p in Path('/documents').glob('*/content.txt'))\nprint(total)"
        await text(connected, "analysis_execute_code", code=read, session_id=session)
    server.kill_and_start()
    async with server.client() as connected:
        cited = await text(connected, "analysis_cite", chunk_ids=[chunk, shown], session_id=session)
        assert cited.startswith("Cited 2 of 2"), cited
    server.kill_and_start()
    async with server.client() as connected:
        # What was cited is known, and so is what the cells printed: the draft is checked against it.
        again = await text(connected, "analysis_execute_code", code="fee * 2", session_id=session)
        assert "Session rebuilt" in again and "-> 240" in again
        empty = await text(connected, "analysis_cite", chunk_ids=[], session_id=session)
        assert "a computation (cells 1, 2, 3; 3 of 3 documents read" in empty, empty
        draft = "The north quay has 14 berths."
        answered = await text(connected, "analysis_cite", chunk_ids=[chunk], answer=draft, session_id=session)
        assert answered.startswith("Cited 1 of 1") and "not accepted" not in answered and "nsupported" not in answered
    server.kill_and_start()
    async with server.client() as connected:
        # A new question has begun; what was cited for the last one stays citable, what was only shown does not.
        cited = await text(connected, "analysis_cite", chunk_ids=[chunk, shown], session_id=session)
        assert cited.startswith("Cited 1 of 2") and "search" in cited, cited


async def test_two_clients_speak_in_one_session_by_turns(server: Server) -> None:
    async with server.client() as one, server.client() as two:
        session = named(await text(one, "analysis_execute_code", code="n = 0"))
        code = "n += 1; n"
        calls = [text(client, "analysis_execute_code", code=code, session_id=session) for client in (one, two) * 3]
        said = sorted(await asyncio.gather(*calls))
        assert [f"-> {n}\n" in reply for n, reply in enumerate(said, 1)] == [True] * 6, said


async def test_what_was_shown_and_has_changed_since_is_told(
    server: Server, glossator: Glossator, own_corpus: Path
) -> None:
    async with server.client() as connected:
        found = await text(connected, "analysis_search", query="How many berths has the north quay?", limit=1)
        session, chunk = named(found), chunk_of(found)
    assert glossator("rm", "--corpus", str(own_corpus), "harbour.md").code == 0
    server.kill_and_start()
    async with server.client() as connected:
        told = await text(connected, "analysis_cite", chunk_ids=[chunk], session_id=session)
        assert told.startswith("Cited 0 of 1") and "1 of the passages shown before are changed or gone" in told, told


async def test_a_session_that_another_server_holds_names_it(server: Server, own_corpus: Path) -> None:
    async with server.client() as connected:
        session = named(await text(connected, "analysis_search", query="berths"))
    other = Server(own_corpus)
    try:
        async with other.client() as connected:
            told = await error(connected, "analysis_search", query="berths", session_id=session)
            assert f"session '{session}' is in use by " in told and f"process {server.process.pid} on" in told, told
            assert "another" in told and "Traceback" not in told
            assert named(await text(connected, "analysis_search", query="berths"))
    finally:
        other.process.kill()
        other.process.wait()


async def test_a_damaged_journal_costs_what_came_after_the_damage(server: Server, own_corpus: Path) -> None:
    async with server.client() as connected:
        session = named(await text(connected, "analysis_execute_code", code="x = 1"))
        await text(connected, "analysis_execute_code", code="x = 2", session_id=session)
    server.process.kill()
    server.process.wait()
    path = own_corpus / "sessions" / f"{session}.journal"
    path.write_bytes(path.read_bytes().replace(b'"code":"x = 2"', b'"code":"x = 9"'))
    server.kill_and_start()
    async with server.client() as connected:
        told = await text(connected, "analysis_execute_code", code="x", session_id=session)
        assert "journal is damaged: whatever came after cell 1 is gone" in told and "-> 1" in told, told
    server.process.kill()
    server.process.wait()
    assert FileJournals(own_corpus / "sessions").delete(session)
