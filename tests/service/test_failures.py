"""One clear line for what a person did; for our own bugs, how to see more."""

from __future__ import annotations

import pytest

from glossator.corpus.errors import CorpusError, CorpusNotFound, DocumentNotFound
from glossator.sandbox.errors import SandboxError
from glossator.service.failures import Failure, explain, for_people


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Failure("no such thing"), "no such thing"),
        (CorpusNotFound("no corpus at /x"), "no corpus at /x"),
        (CorpusError("busy"), "busy"),
        (SandboxError("too weak"), "too weak"),
        (DocumentNotFound("x", ["y"]), "no document 'x' in this corpus; did you mean y?"),
        (FileNotFoundError(2, "No such file or directory", "x.py"), "x.py: No such file or directory"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (TypeError("ours"), None),
        (KeyError("ours"), None),
        (TimeoutError(), None),
        (ConnectionResetError(104, "Connection reset by peer"), None),
    ],
    ids=lambda value: type(value).__name__,
)
def test_for_people(error: Exception, told: str | None) -> None:
    assert for_people(error) == told


def test_a_failure_is_one_line() -> None:
    assert explain(Failure("no such thing")) == "Error: no such thing"


def test_a_bug_names_the_way_to_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        raise TypeError("ours")
    except TypeError as error:
        told = explain(error)
        monkeypatch.setenv("GLOSSATOR_DEBUG", "1")
        traced = explain(error)
    assert "TypeError: ours" in told and "GLOSSATOR_DEBUG=1" in told and "Traceback" not in told
    assert "Traceback" in traced and "test_failures.py" in traced
