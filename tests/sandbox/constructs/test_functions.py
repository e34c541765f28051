"""Functions, arguments, decorators, lambdas, generators."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import pytest

from .sides import agrees, fails, refused

ALLOWED = {
    "arguments": "def f(a, /, b=2, *c, d, e=5, **g): return a, b, c, d, e, g\nprint(f(1, d=4), f(1, 2, 3, d=4, x=6), f(*[1, 2], **{'d': 3}))",
    "annotations": "def f(a: int, *b: 'text', c: list[int] = [], **d: None) -> str: pass\nprint(f.__annotations__)",
    "unknown annotations": "try:\n    def f(a: Nowhere): pass\nexcept NameError as e: print(e)",
    "decorators": "import functools\ndef deco(tag):\n    def wrap(f):\n        @functools.wraps(f)\n        def inner(*a): return tag, f(*a)\n        inner.calls = 0\n        return inner\n    return wrap\n@deco('x')\ndef f(a): 'Doc.'; return a\nprint(f(1), f.__name__, f.__doc__, f.calls)",
    "closures": "print([f() for f in [lambda i=i: i for i in range(3)]])",
    "generators": "def g():\n    got = yield 1\n    print('got', got)\n    try: yield from [2, 3]\n    finally: print('closed')\ni = g()\nprint(next(i), i.send('x'))\ni.close()",
    "recursion": "def f(n): return 1 if n == 0 else n * f(n - 1)\nprint(f(20))",
    "locals": "def f(a, *b): c = 1; return locals()\nprint(f(1, 2))",
    "lambda": "print((lambda *a, k=1, **b: (a, k, b))(1, k=2, z=3))",
}
REFUSED = [
    ("def f(__builtins__=1): pass", "is not available here"),
    ("def f(a=x.__globals__): pass", "is not available here"),
    ("@x.__globals__\ndef f(): pass", "is not available here"),
    ("def f(a: x.__code__): pass", "is not available here"),
    ("lambda: x.gi_frame", "is not available here"),
    ("def gi_frame(): pass", "is not available here"),
]
FAILING = [
    ("def f(): f()\nf()", "loop with a list as stack"),
    ("def g(): yield\ngetattr(g(), 'gi_frame')", "is not available here"),
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
