"""Random statements, as lists of lines: one-liners, control flow, functions."""
# ruff: noqa: E501  (pieces of programs as they are written)

from __future__ import annotations

import textwrap
from collections.abc import Callable

from .expressions import Chance, Expressions

Lines = list[str]

_IN_PLACE = ("+=", "-=", "*=", "//=", "%=", "|=", "&=", "^=", "**=", "@=")
_ERRORS = (
    *("ValueError", "KeyError", "TypeError", "(IndexError, ZeroDivisionError)", "LookupError"),
    *("Exception", "ArithmeticError"),
)
_RAISED = ("ValueError", "KeyError", "IndexError", "RuntimeError", "ZeroDivisionError")


def indented(lines: Lines) -> Lines:
    return textwrap.indent("\n".join(lines) or "pass", "    ").split("\n")


class Statements(Expressions):
    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self._functions = 0  # how many functions are around
        self._coroutines = 0  # how many coroutines are around
        self._awaits = self.often(50)  # at the top level; asyncio.run() in CPython only where no loop is running

    def guarded(self, depth: int) -> Lines:
        """A statement whose error is printed."""
        inner = self.statement(depth)
        return ["try:", *indented(inner), "except Exception as e:", "    print(type(e).__name__, e)"]

    def block(self, depth: int) -> Lines:
        return [line for _ in range(1 + self.chance.randrange(2)) for line in self.statement(depth)]

    def statement(self, depth: int) -> Lines:
        if depth <= 0 or self.often(45):
            return self.pick(self.simple())()
        return self.pick(self.nested())(depth - 1)

    def simple(self) -> list[Callable[[], Lines]]:
        return [self.assign, self.show, self.show, self.in_place, self.unpack, self.delete, self.annotate]

    def nested(self) -> list[Callable[[int], Lines]]:
        return [
            *(self.branch, self.loop, self.countdown, self.attempt, self.context, self.match, self.function),
            *(self.generator, self.coroutine, self.closure, self.decorated, self.recursion),
        ]

    # ---- one line

    def assign(self) -> Lines:
        kind, make = self.pick(
            ((self.ints, self.integer), (self.texts, self.text), (self.lists, self.list), (self.dicts, self.dict))
        )
        value, name = make(2), self.name()
        kind.append(name)
        return [f"{name} = {value}"]

    def show(self) -> Lines:
        return [
            f"print({self.anything(3)}{self.pick(('', ', sep=s', ', end=chr(10)', f', {self.anything(1)}', ', *xs'))})"
        ]

    def in_place(self) -> Lines:
        target = self.pick(
            (
                "n",
                "s",
                "xs",
                "xs[0]",
                "d['a']",
                "d[n]",
                "xs[1:2]",
                *(f"{o}.a" for o in self.objects),
                *(f"{o}._a" for o in self.objects),
            )
        )
        return [f"{target} {self.pick(_IN_PLACE)} {self.anything(1)}"]

    def unpack(self) -> Lines:
        a, b = self.name(), self.name()
        return [
            self.pick(
                (
                    f"{a}, *{b} = {self.list(1)}",
                    f"{a}, ({b}, _) = 1, (2, 3)",
                    f"[{a}, {b}] = {self.text(1)}[:2]",
                    f"{a} = {b} = {self.list(1)}",
                )
            ),
            f"print({a}, {b})",
        ]

    def delete(self) -> Lines:
        return [
            self.pick(
                (
                    "del xs[0]",
                    "del d['a']",
                    "del xs[1:]",
                    "del n",
                    "del d['zz']",
                    *(f"del {o}.a" for o in self.objects),
                    *(f"del {o}._a" for o in self.objects),
                )
            )
        ]

    def annotate(self) -> Lines:
        name = self.name()
        self.ints.append(name)
        return [f"{name}: {self.pick(('int', 'list[int]', '''str | None''', '''typing.Any'''))} = {self.integer(1)}"]

    # ---- control

    def branch(self, depth: int) -> Lines:
        return [
            f"if {self.boolean()}:",
            *indented(self.block(depth)),
            f"elif {self.boolean(0)}:",
            *indented(self.block(depth)),
            "else:",
            *indented(self.block(depth)),
        ]

    def loop(self, depth: int) -> Lines:
        v = self.name("i")
        head = self.pick(
            (
                f"for {v} in {self.list(1)}[:4]:",
                f"for {v}, _ in enumerate({self.list(1)}[:3]):",
                f"for {v} in range({self.chance.randrange(4)}):",
                f"for {v} in list({self.dict(1)})[:3]:",
            )
        )
        self.ints.append(v)
        stop = [f"if {self.boolean(0)}: {self.pick(('break', 'continue'))}"] if self.often(40) else []
        return [head, *indented([*stop, *self.block(depth), f"print({v})"]), "else:", *indented(self.block(0))]

    def countdown(self, depth: int) -> Lines:
        v = self.name("c")
        return [
            f"{v} = {1 + self.chance.randrange(3)}",
            f"while {v} > 0:",
            *indented([f"{v} -= 1", *self.block(depth)]),
        ]

    def attempt(self, depth: int) -> Lines:
        lines = ["try:", *indented(self.block(depth) + ([self.raising()] if self.often(50) else []))]
        for _ in range(1 + self.chance.randrange(2)):
            lines += [
                f"except {self.pick(_ERRORS[:-2])} as e:",
                *indented(
                    [
                        *self.block(depth),
                        "print('caught', type(e).__name__, e, e.args)",
                        *([self.raising() + " from e"] if self.often(20) else []),
                    ]
                ),
            ]
        if self.often(30):
            lines += [f"except {self.pick(_ERRORS)}:", *indented(self.block(0) + (["raise"] if self.often(30) else []))]
        if self.often(30):
            lines += ["else:", *indented(self.block(0))]
        if self.often(40):
            lines += ["finally:", *indented([*self.block(depth), "print('finally')"])]
        if self.often(3):
            lines = ["try:", *indented(self.block(0)), "except* ValueError:", "    print('group')"]
        return lines

    def raising(self) -> str:
        return f"raise {self.pick(_RAISED)}({self.anything(1)})"

    def context(self, depth: int) -> Lines:
        v, m = self.name("m"), self.name("manager")
        made = [
            "@contextlib.contextmanager",
            f"def {m}(x):",
            "    print('in', x)",
            "    try:",
            "        yield x",
            f"    {self.pick(('finally:', 'except ValueError:'))}",
            "        print('out')",
        ]
        item = self.pick(
            (
                f"{m}({self.integer(1)}) as {v}",
                f"contextlib.suppress({self.pick(_ERRORS[:3])})",
                f"{m}(1) as {v}, {m}(2)",
                f"contextlib.nullcontext({self.text(1)}) as {v}",
            )
        )
        return [*made, f"with {item}:", *indented(self.block(depth) + ([self.raising()] if self.often(30) else []))]

    def match(self, depth: int) -> Lines:
        v = self.name("p")
        patterns = (
            "{'a': " + v + "}",
            f"[{v}, *_]",
            f"int({v})",
            f"str() as {v}",
            "None | True",
            f"[1, {v}] if {v}",
            "{**rest}",
            "dict() | list()",
            f"({v}, 2)",
            "-1",
            "'abc'",
            "math.pi",
        )
        cases = [line for _ in range(3) for line in (f"case {self.pick(patterns)}:", *indented(self.block(depth)))]
        return [f"{v} = 0", f"match {self.anything(1)}:", *indented([*cases, "case _:", f"    print('none', {v})"])]

    # ---- functions

    def inside(self, depth: int, *known: str) -> Lines:
        """The body of a function; what it makes is unknown outside."""
        before = {
            kind: list(getattr(self, kind)) for kind in ("ints", "texts", "lists", "dicts", "objects", "functions")
        }
        self.ints.extend(known)
        self._functions += 1
        lines = self.block(depth)
        self._functions -= 1
        for kind, names in before.items():
            setattr(self, kind, names)
        return lines

    def function(self, depth: int) -> Lines:
        f = self.name("f")
        head = self.pick(("a, b=2", "a, *, b=3", "a, /, b=1", "a: int, b: 'str' = 4", "a, b=5, *args, **kw"))
        scope = [self.pick(("global n", "global s", "")), self.pick(("'''Says.'''", ""))]
        body = [*filter(None, reversed(scope)), *self.inside(depth, "a", "b"), f"return {self.integer(1)}"]
        call = self.pick(
            (
                f"{f}(1)",
                f"{f}(*[1])",
                f"{f}(1, **{{'b': 2}})",
                f"{f}(1, b={self.integer(1)})",
                f"{f}()",
                f"{f}(1, 2, 3)",
            )
        )
        lines = [f"def {f}({head}){self.pick(('', ' -> int'))}:", *indented(body), f"print({call})"]
        self.functions.append(f)
        self.objects.append(f)
        return lines

    def closure(self, depth: int) -> Lines:
        f, total = self.name("make"), self.name("total")
        inner = [
            f"def step(x={self.integer(0)}):",
            f"    nonlocal {total}",
            f"    {total} += x",
            *indented(self.inside(depth, total)),
            f"    return {total}",
        ]
        return [
            f"def {f}():",
            *indented([f"{total} = 0", *inner, "return step"]),
            f"counter = {f}()",
            "print(counter(), counter(2), counter.__name__)",
        ]

    def recursion(self, depth: int) -> Lines:
        f = self.name("fact")
        return [
            f"@functools.{self.pick(('cache', 'lru_cache(maxsize=4)'))}",
            f"def {f}(k):",
            f"    return 1 if k <= 0 else k * {f}(k - 1)",
            f"print({f}({self.integer(0)} % 9))",
            f"print({f}.cache_info())",
        ]

    def generator(self, depth: int) -> Lines:
        g = self.name("g")
        body = [
            f"for i in {self.list(1)}[:3]:",
            "    got = yield i",
            "    if got: print('got', got)",
            *self.inside(depth),
            f"yield from {self.list(0)}",
            "return 9",
        ]
        use = self.pick(
            (
                f"print(list({g}()))",
                f"it = {g}(); print(next(it), it.send('x')); it.close()",
                f"print(*{g}())",
                f"print(sum(1 for _ in {g}()))",
                f"it = {g}(); next(it); it.throw(ValueError('t'))",
            )
        )
        return [f"def {g}():", *indented(body), use]

    def decorated(self, depth: int) -> Lines:
        deco, f = self.name("deco"), self.name("f")
        lines = [
            f"def {deco}(tag):",
            "    def wrap(fn):",
            "        @functools.wraps(fn)",
            "        def inner(*args, **kw):",
            "            print(tag, fn.__name__, args, sorted(kw))",
            "            return fn(*args, **kw)",
            "        inner.calls = 0",
            "        return inner",
            "    return wrap",
        ]
        self.functions.append(f)
        self.objects.append(f)
        return [
            *lines,
            f"@{deco}({self.text(1)})",
            f"def {f}(a=1, **kw):",
            *indented([*self.inside(depth, "a"), "return a"]),
            f"print({f}(2, z=1), {f}.__name__, {f}.calls)",
            f"{f}.calls += 1",
        ]

    def coroutine(self, depth: int) -> Lines:
        f, g = self.name("work"), self.name("ticks")
        self._coroutines += 1
        body = ["await asyncio.sleep(0)", *self.inside(depth, "a"), "return a"]
        self._coroutines -= 1
        stream = [f"async def {g}():", "    for i in range(3):", "        yield i", "        await asyncio.sleep(0)"]
        uses = (
            f"print(await {f}(1))", f"print(await asyncio.gather({f}(1), {f}(2)))", f"print([i async for i in {g}()])",
            f"print(await asyncio.gather({f}('x'), {f}(2), return_exceptions=True))", f"print(await asyncio.wait_for({f}(3), 5))",
            f"t = asyncio.create_task({f}(1)); print(await t, t.done())", f"async for i in {g}(): print(i)",
            f"async with asyncio.TaskGroup() as tg: tg.create_task({f}(1))", f"print({{i: i async for i in {g}() if i}})",
        )  # fmt: skip
        use = self.pick(uses)
        if self._coroutines:
            run = []
        elif self._awaits and not self._functions:
            run = use.split("\n")
        elif self._awaits:
            run = []
        else:
            run = ["async def main():", *indented(use.split("\n")), "asyncio.run(main())"]
        return [f"async def {f}(a):", *indented(body), *stream, *run]
