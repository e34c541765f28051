"""Nothing that a cell can print names a folder of the host."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import glossator
from glossator.sandbox import Sandbox
from glossator.sandbox.modules import ALLOWED

pytestmark = pytest.mark.anyio

_FOLDERS = {
    sys.prefix,
    sys.base_prefix,
    str(Path(glossator.__file__).resolve().parents[1]),
    str(Path(glossator.__file__).parent),
}

# Searches by itself: there is more to print than is shown.
LOOK = f"""
import asyncio, inspect, traceback
folders, found = {sorted(_FOLDERS)!r}, []
def see(text):
    if any(folder in text for folder in folders): found.append(text[:300])
def look(ob, depth=0):
    for show in (repr, inspect.getdoc):
        try: see(str(show(ob)))
        except Exception as e: see(traceback.format_exc() + repr(e))
    for name in dir(ob) if depth < 2 else ():
        try: look(getattr(ob, name), depth + 1)
        except Exception as e: see(f"{{e!r}} {{e}}")
"""
MODULES = "\n".join(f"import {name}\nlook({name})" for name in sorted(ALLOWED) if name != "__future__")
TASKS = """
async def nap(): await asyncio.sleep(0)
async def all_kinds():
    tasks = [asyncio.create_task(nap()), asyncio.create_task(asyncio.sleep(0)), asyncio.gather(nap(), nap())]
    for task in (*tasks, asyncio.current_task(), *asyncio.all_tasks()): look(task, 1)
    await asyncio.gather(*tasks)
    for task in tasks: look(task, 1)
await all_kinds()
asyncio.run(all_kinds())
"""
ERRORS = """
import json, decimal, xml.dom.minidom, logging, io
stream = io.StringIO()
logging.basicConfig(stream=stream, force=True)
fails = (lambda: json.loads("x"), lambda: decimal.Decimal("x"), lambda: xml.dom.minidom.parseString("<"), lambda: "x".encode("nope"),
         lambda: b"x".decode("big5"), lambda: json.nope, lambda: logging.getLogger(3), lambda: asyncio.run(1), lambda: json.dumps(look))
for fail in fails:
    try: fail()
    except Exception as e:
        logging.exception("failed", stack_info=True)
        for text in (traceback.format_exc(), repr(e), *traceback.format_exception(e), *traceback.format_tb(e.__traceback__)): see(text)
see(stream.getvalue())
assert "failed" in stream.getvalue()
"""


@pytest.mark.parametrize("cell", [MODULES, TASKS, ERRORS], ids=["modules", "tasks", "errors"])
async def test_no_folder_shows(cell: str) -> None:
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        result = await session.run(f"{LOOK}{cell}\nprint(found[:3])")
        assert (result.error, result.stdout) == (None, "[]\n")


async def test_a_folder_would_be_seen() -> None:
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        result = await session.run(f"{LOOK}\nlook(folders[0] + '/x')\nprint(len(found) > 0)")
        assert result.stdout == "True\n"


async def test_recursion_goes_as_deep_as_in_a_program_of_its_own() -> None:
    cell = "def f(n):\n    try: return f(n + 1)\n    except RecursionError: return n\nprint(f(0) >= 990)"
    deep = "import sys\nsys.setrecursionlimit(6000)\ndef g(n): return 0 if n == 0 else 1 + g(n - 1)\nprint(g(5900), sys.getrecursionlimit())"
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        assert (await session.run(cell)).stdout == "True\n"
        assert (await session.run(deep)).stdout == "5900 6000\n"
