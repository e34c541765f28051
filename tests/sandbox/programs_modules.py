"""Programs by module of the standard library, as models write them: numbers, collections, time, text."""
# ruff: noqa: E501  (programs as they are written)

PROGRAMS = {
    "collections-user-classes": """
from collections import UserDict, UserList, UserString, ChainMap, OrderedDict, deque
class Caseless(UserDict):
    def __setitem__(self, key, value): super().__setitem__(key.lower(), value)
    def __getitem__(self, key): return self.data[key.lower()]
d = Caseless(Total=3)
d["VAT"] = 4
print(d, d["TOTAL"], "vat" in d, list(d), d.get("x", 0), dict(d), d.pop("vat"))
class Stack(UserList):
    def push(self, x): self.append(x); return self
print(Stack([1]).push(2) + [3], len(Stack("ab")), Stack([3, 1]).data)
t = UserString("total: {0}")
print(t.upper(), t.format(5), len(t), t[:5], t + "!", "tot" in t, t == "total: {0}", repr(t))
c = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(c["a"], c["b"], dict(c), c.new_child({"b": 9})["b"], c.parents["a"], c.maps)
o = OrderedDict(a=1, b=2, c=3)
o.move_to_end("a"); print(o.popitem(last=False), o, list(reversed(o)))
q = deque(range(5), maxlen=3); q.rotate(1); q.appendleft(9); print(q, q.maxlen, q.index(2))
""",
    "collections-counter": """
from collections import Counter
words = "the cat and the dog and the bird".split()
c = Counter(words)
print(c.most_common(2), c.total(), c["none"], +Counter(a=1, b=-1), Counter(a=3) - Counter(a=1, b=2), Counter("ab") & Counter("bc"))
c.subtract({"the": 5}); c.update(["cat"]); print(c, sorted(c.elements()), c == Counter(c), Counter(a=1) <= Counter(a=2))
print(Counter(len(w) for w in words), [k for k, v in c.items() if v < 0], dict.fromkeys(c, 0))
""",
    "itertools-recipes": """
import itertools as it, operator
def chunks(seq, n):
    i = iter(seq)
    while batch := list(it.islice(i, n)): yield batch
def flatten(x): return list(it.chain.from_iterable(x))
def roundrobin(*its):
    pending = [iter(i) for i in its]
    while pending:
        for p in list(pending):
            try: yield next(p)
            except StopIteration: pending.remove(p)
print(list(chunks(range(7), 3)), flatten([[1], [2, 3]]), list(roundrobin("ab", [1, 2, 3])))
print(list(it.zip_longest("ab", [1], fillvalue="-")), list(it.starmap(pow, [(2, 3), (3, 2)])), list(it.takewhile(lambda x: x < 3, [1, 2, 5, 1])))
rows = [("a", 1), ("a", 2), ("b", 3)]
for key, group in it.groupby(rows, key=operator.itemgetter(0)): print(key, sum(v for _, v in group))
print(list(it.product("ab", repeat=2))[:3], list(it.permutations([1, 2, 3], 2))[:2], list(it.combinations("abc", 2)), list(it.accumulate([1, 2, 3], operator.mul, initial=10)))
a, b = it.tee([1, 2, 3]); next(b); print(list(zip(a, b)), list(it.compress("abcd", [1, 0, 1])), list(it.dropwhile(str.isalpha, "ab1c")), list(it.filterfalse(None, [0, 1])))
""",
    "statistics-report": """
import statistics as st
from statistics import NormalDist
data = [2.5, 3.1, 4.7, 3.1, 5.0, 9.9]
print(st.mean(data), st.median(data), st.mode(data), round(st.stdev(data), 4), round(st.pvariance(data), 4), st.quantiles(data, n=4))
print(st.multimode("aabbc"), round(st.geometric_mean([1, 10, 100]), 6), st.harmonic_mean([40, 60]), round(st.fmean(data, [1, 1, 1, 1, 1, 2]), 4))
line = st.linear_regression([1, 2, 3], [2, 4, 6.5]); print(round(line.slope, 3), round(line.intercept, 3), line._fields)
print(round(st.correlation([1, 2, 3], [1, 2, 4]), 4), round(NormalDist(100, 15).cdf(120), 5), NormalDist.from_samples(data).mean, round(NormalDist(0, 1).inv_cdf(0.975), 4))
for bad in ([], [1]):
    try: print(st.stdev(bad))
    except st.StatisticsError as e: print(type(e).__name__, e)
z = NormalDist(5, 2) + 3; print(z, z.zscore(10), z.quantiles(4)[1])
""",
    "decimal-money": """
from decimal import Decimal, ROUND_HALF_UP, ROUND_HALF_EVEN, getcontext, localcontext, InvalidOperation, DivisionByZero
def money(x): return Decimal(x).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
print(money("2.675"), money("1e3"), Decimal("0.1") + Decimal("0.2"), Decimal(1) / 3, f"{Decimal('1234567.891'):,.2f}")
with localcontext() as ctx:
    ctx.prec = 5
    print(Decimal(2).sqrt(), Decimal(1) / 7)
print(getcontext().prec, Decimal("1.50").normalize(), Decimal("-3.7") // 1, Decimal("12.5").as_tuple(), Decimal("NaN").is_nan())
for expression in (lambda: Decimal("abc"), lambda: Decimal(1) / 0):
    try: expression()
    except (InvalidOperation, DivisionByZero) as e: print(type(e).__name__, isinstance(e, ArithmeticError))
invoices = [("A", "19.99", 3), ("B", "5.00", 7)]
total = sum((Decimal(p) * n for _, p, n in invoices), Decimal(0)); print(total, total * Decimal("1.19"), money(total * Decimal("1.19")), hash(Decimal(2)) == hash(2), max(Decimal(1), 2))
""",
    "fractions-numbers": """
from fractions import Fraction
from numbers import Number, Integral, Rational, Real
import math, cmath
print(Fraction(3, 9), Fraction("0.125"), Fraction(1.5), Fraction(1, 3) + Fraction(1, 6), Fraction(22, 7).limit_denominator(5), float(Fraction(1, 4)))
print([isinstance(x, t) for x in (1, 1.5, Fraction(1), True) for t in (Number, Integral, Rational, Real)])
print(math.comb(5, 2), math.prod([2, 3]), math.dist((0, 0), (3, 4)), math.isclose(0.1 + 0.2, 0.3), math.log(8, 2), math.log2(8), math.floor(-1.5), math.trunc(-1.5), math.gcd(12, 18, 24), math.lcm(4, 6))
print(round(math.degrees(math.atan2(1, 1))), math.inf > 10, math.nan != math.nan, math.copysign(1, -0.0), math.fsum([.1] * 10), math.perm(5, 2), math.hypot(3, 4), cmath.sqrt(-1), abs(3 + 4j), (1 + 2j).conjugate())
for f in (lambda: math.sqrt(-1), lambda: math.factorial(-1), lambda: Fraction(1, 0), lambda: math.log(0)):
    try: f()
    except (ValueError, ZeroDivisionError) as e: print(type(e).__name__, e)
print((10).bit_length(), (255).to_bytes(2, "big"), int("ff", 16), int.from_bytes(b"\\x01\\x00"), 7 .bit_count(), (0.5).as_integer_ratio(), (2.0).is_integer(), float.fromhex("0x1p-1"), (1.5).hex(), 10**20 % 7, pow(3, -1, 7), round(2.5), round(1234, -2), divmod(-7, 3))
""",
    "random-seeded": """
import random
random.seed(42)
print(random.random(), random.randint(1, 6), random.choice("abc"), random.sample(range(100), 4), random.choices("xy", weights=[9, 1], k=5))
r = random.Random(7); x = list(range(6)); r.shuffle(x); print(x, round(r.gauss(0, 1), 6), r.randrange(0, 10, 2), r.getrandbits(8), round(r.uniform(1, 2), 6), r.betavariate(1, 2) < 1)
state = r.getstate(); a = r.random(); r.setstate(state); print(a == r.random(), isinstance(r, random.Random), random.Random("s").random())
class Dice(random.Random):
    def roll(self): return self.randint(1, 6)
print(Dice(1).roll(), [Dice(3).roll() for _ in range(3)])
def bootstrap(data, n=100): return sorted(sum(random.choices(data, k=len(data))) / len(data) for _ in range(n))[n // 2]
print(bootstrap([1, 2, 3, 4]))
""",
    "datetime-arithmetic": """
from datetime import datetime, date, time, timedelta, timezone, UTC
import calendar
d = datetime(2024, 2, 28, 23, 30)
print(d + timedelta(days=2, hours=1), d.strftime("%d %B %Y %H:%M %j %U"), d.isoformat(timespec="minutes"), d.weekday(), d.isocalendar(), d.timetuple().tm_yday)
print(datetime.strptime("03/Mar/2021 10:15", "%d/%b/%Y %H:%M"), date.fromisoformat("2024-12-31") - date(2024, 1, 1), (date(2024, 3, 1) - timedelta(1)).day, datetime.fromisoformat("2024-05-01T10:00:00+02:00").astimezone(UTC))
print(date(2024, 1, 31).replace(month=3), time(9, 5) < time(10), datetime.combine(date(2024, 1, 1), time(12)), timedelta(seconds=3725), timedelta(days=1.5) / 2, timedelta(hours=5) // timedelta(minutes=90), abs(timedelta(-1)), timedelta(weeks=1).total_seconds())
print(calendar.monthrange(2024, 2), calendar.isleap(2100), calendar.month_name[3], calendar.day_abbr[0], calendar.timegm((2024, 1, 1, 0, 0, 0)), len(calendar.monthcalendar(2024, 9)))
print(calendar.month(2024, 2)); print(list(calendar.Calendar(6).itermonthdays(2024, 2))[:6], calendar.TextCalendar(6).formatmonth(2023, 1).split("\\n")[1])
tz = timezone(timedelta(hours=-5), "EST"); print(datetime(2024, 1, 1, tzinfo=tz), tz.utcoffset(None), datetime(2024, 1, 1, 12, tzinfo=UTC).astimezone(tz).tzname(), datetime.fromtimestamp(0, UTC), datetime(2024, 1, 1, tzinfo=UTC).timestamp())
for bad in ("2024-13-01", "nope"):
    try: datetime.strptime(bad, "%Y-%m-%d")
    except ValueError as e: print(e)
def months(a, b): return (b.year - a.year) * 12 + b.month - a.month - (b.day < a.day)
print(months(date(2020, 5, 20), date(2024, 5, 19)), max(date(2024, 1, 2), date(2023, 1, 1)), sorted([date(2024, 1, 2), date(2023, 1, 1)])[0].year, {date(2024, 1, 1): 1}, f"{d:%Y-%m}", d.date() == date(2024, 2, 28))
""",
    "zoneinfo": """
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones
berlin = ZoneInfo("Europe/Berlin")
d = datetime(2024, 7, 1, 12, tzinfo=berlin)
print(d, d.utcoffset(), d.tzname(), d.astimezone(ZoneInfo("America/New_York")), d.astimezone(timezone.utc), d.dst())
print(datetime(2024, 1, 1, 12, tzinfo=berlin).utcoffset(), repr(berlin), str(berlin), berlin.key, ZoneInfo("Europe/Berlin") is berlin)
print((datetime(2024, 3, 31, 1, 30, tzinfo=berlin) + timedelta(hours=1)).utcoffset(), datetime(2024, 10, 27, 2, 30, tzinfo=berlin, fold=1).utcoffset())
for name in ("Asia/Tokyo", "Europe/London", "UTC", "Australia/Sydney"): print(name, datetime(2024, 7, 1, tzinfo=ZoneInfo(name)).isoformat(), name in available_timezones())
try: ZoneInfo("Mars/Olympus")
except ZoneInfoNotFoundError as e: print(type(e).__name__, isinstance(e, KeyError))
""",
    "time-formats": """
import time
t = time.gmtime(86400 * 365)
print(time.strftime("%Y-%m-%d %H:%M:%S", t), t.tm_year, t[7], time.asctime(t), time.mktime(t) - time.mktime(time.gmtime(0)), tuple(t)[:3])
print(time.strptime("2024 5", "%Y %m").tm_mon, type(time.time()).__name__, time.perf_counter() >= 0, time.monotonic_ns() > 0, isinstance(t, time.struct_time))
start = time.perf_counter(); sum(range(1000)); print(0 <= time.perf_counter() - start < 5, time.time() > 1.6e9)
""",
    "heap-bisect-queues": """
import heapq, bisect
from heapq import heappush, heappop
tasks = []
for priority, name in [(3, "low"), (1, "high"), (2, "mid")]: heappush(tasks, (priority, name))
print([heappop(tasks)[1] for _ in range(3)], heapq.nlargest(2, [5, 1, 9], key=lambda x: -x), list(heapq.merge([1, 4], [2, 3], reverse=False)), heapq.heappushpop([2, 3], 1))
grades = [60, 70, 80]
print([("FDCB"[bisect.bisect(grades, s)]) for s in (55, 60, 79, 99)], bisect.bisect_left(grades, 70), bisect.bisect([{"a": 1}, {"a": 5}], 3, key=lambda r: r["a"]))
xs = []
for x in (5, 1, 3): bisect.insort(xs, x)
print(xs)
def dijkstra(graph, start):
    best, heap = {start: 0}, [(0, start)]
    while heap:
        cost, node = heappop(heap)
        if cost > best[node]: continue
        for to, weight in graph.get(node, {}).items():
            if cost + weight < best.get(to, float("inf")):
                best[to] = cost + weight
                heappush(heap, (best[to], to))
    return best
print(dijkstra({"a": {"b": 1, "c": 5}, "b": {"c": 2}}, "a"))
import queue
q = queue.PriorityQueue(); q.put((2, "b")); q.put((1, "a")); print(q.get(), q.qsize(), q.empty())
s = queue.LifoQueue(); s.put(1); s.put(2); print(s.get_nowait(), s.get()); f = queue.Queue(maxsize=1); f.put(0); print(f.full())
try: f.put_nowait(1)
except queue.Full: print("full")
f.get(); f.task_done(); f.join()
try: f.get(timeout=0.01)
except queue.Empty: print("empty")
d = queue.SimpleQueue(); d.put(4); print(d.get(), d.empty())
""",
    "graphlib-struct-array": """
from graphlib import TopologicalSorter, CycleError
import struct, array
ts = TopologicalSorter({"d": {"b", "c"}, "b": {"a"}, "c": {"a"}})
order = list(ts.static_order()); print(order[0], order[-1], len(order))
try: list(TopologicalSorter({"a": {"b"}, "b": {"a"}}).static_order())
except CycleError as e: print(type(e).__name__, e.args[0])
packed = struct.pack("<IhB4s", 70000, -2, 255, b"ab"); print(packed, struct.unpack("<IhB4s", packed), struct.calcsize("@d"), list(struct.iter_unpack(">H", b"\\0\\1\\0\\2")))
s = struct.Struct("!2H"); print(s.pack(1, 2).hex(), s.size, s.unpack(b"\\0\\1\\0\\2"))
a = array.array("d", [1.5, 2]); a.append(3); a.extend([4]); print(a, a.itemsize, a.tolist(), sum(a), a[1:3], array.array("B", b"ab").tobytes(), len(memoryview(a)))
try: struct.unpack("I", b"a")
except struct.error as e: print(e)
""",
    "operator-functools": """
import operator as op
from functools import partial, reduce, lru_cache, cmp_to_key, total_ordering, singledispatch, partialmethod, cached_property, cache
rows = [{"n": "b", "v": 2}, {"n": "a", "v": 2}, {"n": "c", "v": 1}]
print(sorted(rows, key=op.itemgetter("v", "n")), list(map(op.methodcaller("upper"), "ab")), reduce(op.or_, [{1}, {2}]), op.attrgetter("real", "imag")(3), op.itemgetter(slice(1, 3))("abcd"))
int2 = partial(int, base=2); print(int2("101"), int2.func, int2.keywords, int2.args, repr(partial(max, 1)))
print(sorted(["bb", "a", "ccc"], key=cmp_to_key(lambda x, y: len(y) - len(x))), op.countOf([1, 2, 1], 1), op.indexOf("abc", "c"), op.contains([1], 1), op.concat("a", "b"))
@total_ordering
class Version:
    def __init__(self, text): self.parts = tuple(map(int, text.split(".")))
    def __eq__(self, other): return self.parts == other.parts
    def __lt__(self, other): return self.parts < other.parts
print(Version("1.10") > Version("1.9"), max(map(Version, ["0.1", "2.0"])).parts, Version("1") <= Version("1"))
@singledispatch
def show(x): return f"? {x!r}"
@show.register
def _(x: int): return f"int {x}"
@show.register(list)
def _(x): return f"list of {len(x)}"
@show.register
def _(x: str | bytes): return "text"
print(show(1), show([1]), show(2.5), show("s"), show.dispatch(bool)(True), show.registry.keys() >= {int})
@lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(80), fib.cache_info().hits > 0, fib.cache_parameters(), fib.__wrapped__(1)); fib.cache_clear()
class Cell:
    def set(self, state): self.state = state
    on = partialmethod(set, True)
    @cached_property
    def heavy(self): print("computing"); return 42
c = Cell(); c.on(); print(c.state, c.heavy, c.heavy, c.__dict__)
""",
    "re-extraction": '''
import re
text = """Invoice INV-2024-001 of 2024-01-15: EUR 1,250.00 (net)
Invoice INV-2024-002 of 2024-02-20: EUR 980.50
contact: a.b@example.org, +49 30 1234"""
pattern = re.compile(r"(?P<id>INV-\\d{4}-\\d{3}) of (?P<date>[\\d-]+): EUR (?P<amount>[\\d,.]+)", re.M)
for m in pattern.finditer(text): print(m["id"], m.group("date", "amount"), m.span(), m.groupdict()["amount"], m.start("date"), m.lastgroup, m.re is pattern)
print(sum(float(a.replace(",", "")) for *_, a in pattern.findall(text)), re.split(r"[:,]\\s*", "a: b,c"), re.sub(r"(\\w)(\\d)", r"\\2\\1", "a1 b2"), re.subn("a", lambda m: m.group().upper(), "banana"))
print(re.findall(r"[\\w.]+@[\\w.]+", text), re.fullmatch(r"\\d+", "12a"), bool(re.match("inv", "INV", re.I)), re.escape("a.b*"), re.search(r"(?<=EUR )[\\d.]+", text).group(), re.sub(r"(?x) \\s+  # spaces", " ", "a   b"))
print(re.compile("a|b").sub("-", "cab"), pattern.groups, pattern.groupindex, pattern.flags & re.M == re.M, repr(re.search("b", "abc")), re.search("(a)|(b)", "b").groups("none"), pattern.pattern[:6])
try: re.compile("(")
except re.error as e: print(e, e.pos, e.msg)
words = re.findall(r"\\b[^\\W\\d_]{4,}\\b", "Über straße and 1234 naïve"); print(words, re.findall(r"(?i)STRASSE|straße", "straße"))
''',
    "string-text-tools": '''
import string, textwrap, difflib, unicodedata, html
from string import Template, Formatter
print(string.capwords("hello big world"), Template("$who owes $$${amount}").safe_substitute(who="Bob"), string.punctuation[:5], string.hexdigits)
print(Formatter().format("{0} {name!r:>6} {1[a]}", 1, {"a": 2}, name="x"), [f for _, f, _, _ in Formatter().parse("a{b}c{d.e}") if f])
class Default(Formatter):
    def get_value(self, key, args, kwargs): return kwargs.get(key, f"<{key}>") if isinstance(key, str) else args[key]
    def format_field(self, value, spec): return value.upper() if spec == "u" else super().format_field(value, spec)
print(Default().format("{a} {b:u} {0:>3}", 7, b="bee"), Default().vformat("{x}", (), {}))
print(textwrap.fill("The quick brown fox jumps over the lazy dog", 20, initial_indent="* ", subsequent_indent="  ")); print(textwrap.dedent("""
    a
      b"""), textwrap.shorten("one two three four", 12, placeholder="…"), textwrap.indent("a\\nb", "> "), textwrap.wrap("aaa bbb ccc", 7))
print("".join(c for c in unicodedata.normalize("NFD", "Crème Brûlée") if unicodedata.category(c) != "Mn"), unicodedata.name("é"), unicodedata.lookup("SNOWMAN"), unicodedata.numeric("½"))
print(html.escape("<a href='x'>"), html.unescape("&lt;&eacute;&#8364;&nbsp;"), html.unescape("&copy;"))
a, b = "one\\ntwo\\nthree".splitlines(), "one\\n2\\nthree".splitlines()
print("\\n".join(difflib.unified_diff(a, b, "old", "new", lineterm="")), round(difflib.SequenceMatcher(None, "abcd", "bcde").ratio(), 2), difflib.get_close_matches("appel", ["ape", "apple", "peach"]), list(difflib.ndiff(a, b))[1])
sm = difflib.SequenceMatcher(a="qabxcd", b="abycdf"); print(sm.get_opcodes()[:2], sm.get_matching_blocks()[0], sm.find_longest_match().size, sm.quick_ratio())
print("a-b_c".translate(str.maketrans({"-": " ", "_": None})), "ß".casefold(), "x".center(5, "*"), "1,2;3".partition(";"), "a\\tb".expandtabs(4), "abc".removeprefix("a"), "%-5s|%05.1f|%x" % ("a", 2.345, 255), "Ⅷ".isnumeric(), "tschüß".encode("ascii", "replace"), b"\\xff".decode("utf-8", "replace"), "a b".split(None, 1), "{:*^9}".format("mid"))
''',
}
