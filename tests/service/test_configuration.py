"""What decides where the corpus is."""

from __future__ import annotations

from pathlib import Path

import pytest

from glossator.service.configuration import configure

from .conftest import Glossator


@pytest.mark.parametrize(
    ("option", "environ", "expected", "source"),
    [
        ("/a", {"GLOSSATOR_CORPUS": "/b"}, "/a", "--corpus"),
        (None, {"GLOSSATOR_CORPUS": "/b"}, "/b", "GLOSSATOR_CORPUS"),
        ("", {"GLOSSATOR_CORPUS": "/b"}, "/b", "GLOSSATOR_CORPUS"),
    ],
    ids=["option", "variable", "empty option"],
)
def test_order(option: str | None, environ: dict[str, str], expected: str, source: str) -> None:
    configuration = configure(option, environ)
    assert (configuration.corpus, configuration.corpus_source) == (Path(expected), source)


def test_default_is_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for environ in ({}, {"GLOSSATOR_CORPUS": ""}):
        configuration = configure(None, environ)
        assert configuration.corpus_source == "default"
        assert configuration.corpus.is_relative_to(tmp_path)


def test_paths_become_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/ada")
    assert configure("here", {}).corpus == tmp_path / "here"
    assert configure("~/c", {}).corpus == Path("/home/ada/c")


def test_model() -> None:
    assert configure("/a", {}).model is None
    assert configure("/a", {"GLOSSATOR_MODEL": ""}).model is None
    assert configure("/a", {"GLOSSATOR_MODEL": "openai:x"}).model == "openai:x"


def test_the_option_stands_before_or_after_the_command(glossator_here: Glossator, corpus: Path, tmp_path: Path) -> None:
    after = glossator_here("ls", "--json", "--corpus", str(corpus))
    before = glossator_here("--corpus", str(corpus), "ls", "--json")
    variable = glossator_here("ls", "--json", env={"GLOSSATOR_CORPUS": str(corpus)})
    nearer = glossator_here("--corpus", str(tmp_path), "ls", "--json", "--corpus", str(corpus))
    assert after.code == 0 and len(after.json) == 3
    assert after.json == before.json == variable.json == nearer.json
