"""Programs as models write them: the library. Each must print exactly what CPython prints."""
# ruff: noqa: E501  (cells as they are written)

PROGRAMS = {
    "decimal": """
from decimal import Decimal, localcontext, getcontext, ROUND_HALF_UP, InvalidOperation
with localcontext() as ctx:
    ctx.prec = 5
    print(Decimal(1) / Decimal(7))
print(sum(Decimal(s) for s in ["1.10", "2.20"]), Decimal("2.5").quantize(Decimal("1"), ROUND_HALF_UP), Decimal("1e3"), f"{Decimal('1234.5'):,.2f}")
try: Decimal("x")
except InvalidOperation as e: print("bad")
""",
    "statistics": """
import statistics as st
xs = [1, 2, 2, 3, 9]
print(st.mean(xs), st.median(xs), st.mode(xs), round(st.stdev(xs), 3), st.quantiles(xs, n=4), st.fmean(xs), st.multimode(xs), st.pvariance(xs))
print(round(st.correlation([1, 2, 3], [2, 4, 7]), 3), st.linear_regression([1, 2], [2, 4]), round(st.NormalDist(0, 1).cdf(1), 3))
try: st.mean([])
except st.StatisticsError as e: print(e)
""",
    "random": """
import random
random.seed(42)
print([random.randint(1, 6) for _ in range(5)], random.sample(range(10), 3), random.choices("ab", k=4), round(random.uniform(0, 1), 4))
r = random.Random(7); xs = [1, 2, 3]; r.shuffle(xs); print(xs, round(r.gauss(0, 1), 4))
""",
    "datetime": """
from datetime import datetime, date, time, timedelta, timezone
import datetime as dt, calendar
for s, f in [("2024-03-05", "%Y-%m-%d"), ("5 March 2024", "%d %B %Y"), ("03/05/24 14:30", "%m/%d/%y %H:%M")]:
    print(datetime.strptime(s, f).isoformat())
d = date(2024, 1, 31)
print((d + timedelta(days=30)).strftime("%A %d %b %Y"), d.isocalendar(), d.replace(day=1), calendar.monthrange(2024, 2), dt.datetime(2024, 1, 1, tzinfo=timezone.utc).timestamp())
print(datetime.fromisoformat("2024-05-06T07:08:09+02:00").astimezone(timezone.utc), time(1, 2).isoformat(), (date(2025, 1, 1) - d).days, sorted([date(2025, 1, 1), d])[0], calendar.month_name[3], list(calendar.day_abbr))
print(calendar.TextCalendar().formatmonth(2024, 2).splitlines()[0].strip(), timedelta(hours=30), datetime.min.year)
""",
    "time": """
import time
t0 = time.perf_counter(); time.sleep(0.001); print(time.perf_counter() > t0, time.strftime("%Y", time.gmtime(0)), time.strptime("2024", "%Y").tm_year, type(time.time()).__name__)
""",
    "textwrap-difflib": """
import textwrap, difflib
t = "The quick brown fox jumps over the lazy dog near the river bank"
print(textwrap.fill(t, 30)); print(textwrap.shorten(t, 25, placeholder="...")); print(textwrap.dedent("  a\\n    b")); print(textwrap.indent("x\\ny", "> ")); print(textwrap.wrap(t, 20)[:2])
print(textwrap.TextWrapper(width=20, initial_indent="* ").fill(t).splitlines()[0])
print(list(difflib.ndiff(["a", "b"], ["a", "c"])), difflib.SequenceMatcher(None, "abc", "abd").get_opcodes(), difflib.get_close_matches("tets", ["test", "text"]))
print("\\n".join(difflib.unified_diff("a b c".split(), "a x c".split(), "f", "t", lineterm="")))
""",
    "html-parser": """
from html.parser import HTMLParser
import html
class Links(HTMLParser):
    def __init__(self):
        super().__init__(); self.links = []; self._depth = 0; self.text = []
    def handle_starttag(self, tag, attrs):
        self._depth += 1
        if tag == "a": self.links.append(dict(attrs).get("href"))
    def handle_endtag(self, tag): self._depth -= 1
    def handle_data(self, data):
        if data.strip(): self.text.append(data.strip())
p = Links(); p.feed('<p>Hi <a href="x.html">there</a> &amp; more</p>'); p.close()
print(p.links, p.text, p._depth, html.escape("<b>"), html.unescape("&eacute;"))
""",
    "xml": """
import xml.etree.ElementTree as ET
root = ET.fromstring("<r><i n='1'>a</i><i n='2'>b</i></r>")
print([(e.get("n"), e.text) for e in root.findall("i")], root.find("i[@n='2']").text, [e.tag for e in root.iter()], len(root))
e = ET.Element("x", k="v"); ET.SubElement(e, "y").text = "t"; print(ET.tostring(e, encoding="unicode"))
try: ET.fromstring("<a>")
except ET.ParseError as err: print("bad xml")
""",
    "urllib-parse": """
from urllib.parse import urlparse, parse_qs, quote, unquote, urljoin, urlencode
import urllib.parse
u = urlparse("https://ex.org:8080/a/b?x=1&y=2#f")
print(u.netloc, u.path, u.port, parse_qs(u.query), quote("a b/c"), unquote("a%20b"), urljoin("http://a/b/", "c"), urlencode({"k": "v w"}), urllib.parse.urlsplit("a?b").query, u._replace(scheme="http").geturl())
""",
    "string-template": """
import string
from string import Template
print(Template("Hi $name, ${n}x").substitute(name="A", n=2), Template("$a $b").safe_substitute(a=1), string.ascii_letters[:3], string.capwords("a b"), "a-b".translate(str.maketrans("-", "_")))
class T(Template): delimiter = "#"
print(T("#x").substitute(x=1))
""",
    "hashes-and-bytes": """
import hashlib, base64, zlib, uuid, struct, binascii, json
print(hashlib.sha256(b"a").hexdigest()[:8], hashlib.md5("x".encode()).hexdigest(), hashlib.new("sha1", b"q").hexdigest()[:6])
print(base64.b64encode(b"hi").decode(), base64.urlsafe_b64decode("aGk="), zlib.crc32(b"a"), zlib.decompress(zlib.compress(b"zz")), uuid.uuid5(uuid.NAMESPACE_DNS, "a"), uuid.UUID(int=5), len(str(uuid.uuid4())))
print(struct.pack(">HI", 1, 2), struct.calcsize("<d"), binascii.hexlify(b"ab"))
""",
    "pprint": """
from pprint import pprint, pformat, PrettyPrinter
import pprint as pp
from dataclasses import dataclass
@dataclass
class A:
    x: int
    y: list
pprint({"b": list(range(30)), "a": {"n": "x" * 50, "m": [A(1, [2]), (1, 2)]}}, width=50)
print(pformat([1, 2]), pp.pformat({"z": 1, "a": 2}, sort_dicts=False)); pp.pprint("hi"); PrettyPrinter(indent=4).pprint({"k": [1]})
""",
    "collections": """
from collections import Counter, defaultdict, OrderedDict, deque, ChainMap, namedtuple, UserDict, UserList
c = Counter("mississippi"); c.update("ss"); c["z"] += 1; c.subtract({"m": 1})
print(c.most_common(2), c["none"], sum(c.values()), c & Counter("sip"), +c, sorted(c.elements())[:3], c.total())
d = defaultdict(lambda: {"n": 0, "xs": []}); d["a"]["n"] += 1; d["a"]["xs"].append(1)
q = deque([1, 2, 3], maxlen=3); q.appendleft(0); q.rotate(1)
o = OrderedDict(b=1, a=2); o.move_to_end("b"); o.popitem(last=False)
R = namedtuple("R", "a b c", defaults=[0]); r = R(1, 2)
class D(UserDict):
    def __getitem__(self, k): return super().__getitem__(k) * 2
print(dict(d), list(q), o, r, r._asdict(), R._field_defaults, ChainMap({"a": 1}, {"b": 2})["b"], D(a=2)["a"], UserList([1]) + [2])
M = namedtuple("M", ["x", "class"], rename=True); print(M._fields)
""",
    "collections-abc": """
from collections.abc import Mapping, Sequence, Iterable, Iterator, MutableMapping, Callable, Hashable
class Low(Mapping):
    def __init__(self, d): self._d = {k.lower(): v for k, v in d.items()}
    def __getitem__(self, k): return self._d[k.lower()]
    def __iter__(self): return iter(self._d)
    def __len__(self): return len(self._d)
l = Low({"A": 1}); print(l["a"], l.get("b", 9), "A" in l, list(l.items()), dict(l))
class Seq(Sequence):
    def __init__(self, *x): self._x = x
    def __getitem__(self, i): return self._x[i]
    def __len__(self): return len(self._x)
print(Seq(1, 2, 3).index(2), list(reversed(Seq(1, 2))), isinstance([], Sequence), isinstance({}, Mapping), isinstance(len, Callable), isinstance([], Hashable), isinstance(iter([]), Iterator))
class MM(MutableMapping):
    def __init__(self): self._s = {}
    def __getitem__(self, k): return self._s[k]
    def __setitem__(self, k, v): self._s[k] = v
    def __delitem__(self, k): del self._s[k]
    def __iter__(self): return iter(self._s)
    def __len__(self): return len(self._s)
m = MM(); m.update(a=1); m.setdefault("b", 2); print(dict(m), m.pop("a"), len(m))
""",
    "itertools-functools": """
import itertools as it, functools as ft, operator as op
rows = [("a", 1), ("b", 2), ("a", 3)]
for k, g in it.groupby(sorted(rows), key=op.itemgetter(0)): print(k, [v for _, v in g])
print(list(it.chain.from_iterable([[1], [2]])), list(it.islice(it.count(5, 2), 3)), list(it.accumulate([1, 2, 3], op.mul)), list(it.combinations("abc", 2))[:2], list(it.product([0, 1], repeat=2))[:3], list(it.zip_longest([1], [2, 3], fillvalue=0)), list(it.pairwise("abc")), list(it.takewhile(lambda x: x < 3, [1, 2, 5])), list(it.starmap(pow, [(2, 3)])), list(it.permutations([1, 2])), list(it.compress("abc", [1, 0, 1])))
print(ft.reduce(op.add, [1, 2, 3]), ft.partial(int, base=16)("ff"), sorted("bA", key=ft.cmp_to_key(lambda a, b: (a > b) - (a < b))))
@ft.lru_cache(maxsize=None)
def f(n): return n if n < 2 else f(n - 1) + f(n - 2)
@ft.cache
def g(n): return n
@ft.total_ordering
class V:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
    def __lt__(self, o): return self.n < o.n
print(f(40), f.cache_info(), g(1), V(1) <= V(2), V(3) > V(1)); f.cache_clear()
print(op.attrgetter("n")(V(4)), op.methodcaller("upper")("a"), op.itemgetter(1, 0)("ab"), list(map(op.itemgetter("k"), [{"k": 1}])), op.contains([1], 1))
a, b = it.tee([1, 2]); print(list(a), list(b), ft.partial(print, "x", sep="")("y"))
""",
    "heap-bisect-array": """
import heapq, bisect, array, copy, graphlib
h = []
for t in [(2, "b"), (1, "a"), (3, "c")]: heapq.heappush(h, t)
print([heapq.heappop(h) for _ in range(2)], heapq.nlargest(2, [1, 5, 3]), bisect.bisect_right([1, 2, 2], 2), array.array("d", [1.5]).tolist())
x = {"a": [1]}; y = copy.deepcopy(x); y["a"].append(2); print(x, y, list(graphlib.TopologicalSorter({"b": {"a"}, "c": {"b"}}).static_order()))
class N:
    def __init__(self, v): self.v, self._c = v, []
    def __deepcopy__(self, memo): n = N(copy.deepcopy(self.v, memo)); n._c = ["copied"]; return n
    def __copy__(self): return N("shallow")
print(copy.deepcopy(N([1]))._c, copy.copy(N(1)).v)
class Sl:
    __slots__ = ("a",)
s = Sl(); s.a = [1]; t = copy.deepcopy(s); print(t.a, t.a is s.a)
""",
    "csv-io-json": """
import csv, io, json
buf = io.StringIO()
w = csv.DictWriter(buf, fieldnames=["a", "b"], extrasaction="ignore"); w.writeheader(); w.writerows([{"a": 1, "b": "x,y", "c": 0}])
print(buf.getvalue().replace("\\r\\n", "|"))
buf.seek(0)
for row in csv.DictReader(buf): print(row, int(row["a"]) + 1)
print(list(csv.reader(["a;b", "c;'d;e'"], delimiter=";", quotechar="'")), csv.Sniffer().sniff("a;b\\n1;2").delimiter)
class Enc(json.JSONEncoder):
    def default(self, o): return sorted(o) if isinstance(o, set) else super().default(o)
print(json.dumps({"s": {2, 1}}, cls=Enc), json.dumps({"d": 1j}, default=str), json.dumps("é", ensure_ascii=False), json.loads('[1, {"a": null}]', object_hook=lambda d: d), json.dumps({"b": 1, "a": 2}, sort_keys=True, indent=1))
b = io.BytesIO(b"abc"); print(b.read(2), io.StringIO("x\\ny").readlines(), [l.strip() for l in io.StringIO("p\\nq")])
try: json.loads("[1,")
except json.JSONDecodeError as e: print(e.msg, e.pos, e.lineno)
f = io.StringIO(); json.dump([1], f); print(f.getvalue(), json.load(io.StringIO("{}")))
print("x", file=buf); print(repr(buf.getvalue()[-3:]))
""",
    "regex": '''
import re
P = re.compile(r"""(?P<y>\\d{4}) - (?P<m>\\d\\d)  # date""", re.VERBOSE | re.I)
m = re.search(r"(\\d+)[ ](?P<u>km|mi)", "12 km away")
print(m.groups(), m.groupdict(), m["u"], m.start(), m.span(1), m.group(0, 1), m.lastgroup, bool(re.match("x", "y")), P.pattern[:4])
print(re.sub(r"(\\w+) (\\w+)", r"\\2 \\1", "a b"), re.sub("a", lambda m: m.group().upper(), "banana", count=2), re.split(r"(,)", "a,b"), re.findall(r"(\\w)(\\d)", "a1b2"), [x.group() for x in re.finditer("b", "abab")], re.escape("a.b"), re.fullmatch(r"\\d+", "12").group(), re.subn("a", "b", "aa"), re.compile("q", re.M).flags, re.IGNORECASE)
try: re.compile("(")
except re.error as e: print("re.error", e.pos)
''',
    "logging-simple": """
import logging, sys
logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s", stream=sys.stdout)
log = logging.getLogger("app.sub"); log.info("n=%d %s", 3, "x"); log.debug("no"); log.warning("w")
logging.error("root %s", "e"); log.setLevel(logging.DEBUG); log.debug("now")
try: 1 / 0
except ZeroDivisionError: log.error("failed: %s", "div")
h = logging.StreamHandler(sys.stdout); h.setFormatter(logging.Formatter("[%(levelname)s] %(message)s"))
own = logging.getLogger("own"); own.addHandler(h); own.propagate = False; own.setLevel("INFO"); own.info("hi %(a)s", {"a": 1})
print(logging.getLevelName(20), logging.INFO, log.name, log.isEnabledFor(10))
""",
    "math-numbers": """
import math, cmath, fractions, numbers
from fractions import Fraction
print(math.floor(-1.5), math.trunc(1.9), math.fsum([0.1] * 10), math.dist((0, 0), (3, 4)), math.factorial(5), math.hypot(3, 4), math.degrees(math.pi), math.isnan(math.nan), math.lcm(4, 6), math.perm(5, 2), math.log2(8), math.copysign(1, -0.0))
print(Fraction("1/3") + Fraction(0.5), Fraction(3, 6).numerator, cmath.sqrt(-1), isinstance(1, numbers.Number), Fraction(7, 3).limit_denominator(2), float(Fraction(1, 4)))
""",
    "unicode-misc": """
import unicodedata, keyword, types, ast, traceback, warnings
print(unicodedata.normalize("NFKD", "é").encode("ascii", "ignore"), unicodedata.category("A"), unicodedata.name("é"), keyword.iskeyword("for"), "\\N{BULLET}")
ns = types.SimpleNamespace(a=1, **{"b": 2}); ns.c = 3; print(ns, vars(ns), ns.a)
print(ast.literal_eval("{'a': [1, 2.5, None]}"), types.MappingProxyType({"a": 1})["a"], isinstance((x for x in []), types.GeneratorType), isinstance(lambda: 0, types.FunctionType))
try: ast.literal_eval("__import__('os')")
except ValueError: print("refused")
""",
    "text-report": """
from collections import defaultdict
docs = [{"title": "A", "year": 2020, "amount": "1,200.50"}, {"title": "B", "year": 2021, "amount": "EUR 300"}, {"title": "C", "year": 2020, "amount": None}]
import re
def amount(s):
    m = re.search(r"[\\d,]+(?:\\.\\d+)?", s or "")
    return float(m.group().replace(",", "")) if m else 0.0
by = defaultdict(list)
for d in docs: by[d["year"]].append(amount(d["amount"]))
print(f"{'Year':<6}{'N':>3}{'Sum':>12}"); print("-" * 21)
for y, v in sorted(by.items()): print(f"{y:<6}{len(v):>3}{sum(v):>12,.2f}")
hdr = ["a", "b"]; rows = [[1, "xx"], [22, "y"]]
widths = [max(len(str(r[i])) for r in [hdr, *rows]) for i in range(2)]
for r in [hdr, *rows]: print(" | ".join(str(c).ljust(w) for c, w in zip(r, widths)))
""",
    "algorithms": """
from collections import deque, Counter
import heapq, math
def dijkstra(g, s):
    dist, pq = {s: 0}, [(0, s)]
    while pq:
        d, u = heapq.heappop(pq)
        if d > dist.get(u, math.inf): continue
        for v, w in g.get(u, {}).items():
            if (nd := d + w) < dist.get(v, math.inf): dist[v] = nd; heapq.heappush(pq, (nd, v))
    return dist
print(dijkstra({"a": {"b": 1, "c": 4}, "b": {"c": 2}}, "a"))
class Trie:
    def __init__(self): self.kids, self.end = {}, False
    def add(self, w):
        n = self
        for c in w: n = n.kids.setdefault(c, Trie())
        n.end = True
    def words(self, pre=""):
        if self.end: yield pre
        for c, k in sorted(self.kids.items()): yield from k.words(pre + c)
t = Trie(); [t.add(w) for w in ("to", "tea", "ten")]; print(list(t.words()))
def bm25(q, docs, k=1.5, b=0.75):
    N, avg = len(docs), sum(map(len, docs)) / len(docs)
    df = Counter(t for d in docs for t in set(d))
    return [round(sum(math.log(1 + (N - df[t] + .5) / (df[t] + .5)) * d.count(t) * (k + 1) / (d.count(t) + k * (1 - b + b * len(d) / avg)) for t in q), 3) for d in docs]
print(bm25(["cap"], [["the", "cap"], ["no"], ["cap", "cap", "x"]]))
def levenshtein(a, b):
    prev = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        cur = [i]
        for j, y in enumerate(b, 1): cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (x != y)))
        prev = cur
    return prev[-1]
print(levenshtein("kitten", "sitting"))
""",
}
