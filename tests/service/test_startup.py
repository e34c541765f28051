"""What the quick commands do not import: start-up is promised, and one careless import ends it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import PATIENCE, environment

HEAVY = {
    "docling",
    "docling_core",
    "fastmcp",
    "lancedb",
    "mcp",
    "numpy",
    "onnxruntime",
    "openai",
    "pandas",
    "pyarrow",
    "pydantic",
    "pydantic_ai",
    "rich",
    "sqlalchemy",
    "tokenizers",
    "torch",
}

# Runs the command line in this process, then names what has been imported, on stderr.
PROBE = """
import sys
from glossator.service.cli import main
try:
    main()
except SystemExit as end:
    print(end.code, *sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def imported(*arguments: str) -> set[str]:
    """The top-level modules in memory after a command line that ended well."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    code, *modules = done.stderr.splitlines()[-1].split()
    assert code == "0", done.stderr
    return set(modules)


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("--version",), ("add", "--help"), ("ask", "--help"), ("mcp", "--help"), ("exec", "-c", "print(1)")],
    ids=" ".join,
)
def test_quick_commands_import_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert not imported(*arguments) & HEAVY


def test_help_starts_no_event_loop() -> None:
    assert "asyncio" not in imported("--help")


@pytest.mark.parametrize(
    "arguments", [("ls",), ("ls", "--json"), ("show", "harbour.md"), ("show", "harbour.md", "toc.json")], ids=" ".join
)
def test_what_lists_and_shows_opens_no_index(corpus: Path, arguments: tuple[str, ...]) -> None:
    found = imported(*arguments, "--corpus", str(corpus))
    assert "sqlalchemy" in found
    assert not found & (HEAVY - {"sqlalchemy"})


def test_search_does_without_what_lancedb_could_do_without(corpus: Path) -> None:
    assert not imported("search", "berths", "--corpus", str(corpus)) & {"pandas", "urllib3", "docling_core"}


def test_the_probe_sees_what_a_command_imports(corpus: Path) -> None:
    assert {"lancedb", "sqlalchemy"} <= imported("search", "berths", "--corpus", str(corpus))
