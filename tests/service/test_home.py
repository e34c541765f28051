"""The user's home is left alone: no cache, no settings, no telemetry of a library."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Glossator, write


@pytest.mark.parametrize(
    "arguments",
    [("add",), ("ls",), ("search", "berths"), ("ask", "How many berths has the north quay?"), ("doctor",)],
    ids=lambda arguments: arguments[0],
)
def test_nothing_is_written_to_the_home(
    glossator: Glossator, own_corpus: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    added = [str(write(tmp_path / "more", {"note.md": "# Note\n\nText.\n"}))] if arguments == ("add",) else []
    env = {"HOME": str(home), "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""}
    ran = glossator(*arguments, *added, "--corpus", str(own_corpus), env=env)
    assert (ran.code, ran.err) == (0, "")
    assert [path.relative_to(home) for path in home.rglob("*")] == []
