"""Attacks through library code that acts for its caller: it copies, fills, formats, enters, dispatches, dumps.

Success prints PWNED. They run in the jail only, as those of `attacks.py` do.
"""

# Reads the globals of a function if a class pattern may; for attacks that want to set `__match_args__`.
_MATCH = """
match (lambda: 0):
    case C(g): print("PWNED", list(g))
"""

DEPUTIES = {
    "cached_property reads what attrname says": """
import asyncio
from functools import cached_property
class T(asyncio.TaskGroup):
    x = cached_property(lambda self: 1)
T.x.attrname = "_loop"
async with T() as t:
    if t.x != 1: print("PWNED", t.x)
""",
    "cached_property with a name of its own": """
import asyncio
from functools import cached_property
class P(cached_property):
    _name = "_loop"
class T(asyncio.TaskGroup): x = P(lambda self: 1)
async with T() as t: print("PWNED", t.x)
""",
    "cached_property named by hand": """
import asyncio
from functools import cached_property
p = cached_property(lambda self: 1)
class T(asyncio.TaskGroup): x = p
getattr(p, "__set_name__")(T, "_loop")
async with T() as t: print("PWNED", t.x)
""",
    "update_wrapper makes a library class the user's": """
import asyncio, functools
class C: pass
functools.update_wrapper(asyncio.TaskGroup, C)
async with asyncio.TaskGroup() as t: print("PWNED", t._loop)
""",
    "wraps makes an alias of a library class the user's": """
import asyncio, functools
class C: pass
functools.wraps(C)(asyncio.Queue[int])
class Q(asyncio.Queue): pass
print("PWNED", asyncio.Queue()._get_loop)
""",
    "a Field that changes its name": """
from dataclasses import dataclass, field, astuple, MISSING
class F(type(field())):
    __slots__ = ()
    name = property(lambda self: "format", lambda self, v: None)
@dataclass
class S(str):
    x: int = F(0, MISSING, True, True, True, True, None, False)
    def __init__(self, *a): pass
print("PWNED", astuple(S("{0.__globals__}"))[0](lambda: 0))
""",
    "the class of all Fields changed": """
from dataclasses import dataclass, field, astuple
type(field()).name = property(lambda self: "format", lambda self, v: None)
print("PWNED")
""",
    "dataclass fields in the dict of an instance": """
from dataclasses import dataclass, fields, astuple
@dataclass
class S(str):
    x: int = 0
    def __init__(self, *a): pass
s, f = S("{0.__globals__}"), fields(S)[0]
f.name = "format"
vars(s)["__dataclass_fields__"] = {"x": f}
print("PWNED", astuple(s)[0](lambda: 0))
""",
    "dataclass fields by update of a dict": """
from dataclasses import dataclass, fields, astuple
@dataclass
class S(str):
    x: int = 0
    def __init__(self, *a): pass
s, f = S("{0.__globals__}"), fields(S)[0]
f.name = "format"
s.__dict__.update(__dataclass_fields__={"x": f})
print("PWNED", astuple(s)[0](lambda: 0))
""",
    "dataclass fields through dict's own setter": """
from dataclasses import dataclass, fields, astuple
@dataclass
class S(str):
    x: int = 0
    def __init__(self, *a): pass
s, f = S("{0.__globals__}"), fields(S)[0]
f.name = "format"
dict.__setitem__(vars(s), "__dataclass_fields__", {"x": f})
dict.update(vars(s), {"__dataclass_fields__": {"x": f}})
vars(s).setdefault("__dataclass_fields__", {"x": f})
print("PWNED", astuple(s)[0](lambda: 0))
""",
    "dataclass fields through a namespace": """
from types import SimpleNamespace
from dataclasses import dataclass, fields, replace
import asyncio
@dataclass
class T(SimpleNamespace, asyncio.TaskGroup):
    x: int = 0
    def __init__(self, **k):
        asyncio.TaskGroup.__init__(self)
        if k: print("PWNED", k)
f = fields(T)[0]
f.name = "_loop"
async with T() as t:
    SimpleNamespace.__init__(t, **{"__dataclass_fields__": {"x": f}})
    replace(t)
""",
    "a Field renamed while slots are made": """
from dataclasses import dataclass, field, astuple
f, n = field(default=1), 0
class B:
    __slots__ = ()
    def __init_subclass__(cls):
        global n
        n += 1
        if n == 2: f.name = "format"
@dataclass(slots=True)
class S(B, str):
    x: int = f
    def __init__(self, *a): pass
print("PWNED", astuple(S("{0.__globals__}"))[0](lambda: 0))
""",
    "match args before they are limited": """
import asyncio
from abc import ABC
from dataclasses import dataclass
class MyTask(asyncio.Task): pass
async def nothing(): pass
async def main():
    task = MyTask(nothing())
    class B(ABC):
        def __init_subclass__(cls):
            cls.register(MyTask)
            try:
                match task:
                    case cls(x): print("PWNED", x())
            except TypeError: pass
    @dataclass(slots=True)
    class C(B):
        get_loop: object = None
await main()
""",
    "__reduce__ in the dict of an instance": """
import copy
from abc import ABC
class S(set): pass
class C(ABC): pass
s = S()
vars(s)["__reduce__"] = lambda: (lambda: C, (), (None, {"__match_args__": ("__globals__",)}))
copy.copy(s)
print("PWNED")
""",
    "__reduce__ in a namespace": """
import copy
from types import SimpleNamespace
from abc import ABC
class C(ABC): pass
state = {"__match_args__": ("__globals__",), "__subclasshook__": classmethod(lambda c, o: True)}
copy.copy(SimpleNamespace(**{"__reduce__": lambda: (lambda: C, (), (None, state))}))
"""
    + _MATCH,
    "__reduce__ by the namespace behind sys.implementation": """
import copy, sys
from abc import ABC
class C(ABC): pass
state = {"__match_args__": ("__globals__",), "__subclasshook__": classmethod(lambda c, o: True)}
copy.copy(type(sys.implementation)(**{"__reduce__": lambda: (lambda: C, (), (None, state))}))
"""
    + _MATCH,
    "a namespace whose key is no plain text": """
import copy
from types import SimpleNamespace
class N(str):
    def startswith(self, *a): return False
    def endswith(self, *a): return False
n = SimpleNamespace(**{N("__reduce__"): lambda: print("PWNED")})
copy.copy(n)
""",
    "__getstate__ in the dict of an instance": """
import copy
class C: pass
class D:
    def __init__(self): print("never")
c = C()
vars(c)["__getstate__"] = lambda: (None, {"__class__": D})
if type(copy.copy(c)) is D: print("PWNED")
""",
    "__new__ hands a library object to copy": """
import copy
from contextlib import redirect_stdout
got, real, go = [], redirect_stdout({}), False
class C:
    def __new__(cls): return real if go else object.__new__(cls)
c = C()
vars(c).update({"_stream": "modules", "_old_targets": got, "_new_target": {}})
go = True
copy.copy(c).__enter__()
print("PWNED", got[0]["os"])
""",
    "__new__ hands the output to UserDict": """
import sys
from collections import UserDict
class C:
    def __new__(cls): return sys.stdout if go else object.__new__(cls)
go = False
c = C()
c.data, c._spend, c._text = {}, lambda n: None, []
go = True
UserDict.__copy__(c)
print("x")
if c._text: print("PWNED")
""",
    "a namespace with the private names of a redirection": """
from types import SimpleNamespace
from contextlib import redirect_stdout
got = []
class R(SimpleNamespace, redirect_stdout): pass
R(_stream="modules", _new_target={}, _old_targets=got).__enter__()
print("PWNED", got[0]["os"])
""",
    "a redirection entered for another object": """
from contextlib import redirect_stdout
class D: pass
d = D()
d._stream, d._old_targets, d._new_target = "modules", [], {}
redirect_stdout.__enter__(d)
print("PWNED", d._old_targets[0]["os"])
""",
    "a redirection left for another object": """
from contextlib import redirect_stderr
class D: pass
d = D()
d._stream, d._old_targets = "modules", [{}]
redirect_stderr.__exit__(d, None, None, None)
import json
print("PWNED") if d._old_targets == [] and json is None else None
""",
    "a task group entered for another object": """
import asyncio
class D: pass
d = D()
d._entered, d._loop, d._parent_task = False, None, None
try: asyncio.TaskGroup.__aenter__(d).send(None)
except StopIteration: pass
print("PWNED" if d._loop else "no", d._loop)
await asyncio.sleep(0)
""",
    "a task group's method taken from super": """
import asyncio
class D: pass
class T(asyncio.TaskGroup): pass
d = D()
d._entered, d._loop, d._parent_task = False, None, None
try: super(T, T).__aenter__(d).send(None)
except StopIteration: pass
print("PWNED" if d._loop else "no", d._loop)
await asyncio.sleep(0)
""",
    "a hook that uses the class before it was checked": """
import asyncio
class D:
    def __set__(self, ob, value): print("PWNED", value)
class Base:
    def __init_subclass__(cls): cls().__aenter__().send(None)
async def main():
    class T(Base, asyncio.TaskGroup): _loop = D()
await main()
""",
    "__set_name__ that uses the class before it was checked": """
import asyncio
class D:
    def __set_name__(self, owner, name): owner().__aenter__().send(None)
    def __set__(self, ob, value): print("PWNED", value)
async def main():
    class T(asyncio.TaskGroup): _loop = D()
await main()
""",
    "__setattr__ that sees a library base before it was checked": """
import asyncio
class Base:
    def __init_subclass__(cls): cls().__aenter__().send(None)
async def main():
    class T(Base, asyncio.TaskGroup):
        def __setattr__(self, name, value): print("PWNED", name, value)
await main()
""",
    "a deleted slot is read by copy": """
import copy
class S(str):
    __slots__ = ("format",)
del S.format
class T(S):
    def __setattr__(self, name, value): print("PWNED", value(0))
copy.copy(T("{0.__class__}"))
""",
    "a mixin behind Task": """
import asyncio
class M: get_loop = get_coro = None
class T(asyncio.Task, M): pass
async def f(): pass
print("PWNED", T(f()).get_loop())
await asyncio.sleep(0)
""",
    "a method of Task through a generic alias": """
import asyncio
print("PWNED", asyncio.Task[int].get_loop(asyncio.current_task()))
await asyncio.sleep(0)
""",
    "a method of Task through super": """
import asyncio
class T(asyncio.Task): pass
print("PWNED", super(T, T).get_loop(asyncio.current_task()))
await asyncio.sleep(0)
""",
    "a method of Task shadowed in the instance": """
import asyncio
class T(asyncio.Task): get_loop = None
del T.get_loop
async def f(): pass
print("PWNED", T(f()).get_loop())
await asyncio.sleep(0)
""",
    "the future that a host function waits for": """
import asyncio
c = search("x")
future = c.send(None)
print("PWNED", future.get_loop())
await asyncio.sleep(0)
""",
    "the frame of a host function's coroutine": """
c = search("x")
print("PWNED", getattr(c, "cr_frame"))
await c
""",
    "a host function's inside": """
for name in ("__closure__", "__globals__", "__code__", "__signature__", "__wrapped__", "__defaults__"):
    if getattr(search, name, None): print("PWNED", name)
""",
    "help() of a method of anything": """
from types import MethodType
class Evil:
    __name__ = "evil"
    def __get__(self, ob, owner=None): return self
    def __call__(self): pass
    def __getattr__(self, name):
        if name in ("__text_signature__", "__signature__"): print("PWNED", name); return "(x=print)"
        raise AttributeError(name)
help(MethodType(Evil(), 1))
""",
    "pprint takes the items of a task group": """
import asyncio, types
from pprint import PrettyPrinter
class T(asyncio.TaskGroup): __repr__ = types.SimpleNamespace.__repr__
class P(PrettyPrinter):
    def format(self, o, *a):
        if "EventLoop" in type(o).__name__: print("PWNED")
        return "x" * 200, True, False
async with T() as t: P(width=1).pprint(t)
""",
    "pprint reads the fields of a dataclass": """
from dataclasses import dataclass, fields
from pprint import PrettyPrinter
@dataclass
class S(str):
    x: int = 0
    def __init__(self, *a): pass
fields(S)[0].name = "format"
class P(PrettyPrinter):
    def format(self, o, *a):
        if type(o).__name__.startswith("builtin"): print("PWNED")
        return "x" * 200, True, False
P(width=1).pprint(S("a"))
""",
    "a proxy shows its dict to an operator": """
class Evil:
    def __ror__(self, other): return other
    def __eq__(self, other): Evil.seen = other; return True
raw = globals() | Evil()
raw["__builtins__"] = {"print": lambda *a: None}
globals() == Evil()
Evil.seen["planted"] = 1
if "planted" in globals(): print("PWNED")
class C: x = 1
C.__dict__ == Evil()
Evil.seen["__match_args__"] = ("__globals__",)
if hasattr(C, "__match_args__"): print("PWNED")
""",
}
