"""Public attributes that are looked at when they are read: the user's own are ordinary ones."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import pytest

from .sides import agrees, fails, refused

ALLOWED = {
    "own register": "class R:\n    def register(self, x): return x\nprint(R().register(1))",
    "own loop": "class R:\n    def get_stack(self): return 2\n    get_loop = get_coro = 3\nprint(R().get_stack(), R().get_loop)",
    "own obj": "class R: obj = 3\nprint(R().obj)",
    "own format": "class R:\n    def format(self, x): return x\n    mro = 4\nprint(R().format(4), R().mro)",
    "abc register": "from abc import ABC\nclass A(ABC): pass\nclass B: pass\nA.register(B)\nprint(isinstance(B(), A))",
    "register as decorator": "from collections.abc import Sized\n@Sized.register\nclass B: pass\nprint(issubclass(B, Sized))",
    "str methods": "print(list(map(str.upper, 'ab')), str.format('{:>3}', 1), str.join('-', 'ab'))",
    "random subclass": "import random\nclass R(random.Random):\n    def random(self): return 0.5\nprint(R().random())",
    "dataclass fields": "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    format: str = 'f'\nprint(P(1).__dataclass_fields__['x'].name, P(1).format)",
}
REFUSED = [
    ("x.format += 1", "updated in place"),
    ("match x:\n    case C(register=r): pass", "may not read"),
]
FAILING = [
    ("from collections.abc import Mapping\nMapping.register(list)", "classes that you have written"),
    ("class E(AttributeError): leak = AttributeError.obj", "is not available here"),
    ("async def f(): pass\nt = asyncio.create_task(f())\nawait t\nt.get_coro()", "is not available here"),
    ("async def f(): pass\nt = asyncio.create_task(f())\nawait t\nt.get_loop()", "is not available here"),
    ("int.mro()", "is not available here"),
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
