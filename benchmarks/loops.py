"""How fast plain Python runs in a cell: loops of every kind against plain CPython, and beside pydantic-monty.

    python benchmarks/loops.py [--quick] [--monty PYTHON]

PYTHON is the interpreter of a virtual environment in which pydantic-monty is installed (or `GLOSSATOR_MONTY` names it):

    python -m venv /tmp/monty && /tmp/monty/bin/pip install pydantic-monty==1.4.0

Every program runs in turns in CPython and in a cell, so that a busy machine slows both; the best of many short runs
counts. Prints times, ratios and the machine; nothing is asserted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence

from machine import machine

from glossator.sandbox import Sandbox, Session

# One kind of work each. Every program defines `work`, which is timed: about a millisecond in CPython.
LOOPS = {
    "attribute reads": """
class Point:
    def __init__(self, x): self.x = x
p = Point(1)
def work():
    total = 0
    for _ in range(20_000): total += p.x
""",
    "attribute stores": """
class Point: pass
def work():
    p = Point()
    for n in range(10_000):
        p.x = n
        p.y = p
""",
    "augmented attributes": """
class Counter:
    def __init__(self): self.count = 0
    def up(self): self.count += 1
c = Counter()
def work():
    for _ in range(15_000): c.up()
""",
    "method calls": """
class Point:
    def __init__(self, x): self.x = x
    def moved(self): return Point(self.x + 1)
def work():
    p = Point(0)
    for _ in range(6_000): p = p.moved()
""",
    "inheritance": """
class Shape:
    def __init__(self, name): self.name = name
    def area(self): return 0
class Square(Shape):
    def __init__(self, side):
        super().__init__("square")
        self.side = side
    def area(self): return self.side * self.side
def work():
    for n in range(4_000): Square(n).area()
""",
    "properties": """
class Celsius:
    def __init__(self): self.degrees = 1
    @property
    def fahrenheit(self): return self.degrees * 2
    @fahrenheit.setter
    def fahrenheit(self, value): self.degrees = value
c = Celsius()
def work():
    for n in range(6_000): c.fahrenheit = c.fahrenheit
""",
    "slots": """
class Pair:
    __slots__ = ("left", "right")
    def __init__(self, left, right): self.left, self.right = left, right
def work():
    for n in range(8_000):
        pair = Pair(n, n)
        pair.left = pair.right
""",
    "dataclasses": """
from dataclasses import dataclass
@dataclass
class Row:
    name: str
    amount: int = 0
def work():
    for n in range(6_000):
        row = Row("a", n)
        row.amount += 1
""",
    "private attributes": """
class Counted:
    def __init__(self): self._count = 0
    def up(self): self._count += 1
c = Counted()
def work():
    for _ in range(15_000): c.up()
""",
    "dict": """
def work():
    counts = {}
    for n in range(20_000):
        key = n % 1000
        counts[key] = counts.get(key, 0) + 1
""",
    "regex": r"""
import re
text = "The cap of EUR 2,000,000 holds until 31 December 2026. " * 2_000
def work(): return len(re.findall(r"\b[A-Z]{3} [\d,]+\b", text))
""",
    "calls": """
def f(a, b=1): return a
def work():
    for n in range(20_000): f(n)
""",
    "star arguments": """
def f(*args, **named): return args
def work():
    for n in range(8_000): f(*(1, 2), **{"a": n})
""",
    "subscripts": """
rows = [[1, 2, 3] for _ in range(100)]
def work():
    for n in range(15_000): rows[n % 100][1] += 1
""",
    "strings": """
def work():
    parts = []
    for n in range(8_000): parts.append("a" + str(n))
    return ",".join(parts).upper().split(",")
""",
    "f-strings": """
def work():
    for n in range(8_000): f"{n}: {n:>8} {n / 3:.2f}"
""",
    "str.format": """
def work():
    for n in range(6_000): "{}: {:>8} {:.2f}".format(n, n, n / 3)
""",
    "comprehensions": """
def work():
    rows = [{"n": n, "square": n * n} for n in range(4_000)]
    return sum(row["square"] for row in rows if row["n"] % 3 == 0)
""",
    "unpacking": """
pairs = [(n, (n, n)) for n in range(1000)]
def work():
    for _ in range(6):
        for a, (b, c) in pairs: a, b = b, a
""",
    "generators": """
def numbers(n):
    for i in range(n): yield i
def work():
    for _ in numbers(200_000): pass
""",
    "try and except": """
def work():
    for n in range(6_000):
        try: raise ValueError
        except ValueError: pass
""",
    "try and finally": """
def work():
    for n in range(20_000):
        try: n
        finally: n
""",
    "with": """
class Held:
    def __enter__(self): return self
    def __exit__(self, *error): pass
held = Held()
def work():
    for n in range(8_000):
        with held: pass
""",
    "match": """
def work():
    for n in range(8_000):
        match (n, 0):
            case (0, _): pass
            case (int() as a, 0): pass
