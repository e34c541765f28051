"""Modules as cells see them: the listed names, and for everything else what to use instead."""
# ruff: noqa: E501  (cells as they are written)

from __future__ import annotations

import importlib
import types
from pathlib import PurePosixPath

import pytest

from glossator.sandbox import substitutes
from glossator.sandbox.contracts import Guest
from glossator.sandbox.facades import Facades
from glossator.sandbox.modules import ALLOWED
from glossator.sandbox.stand_ins import BY_MODULE

from .cells import error, output, run

NEWER = {"batched", "Buffer", "fma", "sumprod", "kde", "PatternError", "QUOTE_NOTNULL", "QUOTE_STRINGS", "replace"} | {
    *("ReadOnly", "TypeIs", "override", "exp2", "cbrt", "ByteString", "binomialvariate"),
}


@pytest.mark.parametrize("name", sorted(ALLOWED))
def test_holds_listed_names_and_no_modules(name: str) -> None:
    held = {n: v for n, v in vars(Facades().module(name)).items() if not n.startswith("__")}
    listed = set(ALLOWED[name].split())
    children = {other.removeprefix(f"{name}.").partition(".")[0] for other in ALLOWED if other.startswith(f"{name}.")}
    assert set(held) <= listed | children
    assert listed - set(held) <= NEWER | {"stdout", "stderr"}
    assert {n for n, v in held.items() if isinstance(v, types.ModuleType)} <= children


@pytest.mark.parametrize("name", sorted(BY_MODULE))
def test_stand_ins_are_listed(name: str) -> None:
    assert set(BY_MODULE[name]) <= set(ALLOWED[name].split())


def test_confused_deputies_are_not_handed_out() -> None:
    for path in (
        "functools.update_wrapper functools.wraps functools.singledispatch operator.attrgetter operator.methodcaller "
        "dataclasses.dataclass dataclasses.fields collections.namedtuple enum.Enum ast.literal_eval"
    ).split():
        module, name = path.split(".")
        assert getattr(Facades().module(module), name) is not getattr(importlib.import_module(module), name)


@pytest.mark.parametrize(
    "name",
    [
        "pandas",
        "numpy",
        "requests",
        "subprocess",
        "threading",
        "pickle",
        "bs4",
        "yaml",
        "sqlite3",
        "argparse",
        "tempfile",
    ],
)
def test_a_refused_import_names_the_substitute(name: str) -> None:
    failed = error(f"import {name}")
    assert (failed["type"], failed["message"]) == (
        "ModuleNotFoundError",
        f"no module {name!r} here: {substitutes.MODULES[name]}",
    )


def test_an_unknown_import_names_the_nearest_module() -> None:
    assert error("import statistic")["message"] == "no module 'statistic' here: did you mean 'statistics'?"
    assert (
        error("from math import sqroot")["message"] == "'sqroot' of 'math' is not available here; did you mean 'sqrt'?"
    )


def test_refused_modules_are_really_not_there() -> None:
    assert not set(substitutes.MODULES) & set(ALLOWED)
    assert not {
        path
        for path in substitutes.ATTRIBUTES
        if path.split(".")[-1] in ALLOWED.get(path.rpartition(".")[0], "").split()
    }


@pytest.mark.parametrize("path", [path for path in substitutes.ATTRIBUTES if path.rpartition(".")[0] in ALLOWED])
def test_a_missing_member_is_refused_with_what_does_it(path: str) -> None:
    module, _, name = path.rpartition(".")
    assert error(f"from {module} import {name}")["message"].endswith(substitutes.ATTRIBUTES[path])


def test_modules_cannot_be_changed() -> None:
    for cell in (
        "import json\njson.loads = print",
        "import json\ndel json.loads",
        "import math\nsetattr(math, 'pi', 3)",
    ):
        assert error(cell)["type"] == "AttributeError"


def test_submodules_are_attributes() -> None:
    assert (
        output(
            "import collections.abc, urllib.parse\nprint(collections.abc.Mapping.__name__, urllib.parse.quote('a b'))"
        )
        == "Mapping a%20b\n"
    )
    assert output("import xml.etree.ElementTree as ET\nprint(ET.fromstring('<a/>').tag)") == "a\n"


GUEST = Guest(
    names={"Path": PurePosixPath},
    modules={"os": {"sep": "/"}, "os.path": {"join": lambda *p: "/".join(p)}, "io": {"open": "the guest's"}},
)


def test_guests_add_modules_and_names() -> None:
    cell = "import os, io, os.path as p\nfrom os import path\nprint(os.path.join('a', 'b'), path is p, os.sep, io.open, io.StringIO('x').read(), Path('/a').name)"
    assert output(cell, guests=[GUEST]) == "a/b True / the guest's x a\n"
    assert error("import os")["type"] == "ModuleNotFoundError"
    assert error("from os import system", guests=[GUEST])["type"] == "ImportError"


def test_logging_goes_to_stderr() -> None:
    cell = "import logging\nlogging.getLogger('a').warning('bare')\nlogging.warning('n=%d', 1)\nlogging.info('quiet')"
    assert run(cell)["stderr"] == "bare\nWARNING:root:n=1\n"
