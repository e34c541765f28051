"""Names of variables: plain, private and special ones."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import pytest

from .sides import agrees, fails, refused

ALLOWED = {
    "private": "_x = 1\n__y = 2\nprint(_x + __y)",
    "underscore": "for _ in range(2): pass\nprint(_)",
    "del": "x = [1]\ndel x[0]\nprint(x)\ndel x",
    "global": "n = 1\ndef f():\n    global n\n    n += 1\nf()\nprint(n)",
    "nonlocal": "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n        return n\n    return g()\nprint(f())",
    "annotated": "x: int = 1\ny: 'anything at all' = 2\nprint(x, y)",
    "walrus": "print([y := 1, y ** 2], (z := 3) + z)",
    "__name__": "print(__name__)",
    "unpacking": "a, (b, *c), d = 1, (2, 3, 4), 5\nprint(a, b, c, d)",
    "scopes": "x = 1\nglobals()['y'] = 2\nprint(x + y, 'x' in globals(), globals()['x'])",
}
REFUSED = [
    ("__builtins__", "is not available here"),
    ("__loader__", "is not available here"),
    ("__spec__", "is not available here"),
    ("__file__", "is not available here"),
    ("__annotations__", "is not available here"),
    ("for __builtins__ in []: pass", "is not available here"),
    ("with x as __builtins__: pass", "is not available here"),
    ("(__builtins__ := 1)", "is not available here"),
    ("[1 for __import__ in x]", "is not available here"),
    ("def f():\n    global __builtins__", "is not available here"),
    ("def f(__builtins__): pass", "is not available here"),
    ("lambda __import__: 1", "is not available here"),
    ("def f(*, __globals__): pass", "is not available here"),
    ("def f(*__code__): pass", "is not available here"),
    ("def f(**__code__): pass", "is not available here"),
    ("gi_frame = 1", "is not available here"),
    ("import json as __builtins__", "is not available here"),
    ("try: pass\nexcept E as __builtins__: pass", "is not available here"),
    ("__import__('os')", "write an import statement"),
]
FAILING = [
    ("globals()['$private'] = 1", "no name of a variable"),
    ("globals()['__builtins__'] = {}", "is not available here"),
    ("class C: locals()['$private'] = 1", "no name of a variable"),
    ("eval('1')", "ast.literal_eval"),
    ("exec('1')", "write it in the cell"),
    ("compile('1', '', 'eval')", "code cannot be made"),
    ("breakpoint()", "print what you want"),
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
