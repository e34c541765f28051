"""async functions, await at the top level, tasks."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import pytest

from .sides import agrees, fails, refused

ALLOWED = {
    "await": "import asyncio\nasync def f(x): await asyncio.sleep(0); return x\nprint(await f(1), await asyncio.gather(f(2), f(3)))",
    "run": "import asyncio\nasync def main(): return 5\nprint(asyncio.run(main()))",
    "for and with": "import asyncio, contextlib\nasync def g():\n    for i in range(2): yield i\n@contextlib.asynccontextmanager\nasync def c(): yield 'in'\nasync with c() as x:\n    async for i in g(): print(x, i)",
    "task groups": "import asyncio\nasync def f(x): return x\nasync with asyncio.TaskGroup() as tg: t = tg.create_task(f(4))\nprint(t.result(), t.done())",
    "errors": "import asyncio\nasync def f(): raise ValueError('v')\nprint(await asyncio.gather(f(), return_exceptions=True))\ntry: await asyncio.wait_for(asyncio.sleep(5), 0.01)\nexcept TimeoutError: print('late')",
}
REFUSED = [
    ("async def f(__builtins__): pass", "is not available here"),
    ("await x.cr_frame", "is not available here"),
    ("async for __import__ in x: pass", "is not available here"),
    ("async with x as __builtins__: pass", "is not available here"),
]
FAILING = [
    ("for hit in search('x'): pass", "write `await` before the call"),
    ("async def f(): pass\ngetattr(asyncio.create_task(f()), 'get_coro')\nawait f()", ""),
    ("import asyncio\nasyncio.open_connection", "no network"),
]


@pytest.mark.parametrize("name", ALLOWED)
def test_allowed(name: str) -> None:
    agrees(ALLOWED[name])


@pytest.mark.parametrize(("source", "says"), REFUSED)
def test_refused(source: str, says: str) -> None:
    refused(source, says)


@pytest.mark.parametrize(("source", "says"), FAILING)
def test_fails_when_it_runs(source: str, says: str) -> None:
    fails(source, says)
