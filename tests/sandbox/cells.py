"""What the tests of the language layer share: interpreters in this process, for code that is no attack."""

from __future__ import annotations

import asyncio
import gc
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from glossator.sandbox.contracts import Guest
from glossator.sandbox.interpreter import Interpreter
from glossator.sandbox.limits import Limits


async def search(query: str, limit: int = 10) -> list[dict[str, Any]]:
    """Finds passages."""
    await asyncio.sleep(0)
    return [{"chunk_id": "3f9a1c2e", "content": query, "score": 1.0}][:limit]


@contextmanager
def interpreter(guests: Sequence[Guest] = (), **limits: Any) -> Iterator[Interpreter]:
    """A session with the host function `search`."""
    made = Interpreter(limits=Limits(**limits), guests=guests, functions={"search": search})
    try:
        yield made
    finally:
        made.close()
        del made
        with warnings.catch_warnings():  # a real session ends with its process
            warnings.simplefilter("ignore")
            gc.collect()


def run(*cells: str, guests: Sequence[Guest] = (), **limits: Any) -> dict[str, Any]:
    """Run cells in one session; the result of the last one."""
    result: dict[str, Any] = {}
    with interpreter(guests, **limits) as session:
        for cell in cells:
            result = session.run(cell)
    return result


def output(*cells: str, **limits: Any) -> str:
    """What the last cell printed; fails when it raised."""
    result = run(*cells, **limits)
    assert result.get("error") is None, result["error"]["traceback"]
    return result["stdout"]


def error(*cells: str, **limits: Any) -> Mapping[str, Any]:
    """The error of the last cell."""
    result = run(*cells, **limits)
    assert result.get("error") is not None, result
    return result["error"]
