"""The unusual packaging: folders at the root, links to them in `glossator/`, one version, a wheel that holds it all."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import glossator

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("analysis", "corpus", "instructions", "kernel", "sandbox", "service", "vfs")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def modules_named(path: Path) -> Iterator[str]:
    """The first part of every absolute import."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0]


# --- links ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("room", ROOMS)
def test_the_package_links_to_the_room_at_the_root(room: str) -> None:
    link = ROOT / "glossator" / room
    assert os.readlink(link) == f"../{room}"
    assert (link / "__init__.py").samefile(ROOT / room / "__init__.py")


def test_the_package_holds_nothing_but_links_and_its_own_two_files() -> None:
    present = {path.name for path in (ROOT / "glossator").iterdir()} - {"__pycache__"}
    assert present == {*ROOMS, "__init__.py", "py.typed"}


def test_every_folder_of_source_is_a_room() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"glossator", "tests"}
    assert packages == set(ROOMS)


@pytest.fixture
def without_links(tmp_path: Path) -> Path:
    """A checkout as git makes it when `core.symlinks` is off: each link is a text file that holds its target."""
    package = tmp_path / "glossator"
    package.mkdir()
    shutil.copy(ROOT / "glossator" / "__init__.py", package)
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for room in ROOMS:
        (package / room).write_text(f"../{room}")
    return tmp_path


def test_import_without_links_fails_with_one_sentence(without_links: Path) -> None:
    for statement in ("import glossator", "from glossator.service.cli import main"):
        program = [sys.executable, "-c", f"try:\n    {statement}\nexcept ImportError as e:\n    print(e)"]
        done = subprocess.run(program, cwd=without_links, capture_output=True, text=True, check=True)
        assert "is not a link to a folder" in done.stdout
        assert "core.symlinks" in done.stdout
        assert done.stdout.count("\n") == 1


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_make_without_links_fails_with_one_sentence(without_links: Path) -> None:
    done = subprocess.run(["make", "-s", "test"], cwd=without_links, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "glossator/analysis is not a link to a folder" in done.stderr
    assert "core.symlinks" in done.stderr
    assert not (without_links / ".venv").exists()


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
@pytest.mark.parametrize(
    ("script", "said"),
    [
        pytest.param(
            '#!/bin/sh\ncase "$1" in --version) echo Python 3.9.2;; *) exit 1;; esac', "is Python 3.9.2, but", id="old"
        ),
        pytest.param(
            '#!/bin/sh\ncase "$*" in *ensurepip*) exit 1;; *) exit 0;; esac', "python3-venv", id="without ensurepip"
        ),
        pytest.param(None, "There is no", id="absent"),
    ],
)
def test_make_names_what_is_wrong_with_the_interpreter(tmp_path: Path, script: str | None, said: str) -> None:
    for room in ROOMS:
        (tmp_path / "glossator" / room).mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    python = tmp_path / "python"
    if script:
        python.write_text(script)
        python.chmod(0o755)
    command = ["make", "-s", "test", f"PYTHON={python}", "UV="]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / ".venv").exists()


# --- imports -------------------------------------------------------------------------------------------------------


def test_source_uses_relative_imports_only() -> None:
    absolute = {
        str(path.relative_to(ROOT)) for path in sources(*ROOMS) if {"glossator", *ROOMS} & {*modules_named(path)}
    }
    assert not absolute


def test_tests_import_the_package_only() -> None:
    astray = {str(path.relative_to(ROOT)) for path in sources("tests") if set(ROOMS) & {*modules_named(path)}}
    assert not astray


# --- names ---------------------------------------------------------------------------------------------------------


def test_all_equals_what_is_visible() -> None:
    assert glossator.__all__ == sorted(name for name in dir(glossator) if not name.startswith("_"))


@pytest.mark.parametrize("name", ["glossator", *(f"glossator.{room}" for room in ROOMS)])
def test_every_exported_name_is_there(name: str) -> None:
    module = importlib.import_module(name)
    exported = getattr(module, "__all__", ())
    assert len(exported) == len(set(exported))  # their order is ruff's business (RUF022)
    assert [name for name in exported if not hasattr(module, name)] == []


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Corpsu'"):
        glossator.Corpsu  # noqa: B018


def test_versions_agree() -> None:
    assert glossator.__version__ == PROJECT["version"] == importlib.metadata.version("glossator")


# --- distributions -------------------------------------------------------------------------------------------------

BUILD = "import sys; from setuptools import build_meta; print(getattr(build_meta, sys.argv[1])(sys.argv[2]))"
IMPORT = """
import importlib, pathlib, pkgutil, sys
import glossator
assert pathlib.Path(glossator.__file__).is_relative_to(sys.argv[1]), glossator.__file__
names = [module.name for module in pkgutil.walk_packages(glossator.__path__, "glossator.")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""


def build(what: str, tree: Path, target: Path) -> Path:
    target.mkdir(exist_ok=True)
    command = [sys.executable, "-c", BUILD, what, str(target)]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target / done.stdout.split()[-1]


@pytest.mark.slow
def test_a_wheel_built_from_the_sdist_is_whole_and_imports(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info")
    tree = Path(shutil.copytree(ROOT, tmp_path / "tree", symlinks=True, ignore=ignored))
    with tarfile.open(build("build_sdist", tree, tmp_path / "dist")) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    site = tmp_path / "site"
    with zipfile.ZipFile(build("build_wheel", unpacked, tmp_path / "dist")) as wheel:
        wheel.extractall(site)
    assert {path.name for path in site.iterdir()} == {"glossator", f"glossator-{glossator.__version__}.dist-info"}
    shipped = {str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()}
    wanted = {str(path.relative_to(ROOT)) for path in sources(*ROOMS)}
    assert {f"glossator/{path}" for path in wanted} <= shipped
    assert {
        "glossator/py.typed",
        "glossator/corpus/data/minilm-vocab.txt",
        "glossator/instructions/analysis.md",
    } <= shipped
    environment = {**os.environ, "PYTHONPATH": str(site)}
    command = [sys.executable, "-c", IMPORT, str(site)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[-1]) > len(ROOMS)
