from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.sandbox import CellError, CellResult, Limits, ProtocolError
from glossator.sandbox.outcome import longest_text, read_result

LIMITS = Limits(output_chars=100)
KNOWN = {"number": 3, "wall_s": 0.5, "host_calls": 1, "read_bytes": 2, "session_lost": False}


def test_a_result_is_what_the_worker_said_and_the_host_knew() -> None:
    error = {"type": "ValueError", "message": "no", "traceback": "…", "hint": "", "line": 2}
    said = {"stdout": "x\n", "value": None, "error": error, "new_names": {"a": "int"}, "kept_lines": "1"}
    assert read_result(said, LIMITS, KNOWN) == CellResult(
        number=3,
        stdout="x\n",
        error=CellError("ValueError", "no", "…", "", 2),
        wall_s=0.5,
        new_names={"a": "int"},
        kept_lines="1",
        host_calls=1,
        read_bytes=2,
    )


@pytest.mark.parametrize(
    "said",
    [
        {"stdout": 1},
        {"stdout": None},
        {"value": 1},
        {"error": "text"},
        {"error": {"type": "E", "message": "", "traceback": "", "line": True}},
        {"error": {"type": "E", "message": "", "traceback": "", "more": ""}},
        {"truncated": 1},
        {"new_names": {"a": 1}},
        {"new_names": {"a": "x" * (longest_text(LIMITS) + 1)}},
        {"new_names": {str(n): "" for n in range(10_001)}},
        {"stdout": "x" * (longest_text(LIMITS) + 1)},
        {"number": 1},
        {"session_lost": False},
        {"read_bytes": 0},
        {"unknown": ""},
    ],
    ids=lambda said: str(said)[:40],
)
def test_a_result_that_no_worker_gives(said: dict[str, Any]) -> None:
    with pytest.raises(ProtocolError):
        read_result(said, LIMITS, KNOWN)


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
anything = scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.text(max_size=5), scalars, max_size=3)
fields = ["stdout", "value", "error", "truncated", "timed_out", "new_names", "kept_lines", "number", "x"]


@given(st.dictionaries(st.sampled_from(fields), anything))
def test_any_json_is_a_result_or_refused(said: dict[str, Any]) -> None:
    try:
        result = read_result(said, LIMITS, KNOWN)
    except ProtocolError:
        return
    assert type(result.stdout) is str
    assert type(result.truncated) is bool
    assert result.error is None or type(result.error.message) is str
    assert all(type(shape) is str for shape in result.new_names.values())
