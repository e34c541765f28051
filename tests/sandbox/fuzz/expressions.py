"""Random expressions: mostly of the kind that is asked for, now and then of any other.

`Chance` is any source of choices: `random.Random(seed)` for long runs, Hypothesis's own for runs that shrink.
"""
# ruff: noqa: E501  (pieces of programs as they are written)

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random as Chance
from typing import TypeVar

T = TypeVar("T")

_OPERATORS = ("+", "-", "*", "//", "%", "&", "|", "^", "/")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_SPECS = ("", ">5", "<6", "^7", "05", "+", ",", ".2f", "x", "b", "e", ".1%", "s", "_>8", "=+6", "zz")
_CONVERSIONS = ("", "", "!r", "!s", "!a")
_TEMPLATES = (
    "{} {}",
    "{0}-{1}",
    "{1:>4}|{0!r}",
    "{0.real}",
    "{a}",
    "{0[0]}",
    "{:{}}",
    "{{}}",
    "{0.__class__.__name__}",
    "{0.__doc__:.3}",
)
_LIBRARY_INT = (
    "math.gcd({i}, {i})", "math.isqrt(abs({i}))", "len({l})", "bisect.bisect([1, 3, 5], {i})", "operator.add({i}, {i})",
    "functools.reduce(operator.add, {l}, 0)", "sum({l})", "statistics.median([1, 2, {i}])", "int({i})", "ord('a')",
    "collections.Counter({s})['a']", "datetime.date(2024, 1, 31).day", "json.loads('[1, 2]')[0]", "hash({i} % 100)",
    "struct.calcsize('<ih')", "round({i}, -1)", "pow(2, {i} % 7)", "divmod({i}, 3)[1]", "max({i}, {i})", "next(iter([{i}]))",
    "decimal.Decimal({i}) // 3", "fractions.Fraction({i}, 7)", "heapq.nsmallest(1, [3, {i}])[0]", "int.from_bytes(b'ab', 'big')",
)  # fmt: skip
_LIBRARY_STR = (
    "json.dumps({a})", "textwrap.shorten({s} * 9, 12)", "string.ascii_lowercase[:3]", "re.sub('[a-c]', 'z', {s})",
    "html.escape({s} + '<')", "base64.b64encode({s}.encode()).decode()", "repr({a})", "str({a})", "ascii({a})",
    "hashlib.md5({s}.encode()).hexdigest()[:6]", "datetime.date(2024, 2, 1).isoformat()", "unicodedata.normalize('NFC', {s})",
    "' '.join(map(str, {l}))", "{s}.title().strip()", "str.upper({s})", "format({i}, '>4')", "pprint.pformat({a})",
    "string.Template('$a!').substitute(a={s})", "shlex.quote({s})", "difflib.get_close_matches({s}, ['abc'])", "type({a}).__name__",
    "urllib.parse.quote({s} + ' /')", "copy.copy({s})", "types.SimpleNamespace(a={i}, b={s})", "uuid.UUID(int=abs({i}))",
)  # fmt: skip
_LIBRARY_LIST = (
    "list(itertools.accumulate({l}))", "list(itertools.pairwise({l}))", "sorted({l}, key=operator.neg)", "list(reversed({l}))",
    "[*{l}, {i}]", "list(zip({l}, {l}))", "list(map(str, {l}))", "list(filter(None, {l}))", "list(enumerate({l}, 2))",
    "re.findall('[a-c]', {s})", "list(itertools.islice(itertools.count(), 3))", "list({d}.items())", "{s}.split('b')",
    "collections.Counter({s}).most_common(2)", "list(csv.reader([{s} + ',x']))", "list(range({i} % 4))", "copy.deepcopy({l})",
    "[g[0] for g in itertools.groupby({l})]", "list(collections.deque({l}, 2))", "list(array.array('i', [1, 2]))",
)  # fmt: skip
_PUBLIC = ("real", "a", "b", "size", "name", "upper", "append", "keys", "value", "x", "items", "count", "missing")
_PRIVATE = ("_a", "_b", "__a", "_missing", "_fields", "_value_", "__x")
_SPECIAL = (
    "__class__", "__name__", "__doc__", "__dict__", "__module__", "__len__", "__qualname__", "__init__", "__globals__", "__eq__",
    "__code__", "__mro__", "__bases__", "__annotations__", "__hash__", "__wrapped__", "__slots__", "__call__", "__iter__", "__self__",
)  # fmt: skip


