"""Programs as models write them, one per subject, each with much in it. Each must print exactly what CPython prints."""
# ruff: noqa: E501  (cells as they are written)

PROGRAMS = {
    "counting": '''
from collections import Counter, defaultdict, OrderedDict, deque, ChainMap, namedtuple
text = """The quick brown fox. The lazy dog; the end!"""
words = [w.strip(".;!").lower() for w in text.split()]
c = Counter(words)
print(c.most_common(3), sum(c.values()), c["zzz"], c - Counter(["the"]))
c.update(["a"]*3); c.subtract(["a"]); print(sorted(c.elements())[:3])
g = defaultdict(lambda: defaultdict(list))
for i, w in enumerate(words): g[len(w)][w[0]].append(i)
print({k: dict(v) for k, v in sorted(g.items())})
''',
    "inheritance": """
class Base:
    registry = {}
    def __init_subclass__(cls, /, key=None, **kw):
        super().__init_subclass__(**kw)
        Base.registry[key or cls.__name__] = cls
    def __repr__(self): return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"
class A(Base, key="a"):
    def __init__(self, x): self.x = x
class B(A):
    def __init__(self, x, y): super().__init__(x); self._y = y
    @property
    def y(self): return self._y
    @y.setter
    def y(self, v): self._y = v
    @y.deleter
    def y(self): del self._y
b = B(1, 2); b.y = 5; print(b, Base.registry); del b.y
print(hasattr(b, "y"), hasattr(b, "_y"))
""",
    "private-methods-and-slots": """
class Shape:
    def _area(self): return 0
    def describe(self): return f"{self.__class__.__name__} {self._area():.2f}"
class Circle(Shape):
    def __init__(self, r): self._r = r
    def _area(self):
        base = super()._area()
        return base + 3.14159 * self._r ** 2
print(Circle(2).describe(), Circle.__name__, Circle.__doc__, Circle.__module__)
class Temp:
    __slots__ = ("_c",)
    def __init__(self, c): self._c = c
    def __eq__(self, o): return isinstance(o, Temp) and self._c == o._c
    def __hash__(self): return hash(self._c)
    def __lt__(self, o): return self._c < o._c
print(sorted([Temp(3), Temp(1)])[0]._c, len({Temp(1), Temp(1)}))
""",
    "dataclasses": """
from dataclasses import dataclass, field, asdict, astuple, replace, fields
from typing import Optional, List, ClassVar
@dataclass(order=True)
class Item:
    sort_index: float = field(init=False, repr=False)
    name: str
    price: float = 0.0
    tags: List[str] = field(default_factory=list)
    count: ClassVar[int] = 0
    def __post_init__(self):
        self.sort_index = self.price
        Item.count += 1
a = Item("a", 3.0, ["x"]); b = Item("b", 1.5)
print(sorted([a, b]), asdict(a), astuple(b), replace(a, name="c"), Item.count)
print([f.name for f in fields(a)], a == replace(a))
@dataclass(frozen=True, slots=True)
class P:
    x: int
    y: int = 0
    def __add__(self, o): return P(self.x + o.x, self.y + o.y)
try: P(1).x = 3
except Exception as e: print(type(e).__name__, e)
print(P(1,2)+P(3), {P(1): 1}, hash(P(1)) == hash(P(1)))
match P(1, 2):
    case P(x, y=2): print("matched", x)
@dataclass(kw_only=True)
class K(Item):
    extra: Optional[dict] = None
print(K(name="k", extra={"a": 1}))
""",
    "asyncio": """
import asyncio
async def work(n):
    await asyncio.sleep(0.001 * (3 - n))
    if n == 2: raise ValueError("two")
    return n * 10
async def main():
    r = await asyncio.gather(*(work(i) for i in range(4)), return_exceptions=True)
    print(r)
    sem = asyncio.Semaphore(2)
    async def lim(i):
        async with sem: return i
    print(sorted(await asyncio.gather(*map(lim, range(5)))))
    try:
        async with asyncio.timeout(0.01): await asyncio.sleep(1)
    except TimeoutError: print("timeout")
    q = asyncio.Queue()
    async def prod():
        for i in range(3): await q.put(i)
        await q.put(None)
    async def cons():
        out = []
        while (x := await q.get()) is not None: out.append(x)
        return out
    _, o = await asyncio.gather(prod(), cons()); print(o)
    async with asyncio.TaskGroup() as tg:
        ts = [tg.create_task(work(i)) for i in (0, 1)]
    print([t.result() for t in ts])
    for f in asyncio.as_completed([work(0), work(1)]): print(await f)
asyncio.run(main())
""",
    "enums-and-abc": """
from abc import ABC, abstractmethod
from enum import Enum, auto, IntEnum, Flag
class Color(Enum):
    RED = auto(); GREEN = auto()
    @classmethod
    def parse(cls, s): return cls[s.upper()]
    @property
    def label(self): return self.name.title()
print(Color.parse("red").label, list(Color), Color(2), Color.RED in Color, Color.RED.value)
class Perm(Flag): R = 1; W = 2; X = 4
print(Perm.R | Perm.W, Perm.R in (Perm.R | Perm.X), [p.name for p in Perm])
class L(IntEnum): LOW = 1; HIGH = 9
print(L.HIGH > L.LOW, sorted([L.HIGH, L.LOW]), f"{L.LOW}", L.LOW + 1)
class R(ABC):
    @abstractmethod
    def render(self) -> str: ...
try: R()
except TypeError as e: print("abstract", "render" in str(e))
class H(R):
    def render(self): return "h"
print(H().render(), issubclass(H, R), isinstance(H(), R))
class Planet(Enum):
    EARTH = (5.97e24, 6.37e6)
    def __init__(self, mass, radius): self.mass = mass; self.radius = radius
print(Planet.EARTH.mass, Planet("EARTH" and (5.97e24, 6.37e6)).name)
class S(str, Enum):
    A = "a"
print(S.A == "a", S.A.upper(), S("a"))
""",
    "regexes": """
import re
t = "Invoice INV-2023-001 dated 2023-05-04 total EUR 1,234.56; Invoice INV-2023-002 total USD 99.00"
pat = re.compile(r"(?P<cur>EUR|USD)\\s+(?P<amt>[\\d,]+\\.\\d{2})", re.I)
for m in pat.finditer(t): print(m.group("cur"), float(m["amt"].replace(",", "")), m.span(), m.groupdict())
print(re.sub(r"(\\d{4})-(\\d\\d)-(\\d\\d)", r"\\3.\\2.\\1", t)[:60])
print(re.split(r"[;,]\\s*", "a, b;c"), re.findall(r"INV-(\\d+)-(\\d+)", t))
print(re.sub(r"\\d+", lambda m: str(int(m.group()) * 2), "1 22 a3"))
print(bool(re.fullmatch(r"[A-Z]+", "ABC")), re.escape("a.b"), pat.pattern, re.match("x", "y"))
""",
    "json-and-csv": """
import json, csv, io
rows = [{"n": "Ann", "a": 3}, {"n": "Bob, Jr", "a": 4}]
buf = io.StringIO()
w = csv.DictWriter(buf, fieldnames=["n", "a"]); w.writeheader(); w.writerows(rows)
print(buf.getvalue())
back = list(csv.DictReader(io.StringIO(buf.getvalue()))); print(back)
for row in csv.reader(["a;b", "1;2"], delimiter=";"): print(row)
s = json.dumps(rows, indent=2, sort_keys=True, ensure_ascii=False); print(s); print(json.loads(s) == rows)
class E(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, set): return sorted(o)
        return super().default(o)
print(json.dumps({"x": {3, 1}}, cls=E), json.dumps({"a": 1.5, "b": None, "c": True}, separators=(",", ":")))
try: json.loads("{bad")
except json.JSONDecodeError as e: print(e.msg, e.pos, e.lineno)
print(json.loads('{"a": 1}', object_hook=lambda d: list(d.items())))
""",
    "dates": """
from datetime import datetime, date, timedelta, timezone
d = datetime.strptime("2024-02-28 13:45", "%Y-%m-%d %H:%M")
print(d + timedelta(days=2), d.strftime("%d %b %Y, %A"), d.isoformat(), (date(2024, 3, 1) - d.date()).days)
print(datetime.fromisoformat("2024-01-01T00:00:00+02:00").astimezone(timezone.utc), date(2024,1,31).replace(day=1).isocalendar())
print(f"{d:%Y/%m}", timedelta(hours=49), timedelta(seconds=90).total_seconds(), d.timetuple().tm_yday)
import calendar
print(calendar.monthrange(2024, 2), calendar.month_name[3], calendar.isleap(2024))
""",
    "itertools-functools": """
import itertools as it, functools as ft, operator as op
data = [("x", 3), ("y", 1), ("x", 2)]
for k, g in it.groupby(sorted(data, key=op.itemgetter(0)), key=lambda r: r[0]): print(k, [v for _, v in g])
print(list(it.accumulate([1, 2, 3], op.mul)), list(it.chain.from_iterable([[1], [2, 3]])), list(it.islice(it.count(5, 2), 3)))
print(list(it.combinations("abc", 2)), list(it.zip_longest([1, 2], [3], fillvalue=0)), list(it.pairwise([1, 2, 3])))
print(ft.reduce(lambda a, b: a + b, [1, 2, 3], 10), list(it.takewhile(lambda x: x < 3, range(9))))
@ft.lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(60), fib.cache_info().hits)
@ft.wraps(fib)
def w(*a): return fib(*a)
print(w.__name__, ft.partial(pow, 2)(5), sorted([3, 1, 2], key=ft.cmp_to_key(lambda a, b: b - a)))
@ft.singledispatch
def show(x): return "obj"
@show.register
def _(x: int): return "int"
@show.register(list)
def _(x): return "list"
print(show(1), show([]), show("s"))
print(op.attrgetter("real", "imag")(3 + 4j), op.methodcaller("upper")("a"))
""",
    "decorators-and-generators": """
def timed(label):
    def deco(fn):
        calls = 0
        def inner(*a, **k):
            nonlocal calls
            calls += 1
            inner.calls = calls
            return fn(*a, **k)
        inner.calls = 0
        return inner
    return deco
@timed("x")
def add(a, b=2, *args, c, **kw): return a + b + sum(args) + c + sum(kw.values())
print(add(1, 2, 3, c=4, d=5), add(1, c=0), add.calls)
def gen(n):
    try:
        for i in range(n):
            got = yield i
            if got: print("got", got)
    finally: print("closed")
    return "done"
def outer():
    r = yield from gen(2)
    print(r)
print(list(outer()))
g = gen(5); next(g); g.send("hi"); g.close()
try: next(g)
except StopIteration: print("stop")
""",
    "numbers": """
import statistics as st, math, random
from fractions import Fraction
from decimal import Decimal, ROUND_HALF_UP, getcontext, localcontext
x = [2.5, 3.5, 8, 1, 9.25]
print(st.mean(x), st.median(x), round(st.stdev(x), 4), st.quantiles(x, n=4), st.mode([1, 1, 2]))
print(math.isclose(0.1 + 0.2, 0.3), math.comb(5, 2), math.prod([1, 2, 3]), math.hypot(3, 4), math.log2(8), math.inf > 1, math.floor(-1.5))
print(Fraction(1, 3) + Fraction("0.25"), Decimal("1.005").quantize(Decimal("0.01"), rounding=ROUND_HALF_UP), Decimal("10") / 3)
with localcontext() as ctx:
    ctx.prec = 5
    print(Decimal(1) / 7)
getcontext().prec = 10
print(Decimal(2).sqrt())
getcontext().prec = 28
random.seed(7); print(random.randint(1, 10), random.sample(range(20), 3), random.choice("abc"), random.random())
r = random.Random(3); l = list(range(5)); r.shuffle(l); print(l, r.gauss(0, 1))
""",
    "formatting": """
rows = [("Alice", 1234.5, 0.256), ("Bob", 99, 1)]
print(f"{'name':<10}|{'amount':>12}|{'pct':^8}")
print("-" * 32)
for n, a, p in rows: print(f"{n:<10}|{a:>12,.2f}|{p:^8.1%}")
print("{:>8}|{!r:<6}|{:+d}".format("x", "y", 3), "%-5s|%05.1f|%x" % ("a", 2.5, 255))
print("{name} is {age:03d}".format(name="Z", age=7), "{0[1]} {1[k]}".format([1, 2], {"k": 3}), "{x.real}".format(x=3))
print(f"{1e6:g} {255:#x} {5:08b} {'nested':{'>'}{12}} {3.14159:.{2}f} {'a' 'b'!s}")
v = 3; print(f"{v=} {v*2=:>4}", repr("q'\\""), "tab\\tx".expandtabs(4), "a".center(5, "*"), "7".zfill(3))
print("{a}-{b}".format_map({"a": 1, "b": 2}), "x{{}}".format(), str.format("{} {}", 1, 2))
""",
    "context-managers": """
import contextlib, io, time
@contextlib.contextmanager
def tag(name):
    print(f"<{name}>")
    try: yield name.upper()
    except ValueError as e: print("handled", e)
    finally: print(f"</{name}>")
with tag("a") as t, tag("b"): print(t)
with tag("c"): raise ValueError("boom")
class CM:
    def __enter__(self): print("in"); return self
    def __exit__(self, et, ev, tb): print("out", et.__name__ if et else None, tb is not None); return True
with CM(): 1 / 0
with contextlib.suppress(KeyError): {}["x"]
with contextlib.ExitStack() as s:
    for n in "xy": s.enter_context(tag(n))
    s.callback(print, "cb")
b = io.StringIO()
with contextlib.redirect_stdout(b): print("hidden")
print(repr(b.getvalue()))
with contextlib.closing(io.StringIO("z")) as f: print(f.read())
""",
    "operators": """
class Matrix:
    def __init__(self, rows): self.rows = [list(r) for r in rows]
    def __matmul__(self, o): return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __getitem__(self, ij): i, j = ij; return self.rows[i][j]
    def __setitem__(self, ij, v): i, j = ij; self.rows[i][j] = v
    def __iter__(self): return iter(self.rows)
    def __len__(self): return len(self.rows)
    def __contains__(self, x): return any(x in r for r in self.rows)
    def __call__(self, k): return Matrix([[k * x for x in r] for r in self.rows])
    def __neg__(self): return self(-1)
    def __iadd__(self, o):
        for i, r in enumerate(o.rows):
            for j, x in enumerate(r): self.rows[i][j] += x
        return self
    def __repr__(self): return "Matrix(%r)" % (self.rows,)
    def __bool__(self): return any(map(any, self.rows))
m = Matrix([[1, 2], [3, 4]]); n = m @ m; m[0, 1] = 9; m += n
print(m, -m, n[1, 1], 22 in n, len(m), bool(Matrix([[0]])), [sum(r) for r in m])
class V:
    def __init__(s, **k): s.__dict__.update(k)
    def __getattr__(s, n): return f"no {n}"
    def __setattr__(s, n, v): print("set", n); super().__setattr__(n, v)
    def __delattr__(s, n): print("del", n); object.__delattr__(s, n)
v = V(a=1); v.b = 2; print(v.a, v.b, v.zzz)
""",
    "graphs": """
class Node:
    def __init__(self, val, children=()): self.val, self.children = val, list(children)
    def walk(self, depth=0):
        yield depth, self.val
        for c in self.children: yield from c.walk(depth + 1)
t = Node("r", [Node("a", [Node("x")]), Node("b")])
for d, v in t.walk(): print("  " * d + v)
import heapq, bisect
from collections import deque
graph = {"a": {"b": 1, "c": 4}, "b": {"c": 2, "d": 5}, "c": {"d": 1}, "d": {}}
def dijkstra(s):
    dist = {s: 0}; h = [(0, s)]
    while h:
        d, u = heapq.heappop(h)
        if d > dist.get(u, 1e9): continue
        for v, w in graph[u].items():
            if (nd := d + w) < dist.get(v, 1e9): dist[v] = nd; heapq.heappush(h, (nd, v))
    return dist
print(dijkstra("a"), heapq.nlargest(2, [3, 1, 5]), bisect.bisect([1, 3, 5], 3))
q = deque([1, 2, 3], maxlen=3); q.append(4); q.rotate(1); print(q, q.popleft())
""",
    "matching-and-unpacking": """
def f(x):
    match x:
        case 0 | 1: return "small"
        case int(n) if n > 100: return f"big {n}"
        case [a, b, *rest]: return f"seq {a} {b} {rest}"
        case {"type": "point", "x": x, **kw}: return f"pt {x} {kw}"
        case str() as s: return f"str {s!r}"
        case None: return "none"
        case _: return "other"
for x in (0, 500, [1, 2, 3, 4], {"type": "point", "x": 5, "z": 1}, "hi", None, 2.5): print(f(x))
a, (b, *c), d = 1, (2, 3, 4), 5
print(a, b, c, d); x = y = []; x += [1]; print(y, x is y)
print([i * j for i in range(3) for j in range(i) if j], {k: v for k, v in zip("ab", [1, 2])}, {x % 3 for x in range(7)}, sum(i for i in range(5)))
print(*[1, 2], sep="-", end="!\\n"); print({**{"a": 1}, "b": 2}, [*range(2), *"xy"])
i = 0
while True:
    i += 1
    if i % 2: continue
    if i > 6: break
else: print("never")
for n in range(2): pass
else: print("else", n)
""",
    "exceptions": """
class AppError(Exception):
    def __init__(self, code, msg): super().__init__(msg); self.code = code
    def __str__(self): return f"[{self.code}] {super().__str__()}"
try:
    try: int("x")
    except ValueError as e: raise AppError(7, "bad") from e
except AppError as e: print(e, repr(e.__cause__), e.args, e.code)
try: raise KeyError("k")
except (KeyError, IndexError) as e: print(repr(e), str(e))
else: print("no")
finally: print("fin")
def g():
    try: return 1
    finally: print("cleanup")
print(g())
try: raise ExceptionGroup("many", [ValueError(1), TypeError(2)])
except ExceptionGroup as eg: print(eg.exceptions, eg.subgroup(ValueError))
import traceback
try: {}["q"]
except KeyError: print("KeyError" in traceback.format_exc())
try: assert 1 == 2, "msg"
except AssertionError as e: print(e)
e = ValueError("x"); e.add_note("n"); print(e.__notes__)
try: [].nope
except AttributeError as e: print(e, e.name)
""",
    "typing": """
from typing import NamedTuple, TypedDict, Protocol, Generic, TypeVar, Callable, Any, Union, Literal, runtime_checkable
from collections import namedtuple
Pt = namedtuple("Pt", "x y", defaults=[0]); p = Pt(1); print(p, p._asdict(), p._replace(y=9), Pt._fields, Pt._make([4, 5]), p.x + p[1])
class Emp(NamedTuple):
    name: str
    age: int = 3
    def greet(self): return f"hi {self.name}"
e = Emp("A"); print(e, e.greet(), e._asdict(), *e)
class TD(TypedDict, total=False):
    a: int
print(TD(a=1))
T = TypeVar("T")
class Stack(Generic[T]):
    def __init__(self) -> None: self._items: list[T] = []
    def push(self, x: T) -> "Stack[T]": self._items.append(x); return self
    def __len__(self): return len(self._items)
s: Stack[int] = Stack[int]().push(1).push(2); print(len(s), s._items)
@runtime_checkable
class Sized2(Protocol):
    def __len__(self) -> int: ...
print(isinstance(s, Sized2), isinstance(3, Sized2))
def apply(fn: Callable[[int], int], x: int) -> int: return fn(x)
print(apply(lambda z: z + 1, 2))
""",
    "text-and-bytes": """
import textwrap, string, difflib, unicodedata, html, base64, hashlib, struct, zlib, uuid
print(textwrap.fill("the quick brown fox jumps over the lazy dog", 20), textwrap.dedent("   a\\n     b"), textwrap.shorten("hello big world", 12))
print(string.Template("$a ${b}").substitute(a=1, b=2), string.capwords("a bc"), string.ascii_letters[:3])
print(list(difflib.unified_diff(["a", "b"], ["a", "c"], lineterm="")), difflib.get_close_matches("appl", ["apple", "ape"]), round(difflib.SequenceMatcher(None, "abcd", "bcde").ratio(), 2))
print(unicodedata.normalize("NFKD", "é").encode("ascii", "ignore"), unicodedata.name("é"), html.escape("<a&b>"), html.unescape("&eacute;"))
print(base64.b64encode(b"hi"), hashlib.sha256(b"x").hexdigest()[:8], struct.pack(">IH", 1, 2), zlib.decompress(zlib.compress(b"z" * 50))[:3], uuid.uuid5(uuid.NAMESPACE_DNS, "x"))
print("Straße".casefold(), "ÀB".lower(), "a-b_c".translate(str.maketrans("-_", "  ")), "x".encode("utf-16"), b"\\xff".decode("latin-1"), "é".encode("cp1252"))
""",
    "descriptors": """
class Celsius:
    def __get__(self, o, t=None): return self if o is None else o._k - 273
    def __set__(self, o, v): o._k = v + 273
    def __set_name__(self, owner, name): self.name = name
class T:
    c = Celsius()
    def __init__(self, c): self.c = c
t = T(20); print(t.c, t._k, T.c.name)
class Meta:
    def __class_getitem__(cls, k): return f"{cls.__name__}[{k}]"
print(Meta["x"])
class Singleton:
    _inst = None
    def __new__(cls, *a):
        if cls._inst is None: cls._inst = super().__new__(cls)
        return cls._inst
print(Singleton() is Singleton())
class Count:
    n = 0
    @classmethod
    def inc(cls): cls.n += 1; return cls.n
    @staticmethod
    def two(): return 2
print(Count.inc(), Count().inc(), Count.two(), Count.n)
from functools import cached_property, total_ordering
@total_ordering
class V:
    def __init__(s, v): s.v = v
    def __eq__(s, o): return s.v == o.v
    def __lt__(s, o): return s.v < o.v
    @cached_property
    def sq(s): print("calc"); return s.v ** 2
v = V(3); print(v.sq, v.sq, v >= V(2), max(V(1), V(5)).v, vars(v)); del v.sq; print(v.sq)
""",
    "private-state-and-copy": """
class Account:
    interest = 0.02
    def __init__(self, owner, balance=0):
        self.owner = owner; self.__balance = balance; self._log = []
    def deposit(self, amt):
        if amt <= 0: raise ValueError("positive only")
        self.__balance += amt; self._log.append(("dep", amt)); return self
    @property
    def balance(self): return self.__balance
    def __getstate__x(self): return None
a = Account("X").deposit(5).deposit(7); print(a.balance, a._log, a._Account__balance)
try: a.balance = 3
except AttributeError as e: print("AttributeError")
import copy
b = copy.deepcopy(a); b._log.append(1); print(len(a._log), len(b._log), b.balance); c = copy.copy(a); print(c._log is a._log)
class Cfg:
    def __init__(self, **kw):
        for k, v in kw.items(): setattr(self, k, v)
cfg = Cfg(debug=True, level=3); print(getattr(cfg, "level"), getattr(cfg, "nope", "dflt"), sorted(vars(cfg).items()), hasattr(cfg, "debug")); delattr(cfg, "debug"); print(vars(cfg))
print(isinstance(a, Account), type(a).__name__, type(a) is Account, callable(a.deposit), issubclass(bool, int), id(a) == id(a))
""",
    "async-iteration": """
async def agen(n):
    for i in range(n): yield i
class AIter:
    def __init__(s): s.i = 0
    def __aiter__(s): return s
    async def __anext__(s):
        s.i += 1
        if s.i > 3: raise StopAsyncIteration
        return s.i
class ACM:
    async def __aenter__(s): print("enter"); return s
    async def __aexit__(s, *a): print("exit"); return False
import asyncio
async def main():
    print([x async for x in agen(3)], {x: 1 async for x in AIter()})
    async with ACM() as c: print("body")
    async for x in AIter(): print(x, end=" ")
    print()
    ev = asyncio.Event(); res = []
    async def waiter(): await ev.wait(); res.append("woke")
    t = asyncio.create_task(waiter()); await asyncio.sleep(0); ev.set(); await t; print(res, t.done())
    t2 = asyncio.create_task(asyncio.sleep(10)); t2.cancel()
    try: await t2
    except asyncio.CancelledError: print("cancelled")
    lock = asyncio.Lock()
    async with lock: print(lock.locked())
    print(await asyncio.wait_for(asyncio.sleep(0, "r"), 1))
    done, pend = await asyncio.wait([asyncio.create_task(asyncio.sleep(0, i)) for i in range(2)]); print(sorted(d.result() for d in done), pend)
asyncio.run(main())
""",
    "xml-html-urls": """
import xml.etree.ElementTree as ET
r = ET.fromstring("<a x='1'><b>t</b><b>u</b><c><b>v</b></c></a>")
print(r.tag, r.attrib, [b.text for b in r.iter("b")], r.find("c/b").text, r.findall("b")[1].text, len(r))
n = ET.SubElement(r, "d", {"k": "v"}); n.text = "x"; n.set("z", "1"); r.remove(r.find("c"))
print(ET.tostring(r, encoding="unicode"))
from html.parser import HTMLParser
class P(HTMLParser):
    def __init__(self): super().__init__(); self.links = []; self._depth = 0
    def handle_starttag(self, tag, attrs):
        self._depth += 1
        if tag == "a": self.links.append(dict(attrs).get("href"))
    def handle_endtag(self, tag): self._depth -= 1
    def handle_data(self, data): print(repr(data), self._depth)
p = P(); p.feed("<p>hi <a href='u'>l</a></p>"); print(p.links)
from urllib.parse import urlparse, parse_qs, quote, urlencode
u = urlparse("https://x.org/p?q=1&q=2#f"); print(u.netloc, parse_qs(u.query), u._replace(path="/z").geturl(), quote("a b/c"), urlencode({"a": "b c"}))
import tomllib; print(tomllib.loads('a = 1\\n[b]\\nc = [1.5, "x"]'))
""",
    "streams-and-builtins": """
import io, sys
f = io.StringIO("l1\\nl2\\n\\nl4")
for i, line in enumerate(f, 1): print(i, line.rstrip())
f.seek(0); print(f.readline(), f.read(2), f.tell())
print("err", file=sys.stderr); sys.stdout.write("w\\n"); sys.stdout.flush(); print("x", flush=True)
b = io.BytesIO(b"abc"); print(b.read(1), b.getvalue(), memoryview(b"xyz")[1:].tobytes(), bytes([1, 2]).hex(), bytearray(b"q") + b"r", int.from_bytes(b"\\x01\\x00", "big"))
print(sys.version_info >= (3, 8), sys.maxsize > 0, sys.getsizeof([]) > 0)
print("a,b\\n".splitlines(True), "x=1".partition("="), "a.b.c".rsplit(".", 1), "AbC".swapcase(), "abc"[::-1], "é" * 2, "abc".find("c"), "aXbX".replace("X", "-", 1))
print(list(map(int, "1 2 3".split())), list(filter(None, [0, 1, "", "a"])), any([]), all([]), divmod(7, 2), round(2.675, 2), abs(-3), pow(2, 10, 7), min([3, 1], key=lambda x: -x), max("ab", "b"), sorted("bca", reverse=True), list(reversed([1, 2])), sum([[1], [2]], []))
print(bin(5), oct(8), hex(255), chr(97), ord("a"), int("ff", 16), float("1e3"), complex(1, 2).conjugate(), bool([]), list(zip("ab", [1, 2], strict=True)), hash("a") == hash("a"), ascii("é"), slice(1, 3).indices(5), range(10)[2:5], 7 // -2, -7 % 3, 2 ** -1, 1_000, 0b11, 1 if [] else 2, not 0, 3 < 4 < 5)
""",
    "pprint-and-time": """
import pprint
pprint.pprint({"a": list(range(30)), "b": {"c": "d" * 60, "e": (1, 2)}}, width=60)
print(pprint.pformat([1, 2]))
import time
t0 = time.perf_counter(); time.sleep(0.001); print(time.perf_counter() > t0, time.strftime("%Y", time.gmtime(0)))
""",
    "expression-parser": """
def tokenize(s):
    out, i = [], 0
    while i < len(s):
        c = s[i]
        if c.isspace(): i += 1
        elif c.isdigit():
            j = i
            while j < len(s) and s[j].isdigit(): j += 1
            out.append(("num", int(s[i:j]))); i = j
        else: out.append((c, c)); i += 1
    return out
class Parser:
    PREC = {"+": 1, "-": 1, "*": 2, "/": 2}
    OPS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b}
    def __init__(self, s): self.toks, self.pos = tokenize(s), 0
    def _peek(self): return self.toks[self.pos][0] if self.pos < len(self.toks) else None
    def _next(self): self.pos += 1; return self.toks[self.pos - 1]
    def atom(self):
        k, v = self._next()
        if k == "(":
            r = self.expr(); assert self._next()[0] == ")"; return r
        if k == "-": return -self.atom()
        return v
    def expr(self, p=0):
        l = self.atom()
        while (op := self._peek()) in self.PREC and self.PREC[op] > p:
            self._next(); l = self.OPS[op](l, self.expr(self.PREC[op]))
        return l
print(Parser("1 + 2 * (3 - 4) / 2 - -5").expr())
""",
    "namespaces-and-scopes": """
from types import SimpleNamespace, MappingProxyType, MethodType
n = SimpleNamespace(a=1, b=[2]); n.c = 3; print(n, n == SimpleNamespace(a=1, b=[2], c=3), vars(n)); del n.a; print(hasattr(n, "a"))
m = MappingProxyType({"x": 1}); print(m["x"], dict(m))
try: m["y"] = 2
except TypeError as e: print("TypeError")
class C: pass
c = C(); c.hi = MethodType(lambda self, x: x * 2, c); print(c.hi(4))
C.later = lambda self: "later"; print(c.later())
C.attr = 5; C.attr += 1; print(C.attr, C().attr)
def counter():
    counter.n = getattr(counter, "n", 0) + 1
    return counter.n
counter(); print(counter())
x = 10
def outer():
    x = 20
    def inner():
        global x
        x = 30
        return x
    inner(); return x
print(outer(), x, [f() for f in [lambda i=i: i for i in range(3)]])
""",
    "collections-abc": """
from collections.abc import Mapping, MutableMapping, Iterator, Sequence
from collections import UserDict, UserList
class D(MutableMapping):
    def __init__(self, *a, **k): self._d = {}; self.update(*a, **k)
    def __getitem__(self, k): return self._d[k.lower()]
    def __setitem__(self, k, v): self._d[k.lower()] = v
    def __delitem__(self, k): del self._d[k.lower()]
    def __iter__(self): return iter(self._d)
    def __len__(self): return len(self._d)
d = D(A=1); d["B"] = 2; print(dict(d), "a" in d, d.get("zz"), d.pop("b"), isinstance(d, Mapping), list(d.items()), d.setdefault("q", 4))
class UD(UserDict):
    def __missing__(self, k): return k
    def __setitem__(self, k, v): super().__setitem__(k, v * 2)
u = UD(a=1); print(u, u["zz"], u | {"b": 1})
class LL(UserList):
    def second(self): return self.data[1]
print(LL([1, 2]).second(), LL([1]) + [2])
class Rev(Iterator):
    def __init__(self, s): self._s, self._i = s, len(s)
    def __next__(self):
        if not self._i: raise StopIteration
        self._i -= 1; return self._s[self._i]
print(list(Rev("abc")), sum(Rev([1, 2])))
class MyList(list):
    def __init__(self, *a): super().__init__(*a); self.extra = 1
    def append(self, x): super().append(x); self.extra += 1
l = MyList([1]); l.append(2); print(l, l.extra, l[0:1], sorted(l, reverse=True))
class MyDict(dict):
    def __missing__(self, k): self[k] = v = len(self); return v
    def __getattr__(self, k):
        try: return self[k]
        except KeyError: raise AttributeError(k)
    def __setattr__(self, k, v): self[k] = v
md = MyDict(); md.foo = 5; print(md.foo, md["bar"], md)
class Str(str):
    def shout(self): return self.upper() + "!"
print(Str("a").shout(), Str("a") + "b")
""",
    "dataclass-features": """
from dataclasses import dataclass, field, InitVar, KW_ONLY
from typing import Any
import json
@dataclass
class Doc:
    id: str
    _cache: dict = field(default_factory=dict, repr=False, compare=False)
    scale: InitVar[int] = 2
    _: KW_ONLY
    meta: dict[str, Any] = field(default_factory=dict)
    def __post_init__(self, scale): self.size = len(self.id) * scale
    def get(self, k):
        if k not in self._cache: self._cache[k] = k * 2
        return self._cache[k]
    @classmethod
    def from_json(cls, s): return cls(**json.loads(s))
d = Doc.from_json('{"id": "abc", "meta": {"x": 1}}'); print(d, d.size, d.get("q"), d._cache, d.__dict__)
@dataclass
class Base:
    x: int = 1
@dataclass
class Child(Base):
    y: int = 2
    def total(self): return self.x + self.y
print(Child(5).total(), Child.__name__, Child.__doc__, Child() == Child(), Child(1) != Child(2))
print(json.dumps(Child(), default=lambda o: o.__dict__), json.dumps([vars(Child())]))
class Obs:
    def __init__(self): self._subs = {}
    def on(self, ev):
        def deco(f): self._subs.setdefault(ev, []).append(f); return f
        return deco
    def emit(self, ev, *a): return [f(*a) for f in self._subs.get(ev, [])]
o = Obs()
@o.on("x")
def handler(v): return v + 1
print(o.emit("x", 3), o.emit("y"))
""",
    "small-modules": """
import array, graphlib, secrets, binascii, keyword, numbers, cmath, ast
a = array.array("d", [1, 2.5]); a.append(3); print(a, sum(a), a.tolist())
print(list(graphlib.TopologicalSorter({"b": {"a"}, "c": {"b"}}).static_order()), keyword.iskeyword("for"), isinstance(3, numbers.Integral))
print(ast.literal_eval("{'a': [1, (2, None)]}"), len(secrets.token_hex(4)), binascii.hexlify(b"a"), round(cmath.phase(1j), 3))
""",
    "trees-and-signatures": '''
from __future__ import annotations
import sys
class Tree:
    left: Tree | None = None
    right: Tree | None = None
    def __init__(self, v: int) -> None: self.v = v
    def insert(self, v: int) -> Tree:
        side = "left" if v < self.v else "right"
        child = getattr(self, side)
        if child is None: setattr(self, side, Tree(v))
        else: child.insert(v)
        return self
    def __iter__(self):
        if self.left: yield from self.left
        yield self.v
        if self.right: yield from self.right
t = Tree(5)
for v in (3, 8, 1, 9): t.insert(v)
print(list(t), max(t), 8 in t, sorted(Tree.__annotations__))
def main() -> None:
    """Entry."""
    print(main.__doc__, __name__)
if __name__ == "__main__": main()
class Ctx:
    class Inner:
        val = 1
        def __repr__(self): return f"Inner({self.val})"
    inner = Inner()
print(Ctx.inner, Ctx.Inner.__qualname__)
def kwonly(*, a, b=2): return a, b
print(kwonly(a=1), kwonly(**{"a": 3, "b": 4}), (lambda *a, **k: (a, k))(1, x=2))
try: kwonly()
except TypeError as e: print(e)
def pos(a, b, /, c): return a + b + c
print(pos(1, 2, c=3))
try: undefined_name
except NameError as e: print(e)
del t
print("t" in globals(), "Tree" in globals(), callable(globals()["main"]))
''',
    "analyst-report": '''
text = """Q1 revenue: $1,200.50 (up 12%)
Q2 revenue: $980.00 (down 18.3%)
Q3 revenue: n/a
Q4 revenue: $1,500.75 (up 53%)"""
import re
from collections import defaultdict
out = []
for n, line in enumerate(text.splitlines(), start=1):
    m = re.search(r"(Q\\d).*?\\$([\\d,.]+)\\s+\\((up|down)\\s+([\\d.]+)%\\)", line)
    if not m: print(f"line {n}: skipped {line!r}"); continue
    q, amt, d, pct = m.groups()
    out.append({"q": q, "amt": float(amt.replace(",", "")), "chg": (1 if d == "up" else -1) * float(pct)})
w = max(len(r["q"]) for r in out)
for r in sorted(out, key=lambda r: (-r["amt"], r["q"])): print(f"{r['q']:<{w}}  {r['amt']:>10,.2f}  {r['chg']:+6.1f}%")
tot = sum(r["amt"] for r in out); print(f"total={tot:,.2f} mean={tot/len(out):.2f}")
pivot = defaultdict(lambda: {"n": 0, "s": 0.0})
for r in out:
    k = "up" if r["chg"] > 0 else "down"; pivot[k]["n"] += 1; pivot[k]["s"] += r["amt"]
for k, v in sorted(pivot.items()): print(k, v)
ngrams = lambda s, n: [s[i:i + n] for i in range(len(s) - n + 1)]
print(ngrams("abcd", 2), len(set(ngrams("banana", 2))))
idx = defaultdict(set)
for i, d in enumerate(["a b", "b c", "a c"]):
    for t in d.split(): idx[t].add(i)
print({k: sorted(v) for k, v in idx.items()}, idx["a"] & idx["c"], sorted(set("ab") ^ set("bc")), frozenset([1]) | {2})
''',
    "mixins-and-registries": """
class Plugin:
    plugins: list = []
    def __init_subclass__(cls, **kw): super().__init_subclass__(**kw); cls.plugins.append(cls)
class A(Plugin): name = "a"
class B(Plugin): name = "b"
print([p.name for p in Plugin.plugins], [p().__class__.__name__ for p in Plugin.plugins])
class Mixin:
    def to_dict(self): return {k: v for k, v in self.__dict__.items() if not k.startswith("_")}
class Logger:
    def log(self, m): print(f"[{self.__class__.__name__}] {m}")
class Svc(Mixin, Logger):
    def __init__(self): super().__init__(); self.a = 1; self._b = 2
    def run(self): self.log("go"); return self.to_dict()
print(Svc().run())
class Base:
    def hello(self): return "base"
class L(Base):
    def hello(self): return "L" + super().hello()
class R(Base):
    def hello(self): return "R" + super().hello()
class LR(L, R):
    def hello(self): return "LR" + super().hello()
    def call(self): return super(L, self).hello(), Base.hello(self)
print(LR().hello(), LR().call())
class Poly:
    _registry = {}
    @classmethod
    def register(cls, name):
        def deco(k): cls._registry[name] = k; return k
        return deco
    @classmethod
    def create(cls, name, *a): return cls._registry[name](*a)
@Poly.register("sq")
class Sq:
    def __init__(self, s): self.s = s
    def area(self): return self.s ** 2
print(Poly.create("sq", 3).area())
class Fmt:
    def format(self, x): return f"<{x}>"
    def __format__(self, spec): return f"F:{spec}"
print(Fmt().format(1), f"{Fmt():abc}", format(Fmt(), "z"))
class Obj: obj = 5; register = 6
print(Obj().obj, Obj.register, Obj.obj)
""",
    "caching-and-wrapping": """
import functools
class cached:
    def __init__(self, fn): self.fn = fn; self.cache = {}; functools.update_wrapper(self, fn)
    def __call__(self, *a):
        if a not in self.cache: self.cache[a] = self.fn(*a)
        return self.cache[a]
    def __get__(self, ob, owner=None): return functools.partial(self, ob)
@cached
def slow(x):
    "doc of slow"
    return x * x
print(slow(3), slow(3), slow.cache, slow.__name__, slow.__doc__)
def retry(times=2, exc=(ValueError,)):
    def deco(fn):
        @functools.wraps(fn)
        def w(*a, **k):
            for i in range(times):
                try: return fn(*a, **k)
                except exc as e: print("retry", i, e)
            raise RuntimeError("gave up")
        return w
    return deco
n = 0
@retry(3)
def flaky():
    global n
    n += 1
    if n < 3: raise ValueError(n)
    return "ok"
print(flaky(), flaky.__name__)
class Lazy:
    def __init__(self, f): self.f = f
    def __get__(self, o, t=None):
        v = self.f(o); o.__dict__[self.f.__name__] = v; return v
class X:
    @Lazy
    def val(self): print("once"); return 7
x = X(); print(x.val, x.val)
def compose(*fs): return functools.reduce(lambda f, g: lambda x: f(g(x)), fs)
print(compose(str, lambda v: v + 1, int)("41"))
from contextlib import ContextDecorator
class Tr(ContextDecorator):
    def __enter__(self): print(">"); return self
    def __exit__(self, *e): print("<"); return False
@Tr()
def inside(): print("in")
inside()
""",
    "idioms": """
from string import Template
from itertools import product, permutations
from operator import itemgetter
recs = [dict(dept="a", pay=3, yr=2020), dict(dept="b", pay=5, yr=2021), dict(dept="a", pay=4, yr=2021)]
by = {}
for r in recs: by.setdefault(r["dept"], []).append(r)
for k, rs in sorted(by.items()): print(k, len(rs), sum(map(itemgetter("pay"), rs)), max(rs, key=itemgetter("pay"))["yr"])
recs.sort(key=itemgetter("yr", "pay"), reverse=True); print(recs[0])
print([*product([0, 1], repeat=2)], len([*permutations(range(4))]))
m = [[1, 2, 3], [4, 5, 6]]; print([list(c) for c in zip(*m)], [x for r in m for x in r], m[1][::-1])
m[0][1] *= 10; d = {"a": {"n": 1}}; d["a"]["n"] += 1; l = [1, 2, 3, 4]; l[1:3] = [9]; del l[0]; l.insert(0, 7); l.extend([8]); print(m, d, l, l.index(9), l.count(8), l.pop(), l)
s = "hello"; print(s[1:-1], s.count("l"), s.startswith(("he", "x")), s.encode().decode(), ",".join(s), s.title(), s.isalpha())
print(sorted({"b": 1, "a": 2}.items(), key=lambda kv: kv[1]), dict.fromkeys("ab", 0), {1: 2} | {3: 4}, {1, 2} <= {1, 2, 3})
primes = [n for n in range(2, 40) if all(n % k for k in range(2, int(n ** .5) + 1))]; print(primes)
def fact(n): return 1 if n < 2 else n * fact(n - 1)
print(fact(20), sum(int(c) for c in str(2 ** 100)))
print("\\n".join("".join("#" if (i + j) % 2 else "." for j in range(5)) for i in range(3)))
hist = {k: "*" * v for k, v in sorted({"x": 3, "y": 1}.items())}; [print(k, v) for k, v in hist.items()] and None
""",
    "states-and-money": """
import enum, copy, random
class State(enum.Enum):
    A = "a"; B = "b"; DONE = "done"
    def next(self): return {State.A: State.B, State.B: State.DONE}.get(self, self)
    def __str__(self): return f"<{self.value}>"
    @classmethod
    def _missing_(cls, v): return cls.DONE
s = State.A
while s is not State.DONE: print(s, end=" "); s = s.next()
print(s, State("zzz"), State.__members__["A"], len(State), State["B"].name)
E = enum.Enum("E", "X Y Z"); print(E.X, E.Y.value, [e.name for e in E], E["Z"])
@enum.unique
class U(enum.IntFlag): R = 4; W = 2
print(U.R | U.W, U(6), U.R & 4, (U.R | U.W).value)
class Money:
    __slots__ = ("amt", "cur")
    def __init__(self, amt, cur="EUR"): object.__setattr__(self, "amt", amt); object.__setattr__(self, "cur", cur)
    def __setattr__(self, n, v): raise AttributeError("frozen")
    def __reduce_x(self): pass
    def __copy__(self): return Money(self.amt, self.cur)
    def __deepcopy__(self, memo): return Money(self.amt, self.cur)
    def __repr__(self): return f"{self.amt} {self.cur}"
m = Money(5); print(copy.copy(m), copy.deepcopy([m]))
try: m.amt = 3
except AttributeError as e: print(e)
data = {"a": [1, {"b": 2}]}; dc = copy.deepcopy(data); dc["a"][1]["b"] = 9; print(data, dc)
class R(random.Random):
    def roll(self): return self.randint(1, 6)
print(R(1).roll())
class Money2:
    def __init__(self, v): self.v = v
    def __radd__(self, o): return self if o == 0 else Money2(self.v + o.v)
    def __add__(self, o): return Money2(self.v + o.v)
    def __mul__(self, k): return Money2(self.v * k)
    __rmul__ = __mul__
print(sum([Money2(1), Money2(2)]).v, (3 * Money2(2)).v)
""",
}
