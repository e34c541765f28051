from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

from glossator.sandbox import HostFunction
from glossator.sandbox.stubs import describe, stub


async def find(query: str, /, *more: str, limit: int = 10, **options: bool) -> None: ...


class Recorder:
    async def call(self, name: str, args: Any, kwargs: Any) -> Any:
        return name, args, kwargs


def made() -> Any:
    description = json.loads(json.dumps(describe(HostFunction("find", find, "Find passages."))))
    return stub(Recorder(), **description)


@pytest.mark.anyio
async def test_a_call_is_sent_as_it_was_written() -> None:
    assert await made()("a", "b", limit=3, exact=True) == ("find", ("a", "b"), {"limit": 3, "exact": True})
    assert await made()("a") == ("find", ("a",), {})  # defaults are the host's


@pytest.mark.parametrize(("args", "kwargs"), [((), {}), ((), {"query": "a"})])
def test_wrong_arguments_are_refused_before_anything_is_awaited(args: Any, kwargs: Any) -> None:
    with pytest.raises(TypeError, match=r"find\(query, "):
        made()(*args, **kwargs)


def test_it_looks_like_the_host_function() -> None:
    function = made()
    assert (function.__name__, function.__doc__) == ("find", "Find passages.")
    assert str(inspect.signature(function)) == "(query, /, *more, limit=10, **options)"
    coroutine = function("a")
    assert "find" in repr(coroutine)
    coroutine.close()
