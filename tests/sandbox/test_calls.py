"""Host functions and files: what cells may ask of the host, how often, and what comes of mistakes of either side."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Sequence
from typing import Any

import pytest

from glossator.sandbox import GuestError, HostFunction, Limits, Sandbox

pytestmark = pytest.mark.anyio


async def search(query: str, limit: int = 10) -> list[str]:
    """Find passages."""
    if not query:
        raise GuestError("ValueError", "an empty query")
    return [query] * limit


SEARCH = HostFunction("search", search, "Find passages.")


async def test_arguments_and_results_are_json_values() -> None:
    async with Sandbox() as sandbox:
        session = await sandbox.session(functions=[SEARCH])
        result = await session.run("await search('a', limit=2)")
        assert (result.value, result.host_calls) == ("['a', 'a']", 1)
        assert (await session.run("len(await search(query='x'))")).value == "10"


@pytest.mark.parametrize(
    ("code", "kind", "message"),
    [
        ("await search()", "TypeError", "search(query, limit=10): missing a required argument: 'query'"),
        (
            "await search('a', depth=1)",
            "TypeError",
            "search(query, limit=10): got an unexpected keyword argument 'depth'",
        ),
        ("await search({1})", "TypeError", "search() takes JSON values only: Object of type set"),
        ("await search(float('nan'))", "ValueError", "search() takes JSON values only"),
        ("await search('\\ud800')", "ValueError", "search() takes JSON values only"),
        ("await search('x' * 2_000_000)", "ValueError", "at most 1,048,576 are sent"),
        ("await search('')", "ValueError", "an empty query"),
        ("await search('a', limit=10**400)", "ValueError", "search() takes JSON values only: number is infinity"),
        ("await search('\\ud800')", "ValueError", "search() takes JSON values only"),
    ],
)
async def test_mistakes_of_the_cell_are_errors_in_it(code: str, kind: str, message: str) -> None:
    async with Sandbox() as sandbox:
        session = await sandbox.session(functions=[SEARCH])
        error = (await session.run(code)).error
        assert error is not None
        assert (error.type, message in error.message) == (kind, True), error.message
        assert (await session.run(f"try:\n    {code}\nexcept Exception as e:\n    print(type(e).__name__)")).stdout == (
            f"{kind}\n"
        )


async def test_calls_are_concurrent() -> None:
    together = asyncio.Barrier(3)

    async def meet(name: str) -> str:
        await together.wait()
        return name

    async with Sandbox() as sandbox:
        session = await sandbox.session(functions=[HostFunction("meet", meet)])
        result = await session.run("import asyncio\nawait asyncio.gather(*[meet(name) for name in 'abc'])")
        assert result.value == "['a', 'b', 'c']"


async def test_many_calls_at_once_wait_for_each_other() -> None:
    busy = most = 0

    async def work() -> None:
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        await asyncio.sleep(0)
        busy -= 1

    async with Sandbox() as sandbox:
        session = await sandbox.session(functions=[HostFunction("work", work)])
        for _ in range(2):  # what one cell left behind must not hold the next
            result = await session.run("import asyncio\nlen(await asyncio.gather(*[work() for _ in range(900)]))")
            assert (result.value, result.host_calls) == ("900", 900)
        await session.run("import asyncio\nfor _ in range(300): asyncio.ensure_future(work())\nawait asyncio.sleep(0)")
        assert (await session.run("await work()")).error is None


async def test_the_budget_is_per_cell() -> None:
    async with Sandbox(limits=Limits(host_calls=5)) as sandbox:
        session = await sandbox.session(functions=[SEARCH])
        for _ in range(2):
            result = await session.run("done = 0\nfor n in range(9):\n    await search('a')\n    done += 1")
            assert result.error is not None
            assert result.error.message == "more than 5 host calls in one cell"
            assert (await session.run("done")).value == "5"


async def test_a_fault_of_the_host_is_raised_in_the_host() -> None:
    async def broken() -> None:
        raise LookupError("a bug of ours")

    async def not_json() -> object:
        return {1, 2}

    async with Sandbox() as sandbox:
        session = await sandbox.session(functions=[HostFunction("broken", broken), HostFunction("not_json", not_json)])
        with pytest.raises(LookupError, match="a bug of ours"):
            await session.run("x = 1\nawait broken()")
        with pytest.raises(TypeError):
            await session.run("await not_json()")
        assert (await session.run("x")).value == "1"


async def test_an_unknown_kind_of_error_is_a_runtime_error() -> None:
    async def odd() -> None:
        raise GuestError("SystemExit", "odd")

    async with Sandbox() as sandbox:
        session = await sandbox.session(functions=[HostFunction("odd", odd)])
        error = (await session.run("await odd()")).error
        assert error is not None and error.type == "RuntimeError"


class Shelf:
    """A file system that answers with bodies of the size it is asked for."""

    def __init__(self) -> None:
        self.reports: list[dict[str, Any]] = []

    async def request(self, header: dict[str, Any]) -> tuple[dict[str, Any], Sequence[bytes]]:
        if type(header.get("size")) is not int:
            raise GuestError("FileNotFoundError", "no such size")
        return {"given": header["size"]}, [b"a" * header["size"], b""]

    def finish(self, report: dict[str, Any]) -> None:
        self.reports.append(report)


# Speaks the wire itself, as a guest module would through the channel, and as an attacker might.
ASK = """
import json, os, struct
def exactly(n):
    data = b""
    while len(data) < n: data += os.read(3, n - len(data))
    return data
