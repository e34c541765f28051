"""Programs as models write them: the language. Each must print exactly what CPython prints."""
# ruff: noqa: E501  (cells as they are written)

PROGRAMS = {
    "typing-namedtuple-methods": '''
from typing import NamedTuple, Optional
class Clause(NamedTuple):
    """A clause."""
    number: str
    cap: Optional[float] = None
    def label(self) -> str:
        return f"{self.number}: {self.cap}"
c = Clause("12.2", 2e6)
print(c.label(), c._replace(cap=None), Clause._fields, Clause._field_defaults, c._asdict(), Clause._make(["1", 2]))
match c:
    case Clause(number=n, cap=float(v)): print(n, v)
match c:
    case Clause(n, v): print(n, v)
print(Clause.__doc__, Clause.__name__, Clause.__annotations__["number"])
''',
    "typing-namedtuple-functional": """
from typing import NamedTuple
P = NamedTuple("P", [("x", int), ("y", int)])
print(P(1, 2), P(1, 2).x + P(1, 2).y)
""",
    "generic-class": """
from typing import TypeVar, Generic, Callable
T = TypeVar("T"); K = TypeVar("K")
class Stack(Generic[T]):
    def __init__(self) -> None: self._items: list[T] = []
    def push(self, x: T) -> None: self._items.append(x)
    def pop(self) -> T: return self._items.pop()
    def __len__(self): return len(self._items)
s = Stack[int](); s.push(1); s.push(2)
class IntStack(Stack[int]): pass
def group(xs: list[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    out: dict[K, list[T]] = {}
    for x in xs: out.setdefault(key(x), []).append(x)
    return out
print(s.pop(), len(s), isinstance(IntStack(), Stack), group([1, 2, 3], lambda x: x % 2))
""",
    "dataclass-inheritance": """
from dataclasses import dataclass, field, fields, asdict, astuple, replace, KW_ONLY, InitVar
from typing import ClassVar, Optional, List, Dict, Any
@dataclass
class Base:
    id: int
    tags: List[str] = field(default_factory=list)
    count: ClassVar[int] = 0
    def __post_init__(self): Base.count += 1
@dataclass(order=True, slots=True)
class Point:
    x: int = 0
    y: int = 0
@dataclass(kw_only=True)
class Child(Base):
    name: Optional[str] = None
    meta: Dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
@dataclass
class Mixed:
    a: int
    _: KW_ONLY
    b: int = 2
@dataclass
class WithInit:
    raw: InitVar[str]
    n: int = 0
    def __post_init__(self, raw): self.n = len(raw)
c = Child(id=1, name="x")
print(c, asdict(c), Base.count, [f.name for f in fields(c)], replace(c, name="y"), astuple(Point(1, 2)))
print(sorted([Point(2, 1), Point(1, 5)]), Mixed(1, b=3), WithInit("abc"))
print(fields(Child)[1].default_factory, fields(Child)[0].type)
""",
    "dataclass-frozen-cache": """
from dataclasses import dataclass, field, FrozenInstanceError
@dataclass(frozen=True)
class Money:
    amount: float
    currency: str = "EUR"
    key: str = field(init=False, default="")
    def __post_init__(self):
        object.__setattr__(self, "key", f"{self.currency}{self.amount}")
    def __add__(self, other): return Money(self.amount + other.amount, self.currency)
m = Money(1) + Money(2)
try: m.amount = 5
except FrozenInstanceError as e: print(type(e).__name__, e)
print(m, hash(m) == hash(Money(3)), {m: 1})
""",
    "dataclass-private-field": """
from dataclasses import dataclass, field
@dataclass
class Cache:
    name: str
    _store: dict = field(default_factory=dict, repr=False)
    def get(self, k): return self._store.get(k)
    def put(self, k, v): self._store[k] = v; return self
print(Cache("a").put("x", 1).get("x"), Cache("b"))
""",
    "dataclass-future-annotations": """
from __future__ import annotations
from dataclasses import dataclass, field
from typing import ClassVar, Optional
@dataclass
class Node:
    name: str
    parent: Optional[Node] = None
    kids: list[Node] = field(default_factory=list)
    limit: ClassVar[int] = 3
    def add(self, n: Node) -> Node:
        n.parent = self; self.kids.append(n); return self
r = Node("r").add(Node("a")).add(Node("b"))
print([k.name for k in r.kids], r.kids[0].parent is r, Node.limit, Node.__annotations__["kids"])
""",
    "dataclass-string-annotations": """
from dataclasses import dataclass, fields
@dataclass
class A:
    x: "int"
    y: "list[str] | None" = None
    other: "A | None" = None
print(A(1), [f.name for f in fields(A)])
""",
    "slots": """
class P:
    __slots__ = ("x", "_y")
    def __init__(self, x, y): self.x, self._y = x, y
    @property
    def y(self): return self._y
p = P(1, 2)
try: p.z = 3
except AttributeError as e: print("no", type(e).__name__)
print(p.x, p.y, P.__slots__)
""",
    "protocol": """
from typing import Protocol, runtime_checkable
@runtime_checkable
class Sized(Protocol):
    name: str
    def area(self) -> float: ...
class Sq:
    name = "sq"
    def __init__(self, s): self.s = s
    def area(self): return self.s ** 2
class No: pass
print(isinstance(Sq(2), Sized), isinstance(No(), Sized))
""",
    "abstract": """
from abc import ABC, ABCMeta, abstractmethod
class Reader(ABC):
    def __init__(self, n): self._n = n
    @property
    @abstractmethod
    def kind(self): ...
    @classmethod
    def make(cls, *a): return cls(*a)
    @staticmethod
    @abstractmethod
    def f(): ...
class R(Reader):
    kind = "r"
    @staticmethod
    def f(): return 1
class M(metaclass=ABCMeta):
    @abstractmethod
    def go(self): ...
try: Reader(1)
except TypeError: print("abstract")
try: M()
except TypeError: print("abstract too")
print(R.make(3)._n, R.f(), isinstance(R(1), Reader))
""",
    "singledispatch": """
from functools import singledispatch, singledispatchmethod
@singledispatch
def show(x): return f"? {x}"
@show.register
def _(x: int): return f"int {x}"
@show.register(list)
def _(x): return "list " + ",".join(show(i) for i in x)
@show.register
def _(x: dict) -> str: return "dict"
class F:
    @singledispatchmethod
    def fmt(self, x): return "?"
    @fmt.register
    def _(self, x: str): return "str " + x
    @fmt.register(float)
    def _(self, x): return f"{x:.1f}"
print(show(1), show([1, "a"]), show({}), show(None), F().fmt("a"), F().fmt(1.25), F().fmt(None))
""",
    "contextlib": """
from contextlib import (contextmanager, suppress, closing, nullcontext, ExitStack, redirect_stdout, ContextDecorator,
    AbstractContextManager, asynccontextmanager, AsyncExitStack, aclosing)
import io
log = []
@contextmanager
def tag(n):
    log.append(f"<{n}>")
    try: yield n
    finally: log.append(f"</{n}>")
with tag("a") as a, tag("b"): log.append(a)
with suppress(KeyError, ValueError): {}["x"]
with ExitStack() as st:
    for n in "xy": st.enter_context(tag(n))
    st.callback(log.append, "cb")
buf = io.StringIO()
with redirect_stdout(buf): print("hidden")
class T(ContextDecorator):
    def __enter__(self): log.append("in"); return self
    def __exit__(self, *e): log.append("out"); return False
@T()
def f(): log.append("f")
f()
class C:
    def close(self): log.append("closed")
with closing(C()) as c: pass
with nullcontext(5) as five: pass
try:
    with tag("err"): raise ValueError("v")
except ValueError as e: log.append(str(e))
print(log, repr(buf.getvalue()), five)
""",
    "async-contextlib": """
import asyncio
from contextlib import asynccontextmanager, AsyncExitStack
@asynccontextmanager
async def res(n):
    print("open", n)
    try: yield n
    finally: print("close", n)
class A:
    async def __aenter__(self): print("ae"); return self
    async def __aexit__(self, *e): print("ax"); return False
async def main():
    async with res(1) as r, A(): print("use", r)
    async with AsyncExitStack() as s:
        await s.enter_async_context(res(2))
asyncio.run(main())
""",
    "main-guard-and-annotations": """
from __future__ import annotations
import sys
from typing import Iterable
def load(rows: Iterable[dict[str, str]], *, key: str = "k") -> list[str]:
    return [r[key] for r in rows]
def main() -> int:
    total: int = 0
    for v in load([{"k": "1"}, {"k": "2"}]): total += int(v)
    print(total)
    return 0
if __name__ == "__main__":
    main()
""",
    "walrus-star": """
data = [1, 5, 8, 12]
if (n := len(data)) > 3: print(n)
print([y for x in data if (y := x * 2) > 8], y)
while (x := data.pop()) > 5: print(x, end=" ")
first, *rest = "abc"; *init, last = (1, 2, 3)
print(first, rest, init, last, [*init, *rest], {**{"a": 1}, **dict(b=2)})
def f(a, *, b=1, **k): return a, b, k
print(f(*[1], **{"b": 2, "c": 3}), (lambda *a, **k: (a, k))(1, z=2))
print(*map(str, range(3)), sep="-")
""",
    "match-everything": """
from dataclasses import dataclass
from enum import Enum
from collections import namedtuple
class Color(Enum):
    RED = "r"; BLUE = "b"
@dataclass
class Circle: r: float
@dataclass
class Rect:
    w: float
    h: float = 1
P = namedtuple("P", "x y")
class Plain:
    def __init__(self, a): self.a = a
def f(v):
    match v:
        case Circle(r) if r > 10: return "big"
        case Circle(r=r): return f"c{r}"
        case Rect(w, h) | P(x=w, y=h): return f"{w}x{h}"
        case Plain(a=[1, *rest]): return f"plain {rest}"
        case Color.RED: return "red"
        case {"kind": "doc", "items": [{"id": i}, *_], **kw}: return f"doc {i} {kw}"
        case (int() | float()) as n if n < 0: return "neg"
        case bool(): return "bool"
        case int(x): return f"int {x}"
        case str() as s: return s
        case [a, b, *c]: return f"{a}{b}{c}"
        case None: return "none"
        case _: return "?"
for v in [Circle(11), Circle(2), Rect(2), P(3, 4), Plain([1, 2, 3]), Color.RED, Color.BLUE, {"kind": "doc", "items": [{"id": 7}], "z": 1},
          -2, True, 5, "s", (1, 2, 3), None, {1}]: print(f(v))
""",
    "closures-nonlocal": """
def counter():
    n = 0
    def inc(by=1):
        nonlocal n
        n += by
        return n
    def get(): return n
    return inc, get
i, g = counter(); i(); i(5); print(g())
fs = [lambda x, k=k: x * k for k in range(3)]
print([f(2) for f in fs])
total = 0
def add(x):
    global total
    total += x
for k in range(4): add(k)
print(total)
""",
    "generators": """
def gen():
    try:
        got = yield 1
        print("got", got)
        yield 2
    except ValueError as e:
        print("caught", e); yield 99
    finally: print("fin")
g = gen(); print(next(g), g.send("hi")); print(g.throw(ValueError("boom")))
g.close()
def inner():
    r = yield "a"
    return r
def outer():
    v = yield from inner()
    yield f"inner returned {v}"
o = outer(); next(o); print(o.send(5))
def rec(n):
    if n: yield n; yield from rec(n - 1)
print(list(rec(3)), sum(x for x in rec(4)))
""",
    "async-things": """
import asyncio
async def agen(n):
    for i in range(n):
        await asyncio.sleep(0); yield i
async def work(q, out):
    while True:
        x = await q.get()
        if x is None: break
        out.append(x * 2); q.task_done()
async def main():
    print([x async for x in agen(3)], {x: 1 async for x in agen(2)})
    q, out = asyncio.Queue(), []
    async with asyncio.TaskGroup() as tg:
        tg.create_task(work(q, out))
        for i in range(3): await q.put(i)
        await q.put(None)
    print(out)
    try:
        async with asyncio.timeout(0.01): await asyncio.sleep(5)
    except TimeoutError: print("timeout")
    r = await asyncio.gather(asyncio.sleep(0, 1), bad(), return_exceptions=True)
    print(r)
    sem = asyncio.Semaphore(2)
    async def lim(i):
        async with sem: return i
    print(await asyncio.gather(*[lim(i) for i in range(4)]))
    for c in asyncio.as_completed([lim(9)]): print(await c)
    done, pending = await asyncio.wait([asyncio.create_task(lim(1))]); print(len(done), len(pending))
    ev = asyncio.Event(); ev.set(); await ev.wait()
    lock = asyncio.Lock()
    async with lock: print(lock.locked())
    try:
        async with asyncio.TaskGroup() as tg: tg.create_task(bad())
    except ExceptionGroup as eg: print(eg.exceptions)
async def bad(): raise ValueError("x")
asyncio.run(main())
""",
    "async-generator-left-open": """
import asyncio
async def g():
    try:
        yield 1; yield 2
    finally: print("closed")
async def main():
    async for x in g(): break
    print("done")
asyncio.run(main())
""",
    "event-loop-idiom": """
import asyncio
async def main():
    await asyncio.sleep(0)
    return 5
loop = asyncio.new_event_loop()
print(loop.run_until_complete(main()))
loop.close()
""",
    "exceptions": """
class AppError(Exception):
    def __init__(self, msg, code=1):
        super().__init__(msg); self.code = code; self._private = 1
    def __str__(self): return f"[{self.code}] {super().__str__()}"
class NotFound(AppError, KeyError): pass
try:
    try: {}["a"]
    except KeyError as e: raise NotFound("no a", code=404) from e
except AppError as e: print(e, e.code, repr(e.__cause__), e.args, type(e).__name__, e._private)
def f():
    try: return "try"
    finally: print("finally")
print(f())
try: 1 / 0
except ZeroDivisionError: print("zde")
else: print("else")
finally: print("fin")
for i in range(3):
    try:
        if i == 1: continue
        if i == 2: break
    finally: print("loop", i)
try: assert False, "msg"
except AssertionError as e: print(e)
try: raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
except ExceptionGroup as g: print(g.message, [type(x).__name__ for x in g.exceptions])
e = ValueError("note"); e.add_note("more"); print(e.__notes__)
try: int("x")
except (ValueError, TypeError) as err: print(f"{type(err).__name__}: {err}")
try:
    try: raise ValueError("a")
    except ValueError: raise KeyError("b")
except KeyError as e: print(repr(e.__context__))
""",
    "decorators": '''
import functools, time
def timed(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return fn(*args, **kwargs)
    wrapper.calls = 0
    return wrapper
@timed
def add(a, b):
    """Adds."""
    return a + b
add(1, 2); add(3, 4)
print(add.__name__, add.__doc__, add.calls)
def retry(times):
    def deco(f):
        def w(*a):
            for i in range(times):
                try: return f(*a)
                except ValueError: pass
            return "gave up"
        w.__name__ = f.__name__
        return w
    return deco
@retry(2)
def fail(): raise ValueError
print(fail(), fail.__name__)
class Memo:
    def __init__(self, f): self.f, self._cache = f, {}
    def __call__(self, *a):
        if a not in self._cache: self._cache[a] = self.f(*a)
        return self._cache[a]
@Memo
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(30))
def memo(f):
    f._seen = {}
    return f
@memo
def h(): return h._seen
print(h())
def cls_deco(c): c.extra = 1; return c
@cls_deco
class K: pass
print(K.extra)
''',
    "descriptors-properties": """
class Positive:
    def __set_name__(self, owner, name): self._name = "_" + name
    def __get__(self, ob, owner=None): return self if ob is None else getattr(ob, self._name, 0)
    def __set__(self, ob, v):
        if v < 0: raise ValueError("negative")
        setattr(ob, self._name, v)
class Item:
    price = Positive()
    def __init__(self, p): self.price = p
    @property
    def tax(self): return self.price * 0.2
    @tax.setter
    def tax(self, v): self.price = v / 0.2
    @tax.deleter
    def tax(self): self.price = 0
i = Item(10)
try: i.price = -1
except ValueError as e: print(e)
i.tax = 4; print(i.price, i.tax); del i.tax; print(i.price)
from functools import cached_property
class D:
    @cached_property
    def v(self): print("once"); return 3
d = D(); print(d.v, d.v)
""",
    "operators": """
class V:
    def __init__(self, *c): self.c = c
    def __add__(self, o): return V(*(a + b for a, b in zip(self.c, o.c)))
    def __mul__(self, k): return V(*(a * k for a in self.c))
    __rmul__ = __mul__
    def __neg__(self): return self * -1
    def __matmul__(self, o): return sum(a * b for a, b in zip(self.c, o.c))
    def __getitem__(self, i): return self.c[i]
    def __len__(self): return len(self.c)
    def __iter__(self): return iter(self.c)
    def __contains__(self, x): return x in self.c
    def __eq__(self, o): return isinstance(o, V) and self.c == o.c
    def __hash__(self): return hash(self.c)
    def __bool__(self): return any(self.c)
    def __repr__(self): return f"V{self.c}"
    def __call__(self, f): return V(*map(f, self.c))
    def __iadd__(self, o): self.c = tuple(a + b for a, b in zip(self.c, o.c)); return self
    def __format__(self, spec): return "|".join(format(x, spec) for x in self.c)
    def __abs__(self): return sum(x * x for x in self.c) ** 0.5
    def __round__(self, n=0): return V(*(round(x, n) for x in self.c))
    def __reversed__(self): return reversed(self.c)
    def __index__(self): return len(self.c)
a, b = V(1, 2), V(3, 4)
a += b
print(a, a + b, 2 * b, -b, a @ b, b[0], len(b), 3 in b, a == V(4, 6), bool(V(0)), b(lambda x: x + 1), f"{b:.1f}", abs(V(3, 4)), list(reversed(b)), [0, 1, 2][V(1)], {a: 1})
""",
    "enum-variants": """
from enum import Enum, IntEnum, StrEnum, Flag, IntFlag, auto, unique
@unique
class Status(str, Enum):
    OPEN = "open"; DONE = "done"
    @property
    def nice(self): return self.value.title()
    def __str__(self): return self.value
class Pri(IntEnum):
    LOW = 1; HIGH = 2
class Perm(Flag):
    R = auto(); W = auto(); X = auto()
class S(StrEnum):
    A = auto(); B = auto()
class Planet(Enum):
    EARTH = (5.97e24, 6.37e6)
    def __init__(self, mass, radius): self.mass, self.radius = mass, radius
class Coerce(Enum):
    X = 1
    @classmethod
    def _missing_(cls, v): return cls.X
class Ordered(Enum):
    def __new__(cls, code, label):
        o = object.__new__(cls); o._value_ = code; o.label = label; return o
    A = (1, "a"); B = (2, "b")
class Auto(Enum):
    def _generate_next_value_(name, start, count, last): return name.lower()
    ONE = auto()
Animal = Enum("Animal", "CAT DOG"); T = Enum("T", {"A": 1, "B": 2}); L = Enum("L", ["P", "Q"])
print(Status("open"), Status.OPEN.nice, Status.OPEN == "open", sorted(Pri), Pri.HIGH > 1, Perm.R | Perm.W, Perm.R in (Perm.R | Perm.X))
print(S.A, Planet.EARTH.mass, Coerce(99), Ordered(2).label, Auto.ONE.value, list(Animal), T.B.value, L["P"].value)
print(Status.__members__, len(Pri), Status.DONE.name, {s: 1 for s in Pri}, repr(Pri.LOW), f"{Pri.LOW}", Status["OPEN"] is Status.OPEN)
""",
    "class-extras": """
class Registry:
    _items: dict = {}
    def __init_subclass__(cls, /, name=None, **kw):
        super().__init_subclass__(**kw); Registry._items[name or cls.__name__] = cls
    @classmethod
    def register(cls, key):
        def deco(f): cls._items[key] = f; return f
        return deco
class A(Registry): pass
class B(Registry, name="bee"): pass
@Registry.register("fn")
def fn(): pass
print(sorted(Registry._items), [c.__name__ for c in (A, B)])
class Singleton:
    _instance = None
    def __new__(cls, *a):
        if cls._instance is None: cls._instance = super().__new__(cls)
        return cls._instance
print(Singleton() is Singleton())
class Attr:
    def __init__(self, d): self.__dict__.update(d) if False else None; self._d = d
    def __getattr__(self, n):
        try: return self._d[n]
        except KeyError: raise AttributeError(n) from None
    def __setattr__(self, n, v): super().__setattr__(n, v)
a = Attr({"x": 1}); print(a.x, hasattr(a, "y"), getattr(a, "z", None))
class Mixin:
    def to_dict(self): return {k: v for k, v in vars(self).items() if not k.startswith("_")}
class M(Mixin):
    def __init__(self): self.a, self._b, self.__c = 1, 2, 3
    def c(self): return self.__c
print(M().to_dict(), M().__dict__["a"], M().c())
class Diamond1:
    def hi(self): return ["1"]
class D2(Diamond1):
    def hi(self): return ["2"] + super().hi()
class D3(Diamond1):
    def hi(self): return ["3"] + super().hi()
class D4(D2, D3):
    def hi(self): return ["4"] + super(D4, self).hi()
print(D4().hi())
class It:
    def __getitem__(self, i):
        if i > 2: raise IndexError
        return i * i
print(list(It()), D4.__name__, D4().__class__.__name__, D4.__module__, D4.__qualname__, issubclass(D4, Diamond1), callable(D4))
class Bag(dict):
    def __missing__(self, k): return k * 2
    __getattr__ = dict.get
b = Bag(x=1); print(b["ab"], b.x, b.nope, type(b) is Bag, isinstance(b, dict))
class MyList(list):
    def total(self): return sum(self)
print(MyList([1, 2]).total())
""",
    "formatting": """
from datetime import datetime
x = 3.14159; name = "Ann"; w = 10
print(f"{x=} {x!r:>10} {name!s:<8}| {x:{w}.{2}f} {1234567:,} {0.256:.1%} {255:#x} {5:03d} {name=!r} {'q':^5} {1e10:e} {'a' 'b'}")
class P:
    def __init__(self): self.x = {"k": [1, 2]}; self.y = 2
p = P()
print("{0.y} {0.x[k][1]} {p.y:>4}".format(p, p=p), "{:>{}}".format("a", 4), "{!r}".format("q"), "{{}}".format())
print("%s %r %5.2f %-5s| %05d %x %%" % ("a", "b", 1.5, "c", 42, 255), "%(k)s" % {"k": 1})
print(format(1234.5, ",.2f"), format("x", ">3"), str(1.0), repr("it's"), ascii("é"), "{:%Y}".format(datetime(2020, 1, 1)))
""",
    "scopes": """
x = 1
def f():
    y = 2
    return sorted(locals())
print(f(), "x" in globals(), "nope" in globals(), globals()["x"], "f" in dir())
class A: pass
a = A(); a.q = 1
print(vars(a), dir(a)[-1], callable(f), id(a) == id(a), hash("a") == hash("a"))
""",
    "print-stderr-exit": """
import sys
print("out"); print("err", file=sys.stderr); sys.stdout.write("w\\n"); sys.stdout.flush()
print("a", end=""); print(" b", flush=True)
sys.exit(0)
print("never")
""",
    "type-alias-runtime": """
from typing import Dict, List, Union, Optional, Tuple, Any, Callable, Literal, TypedDict, Final, NewType, Annotated, TypeAlias, get_args, get_origin, cast, overload, Iterator, Self
Row = Dict[str, Union[int, str]]
Vec: TypeAlias = list[float]
Mode = Literal["r", "w"]
class Movie(TypedDict, total=False):
    title: str
    year: int
UserId = NewType("UserId", int)
LIMIT: Final = 3
Alt = TypedDict("Alt", {"a": int})
def f(a: Row, m: Mode = "r") -> Optional[Tuple[int, ...]]: return None
@overload
def g(a: int) -> int: ...
@overload
def g(a: str) -> str: ...
def g(a): return a
class B:
    def me(self) -> Self: return self
m: Movie = {"title": "x"}
print(get_args(Mode), get_origin(Row), m, UserId(3), cast(int, "a"), f({}), g(1), Movie(title="q"), Alt(a=1), int | None, list[int], B().me() is not None)
print(isinstance(3, int | str), Movie.__annotations__["year"], Annotated[int, "m"].__metadata__)
""",
    "misc-builtins": """
print(sorted([3, 1, 2], reverse=True), list(reversed("abc")), list(enumerate("ab", 1)), list(zip("ab", [1, 2], strict=True)), max("a", "bb", key=len), min([], default=0))
print(any([]), all([]), sum([[1], [2]], []), divmod(7, 3), pow(2, 10, 7), round(2.675, 2), chr(65), ord("A"), bin(5), oct(8), hex(255), int("0b11", 0), float("1e3"), complex("1+2j"))
print(isinstance(1, (int, str)), issubclass(bool, int), callable(len), type(3), type(3) is int, type("a").__name__, type(None), slice(1, 5, 2), list(range(10))[slice(1, 5, 2)], bytes([65, 66]), bytearray(b"x"), memoryview(b"abc")[1], frozenset([1]), set("a"))
print(list(map(lambda a, b: a + b, [1], [2])), list(filter(None, [0, 1])), next(iter([]), "d"), iter(lambda: 1, 1) is not None, hash((1, 2)) == hash((1, 2)), repr([1]), ascii("ü"), vars is not None, object() is not None, Ellipsis, NotImplemented, __debug__)
print(str(b"ab", "utf-8"), "é".encode("latin-1"), b"\\xe9".decode("latin-1"), bytes.fromhex("ff"), (255).to_bytes(2, "big"), int.from_bytes(b"\\x01\\x00", "big"), (0.5).as_integer_ratio(), (10).bit_length(), "a".join(["x", "y"]), "%d" % 3, "abc"[::-1], isinstance(type(1), type))
""",
    "del-and-loops": """
x = [1, 2, 3]; d = {"a": 1, "b": 2}
del x[0], d["a"]
y = 5; del y
try: y
except NameError as e: print(e)
for i, c in enumerate(x):
    if c == 3: break
else: print("no break")
n = 0
while True:
    n += 1
    if n == 2: continue
    if n > 3: break
m = [[0] * 2 for _ in range(2)]; m[0][1] += 5; m[1][0] |= 3
class O: pass
o = O(); o.n = 1; o.n += 2; o.d = {}; o.d["k"] = o.d.get("k", 0) + 1; o.d["k"] += 1; del o.n
print(x, d, n, m, o.d, hasattr(o, "n"))
a = b = [1]; a += [2]; print(b, a is b)
""",
}
