"""Attributes: public ones are plain, private ones are of the user's own objects, special ones stand in a table."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import pytest

from .sides import agrees, fails, refused

ALLOWED = {
    "private": "class C:\n    def __init__(self): self._a = 1; self.__b = 2\n    def get(self): return self._a + self.__b\nprint(C().get(), C()._C__b)",
    "private of classes": "class C:\n    _all = []\nC._all.append(1)\nprint(C._all)",
    "of functions": "def f(): f._n += 1\nf._n = 0\nf()\nprint(f._n, vars(f), f.__dict__)",
    "special reads": "def f(a, b=1, *, c=2): pass\nprint(f.__name__, f.__doc__, (1).__class__.__name__, f.__defaults__, f.__kwdefaults__, f.__module__, f.__qualname__)",
    "special writes": "def f(): pass\nf.__name__ = 'g'\nf.__doc__ = 'd'\nprint(f.__name__, f.__doc__)",
    "missing": "for name in ('_x', 'x', '__len__'):\n    try: getattr(1, name)\n    except AttributeError as e: print(e)\ntry: (1)._y\nexcept AttributeError as e: print(e)\ntry: int._y = 1\nexcept (AttributeError, TypeError): print('no')",
    "bases": "class A: pass\nclass B(A): pass\nprint(B.__mro__, B.__bases__, B.__base__, B.mro(), A.__subclasses__())",
    "wrapped": "import functools\n@functools.cache\ndef f(): return 1\n@functools.wraps(f)\ndef g(): pass\nprint(f.__wrapped__(), g.__wrapped__ is f)",
    "bound": "class A:\n    def f(self): return 1\na = A()\nprint(a.f.__self__ is a, a.f.__func__ is A.f)",
    "errors": "try: {}['a']\nexcept KeyError as e:\n    try: raise ValueError('v') from e\n    except ValueError as v: print(repr(v.__cause__), v.__context__ is e, v.__suppress_context__, v.__traceback__.tb_lineno, v.__notes__ if hasattr(v, '__notes__') else None)",
    "instance dict": "class C:\n    def __init__(self, **k): self.__dict__.update(k)\nc = C(a=1)\nvars(c)['b'] = 2\nprint(c.__dict__, c.b, sorted(vars(C(b=2))))",
    "class dict": "class C:\n    a = 1\nprint('a' in C.__dict__, C.__dict__['a'])",
    "getattr": "print(getattr(1, 'nope', 'd'), getattr('a', 'upper')(), hasattr(1, 'real'), hasattr(1, '__dict__'), getattr([], '__len__')())",
    "object.__setattr__": "class C: pass\nc = C()\nobject.__setattr__(c, 'x', 1)\nprint(c.x)",
    "annotations": "class C:\n    x: int\nprint(C.__annotations__)",
}
REFUSED = [
    ("x.__globals__", "is not available here"),
    ("x.__code__", "is not available here"),
    ("x.__closure__", "is not available here"),
    ("x.__builtins__", "is not available here"),
    ("x.__reduce__", "is not available here"),
    ("x.__reduce_ex__", "is not available here"),
    ("x.__getattribute__", "is not available here"),
    ("x.__dir__x__", "is not available here"),
    ("x.__instancecheck__", "is not available here"),
    ("x.__prepare__", "is not available here"),
    ("x.gi_frame", "is not available here"),
    ("x.cr_frame", "is not available here"),
    ("x.ag_frame", "is not available here"),
    ("x.f_back", "is not available here"),
    ("x.f_globals", "is not available here"),
    ("x.tb_frame", "is not available here"),
    ("x.tb_next", "is not available here"),
    ("x.co_consts", "is not available here"),
    ("x.cell_contents", "is not available here"),
    ("x.gi_code", "is not available here"),
    ("x.__class__ = int", "is not available here"),
    ("x.__match_args__ = ()", "is not available here"),
    ("x.__dict__ = {}", "is not available here"),
    ("del x.__dict__", "is not available here"),
    ("x.__globals__", "globals() has the variables"),
]
FAILING = [
    ("getattr(lambda: 0, '__globals__')", "is not available here"),
    ("(1).__class__.__mro__", "is not available here"),
    ("object.__subclasses__()", "is not available here"),
    ("print.__self__", "is not available here"),
    ("asyncio.Queue()._queue", "is not available here"),
    ("vars(int)", "is not available here"),
    ("Counter.update = 1", "write a subclass"),
    ("[].length", "use len(x)"),
    ("setattr(1, '__class__', int)", "is not available here"),
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