def say(header):
    text = json.dumps(header).encode()
    os.write(3, struct.pack("<II", 4 + len(text), len(text)) + text)
def ask(header):
    say(header)
    rest, size = struct.unpack("<II", exactly(8))
    answer = json.loads(exactly(size))
    return answer, exactly(rest - 4 - size)
"""


async def test_files_come_as_raw_bytes_within_a_budget() -> None:
    shelf = Shelf()
    async with Sandbox._without_policy(limits=Limits(read_bytes=10_000)) as sandbox:
        session = await sandbox.session(filesystem=shelf)
        await session.run(ASK)
        read = 'ask({"kind": "file", "id": 7, "header": {"size": %d}})'
        result = await session.run(f"answer, body = {read % 9_000}\nprint(answer, len(body))")
        assert result.stdout == "{'kind': 'answer', 'id': 7, 'value': {'given': 9000}, 'bodies': [9000, 0]} 9000\n"
        assert result.read_bytes == 9_000
        result = await session.run("\n".join(f"answer = {read % 9_000}[0]" for _ in range(3)) + "\nprint(answer)")
        assert "'kind': 'raise', 'id': 7, 'error': 'OSError', 'message': 'more than 10,000 bytes" in result.stdout
        result = await session.run('print(ask({"kind": "file", "id": 8, "header": {}})[0]["error"])')
        assert result.stdout == "FileNotFoundError\n"
        assert len(shelf.reports) == 4  # once per cell


async def test_a_file_that_is_larger_than_the_memory_fails_and_the_session_goes_on() -> None:
    channel = "import gc\nchannel = next(o for o in gc.get_objects() if type(o).__name__ == 'HostChannel')"
    async with Sandbox._without_policy(limits=Limits(memory_mb=64)) as sandbox:
        session = await sandbox.session(filesystem=Shelf())
        await session.run(channel)
        for _ in range(2):
            error = (await session.run("channel.request({'size': 60_000_000})")).error
            assert error is not None and error.type == "MemoryError"
            assert (await session.run("len(channel.request({'size': 1_000_000})[1][0])")).value == "1000000"


async def test_requests_of_files_are_counted_for_each_cell() -> None:
    channel = "import gc\nchannel = next(o for o in gc.get_objects() if type(o).__name__ == 'HostChannel')"
    async with Sandbox._without_policy(limits=Limits(file_requests=5)) as sandbox:
        session = await sandbox.session(filesystem=Shelf())
        await session.run(channel)
        for _ in range(2):
            result = await session.run("n = 0\nwhile True:\n    channel.request({'size': 3})\n    n += 1")
            assert result.error is not None and not result.worker_ended
            assert (result.error.type, result.error.message) == ("OSError", "more than 5 requests of files in one cell")
            assert (await session.run("n")).value == "5"


async def test_a_worker_that_asks_for_more_files_than_it_may_is_ended() -> None:
    shelf = Shelf()
    flood = ASK + 'while True: ask({"kind": "file", "id": 1, "header": {"size": 3}})'
    async with Sandbox._without_policy(limits=Limits(file_requests=5)) as sandbox:
        victim, session = await sandbox.session(), await sandbox.session(filesystem=shelf)
        result = await session.run(flood)
        assert result.worker_ended and not result.timed_out and result.read_bytes <= 5 * 3
        assert result.error is not None and "more than 5 requests of files in one cell" in result.error.message
        assert (await session.run("1")).value == (await victim.run("1")).value == "1"


async def test_without_a_file_system_there_are_no_files() -> None:
    async with Sandbox._without_policy() as sandbox:
        session = await sandbox.session()
        result = await session.run(ASK + 'print(ask({"kind": "file", "id": 1, "header": {}})[0]["error"])')
        assert result.stdout == "FileNotFoundError\n"


FORGED = {
    "endless frame": 'os.write(3, b"\\xff" * 65536)',
    "unknown kind": 'say({"kind": "run", "id": 1})',
    "second ready": 'say({"kind": "ready", "isolation": {"level": 3}})',
    "result of another cell": 'say({"kind": "done", "id": 99, "result": {}, "reports": [], "clock": []})',
    "result of no cell": 'say({"kind": "done", "id": 2, "result": {"stdout": 5}, "reports": [], "clock": []})',
    "two results": 'say({"kind": "done", "id": 2, "result": {}, "reports": [], "clock": []})\n' * 2,
    "a call after the end": 'say({"kind": "done", "id": 2, "result": {}, "reports": [], "clock": []})\n'
    'say({"kind": "call", "id": 1, "name": "search", "args": [""], "kwargs": {}})',
    "closed": "os.close(3)",
    "failure": 'say({"kind": "failed", "reason": "x" * 100000})',
    "a call that is larger than the worker's own check lets through": (
        'say({"kind": "call", "id": 1, "name": "search", "args": [[[]] * 500_000], "kwargs": {}})'
    ),
    "a number that is none": (
        'text = b\'{"kind": "call", "id": 1, "name": "search", "args": [1\' + b"0" * 400 + b\'], "kwargs": {}}\'\n'
        'os.write(3, struct.pack("<II", 4 + len(text), len(text)) + text)'
    ),
}


@pytest.mark.parametrize("code", FORGED.values(), ids=FORGED.keys())
async def test_forged_frames_end_their_own_session_only(code: str) -> None:
    async with Sandbox._without_policy(limits=Limits(wall_s=0.5)) as sandbox:
        victim, attacker = await sandbox.session(), await sandbox.session(functions=[SEARCH])
        await victim.run("x = 1")
        await attacker.run(ASK)
        result = await attacker.run(code + "\nwhile True: pass")
        assert result.error is None or len(result.error.message) < 2_000
        # What is still under way when a false result has been taken ends the next cell at the latest: a session whose
        # cells forge results can hurt itself as often as it is rebuilt, and nobody else.
        after = await attacker.run("1")
        assert after.worker_ended or (after.value, "rebuilt" in after.note) == ("1", True)
        assert (await victim.run("x")).value == "1"


@pytest.mark.parametrize(
    "call",
    [
        '{"kind": "call", "id": 1, "name": "nothing", "args": [], "kwargs": {}}',
        '{"kind": "call", "id": 1, "name": "__class__", "args": [], "kwargs": {}}',
        '{"kind": "call", "id": 1, "name": "search", "args": [], "kwargs": {}}',
        '{"kind": "call", "id": 1, "name": "search", "args": ["a"], "kwargs": {"": 1}}',
    ],
)
async def test_forged_calls_are_refused(call: str) -> None:
    async with Sandbox._without_policy() as sandbox:
        session = await sandbox.session(functions=[SEARCH])
        result = await session.run(f"{ASK}\nprint(ask({call})[0]['kind'])")
        assert result.stdout == "raise\n"


async def test_a_flood_that_reads_no_answers_stops_at_the_deadline() -> None:
    flood = ASK + 'while True: say({"kind": "file", "id": 1, "header": {"size": 1000000}})'
    async with Sandbox._without_policy(limits=Limits(wall_s=0.5)) as sandbox:
        session = await sandbox.session(filesystem=Shelf())
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        result = await session.run(flood)
        assert result.timed_out
        # The host stopped taking questions when answers piled up: they are not in its memory (KiB).
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000
        assert (await session.run("1")).value == "1"
