"""The sandbox on every version of Python that is supported and found here: its own tests, run by each."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent
VERSIONS = [f"3.{minor}" for minor in (11, 12, 13) if sys.version_info[:2] != (3, minor)]
# What language and jail depend on: programs side by side with CPython, attacks, the policy, the jail, rebuilding.
SUITES = ("programs", "attacks", "policy", "guards", "interpreter", "jail", "filter", "reach", "rebuild", "checkpoints")
SKIPPED = ("syntax of 3.12", "no shared material")  # why one of them may be
NEEDED = ("orjson>=3.10,<4", "RestrictedPython>=9.0,<10", "pytest>=8.4,<10", "hypothesis>=6.130,<7", "anyio>=4")


def found(version: str) -> Path | None:
    """An interpreter of that version: on the path, or one of pyenv's."""
    there = [shutil.which(f"python{version}"), *Path("~/.pyenv/versions").expanduser().glob(f"{version}.*/bin/python3")]
    for each in filter(None, there):
        said = subprocess.run(
            [each, "-c", "import sys, venv, ensurepip; print(sys.version)"], capture_output=True, text=True
        )
        if said.stdout.startswith(version):
            return Path(each)
    return None


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_the_sandbox_on(version: str, tmp_path: Path) -> None:
    interpreter = found(version)
    if interpreter is None:
        pytest.skip(f"no Python {version} here")
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([interpreter, "-m", "venv", tmp_path / "venv"], check=True)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, *NEEDED], check=True)
    subprocess.run([*install, "--no-deps", "--editable", PROJECT], check=True)
    files = [f"tests/sandbox/test_{name}.py" for name in SUITES]
    # Both the default tests and the slow ones; warnings of a newer version are no errors here.
    command = [python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-o", "addopts=", "-W", "default", *files]
    ran = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-6000:]
    skipped = [line for line in ran.stdout.splitlines() if line.startswith("SKIPPED")]
    assert all(any(reason in line for reason in SKIPPED) for line in skipped), skipped
