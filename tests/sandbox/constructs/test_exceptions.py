"""try, raise, with: what may swallow the time limit asks first whether it has passed."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import pytest

from .sides import agrees, fails, refused

ALLOWED = {
    "order": "def f():\n    try: return 'try'\n    finally: print('finally')\nprint(f())\nfor i in range(3):\n    try:\n        if i == 1: continue\n        if i == 2: break\n    except ValueError: pass\n    else: print('else', i)\n    finally: print('fin', i)",
    "chains": "try:\n    try: 1 / 0\n    except ZeroDivisionError as e: raise ValueError('v') from e\nexcept ValueError as e: print(repr(e.__cause__), e.args)",
    "own": "class E(Exception):\n    def __init__(self, x): super().__init__(x); self._x = x\ntry: raise E(1)\nexcept E as e: print(e._x, repr(e))",
    "groups": "try: raise ExceptionGroup('g', [ValueError(1), TypeError(2)])\nexcept ExceptionGroup as g: print(g.exceptions, g.split(ValueError)[0].exceptions)",
    "with": "class C:\n    def __enter__(self): return 1\n    def __exit__(self, kind, error, tb): print(kind and kind.__name__); return True\nwith C() as x, C(): print(x); 1 / 0\nprint('on')",
    "assert": "try: assert 1 == 2, 'no'\nexcept AssertionError as e: print(e)",
    "traceback": "import traceback, sys\ntry: int('x')\nexcept ValueError as e: print(traceback.format_exception_only(e), sys.exc_info()[0], e.with_traceback(None) is e)",
}
REFUSED = [
    ("try: pass\nexcept* E: pass", "catch the ExceptionGroup"),
    ("try: pass\nexcept E as __builtins__: pass", "is not available here"),
    ("try: pass\nexcept E as e: e.__traceback__.tb_frame", "is not available here"),
    ("raise x.__globals__", "is not available here"),
]
FAILING = [
    ("try: (1).foo\nexcept AttributeError as e: e.obj", "is not available here"),
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
