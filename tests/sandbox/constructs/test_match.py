"""match statements: patterns read attributes without a guard, so only names that need none."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import pytest

from .sides import agrees, refused

ALLOWED = {
    "everything": "from dataclasses import dataclass\n@dataclass\nclass P: x: int; y: int\nfor v in (1, 'a', [1, 2, 3], {'k': 1, 'z': 2}, P(0, 5), None, (1,), -1, 2.5):\n    match v:\n        case None: print('none')\n        case int(n) if n > 0: print('int', n)\n        case -1 | 2.5: print('or')\n        case str() as s: print('str', s)\n        case [a, *rest] if rest: print(a, rest)\n        case {'k': k, **more}: print(k, more)\n        case P(x=0, y=y): print('P', y)\n        case (only,): print('one', only)\n        case _: print('other')",
    "positional": "from dataclasses import dataclass\n@dataclass\nclass P: x: int; y: int\nmatch P(1, 2):\n    case P(a, b): print(a, b)",
    "values": "import math\nmatch 3.0:\n    case math.pi: print('pi')\n    case other: print(other)",
}
REFUSED = [
    ("match x:\n    case C(__globals__=g): pass", "may not read"),
    ("match x:\n    case C(_loop=g): pass", "may not read"),
    ("match x:\n    case C(gi_frame=g): pass", "may not read"),
    ("match x:\n    case C(format=g): pass", "may not read"),
    ("match x:\n    case C(obj=g): pass", "may not read"),
    ("match x:\n    case C(mro=g): pass", "may not read"),
    ("match x:\n    case {**__builtins__}: pass", "is not available here"),
    ("match x:\n    case [*__builtins__]: pass", "is not available here"),
    ("match x:\n    case a._b(): pass", "plain public name"),
]


@pytest.mark.parametrize("name", ALLOWED)
def test_allowed(name: str) -> None:
    agrees(ALLOWED[name])


@pytest.mark.parametrize(("source", "says"), REFUSED)
def test_refused(source: str, says: str) -> None:
    refused(source, says)
