"""Time, memory, output, calls and tasks without an end: each is stopped, says by which limit, and loses no variable."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import asyncio
import os

import pytest

from glossator.kernel import capabilities
from glossator.sandbox import HostFunction, Limits, Sandbox

from .processes import children, gone, zygotes

pytestmark = pytest.mark.anyio

SHORT = Limits(wall_s=0.3, memory_mb=128, host_calls=50, kept_output_chars=100_000)
TIME, MEMORY = "ran for more than 0.3 s", "more than 128 MiB of memory"
EITHER = f"{TIME}|{MEMORY}"
CALLS = f"more than 50 host calls in one cell|{TIME}"  # a busy machine makes few calls in so short a time

# What is stopped by Python itself: the worker lives on.
STOPPED = {
    "loop": ("while True: pass", TIME),
    "swallows everything": ("while True:\n    try:\n        while True: pass\n    except BaseException: pass", TIME),
    "swallows by finally": ("while True:\n    try:\n        while True: pass\n    finally: continue", TIME),
    "sleeps": ("import time\ntime.sleep(10**6)", TIME),
    "backtracks": ("import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')", TIME),
    "hostile comparison": (
        "class K:\n    def __lt__(self, other):\n        while True: pass\nsorted([K(), K()])",
        TIME,
    ),
    "hostile hash": ("class K:\n    def __hash__(self):\n        while True: pass\n{K(): 1}", TIME),
    "hostile equality": (
        "class K:\n    def __hash__(self): return 1\n    def __eq__(self, other):\n        while True: pass\n{K(), K()}",
        TIME,
    ),
    "hostile index": ("class K:\n    def __index__(self):\n        while True: pass\nrange(K())", TIME),
    "hostile copy": (
        "import copy\nclass K:\n    def __deepcopy__(self, memo):\n        while True: pass\ncopy.deepcopy(K())",
        TIME,
    ),
    "hostile iterator": (
        "class K:\n    def __iter__(self): return self\n    def __next__(self): return 1\nlist(map(str, K()))",
        EITHER,
    ),
    "endless generator": ("def g():\n    while True: yield 1\nsum(g())", TIME),
    "endless generator of a consumer": (
        "import collections\ndef g():\n    while True: yield 1\ncollections.deque(g(), 0)",
        TIME,
    ),
    "finalizer": ("def g():\n    try: yield\n    finally:\n        while True: pass\nx = g()\nnext(x)\ndel x", TIME),
    "weakref callback": (
        "class C: pass\ndef f(r):\n    while True: pass\nimport functools\n"
        "def g():\n    try: yield\n    finally: f(1)\nnext(g())",
        TIME,
    ),
    "json of the endless": (
        "import json\nclass L(list):\n    def __iter__(self):\n        while True: yield 1\n"
        "    def __len__(self): return 1\n    def __bool__(self): return True\njson.dumps(L([1]), indent=1)",
        EITHER,
    ),
    "waits": ("import asyncio\nawait asyncio.sleep(10**6)", TIME),
    "sleeping tasks": (
        "import asyncio\nawait asyncio.gather(*[asyncio.sleep(10**6) for _ in range(1000)])",
        TIME,
    ),
    "flood of tasks": (
        "import asyncio\nawait asyncio.sleep(0)\nwhile True: asyncio.create_task(asyncio.sleep(0))",
        EITHER,
    ),
    "tasks that make tasks": (
        "import asyncio\nasync def f():\n    asyncio.create_task(f())\n    asyncio.create_task(f())\n"
        "    await asyncio.sleep(0)\nawait f()\nawait asyncio.sleep(100)",
        EITHER,
    ),
    "gather of a million": (
        "import asyncio\nasync def f(): await asyncio.sleep(0)\nawait asyncio.gather(*(f() for _ in range(10**6)))",
        EITHER,
    ),
    "task that cannot be cancelled": (
        "import asyncio\nasync def f():\n    while True:\n        try: await asyncio.sleep(1)\n"
        "        except BaseException: pass\nasyncio.create_task(f())\nawait asyncio.sleep(0)",
        TIME,
    ),
    "waits for the host": ("await never()", TIME),
    "flood of host calls": ("while True: await echo(1)", CALLS),
    "flood of host calls at once": (
        "import asyncio\nawait asyncio.gather(*[echo(n) for n in range(200)])",
        CALLS,
    ),
    "flood of output": ("while True: print('A' * 1000)", "a cell may print 100,000 characters"),
    "flood of small output": ("while True: print()", f"a cell may print 100,000 characters|{TIME}"),
    "recursion": ("def f(): return f()\nf()", "maximum recursion depth exceeded"),
    "recursion through repr": (
        "class R:\n    def __repr__(self): return repr(self)\nR()",
        "maximum recursion depth exceeded",
    ),
    "list": ("x = []\nwhile True: x.append(bytearray(1 << 16))", EITHER),
    "large text": ("'a' * (1 << 40)", MEMORY),
    "large repeated join": ("x = 'ab'\nwhile True: x = x.join([x, x])", EITHER),
    "large shift": ("1 << (1 << 40)", MEMORY),
    "dict": ("d = {}\nwhile True: d[len(d)] = 'x' * 1000", EITHER),
    "endless list of itertools": ("import itertools\nlist(itertools.count())", EITHER),
    "permutations": ("import itertools\nlist(itertools.product(range(10**6), repeat=2))", EITHER),
    "padding": ("f'{1:>1000000000000}'", MEMORY),
    "compressed": (
        "import zlib\nx = zlib.compress(b'a' * 10_000_000)\nwhile True: x += zlib.decompress(x[:9999])",
        EITHER,
    ),
    "huge text as number": ("int('9' * 10**6)", "Exceeds the limit"),
    "huge number as text": ("str(10 ** 10**5)", "Exceeds the limit"),
}
# What may not come back from C in time: then the worker is ended, and the variables are rebuilt.
ENDED = {
    "sum": "sum(range(10**12))",
    "large power": "10 ** 10 ** 9",
    "modular power": "pow(3, 10**1_000_000, 10**1_000_000 + 1)",
    "count of itertools": "import itertools\nsum(itertools.count())",
    "repeat into a deque": "import collections, itertools\ncollections.deque(itertools.repeat(1), 0)",
    "cycle into max": "import itertools\nmax(itertools.cycle([1]))",
    "any of zeros": "import itertools\nany(itertools.repeat(0))",
    "membership": "-1 in iter(int, 1)",
    "factorial": "import math\nmath.factorial(10**8)",
    "binomial": "import math\nmath.comb(10**8, 5 * 10**7)",
    "key derivation": "import hashlib\nhashlib.pbkdf2_hmac('sha256', b'a', b'b', 10**9)",
    "power of a decimal": "import decimal\ndecimal.getcontext().prec = 10**7\ndecimal.Decimal(2) ** decimal.Decimal('0.5')",
    "power of a fraction": "import fractions\nfractions.Fraction(3, 7) ** 10**8",
    "starmap": "import itertools, operator\nsum(itertools.starmap(operator.add, itertools.repeat((1, 1))))",
}


async def echo(value: int) -> int:
    return value


async def never() -> None:
    await asyncio.get_running_loop().create_future()


FUNCTIONS = [HostFunction("echo", echo), HostFunction("never", never)]


@pytest.mark.parametrize(("code", "message"), STOPPED.values(), ids=STOPPED.keys())
async def test_a_cell_ends_at_its_limit_and_the_session_goes_on(code: str, message: str) -> None:
    async with Sandbox(limits=SHORT) as sandbox:
        session = await sandbox.session(functions=FUNCTIONS)
        await session.run("kept = [1]")
        result = await session.run(code)
        assert result.error is not None
        assert any(part in result.error.message for part in message.split("|")), result.error.message
        assert result.error.hint
        # How far it came: but for what ran in a finalizer, after everything, and a worker that had no time to say it.
        assert result.error.line is not None or "finally" in code or result.worker_ended
        assert result.timed_out == (TIME in result.error.message)
        after = await session.run("kept")
        assert (after.value, after.session_lost) == ("[1]", False)


@pytest.mark.slow
@pytest.mark.parametrize("code", ENDED.values(), ids=ENDED.keys())
async def test_a_call_in_c_costs_at_most_the_worker(code: str) -> None:
    async with Sandbox(limits=SHORT) as sandbox:
        session = await sandbox.session()
        await session.run("kept = [1]")
        result = await session.run(code)
        assert result.error is not None and result.error.hint
        assert result.error.line == code.count("\n") + 1
        assert any(part in result.error.message for part in EITHER.split("|")), result.error.message
        after = await session.run("kept")
        assert (after.value, after.session_lost) == ("[1]", False)


@pytest.mark.slow
@pytest.mark.skipif(not capabilities.has(capabilities.SYS_RESOURCE), reason="needs CAP_SYS_RESOURCE")
async def test_the_kernel_ends_a_worker_whose_host_is_too_busy_to_look() -> None:
    others = zygotes(os.getpid())
    async with Sandbox(limits=SHORT) as sandbox:
        session = await sandbox.session()
        await session.run("kept = [1]")
        (zygote,) = set(zygotes(os.getpid())) - set(others)
        (worker,) = children(zygote)
        watched = os.pidfd_open(worker)
        running = asyncio.create_task(session.run("sum(range(10**12))"))
        await asyncio.sleep(0)  # sent; from here on this host looks at nothing but the end of the process
        gone(watched)
        result = await running
        assert result.timed_out and result.error is not None and TIME in result.error.message
        assert (await session.run("kept")).value == "[1]"
