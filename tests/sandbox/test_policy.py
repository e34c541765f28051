"""The policy by construct: what is open and what is closed, side by side."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import ast
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.sandbox import names
from glossator.sandbox.policy import PolicyError, restrict

from .cells import error, output, run

OPEN = {
    "private names": "_x = 1\n__y = 2\nprint(_x + __y)",
    "underscore": "for _ in range(2): pass\nprint(_)",
    "dunder methods": "class C:\n    def __len__(self): return 3\nprint(len(C()))",
    "dunder reads": "def f(): pass\nprint(f.__name__, f.__doc__, (1).__class__.__name__)",
    "dunder writes": "def f(): pass\nf.__name__ = 'g'\nprint(f.__name__)",
    "annotated names": "x: int = 1\ny: 'anything at all' = 2\nprint(x, y)",
    "postponed annotations": "from __future__ import annotations\ndef f(a: Nowhere._x) -> Nothing: return a\nprint(f(1), f.__annotations__)",
    "augmented targets": "d = {'a': 1}\nd['a'] += 1\nclass C: n = 0\nC.n += 2\nprint(d, C.n)",
    "private attributes": "class C:\n    def __init__(self): self._a = 1; self.__b = 2\n    def get(self): return self._a + self.__b\nprint(C().get())",
    "private class attributes": "class C:\n    _all = []\nC._all.append(1)\nprint(C._all)",
    "function attributes": "def f(): f._n += 1\nf._n = 0\nf()\nprint(f._n)",
    "metaclass": "from abc import ABCMeta\nclass C(metaclass=ABCMeta): pass\nprint(type(C) is type)",
    "class keywords": "class A:\n    def __init_subclass__(cls, tag): cls.tag = tag\nclass B(A, tag=1): pass\nprint(B.tag)",
    "own register": "class R:\n    def register(self, x): return x\nprint(R().register(1))",
    "own get_loop": "class R:\n    def get_stack(self): return 2\nprint(R().get_stack())",
    "own obj": "class R: obj = 3\nprint(R().obj)",
    "own format": "class R:\n    def format(self, x): return x\nprint(R().format(4), '{}'.format(5))",
    "abc register": "from abc import ABC\nclass A(ABC): pass\nclass B: pass\nA.register(B)\nprint(isinstance(B(), A))",
    "abc register as decorator": "from collections.abc import Sized\n@Sized.register\nclass B: pass\nprint(issubclass(B, Sized))",
    "object.__setattr__": "class C: pass\nc = C()\nobject.__setattr__(c, 'x', 1)\nprint(c.x)",
    "own __setattr__": "class C:\n    def __setattr__(self, k, v): super().__setattr__(k, v * 2)\nc = C()\nc.x = 1\nprint(c.x)",
    "instance dict": "class C:\n    def __init__(self, **k): self.__dict__.update(k)\nprint(C(a=1).__dict__, vars(C(b=2)))",
    "class dict": "class C:\n    a = 1\nprint('a' in C.__dict__, dict(vars(C)))",
    "exception state": "class E(Exception):\n    def __init__(self, x): super().__init__(x); self._x = x\nprint(E(1)._x)",
    "str methods on classes": "print(list(map(str.upper, 'ab')), str.format('{:>3}', 1))",
    "match": "match {'a': [1, 2]}:\n    case {'a': [x, *_]}: print(x)",
    "nonlocal": "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n        return n\n    return g()\nprint(f())",
    "del": "x = [1]\ndel x[0]\nprint(x)\ndel x",
    "random subclass": "import random\nclass R(random.Random):\n    def random(self): return 0.5\nprint(R().random())",
}
CLOSED = {
    "dunder names": ["__builtins__", "__import__('os')", "__loader__", "__annotations__", "__file__"],
    "dunder attributes": ["f.__globals__", "f.__code__", "x.__closure__", "x.__reduce__", "x.__getattribute__", "x.__builtins__"],
    "dunder writes": ["x.__class__ = int", "x.__match_args__ = ()", "x.__dict__ = {}", "del x.__doc__x__"],
    "frames": ["x.gi_frame", "x.cr_frame", "x.f_back", "x.tb_frame", "x.ag_frame", "gi_frame = 1", "x.__traceback__.tb_frame"],
    "methods": [f"class C:\n    def {n}(self): pass" for n in ("__del__", "__getattribute__", "__reduce__", "__setstate__")],
    "hooks": [f"class C:\n    {n} = 1" for n in ("__match_args__", "__subclasshook__", "__instancecheck__", "__class__", "__prepare__")],
    "arguments": ["def f(__builtins__): pass", "lambda __import__: 1", "def f(*, __globals__): pass", "def f(*__code__): pass"],
    "targets": ["for __builtins__ in []: pass", "with x as __builtins__: pass", "(__builtins__ := 1)", "[1 for __import__ in x]"],
    "handlers": ["try: pass\nexcept E as __builtins__: pass"],
    "globals": ["def f():\n    global __builtins__"],
    "imports": ["from os import *", "import _io", "import json as __builtins__", "from . import x", "from json import _default_decoder"],
    "patterns": [
        f"match x:\n    case {p}: pass"
        for p in ("C(__globals__=g)", "C(_loop=g)", "C(gi_frame=g)", "C(format=g)", "{**__builtins__}", "[*__builtins__]", "a._b()")
    ],
    "in place": ["x.format += 1", "x.obj -= y", "x.get_loop |= z"],
    "except star": ["try: pass\nexcept* E: pass"],
    "class header": ["class C(**k): pass"],
}  # fmt: skip


@pytest.mark.parametrize("name", OPEN)
def test_open(name: str) -> None:
    assert output(OPEN[name])


@pytest.mark.parametrize(("name", "source"), [(name, source) for name in CLOSED for source in CLOSED[name]])
def test_closed(name: str, source: str) -> None:
    with pytest.raises(PolicyError):
        restrict(ast.parse(source))


@pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of 3.12")
def test_type_parameters() -> None:
    assert output("type Row = dict[str, int]\ndef f[T](x: T) -> T: return x\nclass C[T]: pass\nprint(f(1))") == "1\n"
    assert error("def f[__builtins__](x): pass")["type"] == "PolicyError"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="syntax of 3.12")
def test_type_parameters_need_a_newer_python() -> None:
    assert (
        error("type Row = dict")["hint"]
        == "this Python is older than that syntax; use typing.TypeVar and a plain assignment"
    )


def test_a_refusal_names_the_line_and_the_way_out() -> None:
    failed = error("x = 1\nx.__globals__")
    assert (failed["type"], failed["line"]) == ("PolicyError", 2)
    assert failed["message"] == 'the attribute "__globals__" is not available here'
    assert failed["hint"] == "globals() has the variables of the session"
    assert "cell 1, line 2" in failed["traceback"]


def test_nothing_of_a_refused_cell_runs() -> None:
    assert run("print(1)\nx.__globals__")["stdout"] == ""


def test_unknown_syntax_is_refused() -> None:
    class Novelty(ast.stmt):
        _fields = ()

    tree = ast.parse("x = 1")
    tree.body.append(Novelty(lineno=2, col_offset=0))
    with pytest.raises(PolicyError, match="Novelty"):
        restrict(tree)


@given(st.from_regex(r"__[a-z][a-z_]{0,20}[a-z]__", fullmatch=True))
def test_special_attributes_are_off_unless_in_a_table(name: str) -> None:
    source = f"x.{name}"
    if name in names.READABLE or name in names.GUARDED:
        restrict(ast.parse(source))
    else:
        with pytest.raises(PolicyError):
            restrict(ast.parse(source))


@given(st.text(alphabet="abcxyz_.()[]{}:=, \n\t'\"0123", max_size=60))
def test_any_text_gives_a_result(source: str) -> None:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    try:
        restrict(tree)
    except PolicyError as refusal:
        assert refusal.msg


def test_guards_have_names_that_no_source_can_say() -> None:
    guards = {value for name, value in vars(names).items() if name.endswith("_GUARD")} | {
        names.OWN_TYPES,
        names.EXACT_TYPE,
    }
    assert len(guards) == 7
    assert not any(name.isidentifier() for name in guards)