class Expressions:
    """Expressions over the variables in scope: `ints`, `texts`, `lists`, `dicts`, `objects`, `functions`."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.ints = ["n"]
        self.texts = ["s"]
        self.lists = ["xs"]
        self.dicts = ["d"]
        self.objects: list[str] = []
        self.functions: list[str] = []
        self._fresh = 0

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.chance.randrange(len(choices))]

    def often(self, percent: int) -> bool:
        return self.chance.randrange(100) < percent

    def name(self, kind: str = "v") -> str:
        self._fresh += 1
        return f"{self.pick(('', '', '', '_'))}{kind}{self._fresh}"

    def integer(self, depth: int = 2) -> str:
        if depth <= 0 or self.often(25):
            return self.pick((self.pick(self.ints), str(self.chance.randrange(-9, 40))))
        i = lambda: self.integer(depth - 1)  # noqa: E731
        return self.pick(
            (
                lambda: f"({i()} {self.pick(_OPERATORS)} {i()})",
                lambda: f"({i()} if {self.boolean(depth - 1)} else {i()})",
                lambda: f"len({self.pick((self.text, self.list, self.dict))(depth - 1)})",
                lambda: (
                    f"(lambda a, b=2, *c, **k: a + b + len(c))({i()}, *{self.list(depth - 1)}[:{self.chance.randrange(3)}])"
                ),
                lambda: f"({self._walrus(depth)})",
                lambda: self._filled(self.pick(_LIBRARY_INT), depth),
                lambda: f"{self.list(depth - 1)}[{i()}]",
                lambda: f"sum({i()} * q for q in range({self.chance.randrange(5)}) if {self.boolean(0)})",
                lambda: f"{self.dict(depth - 1)}.get({self.key()}, {i()})",
                lambda: f"-{i()}",
                lambda: f"~{i()}",
                lambda: self.odd(depth),
            )
        )()

    def _walrus(self, depth: int) -> str:
        value = self.integer(depth - 1)
        name = self.name("w")
        self.ints.append(name)
        return f"{name} := {value}"

    def boolean(self, depth: int = 1) -> str:
        if depth <= 0:
            return self.pick(("True", "False", f"{self.pick(self.ints)} > 2", "not xs", "None"))
        return self.pick(
            (
                lambda: f"{self.integer(depth - 1)} {self.pick(_COMPARISONS)} {self.integer(depth - 1)}",
                lambda: f"{self.integer(depth - 1)} < {self.integer(0)} <= {self.integer(0)}",
                lambda: f"({self.boolean(depth - 1)} {self.pick(('and', 'or'))} {self.boolean(depth - 1)})",
                lambda: f"{self.anything(0)} {self.pick(('in', 'not in'))} {self.list(depth - 1)}",
                lambda: f"{self.anything(0)} is {self.pick(('None', 'not None'))}",
                lambda: (
                    f"isinstance({self.anything(depth - 1)}, {self.pick(('int', '(str, list)', 'dict', 'int | str', 'type', 'object'))})"
                ),
                lambda: f"{self.pick(('any', 'all'))}(q for q in {self.list(depth - 1)})",
                lambda: f"hasattr({self.anything(0)}, {self.pick(_PUBLIC)!r})",
                lambda: f"callable({self.anything(0)})",
            )
        )()

    def text(self, depth: int = 2) -> str:
        if depth <= 0 or self.often(25):
            return self.pick(
                (self.pick(self.texts), self.pick(("'abc'", '"ä\\n"', "''", "r'\\d'", "'''q\nq'''", "'{}'")))
            )
        t = lambda: self.text(depth - 1)  # noqa: E731
        return self.pick(
            (
                lambda: f"({t()} + {t()})",
                lambda: self.formatted(depth),
                lambda: f"{t()}[{self.slice()}]",
                lambda: f"{t()}.{self.pick(('upper', 'title', 'strip', 'swapcase', 'casefold'))}()",
                lambda: f"{self.pick(_TEMPLATES)!r}.format({self.anything(0)}, {self.anything(0)})",
                lambda: f"'%s|%5r' % ({self.anything(0)}, {self.anything(0)})",
                lambda: self._filled(self.pick(_LIBRARY_STR), depth),
                lambda: self.odd(depth),
            )
        )()

    def formatted(self, depth: int) -> str:
        parts = []
        for _ in range(1 + self.chance.randrange(3)):
            inner = self.anything(depth - 1)
            if not set(inner) & set("\"'\\{}\n#!:="):  # what an f-string of 3.11 cannot hold
                spec = self.pick(_SPECS) if self.often(50) else ""
                parts.append("{" + inner + self.pick(_CONVERSIONS) + (f":{spec}" if spec else "") + "}")
            parts.append(self.pick(("", "-", " x ", "{{}}", "{n=}", "{n:{n % 5}d}", "{s!r:>9}")))
        return "f'" + "".join(parts) + "'"

    def list(self, depth: int = 2) -> str:
        if depth <= 0 or self.often(25):
            return self.pick((self.pick(self.lists), "[]", f"[{self.integer(0)}, {self.integer(0)}]"))
        v = self.name("q")
        return self.pick(
            (
                lambda: f"[{v} * 2 for {v} in {self.list(depth - 1)} if {v}]",
                lambda: f"[({v}, {v}{v}) for {v} in {self.list(depth - 1)} for {v}{v} in {self.list(0)}][:6]",
                lambda: f"({self.list(depth - 1)} + {self.list(depth - 1)})",
                lambda: f"[*{self.list(depth - 1)}, *{self.text(0)}]",
                lambda: f"{self.list(depth - 1)}[{self.slice()}]",
                lambda: f"sorted({self.list(depth - 1)}, key=lambda {v}: str({v}), reverse={self.boolean(0)})",
                lambda: f"list({{{v}: 1 for {v} in {self.text(0)}}})",
                lambda: f"sorted({{str({v}) for {v} in {self.list(depth - 1)}}})",
                lambda: self._filled(self.pick(_LIBRARY_LIST), depth),
            )
        )()

    def dict(self, depth: int = 2) -> str:
        if depth <= 0 or self.often(40):
            return self.pick((self.pick(self.dicts), "{}", f"{{{self.key()}: {self.integer(0)}}}"))
        v = self.name("k")
        return self.pick(
            (
                lambda: f"{{{v}: {self.integer(0)} for {v} in {self.list(depth - 1)} if isinstance({v}, (int, str))}}",
                lambda: f"{{**{self.dict(depth - 1)}, {self.key()}: {self.anything(0)}}}",
                lambda: f"({self.dict(depth - 1)} | {self.dict(0)})",
                lambda: f"dict(a={self.integer(0)}, **{{'b': {self.text(0)}}})",
                lambda: f"dict(zip({self.text(0)}, {self.list(0)}))",
                lambda: f"dict(collections.Counter({self.text(0)}))",
            )
        )()

    def anything(self, depth: int = 2) -> str:
        kinds: list[Callable[[int], str]] = [self.integer, self.text, self.list, self.dict]
        if self.objects and self.often(30):
            return self.pick(self.objects)
        if self.often(8):
            return self.pick(
                (
                    "None",
                    "1.5",
                    "2j",
                    "b'ab'",
                    "...",
                    "int",
                    "(1, 'a')",
                    "{1}",
                    "frozenset()",
                    "len",
                    "True",
                    "range(3)",
                )
            )
        return self.pick(kinds)(depth)

    def odd(self, depth: int) -> str:
        """Attributes of every sort on every sort of value."""
        value = self.pick(self.objects) if self.objects and self.often(60) else self.anything(depth - 1)
        attribute = self.pick(self.pick((_PUBLIC, _PUBLIC, _PRIVATE, _SPECIAL)))
        holder = f"({value})"
        return self.pick(
            (
                f"{holder}.{attribute}",
                f"{holder}.{attribute}",
                f"getattr({value}, {attribute!r}, {self.integer(0)})",
                f"{holder}.{attribute}({self.anything(0)})",
                f"hasattr({value}, {attribute!r})",
                f"operator.attrgetter({attribute!r})({value})",
                f"vars({value})",
                f"type({value})",
                f"type({value}).__name__",
            )
        )

    def key(self) -> str:
        return self.pick(("'a'", "'b'", "1", "n", "(1, 2)", "None"))

    def slice(self) -> str:
        return self.pick(("1:", ":2", "::-1", "-1", "0", "1:5:2", "n:", ":-1", "n % 2"))

    def _filled(self, template: str, depth: int) -> str:
        makers = {"{i}": self.integer, "{s}": self.text, "{l}": self.list, "{d}": self.dict, "{a}": self.anything}
        for hole, make in makers.items():
            while hole in template:
                template = template.replace(hole, make(depth - 1).replace("{", "\0").replace("}", "\1"), 1)
        return template.replace("\0", "{").replace("\1", "}")
