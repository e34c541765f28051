"""Plain data as bytes: what goes in, what stays out, and what a hostile checkpoint can do (nothing)."""

from __future__ import annotations

import array
import calendar
import collections
import csv
import datetime
import decimal
import fractions
import math
import os
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.sandbox.checkpoints import NoCheckpoint, read, write

KNOWN = {id(math): ("math", ""), id(math.sqrt): ("math", "sqrt")}


def find(module: str, name: str) -> Any:
    return getattr(math, name) if name else math


def again(**variables: Any) -> dict[str, Any]:
    checkpoint = write(variables, {1: "printed"}, KNOWN, find, {"place": "/"})
    assert checkpoint.left == ()
    restored = read(checkpoint.data, find)
    assert (restored.outputs, restored.more) == ({1: "printed"}, {"place": "/"})
    return restored.variables


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters()) | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.tuples(inner, inner)
        | st.frozensets(st.integers(), max_size=3)
    ),
    max_leaves=12,
)


@given(PLAIN)
def test_plain_data_comes_back(value: object) -> None:
    assert again(x=value)["x"] == value


@pytest.mark.parametrize(
    "value",
    [
        collections.Counter("abca"),
        collections.defaultdict(list, {1: [2]}),
        collections.OrderedDict(a=1),
        collections.deque([1, 2], maxlen=2),
        datetime.datetime(2026, 11, 30, tzinfo=datetime.UTC),
        datetime.date(2026, 11, 30),
        datetime.timedelta(1),
        decimal.Decimal("1.50"),
        fractions.Fraction(1, 3),
        array.array("d", [1.5]),
        range(3),
        1 + 2j,
        math,
        math.sqrt,
        int,
        10**1000,
    ],
    ids=lambda value: type(value).__name__,
)
def test_types_of_the_library_come_back(value: object) -> None:
    restored = again(x=value)["x"]
    assert (restored, type(restored)) == (value, type(value))


def test_what_variables_share_is_shared_again() -> None:
    inner: list[Any] = [1]
    inner.append(inner)
    restored = again(a=inner, b={"inner": inner})
    assert restored["b"]["inner"] is restored["a"] and restored["a"][1] is restored["a"]


def test_code_and_its_instances_stay_out() -> None:
    class Made:
        pass

    class Text(str):
        pass

    values = {
        "f": lambda: 1,
        "Made": Made,
        "made": Made(),
        "inside": [Made()],
        "g": (n for n in [1]),
        "text": Text("x"),
    }
    checkpoint = write({"x": 1, **values}, {}, KNOWN, find, {"settings": Made()})
    assert set(checkpoint.left) == {*values, "settings"}
    assert read(checkpoint.data, find).variables["x"] == 1


def test_sets_that_come_back_in_another_order_are_named() -> None:
    grown = set(range(0, 4000, 7))
    for n in range(0, 3900, 7):
        grown.discard(n)
    grown |= {str(n) for n in range(9)}
    checkpoint = write({"grown": grown, "small": {1, 2}}, {}, KNOWN, find, {})
    restored = read(checkpoint.data, find).variables
    assert restored["grown"] == grown
    assert list(restored["grown"]) == list(grown) or checkpoint.reordered == ("grown",)
    assert list(restored["small"]) == [1, 2]


def test_settings_of_the_library_come_back() -> None:
    def settings() -> tuple[Any, ...]:
        context = decimal.getcontext()
        return (
            repr(context),
            csv.list_dialects(),
            csv.get_dialect("ours").delimiter if "ours" in csv.list_dialects() else "",
            csv.field_size_limit(),
            calendar.firstweekday(),
        )

    before = write({}, {}, KNOWN, find, {}), settings()
    decimal.getcontext().prec, decimal.getcontext().capitals = 5, 0
    decimal.getcontext().traps[decimal.Inexact] = True
    csv.register_dialect("ours", delimiter=";", quoting=csv.QUOTE_NONE, escapechar="!")
    csv.field_size_limit(77)
    calendar.setfirstweekday(6)
    changed = write({}, {}, KNOWN, find, {}), settings()
    for checkpoint, expected in (before, changed, before):
        read(checkpoint.data, find)
        assert settings() == expected


class Evil:
    def __reduce__(self) -> Any:
        return os.system, ("true",)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no pickle",
        pickle.dumps(Evil()),
        pickle.dumps({"variables": {"x": Evil()}}),
        pickle.dumps({"variables": {}}),
        b"cbuiltins\neval\n(S'1'\ntR.",
        b"cglossator.sandbox.checkpoints\nfind\n(S''\nS'eval'\ntR.",
        b"cglossator.sandbox.checkpoints\nread\n.",
    ],
)
def test_what_is_no_checkpoint_is_refused(data: bytes) -> None:
    with pytest.raises(NoCheckpoint):
        read(data, find)
