"""What decides where the corpus is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from glossator.sandbox import Limits
from glossator.service.configuration import configure
from glossator.service.corpora import existing
from glossator.service.failures import Failure
from glossator.service.sandboxes import cells
from glossator.vfs import FileLimits

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


def test_file_limits() -> None:
    assert configure("/a", {"GLOSSATOR_READAHEAD": ""}).files == FileLimits()
    given = {"GLOSSATOR_READAHEAD_MB": "0.5", "GLOSSATOR_FILE_CACHE_MB": "2", "GLOSSATOR_READAHEAD": "16"}
    assert configure("/a", given).files == FileLimits(batch_bytes=1 << 19, cache_bytes=2 << 20, readahead=16)


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("GLOSSATOR_READAHEAD", "many", "a number of documents"),
        ("GLOSSATOR_READAHEAD", "0", "from 1 to 4096"),
        ("GLOSSATOR_READAHEAD", "5000", "from 1 to 4096"),
        ("GLOSSATOR_READAHEAD_MB", "-1", "a number of MiB"),
        ("GLOSSATOR_READAHEAD_MB", "64", "fit into the cache"),
        ("GLOSSATOR_FILE_CACHE_MB", "nan", "a number of MiB"),
        ("GLOSSATOR_HOT_FILES_MB", "-1", "a number of MiB"),
    ],
)
def test_file_limits_that_cannot_be_kept_are_named(variable: str, value: str, told: str) -> None:
    with pytest.raises(Failure, match=f"{variable}.*{told}"):
        configure("/a", {variable: value})


@pytest.mark.anyio
@pytest.mark.parametrize(("given", "kept"), [("", True), ("64", True), ("0", False)])
async def test_files_opened_one_by_one_stay_in_memory_as_configured(corpus: Path, given: str, kept: bool) -> None:
    settings = {"GLOSSATOR_CORPUS": str(corpus), "GLOSSATOR_HOT_FILES_MB": given}
    async with existing(configure(None, settings)) as opened, await opened.snapshot() as snapshot:
        first = [next(iter(snapshot.documents))]
        (body,) = snapshot.read("content.txt", first)
        (again,) = snapshot.read("content.txt", first)
        assert again == body
        assert (again is body) == kept


@pytest.mark.anyio
async def test_the_settings_reach_the_worker(corpus: Path) -> None:
    settings = {"GLOSSATOR_CORPUS": str(corpus), "GLOSSATOR_READAHEAD": "1"}
    asked: list[int] = []
    async with cells(configure(None, settings), Limits()) as opened:
        answer = opened.files.request

        async def request(header: dict[str, Any]) -> Any:
            asked.append(len(header.get("at", ())))
            return await answer(header)

        opened.files.request = request
        result = await opened.session.run("[p.read_text() for p in Path('/documents').glob('*/content.txt')]")
    assert result.error is None and sum(asked) == 3 and max(asked) == 1


def test_the_option_stands_before_or_after_the_command(glossator_here: Glossator, corpus: Path, tmp_path: Path) -> None:
    after = glossator_here("ls", "--json", "--corpus", str(corpus))
    before = glossator_here("--corpus", str(corpus), "ls", "--json")
    variable = glossator_here("ls", "--json", env={"GLOSSATOR_CORPUS": str(corpus)})
    nearer = glossator_here("--corpus", str(tmp_path), "ls", "--json", "--corpus", str(corpus))
    assert after.code == 0 and len(after.json) == 3
    assert after.json == before.json == variable.json == nearer.json


def test_the_reranker_of_the_environment_is_asked(glossator_here: Glossator, corpus: Path) -> None:
    assert configure("/a", {"GLOSSATOR_RERANKER": ""}).reranker is None
    told = glossator_here("search", "berth", "--corpus", str(corpus), env={"GLOSSATOR_RERANKER": "best"})
    assert (told.code, told.out) == (1, "") and "no reranker 'best': name a language model" in told.err
    code = "await search('vessel berth')"
    told = glossator_here("exec", "-c", code, "--corpus", str(corpus), env={"GLOSSATOR_RERANKER": "nosuch:model"})
    assert told.code == 1 and "the reranker nosuch:model gives no order" in told.out + told.err
