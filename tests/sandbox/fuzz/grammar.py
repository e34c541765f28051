"""Random programs from a grammar of Python, each of which prints what it comes to."""

from __future__ import annotations

from .declarations import Declarations
from .expressions import Chance

_START = """\
import abc, array, asyncio, base64, bisect, collections, contextlib, copy, csv, dataclasses, datetime, decimal
import difflib, enum, fractions, functools, hashlib, heapq, html, itertools, json, math, operator, pprint, re, shlex
import statistics, string, struct, textwrap, types, typing, unicodedata, urllib.parse, uuid
n, s, xs, d = 3, 'abca', [1, 2, 3], {'a': 1}
"""


def program(chance: Chance) -> str:
    """One program; what it catches it prints."""
    writer = Declarations(chance)
    lines = [line for _ in range(2 + chance.randrange(5)) for line in writer.guarded(2)]
    return _START + "\n".join(lines) + "\nprint(n, s, xs, d)\n"
