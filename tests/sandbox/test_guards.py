"""The guards that compiled cells call: each judges the value that it hands out."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import asyncio
import contextlib
import typing

import pytest

from glossator.sandbox import classes, ownership

from .cells import error, output


@pytest.mark.parametrize(
    ("cls", "name"),
    [(asyncio.TaskGroup, "_loop"), (contextlib._RedirectStream, "_old_targets"), (contextlib.ExitStack, "_exit_callbacks")],
)  # fmt: skip
def test_private_names_of_library_classes_are_found(cls: type, name: str) -> None:
    assert any(name in ownership.foreign_privates(base) for base in cls.__mro__)


@pytest.mark.parametrize(
    "expression", ["math._x", "(1)._x", "[]._x", "asyncio.Queue()._queue", "asyncio.Queue._queue", "re._x"]
)
def test_private_attributes_of_others_are_off(expression: str) -> None:
    failed = error(f"async def f(): {expression}\nawait f()")
    assert failed["type"] == "AttributeError"
    assert "is not available here" in failed["message"] or "has no attribute" in failed["message"]


@pytest.mark.parametrize("call", ["getattr({0}, {1!r})", "operator.attrgetter({1!r})({0})"])
@pytest.mark.parametrize("name", ["__globals__", "__code__", "gi_frame", "_x", "__self__"])
def test_reading_by_name_is_guarded(call: str, name: str) -> None:
    failed = error(
        f"import operator\ndef g(): yield\n{call.format('(lambda: 0)' if name != 'gi_frame' else 'g()', name)}"
    )
    assert failed["type"] == "AttributeError"


def test_getattr_is_otherwise_pythons() -> None:
    assert (
        output("print(getattr(1, 'nope', 'd'), getattr('a', 'upper')(), hasattr(1, '__globals__'), hasattr(1, 'real'))")
        == "d A False True\n"
    )
    assert (
        output("print(hasattr(1, '__dict__'), getattr([], '__class__'), getattr([], '__len__')())")
        == "False <class 'list'> 0\n"
    )
    assert error("getattr(1, 2)")["message"] == "attribute name must be string"
    assert error("(1).foo")["message"] == "'int' object has no attribute 'foo'"


FORMATS = ("{!r}.format(f, 2, x=f)", "str.format({!r}, f, 2, x=f)", "{!r}.format_map({{'0': f, 'x': f}})")
FORMATS += ("Formatter().format({!r}, f, 2, x=f)", "UserString({!r}).format(f, 2, x=f)")
IMPORTS = "from string import Formatter\nfrom collections import UserString\nf = lambda: 0\n"


@pytest.mark.parametrize("call", FORMATS)
@pytest.mark.parametrize(
    "template",
    ["{0.__class__}", "{0:{x.__class__}}", "{0.__globals__}", "{0.__code__.co_names}", "{x.__class__.__base__}"],
)
def test_format_strings_read_what_code_may_read(template: str, call: str) -> None:
    if "format_map" in call:
        template = template.replace("{0", "{x")
    failed = error(IMPORTS + call.format(template))
    assert failed["type"] == "AttributeError"
    assert "available here" in failed["message"] or "may not read" in failed["message"]


def test_format_strings_may_name_the_class() -> None:
    cell = "class P:\n    def __init__(self): self._x = 1\n    def __repr__(self): return '{0.__class__.__name__}({0._x!r:>3})'.format(self)\nprint(P())"
    assert output(cell) == "P(  1)\n"


def test_format_strings_do_what_they_do() -> None:
    assert (
        output("print('{0.real:>4} {1[k]} {x!r} {{}} {:.1f}'.replace('{:.1f}', '').format(3, {'k': 1}, x='a'))")
        == "   3 1 'a' {} \n"
    )
    assert error("'{} {}'.format(1)")["type"] == "IndexError"


def test_type_tells() -> None:
    assert output(
        "print(type(1), type(type(1)), isinstance(int, type), type(int) is type, issubclass(bool, type))"
    ) == ("<class 'int'> <class 'type'> True True False\n")
    assert error("type(int)()")["type"] == "TypeError"


@pytest.mark.parametrize("base", ["super", "type", "type(math)", "type(list[int])", "type(list[int])(super, ())"])
def test_base_classes_that_stand_for_other_objects_are_refused(base: str) -> None:
    assert "cannot be a base class here" in error(f"class A({base}): pass")["message"]


def test_generic_bases_are_allowed() -> None:
    cell = "from typing import Generic, TypeVar, NamedTuple, Protocol, TypedDict, Annotated\nT = TypeVar('T')\n"
    cell += "class A(Generic[T]): pass\nclass B(A[int], dict[str, int]): pass\nclass P(Protocol[T]): pass\nclass N(NamedTuple, Generic[T]): x: int\n"
    cell += "class D(TypedDict): x: int\nclass E(D, total=False): y: int\nprint(B(a=1), N(1), E(x=1))"
    assert output(cell) == "{'a': 1} N(x=1) {'x': 1}\n"


@pytest.mark.parametrize("name", ["gi_frame", "_x", "format", "obj", "register", "__globals__"])
def test_patterns_read_no_guarded_attribute(name: str) -> None:
    class Matched:
        __match_args__ = ("fine", name)

    classes.limit_match_args(Matched)
    assert Matched.__match_args__ == ()


def test_dataclasses_can_be_matched() -> None:
    cell = "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: int\n"
    assert output(f"{cell}match P(1, 2):\n    case P(a, b): print(a, b)") == "1 2\n"


def test_library_state_of_a_subclass_stays_hidden() -> None:
    cell = "class T(asyncio.TaskGroup):\n    def __init__(self): super().__init__(); self._mine = 1\n"
    cell += "async with T() as t: print(t._mine, '_loop' in vars(t), '_mine' in vars(t))"
    assert output(cell) == "1 False True\n"


def test_annotations_are_a_copy() -> None:
    assert output("class C:\n    x: int\nC.__annotations__['y'] = 1\nprint(list(C.__annotations__))") == "['x']\n"


def test_every_special_name_of_a_finished_class_is_known() -> None:
    with pytest.raises(TypeError, match="__getstate__"):
        classes.check_class(type("C", (), {"__module__": ownership.MODULE, "__getstate__": None}))


def test_named_tuple_stand_in_is_typings() -> None:
    made = typing.cast(
        "typing.Any",
        output("from typing import NamedTuple\nclass N(NamedTuple):\n    x: int = 1\nprint(N(), N._fields)"),
    )
    assert made == "N(x=1) ('x',)\n"
