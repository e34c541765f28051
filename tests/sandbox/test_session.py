"""Cells, limits and deaths, through the public API with a real jailed worker."""

from __future__ import annotations

import asyncio
import gc

import pytest

from glossator.sandbox import HostFunction, Limits, Sandbox, SandboxClosed, Session

pytestmark = pytest.mark.anyio

SHORT = Limits(wall_s=0.5, memory_mb=128)


async def test_variables_live_from_cell_to_cell_and_over_errors() -> None:
    async with Sandbox() as sandbox:
        session = await sandbox.session(name="talk")
        assert session.id == "talk"
        first = await session.run("x = [1]\nprint('made')\nx")
        assert (first.number, first.stdout, first.value, first.error) == (1, "made\n", "[1]", None)
        second = await session.run("x.append(2)\n1 / 0")
        assert second.error is not None
        assert (second.error.type, second.error.line, second.session_lost) == ("ZeroDivisionError", 2, False)
        assert (await session.run("x")).value == "[1, 2]"


async def test_what_the_library_loads_by_name_is_there_before_the_jail() -> None:
    cell = """
import xml.etree.ElementTree as ET
from datetime import datetime
print(ET.tostring(ET.Element("a")), datetime.strptime("1 May 2024", "%d %b %Y").day)
for name in "ascii latin-1 cp1252 utf-8-sig utf-16 utf-32 utf-7 idna punycode unicode_escape".split():
    assert "x".encode(name).decode(name) == "x", name
"""
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        result = await session.run(cell)
        assert (result.error, result.stdout) == (None, "b'<a />' 1\n")


async def test_sessions_share_nothing() -> None:
    async with Sandbox() as sandbox:
        one, other = await asyncio.gather(sandbox.session(), sandbox.session())
        assert one.id != other.id
        await one.run("x = 1")
        error = (await other.run("x")).error
        assert error is not None and error.type == "NameError"


async def test_cells_of_one_session_queue() -> None:
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        await session.run("seen = []")
        results = await asyncio.gather(*(session.run(f"seen.append({n}); len(seen)") for n in range(5)))
        assert [result.value for result in results] == ["1", "2", "3", "4", "5"]
        assert [result.number for result in results] == [2, 3, 4, 5, 6]


STUBBORN = {
    "loop": "while True: pass",
    "swallows everything": "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "swallows with finally": "while True:\n    try:\n        while True: pass\n    finally: continue",
    "sleeps": "import time\ntime.sleep(10**6)",
    "backtracks": "import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')",
    "sorts": "class K:\n    def __lt__(self, other):\n        while True: pass\nsorted([K(), K()])",
    "waits": "import asyncio\nawait asyncio.sleep(10**6)",
    "large power": "x = 10 ** 10 ** 9",
    "one call in C": "sum(range(10**12))",
}


@pytest.mark.parametrize("code", STUBBORN.values(), ids=STUBBORN.keys())
async def test_a_cell_ends_at_its_limit(code: str) -> None:
    async with Sandbox(limits=SHORT) as sandbox:
        session = await sandbox.session()
        await session.run("kept = 1")
        result = await session.run(code)
        assert result.error is not None
        assert result.error.type in ("TimeLimit", "MemoryError")
        assert result.timed_out == (result.error.type == "TimeLimit")
        assert not result.timed_out or "0.5 s" in result.error.message
        after = await session.run("kept")
        # Whether or not the worker had to die, the variables are there.
        assert (after.value, after.session_lost) == ("1", False)


async def test_a_worker_that_had_to_be_killed_is_replaced_and_says_so() -> None:
    async with Sandbox(limits=SHORT) as sandbox:
        session = await sandbox.session()
        await session.run("x = 1")
        killed = await session.run("sum(range(10**12))")
        assert (killed.number, killed.timed_out, killed.session_lost) == (2, True, False)
        assert killed.error is not None and "as they were before this cell" in killed.error.hint
        assert not session.alive
        after = await session.run("y = 1\nx")
        assert (after.number, after.value, after.session_lost) == (3, "1", False)
        assert "cell 1 ran again" in after.note and "variables are as after cell 1" in after.note
        assert session.alive
        assert (await session.run("y")).note == ""


async def test_memory_is_an_error_with_the_limit_and_the_session_goes_on() -> None:
    async with Sandbox(limits=Limits(memory_mb=128)) as sandbox:
        session = await sandbox.session()
        await session.run("kept = 1")
        for code in ("bytearray(1 << 40)", "x = []\nwhile True: x.append(bytearray(1 << 16))"):
            result = await session.run(code)
            assert result.error is not None
            assert (result.error.type, "128 MiB" in result.error.message) == ("MemoryError", True)
            assert not result.session_lost
        # x still fills the memory: there is enough left to see that and to let it go.
        assert (await session.run("kept")).value == "1"
        assert (await session.run("len(x) > 100")).value == "True"
        await session.run("del x")
        assert (await session.run("len(bytearray(1 << 26))")).value == str(1 << 26)


async def test_text_that_is_no_unicode_goes_through() -> None:
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        assert (await session.run("print('\\ud800')")).stdout == "\\ud800\n"
        assert (await session.run("'\ud800'")).error is not None
        assert (await session.run("1")).value == "1"


async def test_a_cancelled_run_is_as_if_it_never_was() -> None:
    async with Sandbox() as sandbox:
        begun = asyncio.Event()

        async def begin() -> None:
            begun.set()

        session = await sandbox.session(functions=[HostFunction("begin", begin)])
        await session.run("x = 1")
        running = asyncio.create_task(session.run("x = 2\nawait begin()\nwhile True: pass"))
        await begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        after = await session.run("x")
        assert (after.value, after.session_lost) == ("1", False)
        assert "cell 1 ran again" in after.note


async def test_a_session_that_cannot_start_leaves_nothing_unsaid(caplog: pytest.LogCaptureFixture) -> None:
    async def search() -> None: ...

    async with Sandbox() as sandbox:
        with pytest.raises(TypeError):  # before anything is sent, while the worker waits to hear from us
            await sandbox.session(functions=[HostFunction("search", search, doc="\ud800")])
        await sandbox.isolation()
    gc.collect()
    assert caplog.messages == []


async def test_closing_ends_a_cell_that_runs() -> None:
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        running = asyncio.create_task(session.run("while True: pass"))
        await asyncio.sleep(0)
        await session.close()
        result = await running
        assert result.error is not None and result.error.type == "WorkerEnded"
        with pytest.raises(SandboxClosed, match=session.id):
            await session.run("1")


async def test_a_sandbox_is_open_between_start_and_close() -> None:
    sandbox = Sandbox()
    with pytest.raises(SandboxClosed):
        await sandbox.session()
    async with sandbox:
        session: Session = await sandbox.session()
        assert session.alive
    assert not session.alive
    with pytest.raises(SandboxClosed):
        await sandbox.session()
