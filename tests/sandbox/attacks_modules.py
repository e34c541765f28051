"""Attacks on what modules hand out: classes to change, methods to lend, names to import, formats, streams, tracebacks.

Success prints PWNED. They run in the jail only, as those of `attacks.py` do.
"""

MODULES = {
    "a generic alias writes to a library class": """
import typing, collections
typing.Counter[int].most_common = lambda self: "PWNED"
print(collections.Counter().most_common())
""",
    "setattr on a library class": """
import json
setattr(json.JSONDecoder, "decode", lambda self, s: "PWNED")
print(json.loads("1"))
""",
    "type.__setattr__ on a library class": """
import json
type.__setattr__(json.JSONDecoder, "decode", lambda self, s: "PWNED")
print(json.loads("1"))
""",
    "delattr on a library class": """
import json
delattr(json.JSONDecoder, "decode")
print("PWNED")
""",
    "del on a library class": """
import json
del json.JSONEncoder.default
print("PWNED")
""",
    "loop variable is an attribute of a library class": """
import json
for json.JSONDecoder.decode in [lambda self, s: "PWNED"]: pass
print(json.loads("1"))
""",
    "with target is an attribute of a library class": """
import json
from contextlib import nullcontext
with nullcontext(lambda self, s: "PWNED") as json.JSONDecoder.decode: pass
print(json.loads("1"))
""",
    "unpacking into an attribute of a library class": """
import json
[json.JSONDecoder.decode, *x] = [lambda self, s: "PWNED"]
print(json.loads("1"))
""",
    "augmented assignment of a library class": """
import string
string.Template.delimiter += "PWNED"
print(string.Template.delimiter)
""",
    "an annotated attribute of a library class": """
import string
string.Template.delimiter: str = "PWNED"
print(string.Template.delimiter)
""",
    "the class of a library instance": """
import re, random
type(random.Random()).random = lambda self: "PWNED"
print(random.Random().random())
""",
    "an own class method that changes its library base": """
import json
class D(json.JSONDecoder):
    @classmethod
    def go(cls): super(D, D).decode = lambda self, s: "PWNED"
D.go()
print(json.loads("1"))
""",
    "total_ordering on a library class": """
from functools import total_ordering
from collections import Counter
before = Counter.__lt__
total_ordering(Counter)
if Counter.__lt__ is not before: print("PWNED")
""",
    "an ABC of the library takes a library class": """
from collections.abc import Mapping
Mapping.register(list)
if isinstance([], Mapping): print("PWNED")
""",
    "register of an ABC by name": """
from operator import methodcaller
from numbers import Number
methodcaller("register", str)(Number)
if isinstance("", Number): print("PWNED")
""",
    "register through partial": """
from functools import partial, reduce
from numbers import Number
partial(getattr(Number, "register"))(str)
if isinstance("", Number): print("PWNED")
""",
    "reduce over getattr": """
from functools import reduce
print("PWNED", reduce(getattr, ["__class__", "__base__", "__subclasses__"], 1)())
""",
    "map over getattr": """
print("PWNED", [*map(getattr, [lambda: 0], ["__globals__"])])
""",
    "sorted by a special attribute": """
from operator import attrgetter
print("PWNED", sorted([lambda: 0], key=attrgetter("__globals__")))
""",
    "str.format as a class attribute": """
class S(str): go = str.format
print("PWNED", S("{0.__globals__}").go(lambda: 0))
""",
    "str.format through partialmethod": """
from functools import partialmethod
class S(str): go = partialmethod(str.format, lambda: 0)
print("PWNED", S("{0.__globals__}").go())
""",
    "str.format through map": """
print("PWNED", [*map("{0.__globals__}".format, [lambda: 0])])
""",
    "str.format through methodcaller": """
from operator import methodcaller
print("PWNED", methodcaller("format", lambda: 0)("{0.__globals__}"))
""",
    "str.format through the type of an instance": """
print("PWNED", type("").format("{0.__globals__}", lambda: 0))
""",
    "str.format with a format that is an attribute": """
class A:
    x = lambda: 0
print("PWNED", "{a.x.__globals__}".format(a=A))
""",
    "str.format with automatic numbers": """
print("PWNED", "{.__globals__}".format(lambda: 0))
""",
    "str.format with a spec in a spec": """
print("PWNED", "{0:{1:{2.__class__}}}".format(1, 2, 3))
""",
    "str.format with a conversion": """
print("PWNED", "{0.__class__!r:>30}".format(1))
""",
    "format_map with a mapping that returns functions": """
class M(dict):
    def __missing__(self, key): return lambda: 0
print("PWNED", "{x.__globals__}".format_map(M()))
""",
    "format of bytes and others": """
import string
for f in (bytes, bytearray, string.Template):
    if hasattr(f, "format"): print("PWNED", f)
""",
    "Template reads attributes": """
from string import Template
class T(Template):
    idpattern = r"[a-z_.]+"
print(T("$x.__class__").safe_substitute({"x": lambda: 0, "x.__class__": "no"}))
print("PWNED", T("$x.__globals__").substitute(x=lambda: 0))
""",
    "percent formatting reads attributes": """
print("PWNED", "%(x.__globals__)s" % {"x": lambda: 0})
""",
    "logging formats attributes": """
import logging
shown = logging.Formatter("{message.__class__}", None, "{")
handler = logging.StreamHandler()
handler.setFormatter(shown)
class Keep:
    def write(self, text): print("PWNED", text) if "<class" in text else None
    def flush(self): pass
handler.setStream(Keep())
logging.getLogger("x").addHandler(handler)
logging.getLogger("x").error("no")
""",
    "logging's record": """
import logging, sys
class H(logging.StreamHandler):
    def handle(self, record):
        for name in ("__globals__", "exc_info", "__traceback__", "stack_info"):
            if isinstance(record, dict) and name in record: print("PWNED", name)
log = logging.getLogger("x")
log.addHandler(H())
try: 1 / 0
except ZeroDivisionError: log.exception("x")
""",
    "logging's handlers of files": """
import logging
for name in ("FileHandler", "handlers", "config", "os", "sys", "PercentStyle", "root", "Manager", "shutdown"):
    if getattr(logging, name, None) is not None: print("PWNED", name)
""",
    "json's class of decoders": """
import json
class D(json.JSONDecoder):
    def decode(self, s): return self.scan_once.__globals__
print("PWNED", json.loads("1", cls=D))
""",
    "json's default": """
import json
class E(json.JSONEncoder):
    def default(self, o): return list(o.__globals__)
print("PWNED", json.dumps(lambda: 0, cls=E))
""",
    "a callback of re": """
import re
print("PWNED", re.sub("a", lambda m: str(m.re.__class__.__subclasses__()), "a"))
""",
    "a dialect of csv": """
import csv
class D(csv.excel): __match_args__ = ("__globals__",)
csv.register_dialect("d", D)
print("PWNED")
""",
    "a target of an XML parser": """
import xml.etree.ElementTree as ET
for name in ("sys", "io", "re", "ElementPath", "warnings", "contextlib", "weakref"):
    if hasattr(ET, name): print("PWNED", name)
""",
    "an entity of XML that is a file": """
import xml.etree.ElementTree as ET
print(ET.fromstring('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;PWNED</a>').text)
""",
    "HTMLParser's private methods": """
from html.parser import HTMLParser
class P(HTMLParser):
    def _parse_doctype_subset(self, i, declstartpos): print("PWNED")
""",
    "tomllib's parse_float": """
import tomllib
print(tomllib.loads("a = 1.5", parse_float=lambda s: print("PWNED", s.__class__.__mro__)))
""",
    "random's instance behind the functions": """
import random
print("PWNED", random.seed.__self__, random._inst)
""",
    "random's hook for subclasses": """
import random
class R(random.Random):
    def _randbelow(self, n): print("PWNED")
""",
    "contextmanager's frames": """
from contextlib import contextmanager
@contextmanager
def m(): yield
print("PWNED", getattr(m().gen, "gi_frame"))
""",
    "ExitStack's wrapper": """
from contextlib import ExitStack
class D: pass
d = D()
d._exit_callbacks = []
ExitStack.callback(d, print)
print("PWNED", getattr(d._exit_callbacks[0][1], "__wrapped__"))
""",
    "ExitStack hands a traceback to a callback": """
from contextlib import ExitStack
def leave(kind, error, tb): print("PWNED", getattr(tb, "tb_frame")); return True
with ExitStack() as stack:
    stack.push(leave)
    1 / 0
""",
    "traceback of an exception": """
try: 1 / 0
except ZeroDivisionError as e: error = e
for name in ("tb_frame", "__reduce__", "__setstate__"):
    if hasattr(error, name): print("PWNED", name)
""",
    "traceback thrown into a generator": """
def g():
    try: yield
    except ValueError as e: yield e
class C:
    def __enter__(self): return self
    def __exit__(self, kind, error, tb): C.tb = tb; return True
with C(): 1 / 0
it = g(); next(it)
print("PWNED", type(C.tb)(None, it.throw(ValueError("x")), 0, 0), C.tb.tb_next)
""",
    "notes of an exception": """
e = ValueError()
e.add_note("x")
e.__notes__ = [lambda: 0]
print("PWNED")
""",
    "the context of an exception of the library": """
import json
try: json.loads("{")
except ValueError as e:
    c = e.__context__ or e.__cause__ or e
    print("PWNED" if hasattr(c, "value") and hasattr(c.value, "gi_frame") else "no")
""",
    "the object of a missing attribute": """
import asyncio
try: asyncio.nothing
except AttributeError as e:
    for way in (lambda: e.obj, lambda: getattr(e, "obj"), lambda: vars(e)["obj"], lambda: e.__dict__["obj"]):
        try: got = way()
        except (AttributeError, TypeError, KeyError): continue
        if getattr(got, "events", None): print("PWNED", got)
""",
    "generators, coroutines and async generators": """
def g(): yield
async def c(): pass
async def a(): yield
objects = [(g(), "gi"), (c(), "cr"), (a(), "ag")]
for ob, prefix in objects:
    for name in ("frame", "code", "yieldfrom", "await", "origin"):
        if hasattr(ob, f"{prefix}_{name}"): print("PWNED", prefix, name)
objects[1][0].close()
""",
    "full-width letters in a name": """
def g(): yield
print("PWNED", g().\uff47\uff49_frame)
""",
    "full-width letters in a keyword pattern": """
def g(): yield
match g():
    case object(\uff47\uff49_frame=f): print("PWNED", f)
""",
    "a ligature in a name": """
print("PWNED", (lambda: 0).__de\ufb01nitely__, (lambda: 0).__\u1d4dlobals__)
""",
    "underscores of another script": """
print("PWNED", (lambda: 0).\ufe33\ufe33globals\ufe33\ufe33)
""",
    "named tuples with special fields": """
from typing import NamedTuple
from collections import namedtuple
for make in (lambda: NamedTuple("N", [("__globals__", int)]), lambda: namedtuple("N", "__class__"),
             lambda: namedtuple("N", ["gi_frame"]), lambda: NamedTuple("N", [("tb_frame", int)])):
    try: N = make()
    except (TypeError, ValueError): continue
    if hasattr(N, "__match_args__"): print("PWNED", N)
""",
    "typed dicts with special keys": """
from typing import TypedDict
T = TypedDict("T", {"__match_args__": tuple})
class C(T): pass
print("PWNED" if hasattr(T, "__match_args__") else "no")
""",
    "a flag made with a special member": """
from enum import Flag, IntEnum, StrEnum
for kind in (Flag, IntEnum, StrEnum):
    try: E = kind("E", {"__match_args__": 1})
    except (TypeError, ValueError): continue
    print("PWNED", E)
""",
    "an enum of the library made longer": """
import re
E = re.RegexFlag("E", {"__match_args__": 1})
print("PWNED", E)
""",
    "a class of a dataclass field's type": """
from dataclasses import dataclass, field
@dataclass
class C:
    x: "__import__('os')" = field(default_factory=lambda: print)
    y: "InitVar[print('PWNED')]" = 1
    z: "ClassVar[print('PWNED')]" = 1
C()
""",
    "partial's state": """
from functools import partial
p = partial(print)
getattr(p, "__setstate__")((print, ("PWNED",), {}, {}))
p()
""",
    "singledispatch by a union with text": """
from functools import singledispatch
@singledispatch
def f(x): pass
def g(x: "print('PWNED')"): pass
for kind in (list[int], "print('PWNED')", int | None):
    try: f.register(kind, g)
    except (TypeError, NameError): pass
    try: f.register(kind)(g)
    except (TypeError, NameError): pass
""",
    "overload's registry": """
from typing import overload
class F:
    __module__ = "x"
print("PWNED", overload(F()))
""",
    "a protocol reads the members of anything": """
from typing import Protocol, runtime_checkable
@runtime_checkable
class P(Protocol):
    gi_frame: object
print("PWNED")
""",
    "a finalizer by IOBase": """
import io
class F(io.StringIO):
    def __del__(self): print("PWNED")
F()
""",
    "the reader behind a stream": """
import sys
for stream in (sys.stdout, sys.stderr):
    for name in ("buffer", "raw", "_text", "_spend", "_checkClosed", "detach"):
        try: getattr(stream, name); print("PWNED", name) if name != "detach" else stream.detach()
        except (AttributeError, OSError, ValueError): pass
""",
    "a coroutine of the asyncio module": """
import asyncio
for name in ("events", "base_events", "tasks", "subprocess", "sys", "get_event_loop_policy", "Server",
             "create_subprocess_exec", "open_connection", "StreamReader", "run_coroutine_threadsafe"):
    if hasattr(asyncio, name): print("PWNED", name)
""",
    "an awaitable that looks around": """
import asyncio
class A:
    def __await__(self):
        got = yield
        if got is not None: print("PWNED", got)
await A()
""",
    "a future with a loop of one's own": """
import asyncio
class L:
    def __getattr__(self, name):
        def call(*a, context=None, **k):
            for x in a:
                if hasattr(x, "__self__"): print("PWNED", x)
        return call
async def f(): pass
asyncio.Task(f(), loop=L())
await asyncio.sleep(0)
""",
    "modules by their submodules": """
import collections.abc, os
import xml.etree.ElementTree
import html.parser, urllib.parse
import xml, html, urllib
for module in (collections, collections.abc, xml, xml.etree, html, html.parser, urllib, urllib.parse):
    for name in ("sys", "os", "re", "_sys", "builtins", "types", "__loader__", "__builtins__", "warnings"):
        if hasattr(module, name): print("PWNED", module, name)
""",
    "importing what is not in the table": """
for line in ("json.decoder", "concurrent.futures", "importlib.util", "_io", "ctypes", "gc", "inspect", "builtins"):
    pass
import json.decoder
print("PWNED", json.decoder.scanner)
""",
    "names of __main__": """
import __main__
print("PWNED", __main__)
""",
    "private class of a facade": """
import sys
F = type(sys)
f = F("x")
f.stdout = 1
class M(F): pass
print("PWNED")
""",
    "operator's setitem on a class": """
import operator
class C: pass
operator.setitem(vars(C), "__match_args__", ("__globals__",))
print("PWNED")
""",
    "walrus, comprehension and star into guarded names": """
[(__name__ := n) for n in ["json"]]
class C: x = 1
import asyncio
class T(asyncio.TaskGroup):
    def go(self): return self._loop
async with T() as t: print("PWNED", t.go())
""",
    "bytes of code": """
from types import FunctionType, MethodType, LambdaType, GeneratorType
def f(): pass
for make in (lambda: FunctionType(b"", {}), lambda: FunctionType(f.__code__, {}), lambda: LambdaType(f, {})):
    try: print("PWNED", make())
    except (TypeError, AttributeError): pass
""",
    "the working of vars() on library objects": """
import asyncio, random, json, decimal
for ob in (asyncio.Queue(), json.JSONDecoder(), random.Random, asyncio.Queue, json, asyncio.current_task, ValueError()):
    try: print("PWNED", vars(ob))
    except TypeError: pass
""",
}
