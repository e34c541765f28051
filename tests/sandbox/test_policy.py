"""The policy as a whole; what it allows and refuses construct by construct stands in `constructs/`."""

from __future__ import annotations

import ast
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.sandbox import names
from glossator.sandbox.policy import PolicyError, restrict

from .cells import error, output, run


@pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of 3.12")
def test_type_parameters() -> None:
    assert output("type Row = dict[str, int]\ndef f[T](x: T) -> T: return x\nclass C[T]: pass\nprint(f(1))") == "1\n"
    assert error("def f[__builtins__](x): pass")["type"] == "PolicyError"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="syntax of 3.12")
def test_type_parameters_need_a_newer_python() -> None:
    assert (
        error("type Row = dict")["hint"]
        == "this Python is older than that syntax; use typing.TypeVar and a plain assignment"
    )


def test_a_refusal_names_the_line_and_the_way_out() -> None:
    failed = error("x = 1\nx.__globals__")
    assert (failed["type"], failed["line"]) == ("PolicyError", 2)
    assert failed["message"] == 'the attribute "__globals__" is not available here'
    assert failed["hint"] == "globals() has the variables of the session"
    assert "cell 1, line 2" in failed["traceback"]


def test_nothing_of_a_refused_cell_runs() -> None:
    assert run("print(1)\nx.__globals__")["stdout"] == ""


def test_unknown_syntax_is_refused() -> None:
    class Novelty(ast.stmt):
        _fields = ()

    tree = ast.parse("x = 1")
    tree.body.append(Novelty(lineno=2, col_offset=0))
    with pytest.raises(PolicyError, match="Novelty"):
        restrict(tree)


@given(st.from_regex(r"__[a-z][a-z_]{0,20}[a-z]__", fullmatch=True))
def test_special_attributes_are_off_unless_in_a_table(name: str) -> None:
    source = f"x.{name}"
    if name in names.READABLE or name in names.GUARDED:
        restrict(ast.parse(source))
    else:
        with pytest.raises(PolicyError):
            restrict(ast.parse(source))


@given(st.text(alphabet="abcxyz_.()[]{}:=, \n\t'\"0123", max_size=60))
def test_any_text_gives_a_result(source: str) -> None:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    try:
        restrict(tree)
    except PolicyError as refusal:
        assert refusal.msg


def test_guards_have_names_that_no_source_can_say() -> None:
    guards = {value for name, value in vars(names).items() if name.endswith("_GUARD")} | {
        names.OWN_TYPES,
        names.EXACT_TYPE,
    }
    assert len(guards) == 7
    assert not any(name.isidentifier() for name in guards)
