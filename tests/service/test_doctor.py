"""`glossator doctor`: what is there, what is not, and the way to fix it."""

from __future__ import annotations

from pathlib import Path

import pytest

from glossator.service import doctor
from glossator.service.configuration import configure

from .conftest import Glossator, write

CHECKS = ["store", "embedder", "sandbox", "conversion", "model"]


def test_everything_is_there(glossator_here: Glossator, corpus: Path) -> None:
    ran = glossator_here("doctor", "--json", "--corpus", str(corpus))
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["ok"] is True
    checks = {check["name"]: check for check in ran.json["checks"]}
    assert list(checks) == CHECKS
    assert all(check["status"] in ("ok", "note") for check in checks.values())
    assert checks["store"]["facts"]["documents"] == 3
    assert checks["embedder"]["facts"]["dimension"] == 384
    assert checks["sandbox"]["facts"]["level"] in (2, 3)
    assert {"landlock", "namespaces", "seccomp"} <= checks["sandbox"]["facts"]["layers"].keys()


def test_for_people(glossator_here: Glossator, tmp_path: Path) -> None:
    """A file where the corpus should be: told with the way out, and the other parts are examined all the same."""
    file = write(tmp_path, {"file": "no folder"}) / "file"
    ran = glossator_here("doctor", "--corpus", str(file))
    told = ran.out.splitlines()
    assert ran.code == 1
    assert [line.split()[1] for line in told if not line.startswith(" ")] == [f"{name}:" for name in CHECKS]
    assert told[0].startswith("BROKEN") and str(file) in told[0] and told[1].strip().startswith("fix: ")
    assert any("isolation level" in line for line in told)


@pytest.mark.anyio
async def test_no_corpus_yet_is_no_fault(tmp_path: Path) -> None:
    found = await doctor.store(configure(str(tmp_path / "none"), {}))
    assert found.status == "note" and f"{tmp_path / 'none'} add PATH" in found.fix
    assert not (tmp_path / "none").exists()


@pytest.mark.anyio
async def test_no_corpus_and_none_possible(tmp_path: Path) -> None:
    write(tmp_path, {"file": "no folder"})
    found = await doctor.store(configure(str(tmp_path / "file" / "below"), {}))
    assert found.status == "broken" and "GLOSSATOR_CORPUS" in found.fix
