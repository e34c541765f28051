"""Attacks on what functions, classes and modules tell of themselves, and on stand-ins for the library.

Success prints PWNED. They run in the jail only, as those of `attacks.py` do.
"""
# ruff: noqa: E501  (cells as they are written)

REACH = {
    "a guard among the locals of get_type_hints": """
import asyncio, typing
def f(x: "group._loop"): pass
async with asyncio.TaskGroup() as group:
    own = {"$private": lambda ob, name: ob, "$own": {asyncio.TaskGroup}, "$t": type, "group": group}
    print("PWNED", typing.get_type_hints(f, localns=own), typing.get_type_hints(f, own))
""",
    "code in an annotation": """
import typing
def f(x: "print('PWNED') or (lambda: 0).__globals__"): pass
class C: y: "(lambda: 0).__code__"
for each in (f, C):
    try: print("PWNED", typing.get_type_hints(each)) if each is C else typing.get_type_hints(each)
    except Exception: pass
""",
    "a forward reference within another": """
import typing
def f(x: typing.List["[].__class__.__base__.__subclasses__"]): pass
print("PWNED", typing.get_type_hints(f))
""",
    "class bodies that write guards": """
class C:
    locals()["$private"] = lambda ob, name: ob
    print("PWNED", asyncio.Queue()._queue)
""",
    "vars() and globals() under other names": """
for scope in (globals(), vars(), locals()):
    dict.__setitem__(scope, "$private", lambda ob, name: ob)
    dict.update(scope, {"$private": lambda ob, name: ob})
print("PWNED", asyncio.Queue()._queue)
""",
    "subclasses of everything": """
class C: pass
for cls in (object, int, type, Exception, C.__mro__[-1], C.__bases__[0], C.__base__):
    try: print("PWNED", cls.__subclasses__())
    except AttributeError: pass
""",
    "mro of library classes": """
import asyncio, enum, random
for cls in (asyncio.TaskGroup, enum.Enum, random.Random, type(asyncio.get_event_loop()), int):
    for name in ("__mro__", "__bases__", "__base__", "mro", "__subclasses__"):
        if getattr(cls, name, None) is not None: print("PWNED", cls, name)
""",
    "the real Enum behind the stand-in": """
from enum import Enum
class E(Enum): A = 1
print("PWNED", E.__mro__, E.__bases__)
""",
    "a bound method of the library": """
import random, asyncio, logging
for method in (print, random.seed, random.random, asyncio.run, logging.info, [].append, search, len):
    for name in ("__self__", "__func__", "__wrapped__", "__defaults__", "__kwdefaults__", "__closure__"):
        if getattr(method, name, None) is not None: print("PWNED", method, name)
""",
    "the original behind a checked method": """
import asyncio
print("PWNED", asyncio.TaskGroup.__aenter__.__wrapped__)
""",
    "a wrapper that shows what it wraps": """
import functools, asyncio
@functools.wraps(asyncio.TaskGroup.__aenter__)
def f(): pass
print("PWNED", f.__wrapped__.__wrapped__)
""",
    "keyword defaults that are written": """
import json
json.dumps.__kwdefaults__["cls"] = None
print("PWNED")
""",
    "fields of a dataclass that are renamed": """
from dataclasses import dataclass, astuple
@dataclass
class S(str):
    x: int = 0
    def __init__(self, *a): pass
S.__dataclass_fields__["x"].name = "format"
S.__dataclass_fields__["x"] = None
value, = astuple(S("{0.__globals__}"))
if value != 0: print("PWNED", value)
""",
    "type() with names that no class may have": """
for name in ("__match_args__", "__getattribute__", "__reduce__", "__del__", "__instancecheck__", "gi_frame", "__class__"):
    try: type("C", (), {name: lambda *a: 1})
    except TypeError: continue
    print("PWNED", name)
""",
    "type() with a lying name": """
class N(str):
    def startswith(self, *a): return False
    def __eq__(self, o): return False
    __hash__ = str.__hash__
type("C", (), {N("__match_args__"): ("x",)})
print("PWNED")
""",
    "type() over super and type": """
import types
for make in (lambda b: type("C", (b,), {}), lambda b: types.new_class("C", (b,))):
    for base in (super, type, type(math), type(list[int])):
        try: make(base)
        except TypeError: continue
        print("PWNED", base)
""",
    "a metaclass that is called": """
from abc import ABC
import enum
class A(ABC): pass
class E(enum.Enum): X = 1
for meta in (type(A), type(E), enum.EnumMeta, type(type(A))):
    try: meta("C", (), {"__match_args__": ("__globals__",)})
    except TypeError: continue
    print("PWNED", meta)
""",
    "make_dataclass with code for a name": """
from dataclasses import make_dataclass
for name in ("__globals__", "x=print('PWNED')", "gi_frame", "__match_args__"):
    try: print("PWNED", make_dataclass("C", [(name, int)]).__match_args__)
    except (TypeError, SyntaxError): pass
""",
    "a descriptor of the worker opened by the library": """
import xml.etree.ElementTree as ET, configparser, gzip
for opened in (lambda: ET.parse(3), lambda: ET.iterparse(3), lambda: ET.ElementTree(file=3), lambda: ET.canonicalize(from_file=3),
               lambda: ET.ElementTree(ET.Element("a")).write(3)):
    try: opened()
    except (OSError, TypeError): continue
    print("PWNED")
if configparser.ConfigParser().read([3]): print("PWNED")
if hasattr(gzip, "GzipFile") or hasattr(gzip, "open"): print("PWNED")
""",
    "a signature of what poses as built in": """
import inspect, functools
class Evil:
    __name__ = "evil"
    def __get__(self, ob, owner=None): return self
    def __call__(self): pass
    def __getattr__(self, name):
        if name in ("__text_signature__", "__signature__"): print("PWNED", name); return "(x=print)"
        raise AttributeError(name)
def f(): pass
for ob in (Evil(), functools.wraps(Evil())(f), functools.partial(Evil()), type("C", (), {"__init__": Evil()})):
    for look in (inspect.signature, inspect.getfullargspec, inspect.Signature.from_callable, type(inspect.signature(f)).from_callable):
        try: look(ob)
        except Exception: pass
""",
    "members of what may not be read": """
import inspect
def g(): yield
for ob in (g(), lambda: 0, print, asyncio.current_task, search):
    for name, value in inspect.getmembers(ob):
        if name in ("gi_frame", "__globals__", "__code__", "__closure__", "__builtins__", "__self__"): print("PWNED", name)
""",
    "a formatter with fields of its own": """
import string
class F(string.Formatter):
    def get_field(self, name, args, kwargs): return super().get_field(name, args, kwargs)
f = lambda: 0
for template in ("{0.__globals__}", "{0.__code__.co_consts}", "{0.__class__.__base__}", "{0[0].__globals__}"):
    for one in (string.Formatter(), F()):
        try: print("PWNED", one.format(template, [f] if "[0]" in template else f))
        except (AttributeError, TypeError): pass
""",
    "templates of logging": """
import logging, io
out = io.StringIO()
log = logging.getLogger("t"); h = logging.StreamHandler(out); log.addHandler(h)
h.setFormatter(logging.Formatter("{secret.__globals__}", style="{"))
log.error("x", extra={"secret": lambda: 0})
if "__builtins__" in out.getvalue(): print("PWNED", out.getvalue())
""",
    "warnings set the attributes of any object": """
import warnings
class M: filters = []; showwarning = None
try: warnings.catch_warnings(module=M()).__enter__()
except TypeError: pass
else: print("PWNED")
""",
    "a weak proxy": """
import weakref
if hasattr(weakref, "proxy") or hasattr(weakref, "finalize"): print("PWNED")
""",
    "an executor's threads": """
import concurrent.futures, queue
for module in (concurrent.futures, queue):
    for name in ("thread", "threading", "process", "_base", "types"):
        if hasattr(module, name): print("PWNED", name)
""",
    "a slot under a name that is no plain string": """
import copy
class Name(str):
    def startswith(self, *a): return False
    def __hash__(self): return str.__hash__(self)
class S(str): __slots__ = (Name("format"),)
del S.format
class T(S):
    def __setattr__(self, name, value): print("PWNED", value(0))
copy.copy(T("{0.__" + "class__}"))
""",
    "slots that are named once": """
import copy
class S(str): __slots__ = iter(("format",))
del S.format
class T(S):
    def __setattr__(self, name, value): print("PWNED", value(0))
copy.copy(T("{0.__" + "class__}"))
""",
}
