"""Class statements, type() and what stands in a class."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import pytest

from .sides import agrees, fails, refused

ALLOWED = {
    "inheritance": "class A:\n    def go(self): return 1\nclass B(A):\n    def go(self): return super().go() + 1\nprint(B().go())",
    "special methods": "class V:\n    def __init__(self, x): self.x = x\n    def __add__(self, o): return V(self.x + o.x)\n    def __radd__(self, o): return self\n    def __iadd__(self, o): self.x += o; return self\n    def __eq__(self, o): return self.x == o.x\n    def __hash__(self): return hash(self.x)\n    def __len__(self): return 3\n    def __getitem__(self, i): return i\n    def __contains__(self, i): return True\n    def __call__(self, *a): return a\n    def __bool__(self): return False\n    def __repr__(self): return f'V({self.x})'\nv = V(1)\nv += 4\nprint(v + V(2), sum([V(1), V(2)], V(0)), v == V(5), len(v), v[2:3], 9 in v, v(1), bool(v), {v: 1}[V(5)])",
    "metaclass": "from abc import ABCMeta, abstractmethod\nclass C(metaclass=ABCMeta):\n    @abstractmethod\n    def f(self): ...\nprint(type(C), isinstance(C, ABCMeta))\ntry: C()\nexcept TypeError as e: print(e)",
    "keywords": "class A:\n    def __init_subclass__(cls, tag): cls.tag = tag\nclass B(A, tag=1): pass\nprint(B.tag)",
    "type": "C = type('C', (), {'x': 1, 'f': lambda self: self.x})\nprint(C().f(), C, C.__module__, type(C), type(1) is int)",
    "properties": "class T:\n    @property\n    def x(self): return self._x\n    @x.setter\n    def x(self, v): self._x = v * 2\n    @x.deleter\n    def x(self): del self._x\nt = T()\nt.x = 2\nprint(t.x)\ndel t.x\nprint(hasattr(t, '_x'))",
    "slots": "class P:\n    __slots__ = ('a', '_b')\n    def __init__(self): self.a, self._b = 1, 2\nprint(P()._b, P.__slots__)",
    "descriptors": "class D:\n    def __set_name__(self, owner, name): self.name = name\n    def __get__(self, ob, owner=None): return self.name\nclass C: field = D()\nprint(C().field)",
    "setattr": "class C:\n    def __setattr__(self, k, v): super().__setattr__(k, v * 2)\n    def __getattr__(self, name): return name.upper()\nc = C()\nc.x = 1\nprint(c.x, c.y)",
    "setattr over library bases": "import collections, abc, typing\nfor base in (abc.ABC, collections.UserDict, dict, Exception, typing.Generic[typing.TypeVar('T')]):\n    class C(base):\n        def __setattr__(self, k, v): object.__setattr__(self, k, v)\n    c = C()\n    c._x = 1\n    print(c._x)",
    "nested": "class A:\n    class B:\n        n = 1\n    m = [B.n for _ in range(2)] if False else 2\nprint(A.B.n, A.m)",
    "generic": "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass Box(Generic[T]):\n    def __init__(self, x: T): self._x = x\nprint(Box[int](3)._x, Box[int])",
}
REFUSED = [
    ("class C:\n    def __del__(self): pass", "is not available here"),
    ("class C:\n    def __getattribute__(self): pass", "is not available here"),
    ("class C:\n    def __reduce__(self): pass", "is not available here"),
    ("class C:\n    def __reduce_ex__(self): pass", "is not available here"),
    ("class C:\n    def __setstate__(self): pass", "is not available here"),
    ("class C:\n    def __getstate__(self): pass", "is not available here"),
    ("class C:\n    def __instancecheck__(self): pass", "is not available here"),
    ("class C:\n    def __subclasscheck__(self): pass", "is not available here"),
    ("class C:\n    def __prepare__(self): pass", "is not available here"),
    ("class C:\n    def __mro_entries__(self): pass", "is not available here"),
    ("class C:\n    def __buffer__(self): pass", "is not available here"),
    ("class C:\n    __match_args__ = 1", "is not available here"),
    ("class C:\n    __subclasshook__ = 1", "is not available here"),
    ("class C:\n    __class__ = 1", "is not available here"),
    ("class C:\n    __dict__ = 1", "is not available here"),
    ("class C:\n    __module__ = 1", "is not available here"),
    ("class C(**k): pass", "keywords in a class header"),
    ("class __builtins__: pass", "is not available here"),
]
FAILING = [
    ("class M(type): pass", "cannot be a base class"),
    ("class S(super): pass", "cannot be a base class"),
    ("class C(metaclass=print): pass", "only ABCMeta"),
    ("type('C', (), {'__match_args__': ()})", "cannot be defined"),
    ("type('C', (super,), {})", "cannot be a base class"),
    ("class T(asyncio.TaskGroup): _loop = 1", "belongs to the base class"),
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
