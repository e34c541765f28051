"""Programs by module of the standard library, as models write them: types, classes, asyncio, logging, looking at code."""
# ruff: noqa: E501  (programs as they are written)

PROGRAMS = {
    "enum-all-kinds": """
from enum import Enum, IntEnum, StrEnum, Flag, IntFlag, auto, unique, EnumMeta, EnumType, property as enum_property
class Color(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1
    def describe(self): return f"{self.name.lower()}={self.value}"
    @classmethod
    def default(cls): return cls.GREEN
    @property
    def warm(self): return self is Color.RED
print(Color.RED, repr(Color(2)), Color["RED"].describe(), Color.CRIMSON is Color.RED, list(Color), Color.__members__, Color.default().warm, Color.RED in Color, len(Color), type(Color.RED), type(Color), isinstance(Color, EnumMeta), Color)
class Status(StrEnum): OPEN = auto(); CLOSED = auto()
class Level(IntEnum): LOW = 1; HIGH = 10
print(f"{Status.OPEN}", Status("closed"), Status.OPEN == "open", sorted([Level.HIGH, Level.LOW]), Level.LOW + 1, Level.HIGH > 5, max(Level), {Level.LOW: 1}[1], Status.OPEN.upper())
class Perm(Flag): R = auto(); W = auto(); X = auto(); RW = R | W
print(Perm.R | Perm.X, Perm.R in Perm.RW, list(Perm.RW), ~Perm.R, bool(Perm.R & Perm.W), Perm(3), Perm.RW.value)
class Planet(Enum):
    EARTH = (5.97e24, 6.37e6)
    MARS = (6.42e23, 3.39e6)
    def __init__(self, mass, radius): self.mass, self.radius = mass, radius
    @property
    def gravity(self): return round(6.67e-11 * self.mass / self.radius ** 2, 2)
print([(p.name, p.gravity) for p in Planet], Planet.EARTH.mass)
class Size(Enum):
    S = "small"; L = "large"
    @classmethod
    def _missing_(cls, value): return next((m for m in cls if m.value.startswith(str(value).lower())), None)
    def _generate_next_value_(name, start, count, last): return name
    def __str__(self): return self.value.title()
print(Size("LAR"), Size("s"), Enum("Dyn", "A B C")["B"].value, Enum("D2", {"X": "x"}).X, [m.value for m in Enum("D3", ["P", "Q"], start=5)])
for bad in (lambda: Color(9), lambda: Color["X"], lambda: setattr(Color, "RED", 5)):
    try: bad()
    except (ValueError, KeyError, AttributeError) as e: print(type(e).__name__, e)
try:
    @unique
    class U(Enum): A = 1; B = 1
except ValueError as e: print(e)
match Color.GREEN:
    case Color.RED: print("r")
    case Color.GREEN: print("g")
""",
    "dataclass-all-options": """
from dataclasses import dataclass, field, fields, asdict, astuple, replace, InitVar, KW_ONLY, FrozenInstanceError, make_dataclass, is_dataclass
from typing import ClassVar, Optional
@dataclass(order=True, frozen=True, slots=True)
class Point: x: int = 0; y: int = 0
print(Point(1, 2), Point(1) < Point(2), {Point(1): "a"}[Point(1)], replace(Point(1, 2), y=9), astuple(Point(3)), Point.__slots__, hash(Point(1)) == hash(Point(1)))
try: Point().x = 5
except FrozenInstanceError as e: print(type(e).__name__, e)
@dataclass
class Base:
    name: str
    tags: list[str] = field(default_factory=list, repr=False)
    count: ClassVar[int] = 0
    scale: InitVar[int] = 2
    total: float = field(init=False, compare=False, metadata={"unit": "EUR"})
    def __post_init__(self, scale): self.total = len(self.name) * scale; type(self).count += 1; self._cache = None
@dataclass
class Child(Base):
    _: KW_ONLY
    extra: Optional[dict] = None
c = Child("abc", ["t"], scale=3, extra={"k": Point(1)}); print(c, asdict(c), Base.count, Child.count, [f.name for f in fields(c)], fields(c)[2].metadata["unit"], fields(c)[1].default_factory, c == Child("abc", ["t"], scale=1, extra={"k": Point(1)}))
print(is_dataclass(c), is_dataclass(int), asdict(c, dict_factory=lambda kv: sorted(k for k, _ in kv)), c.__dataclass_fields__.keys() == {"name", "tags", "count", "scale", "total", "extra"})
try: Child()
except TypeError as e: print(e)
try:
    @dataclass
    class Bad: xs: list = []
except ValueError as e: print(e)
Dyn = make_dataclass("Dyn", [("a", int), ("b", str, "z")]); print(Dyn(1), Dyn(1).b, Dyn.__name__)
match Point(1, 5):
    case Point(0, y): print("axis", y)
    case Point(x=1, y=y): print("one", y)
@dataclass
class Tree:
    value: int
    children: list["Tree"] = field(default_factory=list)
    def walk(self):
        yield self.value
        for child in self.children: yield from child.walk()
print(sum(Tree(1, [Tree(2), Tree(3, [Tree(4)])]).walk()), asdict(Tree(1, [Tree(2)])))
""",
    "typing-everything": """
from __future__ import annotations
from typing import (Any, Callable, Dict, Generic, Iterable, Iterator, List, Literal, Mapping, NamedTuple, NewType, Optional, Protocol, Sequence, Tuple, TypedDict, TypeVar, Union, cast, get_args, get_origin, get_type_hints, overload, runtime_checkable, TYPE_CHECKING, Annotated, Final, ClassVar, Self, TypeAlias)
import typing as t
T = TypeVar("T", bound="Comparable"); K = TypeVar("K"); Row: TypeAlias = Dict[str, Any]; UserId = NewType("UserId", int)
class Comparable(Protocol):
    def __lt__(self, other: Any) -> bool: ...
def largest(xs: Sequence[T]) -> Optional[T]: return max(xs) if xs else None
class Movie(TypedDict, total=False): title: str; year: int
class Emp(NamedTuple):
    name: str
    id: int = 3
    def label(self) -> str: return f"{self.name}#{self.id}"
class Box(Generic[K]):
    def __init__(self, item: K) -> None: self.item = item
    def map(self, f: Callable[[K], Any]) -> Box[Any]: return Box(f(self.item))
@runtime_checkable
class Sized2(Protocol):
    def size(self) -> int: ...
class Impl:
    def size(self) -> int: return 1
@overload
def f(x: int) -> int: ...
@overload
def f(x: str) -> str: ...
def f(x): return x
print(largest([1, 3]), Movie(title="x"), Emp("a"), Emp("a").label(), Emp._fields, Emp("b")._asdict(), Box(2).map(str).item, isinstance(Impl(), Sized2), f(1), UserId(5), cast(int, "x"), get_origin(List[int]), get_args(Dict[str, int]), Union[int, str], Optional[int], Literal["a"], List[int], Callable[[int], str])
print(get_type_hints(largest)["xs"] == Sequence[T], get_type_hints(Movie), Movie.__annotations__.keys(), Movie.__required_keys__, t.get_args(Literal[1, 2]), largest.__annotations__, Emp.__annotations__, int | None, list[int] | str, (int | str).__args__, Annotated[int, "m"].__metadata__, dict[str, list[int]])
def check(fn):
    hints = get_type_hints(fn)
    def inner(*args):
        for (name, kind), arg in zip(hints.items(), args):
            if name != "return" and not isinstance(arg, kind): raise TypeError(f"{name} must be {kind.__name__}")
        return fn(*args)
    return inner
@check
def area(w: int, h: int) -> int: return w * h
print(area(2, 3))
try: area("a", 1)
except TypeError as e: print(e)
""",
    "function-annotations": """
import inspect
from typing import Optional
def price(item: str, qty: int = 1, *args: float, tax: Optional[float] = None, **kw: "anything") -> float:
    '''Price of an item.

    Rounded.'''
    return 1.0
print(price.__annotations__, price.__doc__.splitlines()[0], price.__name__, price.__qualname__, price.__module__, price.__defaults__, price.__kwdefaults__)
s = inspect.signature(price); print(s, list(s.parameters), s.parameters["qty"].default, s.parameters["tax"].kind.name, s.return_annotation, s.parameters["item"].annotation, inspect.getdoc(price))
print(inspect.isfunction(price), inspect.isclass(int), inspect.ismethod("".upper), inspect.isgeneratorfunction(lambda: (yield)), inspect.iscoroutinefunction(price), inspect.isbuiltin(len), callable(price), inspect.cleandoc("  a\\n    b"))
bound = s.bind("x", 2, tax=0.1); bound.apply_defaults(); print(bound.arguments, inspect.Parameter.empty is s.parameters["item"].default)
class A:
    def m(self): pass
    @staticmethod
    def s(): pass
    @property
    def p(self): return 1
print([n for n, _ in inspect.getmembers(A, inspect.isfunction)], sorted(n for n in dir(A) if not n.startswith("__")), inspect.signature(A.m), inspect.getmro(A)[0].__name__, [n for n, v in inspect.getmembers(A()) if n in ("p", "m")])
""",
    "abc-and-mro": """
from abc import ABC, ABCMeta, abstractmethod
class Shape(ABC):
    registry = {}
    def __init_subclass__(cls, /, kind=None, **kw): super().__init_subclass__(**kw); Shape.registry[kind or cls.__name__] = cls
    @property
    @abstractmethod
    def area(self): ...
    @classmethod
    @abstractmethod
    def unit(cls): ...
class Square(Shape, kind="sq"):
    def __init__(self, a): self.a = a
    @property
    def area(self): return self.a ** 2
    @classmethod
    def unit(cls): return cls(1)
print(Square(3).area, Square.unit().a, Shape.registry, sorted(Shape.__abstractmethods__))
try: Shape()
except TypeError as e: print(e)
class A:
    def go(self): return ["A"]
class B(A):
    def go(self): return ["B"] + super().go()
class C(A):
    def go(self): return ["C"] + super().go()
class D(B, C): pass
print(D().go(), [c.__name__ for c in D.__mro__], [c.__name__ for c in D.mro()], D.__bases__, D.__base__.__name__, issubclass(D, A), isinstance(D(), (int, A)), type(D()).__mro__[-1], [c.__name__ for c in A.__subclasses__()])
class Meta2(metaclass=ABCMeta):
    @abstractmethod
    def x(self): ...
print(type(Meta2), type(Shape).__name__, type(A), type(type(A)), Meta2.__name__, type(Shape) is ABCMeta, isinstance(Shape, ABCMeta))
Dynamic = type("Dynamic", (A,), {"x": 1, "hello": lambda self: "hi " + str(self.x)}); print(Dynamic().hello(), Dynamic.__name__, Dynamic().go(), Dynamic, issubclass(Dynamic, A))
""",
    "contextlib-all": """
from contextlib import (contextmanager, suppress, ExitStack, closing, nullcontext, redirect_stdout, redirect_stderr, AbstractContextManager, ContextDecorator, asynccontextmanager, AsyncExitStack)
import io, time
@contextmanager
def timer(label):
    start = time.perf_counter()
    try: yield lambda: time.perf_counter() - start
    finally: print(label, "done")
with timer("t") as elapsed: x = elapsed() >= 0
print(x)
@timer("decorated")
def work(): return 5
print(work())
class track(ContextDecorator):
    def __enter__(self): print("start"); return self
    def __exit__(self, *exc): print("stop", exc[0].__name__ if exc[0] else None); return exc[0] is ValueError
@track()
def fails(): raise ValueError("x")
print(fails())
with ExitStack() as stack:
    for i in range(2): stack.enter_context(timer(i))
    stack.callback(print, "callback", 1); stack.push(lambda *e: print("pushed", e[0]))
with suppress(KeyError, ZeroDivisionError): 1 / 0
class Res:
    def close(self): print("closed")
with closing(Res()) as r: print(type(r).__name__)
with nullcontext(3) as n, redirect_stdout(io.StringIO()) as out: print("captured")
print(n, out.getvalue().strip())
@contextmanager
def transform():
    try: yield
    except KeyError as e: raise ValueError("wrapped") from e
try:
    with transform(): {}["a"]
except ValueError as e: print(e, repr(e.__cause__), e.__suppress_context__)
@asynccontextmanager
async def conn(): print("open"); yield "c"; print("shut")
async with conn() as c, AsyncExitStack() as s: print(c, await s.enter_async_context(conn()))
try:
    with contextmanager(lambda: iter([]))(): pass
except (TypeError, RuntimeError, AttributeError) as e: print(type(e).__name__)
""",
    "asyncio-toolbox": """
import asyncio
from asyncio import Queue, Semaphore, Event, Lock
async def worker(name, q, out):
    while True:
        item = await q.get()
        try: out.append((name, item * 2))
        finally: q.task_done()
async def main():
    q, out = Queue(), []
    workers = [asyncio.create_task(worker(f"w{i}", q, out), name=f"w{i}") for i in range(2)]
    for i in range(4): q.put_nowait(i)
    await q.join()
    for w in workers: w.cancel()
    results = await asyncio.gather(*workers, return_exceptions=True)
    print(sorted(v for _, v in out), [type(r).__name__ for r in results], workers[0].get_name(), workers[0].cancelled())
    sem, peak, now = Semaphore(2), 0, 0
    async def limited(i):
        nonlocal peak, now
        async with sem:
            now += 1; peak = max(peak, now); await asyncio.sleep(0); now -= 1
            return i
    print(await asyncio.gather(*map(limited, range(5))), peak)
    try:
        async with asyncio.timeout(0.01): await asyncio.sleep(5)
    except TimeoutError: print("timeout")
    try: await asyncio.wait_for(asyncio.sleep(5), 0.01)
    except asyncio.TimeoutError: print("timeout 2")
    ev = Event(); t = asyncio.create_task(ev.wait()); ev.set(); print(await t)
    try:
        async with asyncio.TaskGroup() as tg:
            a = tg.create_task(limited(7)); tg.create_task(boom())
    except ExceptionGroup as eg: print(eg.exceptions)
    return "ok"
async def boom(): raise ValueError("b")
async def simple():
    done, pending = await asyncio.wait([asyncio.create_task(asyncio.sleep(0, i)) for i in range(3)]); print(sorted(t.result() for t in done), len(pending))
    for c in asyncio.as_completed([asyncio.sleep(0, "x")]): print(await c)
    loop = asyncio.get_running_loop(); fut = loop.create_future(); loop.call_soon(fut.set_result, 3); print(await fut, await loop.run_in_executor(None, lambda: 4), await asyncio.to_thread(sum, [1, 2]), loop.time() > 0)
    print([i async for i in agen(3)], await anext(agen(1)), asyncio.current_task().get_name()[:4], asyncio.iscoroutinefunction(agen), len(asyncio.all_tasks()))
    async with Lock(): return await asyncio.shield(asyncio.sleep(0, "shielded"))
async def agen(n):
    for i in range(n): yield i; await asyncio.sleep(0)
print(asyncio.run(simple()))
print(asyncio.run(simple(), debug=False))
with asyncio.Runner() as runner: print(runner.run(asyncio.sleep(0, 1)))
""",
    "exceptions-in-depth": """
import traceback, sys, warnings
class AppError(Exception):
    def __init__(self, msg, *, code=1): super().__init__(msg); self.code = code
    def __str__(self): return f"[{self.code}] {super().__str__()}"
class NotFound(AppError, KeyError): pass
try:
    try: {}["k"]
    except KeyError as e: raise NotFound("no k", code=404) from e
except AppError as e: print(e, repr(e), e.args, e.code, type(e.__cause__).__name__, isinstance(e, LookupError), e.__context__ is e.__cause__, [c.__name__ for c in type(e).__mro__][:3])
def f():
    try: return "try"
    finally: print("cleanup")
def g():
    for i in range(3):
        try:
            if i == 1: continue
            if i == 2: break
        except ValueError: pass
        else: print("else", i)
        finally: print("fin", i)
print(f(), g())
try: raise ExceptionGroup("many", [ValueError(1), TypeError("t"), ExceptionGroup("in", [KeyError("k")])])
except ExceptionGroup as eg:
    m, rest = eg.split(ValueError); print(m.exceptions, rest, eg.subgroup(lambda e: isinstance(e, KeyError)), eg.message, len(eg.exceptions))
e = ValueError("base"); e.add_note("note 1"); print(e.__notes__, traceback.format_exception_only(e), traceback.format_exception_only(type(e), e))
try: 1 / 0
except ZeroDivisionError:
    kind, value, _ = sys.exc_info(); print(kind.__name__, value, traceback.format_exc().strip().splitlines()[-1], traceback.format_exception(value)[-1].strip())
print(sys.exc_info(), sys.exception() if hasattr(sys, "exception") else None)
def risky(n):
    assert n > 0, f"bad {n}"
    return n
for n in (1, 0):
    try: print(risky(n))
    except AssertionError as e: print("assert", e)
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always"); warnings.warn("old", DeprecationWarning); print(len(w), w[0].message, w[0].category.__name__)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try: warnings.warn("strict", UserWarning)
    except UserWarning as e: print("raised", e)
warnings.filterwarnings("ignore"); warnings.warn("silent")
try: int("x")
except (TypeError, ValueError) as e: print(e)
try: raise StopIteration(3)
except StopIteration as e: print(e.value)
try: [].pop()
except IndexError as e: print(e)
try: "a" + 1
except TypeError as e: print(e)
try: None.x
except AttributeError as e: print(e, e.name)
try: undefined
except NameError as e: print(e, e.name)
try: int.parse
except AttributeError as e: print(e)
try: "a".foo()
except AttributeError as e: print(e)
def rec(n): return rec(n + 1)
try: rec(0)
except RecursionError as e: print(e)
""",
    "logging-setup": """
import logging, sys, io
logging.getLogger().handlers.clear()
stream = io.StringIO()
log = logging.getLogger("app.db"); log.setLevel(logging.DEBUG)
h = logging.StreamHandler(stream); h.setFormatter(logging.Formatter("%(levelname)-8s %(name)s %(message)s [%(funcName)s:%(lineno)d]")); log.addHandler(h); log.propagate = False
def work():
    log.debug("x=%s y=%d", "a", 2); log.info("plain"); log.warning("dict %(k)s", {"k": 1})
    try: 1 / 0
    except ZeroDivisionError: log.exception("failed"); log.error("err", exc_info=False)
work(); print(stream.getvalue().splitlines()[0], len(stream.getvalue().splitlines()) >= 5, [l for l in stream.getvalue().splitlines() if "failed" in l])
print(log.name, log.level, log.getEffectiveLevel(), log.isEnabledFor(logging.DEBUG), logging.getLevelName(30), logging.getLogger("app.db") is log, log.parent.name, repr(log), log.handlers == [h], logging.getLogger().name, log.hasHandlers())
class Keep(logging.Handler):
    def __init__(self): super().__init__(); self.records = []
    def emit(self, record): self.records.append((record.levelname, record.getMessage(), record.name))
k = Keep(); other = logging.getLogger("other"); other.addHandler(k); other.setLevel("INFO"); other.info("hi %s", "you"); other.debug("no"); print(k.records)
class OnlyErrors(logging.Filter):
    def filter(self, record): return record.levelno >= logging.ERROR
k.addFilter(OnlyErrors()); other.warning("w"); other.critical("c"); other.log(logging.ERROR, "l", extra={"user": "u"}); print(k.records[1:])
logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname)s|%(message)s", force=True); logging.info("root %d", 1); logging.getLogger("third").warning("up"); logging.debug("hidden")
a = logging.LoggerAdapter(log, {"id": 7}); a.info("adapted"); print(stream.getvalue().splitlines()[-1].startswith("INFO     app.db adapted"))
f = logging.Formatter("{levelname}:{message}", style="{"); h.setFormatter(f); log.info("brace"); print(stream.getvalue().splitlines()[-1])
logging.disable(logging.CRITICAL); log.error("gone"); logging.disable(logging.NOTSET); print("gone" in stream.getvalue())
""",
    "types-and-weakref": """
import types, weakref, sys
from types import SimpleNamespace, MappingProxyType, MethodType, FunctionType, NoneType, ModuleType, GeneratorType, CoroutineType, BuiltinFunctionType, UnionType, EllipsisType
ns = SimpleNamespace(a=1, b=[2]); ns.c = 3; del ns.a; print(ns, vars(ns), ns == SimpleNamespace(b=[2], c=3), ns.__dict__, types.SimpleNamespace, hasattr(ns, "a"), getattr(ns, "z", None), [k for k in ns.__dict__])
ro = MappingProxyType({"k": 1}); print(ro["k"], ro, dict(ro))
try: ro["k"] = 2
except TypeError as e: print(e)
class A:
    def f(self): return "f"
a = A(); a.g = MethodType(lambda self: "g" + self.f(), a); print(a.g(), isinstance(a.f, MethodType), isinstance(lambda: 0, FunctionType), isinstance(None, NoneType), type(len) is BuiltinFunctionType, isinstance((i for i in ()), GeneratorType), isinstance(int | str, UnionType), a.f.__func__ is A.f, a.f.__self__ is a)
r = weakref.ref(a); print(r() is a, weakref.WeakValueDictionary(x=a)["x"] is a, len(weakref.WeakSet([a]))); w = weakref.WeakKeyDictionary(); w[a] = 1; print(w[a])
print(sys.version_info >= (3, 11), sys.maxsize > 2**31, sys.getsizeof([]) > 0, sys.byteorder, sys.getrecursionlimit() >= 1000, sys.float_info.epsilon, sys.platform, sys.intern("a"), sys.argv[:0], sys.getrefcount(object()) > 0)
sys.setrecursionlimit(5000)
def deep(n): return 0 if n == 0 else 1 + deep(n - 1)
print(deep(3000)); sys.setrecursionlimit(1000)
C = types.new_class("C", (A,), {}, lambda ns: ns.update(x=5)); print(C().x, C.__name__)
""",
    "scopes-and-dynamic-names": """
x = "global"
def outer():
    x = "outer"
    def inner():
        nonlocal x
        x = "inner"
        return locals()
    return inner(), x, sorted(locals())
print(outer(), x)
for i in range(3): globals()[f"var_{i}"] = i * 10
print(var_1 + var_2, "var_0" in globals(), globals()["x"], globals().get("nope", 1))
globals().update(late=5); del globals()["late"]; print("late" in globals())
def args_of(a, b=2, *c, d, **e): return locals()
print(args_of(1, d=4, z=5))
class K:
    y = 1
    squares = [n * n for n in range(3)]
    table = dict(a=y)
    print(sorted(n for n in locals() if not n.startswith("__")))
print(K.squares, K.table, [f() for f in [lambda i=i: i for i in range(3)]], [f() for f in [lambda: i for i in range(3)]])
def counter():
    counter.n = getattr(counter, "n", 0) + 1
    return counter.n
counter(); print(counter(), vars(counter), counter.__dict__)
print([name for name in dir() if name.startswith("var_")], __name__, sorted(vars())[:0], callable(print), (lambda *a, **k: (a, k))(1, *[2], b=3, **{"c": 4}))
print(dir(K)[-3:], [m for m in dir("") if m.startswith("is")][:3], dir(type("E", (), {"z": 1}))[-1], len(dir(5)) > 60)
""",
    "reprs-by-format": """
class Base:
    def __repr__(self): return "{0.__class__.__name__}({1})".format(self, ", ".join("%s=%r" % kv for kv in sorted(self.__dict__.items())))
class Account(Base):
    def __init__(self, owner, balance=0): self.owner, self._balance, self.__pin = owner, balance, 42
    def __format__(self, spec): return f"{self.owner}:{self._balance:{spec or '.2f'}}"
    def __str__(self): return f"{type(self).__name__} of {self.owner!s:>6}"
a = Account("ann", 12.5)
print(repr(a), str(a), f"{a}", f"{a:.1f}", "{:.3f}|{!r}|{!s}".format(a, "q", a), "{0.owner} {0._balance}".format(a), f"{a.__class__.__name__=}", "{x.__doc__}".format(x=a), "{0.__class__.__qualname__:>12}|".format(a))
print("{0[0][k]} {1.real:+d} {2!r:^9}".format([{"k": 1}], 5, "m"), "{:>{w}.{p}f}".format(3.14159, w=8, p=2), "{:,}".format(10**6), "{:b} {:#x} {:e} {:%}".format(5, 255, 12345.678, 0.25), f"{'nested ' + f'{1 + 1}'}", f"{3.0:g} {1e10:g} {0.1 + 0.2:.17g}", f"{'é':*^5}", "%(a)s %(b)05.1f" % {"a": 1, "b": 2.25}, "{} {}".format(*"ab"), "{a}-{a}".format_map({"a": 1}))
for bad in ("{", "{0} {}", "{2}", "{x}", "{0.nope}"):
    try: print(bad.format(1))
    except (ValueError, IndexError, KeyError, AttributeError) as e: print(type(e).__name__, e)
""",
    "small-modules-again": """
import secrets, colorsys, keyword, timeit, platform
print(len(secrets.token_hex(4)), secrets.choice([1]), secrets.compare_digest("a", "a"), 0 <= secrets.randbelow(5) < 5, colorsys.rgb_to_hsv(1, 0, 0), keyword.iskeyword("class"))
print(timeit.timeit(lambda: 1 + 1, number=10) >= 0, timeit.default_timer() > 0, platform.python_version()[:2], platform.system(), platform.python_implementation())
""",
    "tokenizer-and-ast": """
import ast, re
print(ast.literal_eval("{'a': [1, (2, 3)], 'b': None, 'c': {1}}"), ast.literal_eval("-1.5"), ast.literal_eval(" [1]".strip()))
for bad in ("__import__('os')", "1 + x", "[1", "f()"):
    try: ast.literal_eval(bad)
    except (ValueError, SyntaxError) as e: print(type(e).__name__)
TOKEN = re.compile(r"\\s*(?:(\\d+\\.?\\d*)|(.))")
def tokens(text):
    for number, op in TOKEN.findall(text): yield float(number) if number else op
def evaluate(text):
    stream = iter([*tokens(text), None]); current = next(stream)
    def advance():
        nonlocal current
        current = next(stream, None)
    def atom():
        nonlocal current
        value = current
        advance()
        if value == "(":
            value = expr(); advance()
        elif value == "-": value = -atom()
        return value
    def term():
        left = atom()
        while current in ("*", "/"):
            op = current; advance(); right = atom(); left = left * right if op == "*" else left / right
        return left
    def expr():
        left = term()
        while current in ("+", "-"):
            op = current; advance(); right = term(); left = left + right if op == "+" else left - right
        return left
    return expr()
print(evaluate("2 * (3 + 4) - 5 / -2"))
""",
}
