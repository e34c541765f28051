"""Attacks on the language policy, each by the mechanism that it tries; success prints PWNED.

They run in the jail only: `test_attacks.py` sends them through a real `Sandbox`.
"""

ATTACKS = {
    "augmented assignment reads str.format unguarded": """
class Grab:
    def __radd__(self, method):
        print("PWNED", method(lambda: 0))
s = "{0.__globals__}"
s.format += Grab()
""",
    "dataclass field as a class pattern on a generator": """
from dataclasses import dataclass
from abc import ABC
@dataclass
class C(ABC):
    gi_frame: object = None
def g(): yield
C.register(type(g()))
match g():
    case C(f): print("PWNED", f)
""",
    "field set through Class.__annotations__": """
from dataclasses import dataclass
class C:
    x: int = 0
C.__annotations__["__globals__"] = dict
C = dataclass(C)
print("PWNED" if "__globals__" in C.__match_args__ else "no") if hasattr(C, "__match_args__") else None
""",
    "code in an annotation name": """
from dataclasses import dataclass
class C:
    x: int = 0
C.__annotations__["y=print('PWNED')"] = int
dataclass(C)
""",
    "runtime protocol with match args of a dataclass": """
from typing import Protocol, runtime_checkable
from dataclasses import dataclass
@runtime_checkable
class P(Protocol):
    get_loop: object
@dataclass
class D:
    get_loop: object
class E(D, P, Protocol): pass
match (lambda: 0):
    case E(x): print("PWNED", x)
print("PWNED" if "get_loop" in getattr(E, "__match_args__", ()) else "no") if False else None
""",
    "namedtuple field as a class pattern": """
from collections import namedtuple
from abc import ABC
N = namedtuple("N", ["gi_frame"])
class C(N, ABC): pass
def g(): yield
C.register(type(g()))
match g():
    case C(f): print("PWNED", f)
""",
    "named tuple field called format on a virtual str": """
from collections import namedtuple
from abc import ABC
N = namedtuple("N", ["format"])
class C(N, ABC): pass
class S(str): pass
C.register(S)
match S("{0.__globals__}"):
    case C(f): print("PWNED", f(lambda: 0))
""",
    "redirect_stdout pointed at sys.modules, read by vars": """
from contextlib import redirect_stdout
class R(redirect_stdout):
    _stream = "modules"
r = R({})
r.__enter__()
print("PWNED", vars(r)["_old_targets"])
""",
    "redirect_stdout state read as a dataclass field": """
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
@dataclass
class R(redirect_stdout):
    _old_targets: list
    def __init__(self, _old_targets): print("PWNED", _old_targets)
""",
    "event loop of a TaskGroup subclass": """
import asyncio
class T(asyncio.TaskGroup):
    def loop(self): return self._loop
async with T() as t:
    print("PWNED", t.loop())
""",
    "event loop caught by a descriptor": """
import asyncio
class D:
    def __set__(self, ob, value): print("PWNED", value)
class T(asyncio.TaskGroup):
    _loop = D()
async with T() as t: pass
""",
    "event loop caught by __setattr__": """
import asyncio
class T(asyncio.TaskGroup):
    def __setattr__(self, name, value): print("PWNED", name, value)
async with T() as t: pass
""",
    "event loop as a slot": """
import asyncio
class T(asyncio.TaskGroup):
    __slots__ = ("_loop",)
"""
    + 'print("PWNED")\n',
    "super as a base class": """
class S(super): pass
print("PWNED")
""",
    "super as a base through __mro_entries__ of a namespace": """
from types import SimpleNamespace
class S(SimpleNamespace(**{"__mro_entries__": lambda bases: (super,)})): pass
print("PWNED")
""",
    "super as a base through __getattr__": """
class Any:
    def __getattr__(self, name): return lambda bases: (super,)
class S(Any()): pass
print("PWNED")
""",
    "super as a base through a generic alias": """
A = type(list[int])(super, (int,))
class S(A): pass
print("PWNED")
""",
    "super mixed into an enum": """
from enum import Enum
E = Enum("E", {"A": 1}, type=super)
print("PWNED")
""",
    "renamed dataclass field reads another attribute": """
from dataclasses import dataclass, fields, field, astuple
f = field(default=1)
@dataclass
class C:
    x: int = f
f.name = "__init__"
fields(C)[0].name = "__init__"
value, = astuple(C())
if value != 1: print("PWNED", value)
""",
    "astuple reads format of a str": """
from dataclasses import dataclass, astuple
@dataclass
class S(str):
    format: object
    def __init__(self): pass
print("PWNED", astuple(S("{0.__globals__}"))[0](lambda: 0))
""",
    "format through a generic alias": """
from typing import Generic, TypeVar
T = TypeVar("T")
class S(str, Generic[T]): pass
print("PWNED", S[int].format("{0.__globals__}", lambda: 0))
""",
    "format through types.GenericAlias": """
class S(str):
    __class_getitem__ = classmethod(type(list[int]))
print("PWNED", S[int].format("{0.__globals__}", lambda: 0))
""",
    "format of UserString": """
from collections import UserString
print("PWNED", UserString("{0.__class__}").format(1))
""",
    "format of super": """
class S(str):
    def go(self, x): return super(S, self).format(x)
print("PWNED", S("{0.__globals__}").go(lambda: 0))
""",
    "growing __slots__ obeyed by copy": """
import copy
names = ["a"]
class S(str):
    __slots__ = names
names.append("format")
class T(S):
    def __setattr__(self, name, value):
        if name == "format": print("PWNED", value("{0.__globals__}"))
        super().__setattr__(name, value)
t = T("{0.__globals__}")
t.a = 1
c = copy.copy(t)
print("PWNED", vars(c)["format"](lambda: 0))
""",
    "enum members with special names": """
from enum import Enum
class Base(Enum): pass
E = Base("E", {"__match_args__": ("__class__",), "A": 1})
print("PWNED", hasattr(E, "__match_args__"))
""",
    "enum names that change between two looks": """
from enum import Enum
class Twice:
    n = 0
    def __iter__(self):
        Twice.n += 1
        return iter([("A", 1)] if Twice.n == 1 else [("__match_args__", ("__class__",))])
E = Enum("E", Twice())
if "__match_args__" in E.__members__ or "A" not in E.__members__: print("PWNED")
""",
    "enum's own maker": """
from enum import Enum
class E(Enum): pass
print("PWNED", E._create_("X", {"__match_args__": ("a",)}))
""",
    "lying __class__": """
class Lie:
    __class__ = property(lambda self: str)
print("PWNED", isinstance(Lie(), str))
""",
    "lying __class__ by annotation": """
class Lie:
    __class__: type = str
print("PWNED", isinstance(Lie(), str))
""",
    "help() evaluates a signature": """
class Evil:
    def __get__(self, ob, owner=None): return self
    def __getattr__(self, name):
        if name == "__text_signature__": print("PWNED", name); return "(x=print)"
        raise AttributeError(name)
help(Evil())
class C: __init__ = Evil()
help(C)
""",
    "logging's brace style": """
import logging
f = logging.Formatter("{levelname.__class__}", style="{")
print("PWNED", f.format({"levelname": "x"}))
""",
    "locals() called by library code": """
from contextlib import contextmanager
manager = contextmanager(locals)()
print("PWNED", manager.gen)
""",
    "globals() changed": """
globals()["__builtins__"] = {}
print("PWNED")
""",
    "guards through globals() and dir()": """
names = [n for n in [*globals(), *dir(), *locals()] if n.startswith(("$", "__"))]
if names: print("PWNED", names)
""",
    "guard names given as keywords": """
def f(**k): return (lambda: 0).__call__, k
f(**{"$private": 1})
class C: pass
setattr(C, "$private", lambda ob, name: ob)
print("PWNED", (1)._x)
""",
    "type() through an instance": """
class C: pass
print("PWNED", type(type(C)("x")).__name__, type(C)("D", (), {"__match_args__": ()}))
""",
    "metaclass by keyword": """
class M(type("x")): pass
class C(metaclass=M): pass
print("PWNED")
""",
    "metaclass from keywords dict": """
class C(**{"metaclass": lambda *a: print("PWNED")}): pass
""",
    "AttributeError.obj as a descriptor": """
class E(AttributeError):
    leak = AttributeError.obj
print("PWNED", E)
""",
    "AttributeError.obj by super": """
class E(AttributeError):
    def leak(self): return super().obj
try: raise E("x", obj=1)
except E as e: print("PWNED", e.leak())
""",
    "AttributeError.obj in a pattern": """
try: (1).foo
except AttributeError as e:
    match e:
        case AttributeError(obj=o): print("PWNED", o)
""",
    "traceback given to __exit__": """
class C:
    def __enter__(self): return self
    def __exit__(self, kind, error, tb):
        print("PWNED", getattr(tb, "tb_frame"))
        return True
with C(): 1 / 0
""",
    "frames by attrgetter": """
from operator import attrgetter
def g(): yield
print("PWNED", attrgetter("gi_frame.f_globals")(g()))
""",
    "frames by a format string": """
def g(): yield
print("PWNED", "{0.gi_frame.f_globals}".format(g()))
""",
    "nested format spec": """
print("PWNED", "{0:{1.__class__}}".format(1, 2))
""",
    "format string with an index before the attribute": """
print("PWNED", "{0[0].__globals__}".format([lambda: 0]))
""",
    "format_map of a lying string": """
class S(str):
    def __str__(self): return "safe"
    def __contains__(self, x): return False
    def __iter__(self): return iter("")
    def __len__(self): return 0
print("PWNED", S("{x.__class__}").format_map({"x": 1}))
""",
    "attribute name that is a str subclass": """
class N(str):
    def startswith(self, *a): return False
    def __eq__(self, o): return False
    def __hash__(self): return 1
print("PWNED", getattr(lambda: 0, N("__globals__")))
""",
    "name mangling into a private attribute": """
import asyncio
class TaskGroup:
    def go(self, t): return t.__loop
class _(asyncio.TaskGroup): pass
async with _() as t:
    print("PWNED", TaskGroup().go(t))
""",
    "singledispatch evaluates an annotation": """
from functools import singledispatch
@singledispatch
def f(x): pass
@f.register
def g(x: "print('PWNED')"): pass
""",
    "singledispatchmethod evaluates an annotation": """
from functools import singledispatchmethod
class C:
    @singledispatchmethod
    def f(self, x): pass
    @f.register
    def _(self, x: "print('PWNED')"): pass
""",
    "forward references": """
from typing import Optional
ref = Optional["print('PWNED')"].__args__[0]
ref._evaluate({}, {}, frozenset())
""",
    "wraps copies what it should not": """
from functools import wraps
class Src: pass
s = Src()
s.__match_args__ = ("__globals__",)
"""
    + 'print("PWNED")\n',
    "wraps with its own list": """
from functools import wraps
@wraps(len, assigned=("__self__",))
def f(): pass
print("PWNED", f)
""",
    "state set by copy": """
import copy
class C: pass
c = C()
vars(c)["__getstate__"] = lambda: ({}, {"__class__": int})
d = copy.copy(c)
if type(d) is not C: print("PWNED", type(d))
""",
    "module's attributes": """
import json, re, asyncio
print("PWNED", getattr(json, "codecs", None) or getattr(re, "enum", None) or asyncio.events)
""",
    "module dict": """
import math
print("PWNED", vars(math), math.__dict__)
""",
    "a module changed for later cells": """
import json
json.loads = lambda text: "PWNED"
import json
print(json.loads("1"))
""",
    "loop policies": """
import asyncio
loop = asyncio.get_event_loop()
print("PWNED", loop._run, loop.subprocess_shell)
""",
    "loop from a task": """
import asyncio
task = asyncio.current_task() or asyncio.create_task(asyncio.sleep(0))
await asyncio.sleep(0)
print("PWNED", getattr(task, "get_loop")())
""",
    "loop from a future's class": """
import asyncio
async def main():
    f = asyncio.Future()
    print("PWNED", asyncio.Future.get_loop(f))
asyncio.run(main())
""",
    "coroutine of a task": """
import asyncio
async def main():
    print("PWNED", asyncio.current_task().get_coro().cr_frame)
asyncio.run(main())
""",
    "StringIO posing as sys.stdout keeps nothing": """
import sys
stream = sys.stdout
print("PWNED", stream._text, stream._spend)
""",
    "a code object by type()": """
print("PWNED", type(lambda: 0)(compile("1", "", "eval"), {}))
""",
    "builtins by a function's attribute": """
print("PWNED", print.__self__, (lambda: 0).__builtins__)
""",
    "property of a library class": """
from fractions import Fraction
print("PWNED", Fraction.numerator.fget.__globals__)
""",
    "subclass hook": """
class C:
    @classmethod
    def __subclasshook__(cls, other): return True
print("PWNED")
""",
    "instance check by assignment": """
class C: pass
C.__instancecheck__ = lambda s, o: True
print("PWNED")
""",
    "setattr of special names": """
class C: pass
setattr(C, "__getattribute__", lambda s, n: 1)
print("PWNED", C().x)
""",
    "object.__setattr__ on a class": """
class C: pass
object.__setattr__(C, "__match_args__", ("x",))
print("PWNED")
""",
    "super().__setattr__ with a special name": """
class C:
    def go(self): super().__setattr__("__class__", int)
C().go()
print("PWNED")
""",
    "stored method of object": """
g = object.__getattribute__
print("PWNED", g(lambda: 0, "__globals__"))
""",
    "type's own attribute reader": """
print("PWNED", type.__getattribute__(int, "__subclasses__")())
""",
    "subclasses by mro()": """
print("PWNED", int.mro()[-1].__subclasses__())
""",
    "pickle through copy protocol": """
class C:
    def __reduce__(self): return (print, ("PWNED",))
import copy
copy.copy(C())
""",
    "finalizer": """
class C:
    def __del__(self): print("PWNED")
C()
""",
    "except star": """
try: raise ExceptionGroup("", [ValueError()])
except* ValueError: print("PWNED")
""",
    "import of a private module": """
import _io
print("PWNED", _io.open)
""",
    "import from a list": """
from os import path as p
print("PWNED", p.os.system)
""",
    "walrus into a guard-like name": """
(__build_class__ := lambda *a: print("PWNED"))
class C: pass
""",
    "global of a special name": """
def f():
    global __builtins__
    __builtins__ = {}
f()
print("PWNED")
""",
    "except as a special name": """
try: 1 / 0
except ZeroDivisionError as __builtins__: print("PWNED")
""",
    "import as a special name": """
import json as __build_class__
print("PWNED")
""",
    "type parameter with a special name": """
def f[__builtins__](x): print("PWNED")
f(1)
""",
    "swallowing the time limit in __exit__": """
class Swallow:
    def __enter__(self): return self
    def __exit__(self, *error): return True
while True:
    with Swallow():
        while True: pass
""",
    "swallowing the time limit in a lambda __exit__": """
class Swallow:
    __enter__ = lambda self: self
    __exit__ = lambda self, *error: True
def f():
    while True:
        with Swallow(): continue
f()
""",
    "swallowing the time limit in a generator": """
def g():
    while True:
        try: yield 1
        except BaseException: pass
        finally: pass
while True:
    for x in g(): pass
""",
    "shadowing repr at the end": """
class R:
    def __repr__(self):
        while True: pass
R()
""",
    "an error whose text never ends": """
class E(Exception):
    def __str__(self):
        while True: pass
raise E()
""",
}