""",
    "getattr, isinstance": """
class Point: pass
p = Point()
p.x = 1
def work():
    for n in range(8_000):
        if isinstance(p, Point) and hasattr(p, "x"): getattr(p, "x", 0)
""",
    "type": """
def work():
    for n in range(10_000): type(n) is int
""",
    "sorting": """
rows = [{"n": n * 7919 % 10_007} for n in range(2_000)]
def work(): return sorted(rows, key=lambda row: row["n"])
""",
    "json": """
import json
rows = [{"n": n, "name": "a name"} for n in range(500)]
def work(): return json.loads(json.dumps(rows))
""",
    "recursion": """
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def work(): return fib(17)
""",
    "awaiting": """
import asyncio
async def f(n): return n
async def work():
    for n in range(10_000): await f(n)
""",
}
RUNS = 10  # of `work` as it is defined once
TIMES = 6  # that it is defined in a turn: where its code and objects lie in memory makes up to 15 %
TIMED = """
import time
_best = 1e9
for _ in range({runs}):
    _started = time.perf_counter()
    {call}
    _best = min(_best, time.perf_counter() - _started)
print(_best)
"""
# Other interpreters, as child processes: a program and its call a line in, a time or a problem a line out.
CPYTHON = """
import asyncio, json, sys, time
for line in sys.stdin:
    program, call, runs = json.loads(line)
    names = {"__name__": "__main__"}
    exec(compile(program, "plain", "exec"), names)
    async def timed():
        best = 1e9
        for _ in range(runs):
            started = time.perf_counter()
            result = names["work"]()
            if call.startswith("await"): await result
            best = min(best, time.perf_counter() - started)
        return best
    print(json.dumps(asyncio.run(timed())), flush=True)
"""
MONTY = """
import json, sys, time
import pydantic_monty
for line in sys.stdin:
    program, call, runs = json.loads(line)
    best = 1e9
    try:
        with pydantic_monty.Monty() as pool, pool.checkout() as session:
            session.feed_run(program)
            for _ in range(runs):
                started = time.perf_counter()
                session.feed_run(call)
                best = min(best, time.perf_counter() - started)
            print(json.dumps(best), flush=True)
    except pydantic_monty.MontyError as error:
        print(json.dumps(str(error).splitlines()[-1][:50]), flush=True)
"""
Time = float | str  # seconds, or why there are none


class Other:
    def __init__(self, python: str, script: str) -> None:
        command = [python, "-P", "-s", "-c", script]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def time(self, program: str) -> Time:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps([program, _call(program), RUNS]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


def _call(program: str) -> str:
    return "await work()" if "async def work" in program else "work()"


async def in_cell(session: Session, program: str) -> Time:
    for code in (program, TIMED.format(call=_call(program), runs=RUNS)):
        result = await session.run(code)
        assert result.error is None, result.error
    return float(result.stdout)


async def redefined(session: Session, others: Sequence[Other], program: str) -> list[Time]:
    """The best times in a cell and in the others, defined anew in turns."""
    times = [[await in_cell(session, program), *(each.time(program) for each in others)] for _ in range(TIMES)]
    return [_best(list(column)) for column in zip(*times, strict=True)]


async def turn(monty: str | None, only: str) -> dict[str, tuple[Time, Time, Time]]:
    """Every program in a cell, in CPython and in monty, in new processes: memory lies differently in each."""
    others = [Other(sys.executable, CPYTHON), *([Other(monty, MONTY)] if monty else [])]
    times: dict[str, tuple[Time, Time, Time]] = {}
    async with Sandbox() as sandbox:
        session = await sandbox.session()
        for name, program in LOOPS.items():
            if only in name:
                cell, plain, *more = await redefined(session, others, program)
                times[name] = cell, plain, more[0] if more else ""
    for other in others:
        other.close()
    return times


async def compare(turns: int, monty: str | None, only: str = "") -> None:
    taken = [await turn(monty, only) for _ in range(turns)]
    for name in taken[0]:
        cell, plain, other = (_best([times[name][column] for times in taken]) for column in range(3))
        assert isinstance(cell, float) and isinstance(plain, float)
        beside = f"   monty {_shown(other)}" if monty else ""
        print(f"  {name:<22} CPython {_shown(plain)}   cell {_shown(cell)}   x{cell / plain:.2f}{beside}")


def _best(times: list[Time]) -> Time:
    return min((each for each in times if isinstance(each, float)), default=times[0])


def _shown(time: Time) -> str:
    return f"{time * 1e3:7.2f} ms" if isinstance(time, float) else time


async def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="fewer runs")
    options.add_argument("--only", default="", metavar="PART", help="programs with this in their name")
    options.add_argument("--monty", default=os.environ.get("GLOSSATOR_MONTY"), metavar="PYTHON")
    given = options.parse_args()
    print(machine())
    await compare(3 if given.quick else 10, given.monty, given.only)


if __name__ == "__main__":
    asyncio.run(main())
