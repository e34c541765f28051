"""Random classes: with private attributes, properties and special methods; dataclasses, enums and named tuples."""
# ruff: noqa: E501  (pieces of programs as they are written)

from __future__ import annotations

from collections.abc import Callable

from .statements import Lines, Statements, indented

_BINARY = (
    *("__add__", "__mul__", "__sub__", "__lt__", "__eq__", "__contains__", "__getitem__", "__radd__", "__iadd__"),
    "__or__",
)
_UNARY = (
    *("__len__", "__repr__", "__str__", "__bool__", "__iter__", "__hash__", "__neg__", "__int__", "__index__"),
    "__reversed__",
)
_BODIES = {
    "__repr__": "'R'",
    "__str__": "'S'",
    "__bool__": "True",
    "__iter__": "iter([1, 2])",
    "__reversed__": "iter([2, 1])",
}
_RESULTS = ("self", "True", "5", "other", "NotImplemented")


class Declarations(Statements):
    def nested(self) -> list[Callable[[int], Lines]]:
        return [*super().nested(), self.cls, self.cls, self.record, self.enumeration]

    def cls(self, depth: int) -> Lines:
        c, o = self.name("C"), self.name("o")
        base = self.pick(
            (
                "",
                "",
                "",
                "(object)",
                "(dict)",
                "(list)",
                "(abc.ABC)",
                "(Exception)",
                "(collections.UserDict)",
                "(str)",
                "(typing.Generic[typing.TypeVar('T')])",
            )
        )
        start = [
            "def __init__(self, *a):",
            *indented(
                [
                    *(["super().__init__()"] if self.often(60) else []),
                    f"self.a = {self.integer(1)}",
                    f"self._a = {self.text(1)}",
                    "self.__x = 5",
                ]
            ),
        ]
        parts: list[Lines] = [start] if self.often(80) else [[f"a = {self.integer(1)}", "_a = 'k'"]]
        for _ in range(1 + self.chance.randrange(4)):
            parts.append(
                self.pick(
                    (self._property, self._method, self._operator, self._class_method, self._private, self._special)
                )(depth)
            )
        body = [line for part in parts for line in part]
        deco = self.pick(("", "", "", "", "@functools.total_ordering", "@dataclasses.dataclass"))
        self.objects.append(o)
        uses = (
            f"print({o}.a, {o}._a)",
            f"print({o}.size)",
            f"print({o} + 1)",
            f"print({o}.go(1))",
            f"print(len({o}))",
            f"{o}.a = 7",
            f"{o}._a = 'new'",
            f"print({o}._C__x)",
            f"print(repr({o})[:4])",
            f"print({c}.make().a)",
            f"print(sorted(vars({o})))",
            f"{o}.fresh = 1; print({o}.fresh)",
            f"print(isinstance({o}, {c}), {c}.__name__)",
            f"print({o}.secret())",
            f"print([*{o}])",
            f"print({o} == {o}, {o} < {o})",
            f"setattr({o}, '_a', 1); print(getattr({o}, '_a'))",
            f"print({o}.__dict__.get('a'), type({o}).__name__, {c}.__doc__)",
            f"class {c}s({c}):\n    def go(self, x): return ('sub', super().go(x), self._a)\nprint({c}s().go(2))",
        )
        shown = [line for use in (self.pick(uses), self.pick(uses)) for line in use.split("\n")]
        return [*filter(None, [deco]), f"class {c}{base}:", *indented(body), f"{o} = {c}()", *shown]

    def _property(self, depth: int) -> Lines:
        return [
            "@property",
            "def size(self):",
            *indented([f"return {self.pick(('self._a', 'self.a', 'self.__x', 'len(self._a)'))}"]),
            "@size.setter",
            "def size(self, v):",
            "    self._a = v",
        ]

    def _method(self, depth: int) -> Lines:
        return [
            "def go(self, x):",
            *indented(
                [
                    *self.inside(depth, "x", "self.a"),
                    self.pick(("self.a += x", "self._a = x", "self.__x -= 1", "")) or "pass",
                    f"return {self.pick(('self._a, x', 'self.a', 'self', 'self.__x', 'x'))}",
                ]
            ),
        ]

    def _operator(self, depth: int) -> Lines:
        if self.often(50):
            name = self.pick(_UNARY)
            return [f"def {name}(self): return {_BODIES.get(name, '2')}"]
        return [f"def {self.pick(_BINARY)}(self, other): return {self.pick(_RESULTS)}"]

    def _class_method(self, depth: int) -> Lines:
        return self.pick(
            (
                ["@classmethod", "def make(cls, *a): return cls(*a)"],
                ["@staticmethod", "def make(*a): return a"],
                ["@functools.cached_property", "def size(self):", "    print('computed')", "    return 3"],
                ["@abc.abstractmethod", "def missing(self): ..."],
            )
        )

    def _private(self, depth: int) -> Lines:
        return [
            "def _hidden(self): return self._a",
            "def secret(self): return self._hidden(), self.__deep()",
            "def __deep(self): return self.__x",
        ]

    def _special(self, depth: int) -> Lines:
        return self.pick(
            (
                ["def __getattr__(self, name): return 'got ' + name"],
                ["def __call__(self, *a): return a"],
                ["def __enter__(self): return self", "def __exit__(self, *e): return True"],
                ["def __init_subclass__(cls, **kw): print('sub', cls.__name__)"],
                ["__slots__ = ('a', '_a', 'fresh')"],
                ["def __class_getitem__(cls, item): return item"],
                ["def __setattr__(self, k, v): super().__setattr__(k, v)"],
                ["def __del__(self): print('gone')"],
                ["def __format__(self, spec): return 'F' + spec"],
                ["__hash__ = None"],
                ["'''The doc.'''"],
                ["def __getattribute__(self, k): return 1"],
            )
        )

    def record(self, depth: int) -> Lines:
        c, o = self.name("D"), self.name("o")
        self.objects.append(o)
        options = self.pick(("", "(frozen=True)", "(order=True)", "(slots=True)", "(kw_only=True)", "(repr=False)"))
        fields = [
            "a: int = 1",
            f"b: list = dataclasses.field(default_factory=lambda: {self.list(0)})",
            f"_a: str = {self.text(0)}",
        ]
        uses = (
            f"print({o})",
            f"print(dataclasses.asdict({o}))",
            f"print(dataclasses.replace({o}, a=5))",
            f"print({o} == {c}())",
            f"{o}.a = 3",
            f"print(hash({o}))",
            f"print([f.name for f in dataclasses.fields({c})])",
            f"print({o} < {c}(a=9))",
            f"match {o}:\n    case {c}(a=z): print(z)",
        )
        return [
            f"@dataclasses.dataclass{options}",
            f"class {c}:",
            *indented(
                [
                    *fields,
                    *(["def __post_init__(self): print('made', self.a)"] if self.often(30) else []),
                    *self._method(0),
                ]
            ),
            f"{o} = {c}({self.pick(('', 'a=2', '4'))})",
            *self.pick(uses).split("\n"),
            *self.pick(uses).split("\n"),
        ]

    def enumeration(self, depth: int) -> Lines:
        c = self.name("E")
        kind = self.pick(("Enum", "IntEnum", "StrEnum", "Flag"))
        members = (
            ["A = enum.auto()", "B = enum.auto()"]
            if self.often(60)
            else ["A = 'a'", "B = 'b'"]
            if kind in ("Enum", "StrEnum")
            else ["A = 1", "B = 2"]
        )
        named = f"{c} = collections.namedtuple({c!r}, 'a b')\nprint({c}(1, 2), {c}(1, 2)._asdict(), {c}._fields, {c}(1, 2)._replace(a=3))\nprint({c}(1))"
        uses = (
            f"print({c}.A, repr({c}.A), {c}.A.value, {c}.A.name)",
            f"print(list({c}), len({c}))",
            f"print({c}['B'], {c}('zz'))",
            f"print({c}.A | {c}.B)",
            f"print({c}.A < {c}.B)",
            f"print(sorted({c}.__members__))",
        )
        if self.often(30):
            return named.split("\n")
        return [f"class {c}(enum.{kind}):", *indented(members), self.pick(uses), self.pick(uses)]
