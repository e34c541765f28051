"""Comprehensions, slices, subscripts and augmented assignment."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import pytest

from .sides import agrees, refused

ALLOWED = {
    "kinds": "print([x for x in 'ab'], {x for x in 'a'}, {k: v for k, v in zip('ab', [1, 2])}, list(x * y for x in (1, 2) for y in (3, 4) if x < y))",
    "nested": "print([[y for y in range(x)] for x in range(3)], [(last := x) for x in range(3)], last)",
    "async": "async def g():\n    for i in range(3): yield i\nprint([i async for i in g() if i], {i: i async for i in g()})",
    "slices": "x = list(range(6))\nx[1:3] = 'ab'\ndel x[::2]\nprint(x, x[-1], x[slice(0, 2)], 'abc'[::-1])",
    "in place": "d, x = {'a': 1}, [1, 2]\nd['a'] += 1\nx[0] -= 5\nx[:1] *= 2\nclass C: n = 0; _m = 1\nC.n += 2\nC._m |= 4\nprint(d, x, C.n, C._m)",
    "star": "a = [*'ab', *(1, 2)]\nprint(a, {**{'x': 1}, 'y': 2}, (*a,), [*range(2)])",
}
REFUSED = [
    ("x.format += 1", "updated in place"),
    ("x.obj -= y", "updated in place"),
    ("x.get_loop |= z", "updated in place"),
    ("[x.__globals__ for x in y]", "is not available here"),
    ("x[y.gi_frame]", "is not available here"),
    ("x.__code__ += 1", "is not available here"),
]


@pytest.mark.parametrize("name", ALLOWED)
def test_allowed(name: str) -> None:
    agrees(ALLOWED[name])


@pytest.mark.parametrize(("source", "says"), REFUSED)
def test_refused(source: str, says: str) -> None:
    refused(source, says)
