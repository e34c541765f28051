"""The MCP server as a client meets it: a real process, a real client, over stdin and stdout."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from fastmcp import Client
from fastmcp.client.transports import FastMCPTransport, StdioTransport

from glossator.analysis import Analysis, analysis_sandbox
from glossator.corpus import Corpus
from glossator.sandbox import FileJournals, HostFunction, PoolLimits
from glossator.service.configuration import configure
from glossator.service.conversations import Conversations
from glossator.service.corpora import LateCorpus
from glossator.service.mcp import build

from .conftest import GLOSSATOR, PATIENCE, environment

pytestmark = pytest.mark.anyio

TOOLS = ["analysis_search", "analysis_cite", "analysis_execute_code"]
WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("analysis_search", {}, "query: Missing required argument"),
    ("analysis_search", {"query": "x", "limit": 0}, "limit: Input should be greater than or equal to 1"),
    ("analysis_search", {"query": "x", "colour": "red"}, "colour: Unexpected keyword argument"),
    ("analysis_cite", {"chunk_ids": 7}, "chunk_ids: Input should be a valid list"),
    ("analysis_search", {"query": "x", "session_id": "nope"}, "No session 'nope'"),
]
NEW_SESSION = re.compile(r'^New session: pass session_id="([^"]+)"', re.MULTILINE)


@asynccontextmanager
async def client(corpus: Path, mode: Literal["auto", "legacy"] = "auto") -> AsyncIterator[Client[StdioTransport]]:
    transport = StdioTransport(GLOSSATOR, ["mcp", "--corpus", str(corpus)], env=environment(), keep_alive=False)
    async with Client(transport, mode=mode) as connected:
        yield connected


@asynccontextmanager
async def client_here(corpus: Path, *, code: bool = True) -> AsyncIterator[Client[FastMCPTransport]]:
    """The same server in this process, without a sandbox: for what no code runs for."""
    async with (
        LateCorpus(configure(str(corpus), {})) as late,
        Conversations(lambda: Analysis(late.open, None)) as conversations,
        Client(build(conversations, code=code)) as connected,
    ):
        yield connected


async def text(connected: Client[Any], tool: str, **arguments: Any) -> str:
    """The reply of a call that succeeds: one text and nothing else."""
    result = await connected.call_tool(tool, arguments)
    (content,) = result.content
    assert content.type == "text" and result.structured_content is None
    return content.text


async def error(connected: Client[Any], tool: str, **arguments: Any) -> str:
    """The reply of a call that fails."""
    result = await connected.call_tool(tool, arguments, raise_on_error=False)
    (content,) = result.content
    assert result.is_error and content.type == "text"
    return content.text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_question_from_search_to_checked_answer(corpus: Path, mode: Literal["auto", "legacy"]) -> None:
    async with client(corpus, mode) as connected:
        assert [tool.name for tool in await connected.list_tools()] == TOOLS
        found = await text(connected, "analysis_search", query="How many berths has the north quay?", limit=2)
        named = NEW_SESSION.search(found)
        chunk = re.search(r"^\[([0-9a-f]{8})\]", found, re.MULTILINE)
        assert named and chunk and "14 berths" in found

        again = await text(connected, "analysis_search", query="speed", session_id=named[1])
        assert not NEW_SESSION.search(again)
        for written in (chunk[1], json.dumps([chunk[1]]), f"{chunk[1]}, "):  # as models write a list of one
            cited = await text(connected, "analysis_cite", chunk_ids=written, session_id=named[1])
            assert cited.startswith("Cited 1 of 1")
        cited = await text(
            connected,
            "analysis_cite",
            chunk_ids=[chunk[1]],
            answer="The north quay has 14 berths.",
            session_id=named[1],
        )
        assert cited.startswith("Cited 1 of 1")


async def test_variables_stay_in_a_session(corpus: Path) -> None:
    async with client(corpus) as connected:
        first = await text(connected, "analysis_execute_code", code="fee = 120\nprint(fee)")
        named = NEW_SESSION.search(first)
        assert first.startswith("> 120\n") and named
        assert "-> 240" in await text(connected, "analysis_execute_code", code="fee * 2", session_id=named[1])
        other = await text(connected, "analysis_execute_code", code="fee")
        assert "NameError" in other and NEW_SESSION.search(other)


async def test_what_the_server_says_of_itself(corpus: Path) -> None:
    async with client_here(corpus) as connected:
        tools, instructions = await connected.list_tools(), connected.instructions
    assert instructions and "analysis_cite" in instructions and "session_id" in instructions
    assert len(instructions) <= 2048  # what clients keep of it
    for tool in tools:
        assert tool.description and len(tool.description) <= 160 and "\n" not in tool.description
        assert tool.output_schema is None
        assert tool.annotations and tool.annotations.read_only_hint
        assert "session_id" in tool.input_schema["properties"]
        assert "session_id" not in tool.input_schema.get("required", [])
        assert all("description" in schema for schema in tool.input_schema["properties"].values())


async def test_without_a_safe_sandbox_code_is_not_offered(corpus: Path) -> None:
    async with client_here(corpus, code=False) as connected:
        assert [tool.name for tool in await connected.list_tools()] == ["analysis_search", "analysis_cite"]
        assert connected.instructions and "Code cannot be run" in connected.instructions
        assert "analysis_execute_code" not in connected.instructions
        assert "14 berths" in await text(connected, "analysis_search", query="berths")


async def test_our_own_bugs_are_not_told_to_the_model() -> None:
    async def broken() -> Corpus:
        raise KeyError("a secret of the host")

    async with (
        Conversations(lambda: Analysis(broken, None)) as conversations,
        Client(build(conversations, code=False)) as connected,
    ):
        assert await error(connected, "analysis_search", query="x") == "Error calling tool 'analysis_search'"


async def test_a_busy_sandbox_is_told_with_what_to_do(corpus: Path, tmp_path: Path) -> None:
    begun, end = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        begun.set()
        await end.wait()

    journals = FileJournals(tmp_path)
    async with (
        LateCorpus(configure(str(corpus), {})) as late,
        analysis_sandbox(journals=journals, pool=PoolLimits(running=1, wait_s=0.05)) as sandbox,
        Conversations(
            lambda: Analysis(late.open, sandbox), resume=lambda name: Analysis(late.open, sandbox, session=name)
        ) as conversations,
        Client(build(conversations, code=True)) as connected,
    ):
        other = await sandbox.session(functions=[HostFunction("hold", hold)])
        running = asyncio.create_task(other.run("await hold()"))
        await begun.wait()
        busy = await error(connected, "analysis_execute_code", code="1")
        assert "the code sandbox is busy: 1 cells are running" in busy and "try again later" in busy
        end.set()
        await running
        with contextlib.closing(journals.open("talk")):  # as another process would
            used = await error(connected, "analysis_execute_code", code="1", session_id="talk")
            assert "session 'talk' is in use by" in used and "wait until that has ended" in used
        assert "-> 1" in await text(connected, "analysis_execute_code", code="1", session_id="talk")


async def test_wrong_arguments_come_back_as_text(corpus: Path) -> None:
    async with client_here(corpus) as connected:
        for tool, arguments, expected in WRONG:
            told = await error(connected, tool, **arguments)
            assert expected in told and "pydantic" not in told and "Traceback" not in told
        assert await text(connected, "analysis_search", query="berths")  # the server goes on


async def test_a_missing_corpus_is_told_and_found_later(tmp_path: Path, corpus: Path) -> None:
    async with client(tmp_path / "late") as connected:
        assert "add PATH" in await error(connected, "analysis_search", query="berths")
        assert "> 1" in await text(connected, "analysis_execute_code", code="print(1)")
        await asyncio.to_thread(shutil.copytree, corpus, tmp_path / "late", dirs_exist_ok=True)
        assert "14 berths" in await text(connected, "analysis_search", query="berths")


def test_stdout_carries_the_protocol_and_nothing_else(corpus: Path) -> None:
    """A legacy handshake by hand: every line of stdout is a JSON-RPC message, and end of input ends the server."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "nope", "arguments": {}}},
    ]
    done = subprocess.run(
        [GLOSSATOR, "mcp", "--corpus", str(corpus)],
        input="".join(json.dumps(message) + "\n" for message in messages),
        capture_output=True,
        text=True,
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert replies and all(reply["jsonrpc"] == "2.0" for reply in replies)
    assert replies[0]["result"]["serverInfo"]["name"] == "glossator"
