"""Import statements."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import pytest

from .sides import agrees, fails, refused

ALLOWED = {
    "forms": "import math, json as j\nfrom collections import Counter as C, deque\nimport collections.abc, xml.etree.ElementTree as ET\nprint(math.floor(1.5), j.dumps(1), C('a'), deque([1]), collections.abc.Sized.__name__, ET.fromstring('<a/>').tag)",
    "inside functions": "def f():\n    import bisect\n    from heapq import heappop\n    return bisect.bisect([1], 1), heappop([2])\nprint(f())",
    "try": "try:\n    import numpy_that_is_not_there\nexcept ImportError as e: print(type(e).__name__)",
    "future": "from __future__ import annotations\ndef f(a: Nowhere._x) -> 'text': return a\nprint(f(1), f.__annotations__)",
}
REFUSED = [
    ("from os import *", "import the names that you need"),
    ("import _io", "cannot be imported"),
    ("from . import x", "relative imports"),
    ("from json import _default_decoder", "cannot be imported"),
    ("from .. import y", "relative imports"),
]
FAILING = [
    ("import pandas", "Counter and defaultdict group"),
    ("import numpy", "math and statistics"),
    ("import sqlite3", "csv"),
    ("import tempfile", "io.StringIO"),
    ("import requests", "search(query)"),
    ("import subprocess", "no other programs run"),
    ("import threading", "asyncio.gather"),
    ("import statistic", "did you mean 'statistics'?"),
    ("from math import sqroot", "did you mean 'sqrt'?"),
    ("import sys\nsys.modules", "write an import statement"),
    ("import json\njson.loads = 1", "modules cannot be changed"),
    ("import argparse", "there is no command line"),
    ("import pickle", "variables persist"),
]


@pytest.mark.parametrize("name", ALLOWED)
def test_allowed(name: str) -> None:
    agrees(ALLOWED[name])


@pytest.mark.parametrize(("source", "says"), REFUSED)
def test_refused(source: str, says: str) -> None:
    refused(source, says)


@pytest.mark.parametrize(("source", "says"), FAILING)
def test_fails_when_it_runs(source: str, says: str) -> None:
    fails(source, says)
