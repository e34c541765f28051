"""Which files are taken, and under which names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from glossator.corpus import Corpus
from glossator.corpus.patterns import Selection
from glossator.corpus.sources import Source, document_id, identify, path_of, survey, walk

pytestmark = pytest.mark.anyio


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    for name in ("b.txt", "a.txt", "deep/er/c.txt", ".hidden", ".git/config", "deep/.cache/x"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return root


def taken(*paths: str | Path) -> dict[str, str | None]:
    return {source.path.name: source.refusal for source in walk(paths)}


def test_folders_are_walked_in_order_without_hidden_files(tree: Path) -> None:
    assert list(taken(tree).items()) == [("a.txt", None), ("b.txt", None), ("c.txt", None)]
    assert taken(tree / ".hidden") == {".hidden": None}
    assert taken(tree / ".git") == {"config": None}


def test_each_file_once(tree: Path) -> None:
    assert list(taken(tree / "b.txt", tree, tree / "deep", tree / "a.txt")) == ["b.txt", "a.txt", "c.txt"]


def test_links_that_leave_the_folder_are_refused(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (tree / "out.txt").symlink_to(tmp_path / "secret.txt")
    (tree / "out").symlink_to(tmp_path)
    (tree / "in.txt").symlink_to(tree / "a.txt")
    (tree / "loop").symlink_to(tree)
    (tree / "dangling").symlink_to("../nowhere")
    refused = {name: reason for name, reason in taken(tree).items() if reason}
    assert set(refused) == {"out", "out.txt", "dangling"}
    assert all(reason.startswith("a link that leaves the folder") for reason in refused.values())
    assert taken(tree / "out.txt") == {"secret.txt": None}  # named, so it is meant


def test_what_is_no_file_is_named_and_never_opened(tree: Path) -> None:
    os.mkfifo(tree / "pipe")
    assert taken(tree)["pipe"] == "not a regular file"
    assert taken(tree / "nothing.txt") == {"nothing.txt": "no such file"}


async def test_a_corpus_is_no_folder_of_documents(tree: Path) -> None:
    async with await Corpus.open(tree / "corpus", create=True):
        assert list(taken(tree)) == ["a.txt", "b.txt", "c.txt"]
        assert "a corpus" in (taken(tree / "corpus")["corpus"] or "")


def test_ids_are_those_of_the_file_wherever_it_is_added(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    (absolute,) = walk([tree / "a.txt"])
    (relative,) = walk(["./deep/../a.txt"])
    assert absolute == relative
    assert absolute.uri == (tree / "a.txt").as_uri()
    assert path_of(absolute.uri) == absolute.path


def test_ids_are_short_and_plain() -> None:
    assert document_id("file:///a") == "jh4rmazauv"
    assert Source(Path("/a b/ü%?.txt")).uri == "file:///a%20b/%C3%BC%25%3F.txt"


def test_an_id_that_is_taken_leads_to_another_one() -> None:
    first, second = document_id("file:///a"), document_id("file:///a", 1)
    assert identify(["file:///a"], {}, {first}) == {"file:///a": second} and len(second) == 10
    assert identify(["file:///a"], {"file:///a": "elsewhere7"}, {first}) == {"file:///a": "elsewhere7"}


def test_ids_of_one_run_are_different(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glossator.corpus.sources._ID_LENGTH", 1)  # 32 ids for 30 files: many meet
    uris = [f"file:///{number}" for number in range(30)]
    assert len(set(identify(uris, {}, ()).values())) == 30
    assert identify(uris, {}, ()) == identify(uris, {}, ())


def test_a_survey_tells_what_is_left_out_and_why(tree: Path, tmp_path: Path) -> None:
    (tree / "out").symlink_to(tmp_path)
    found = {source.path.name: source.refusal for source in survey(tree, Selection(exclude=("b.*", "er/")))}
    assert found == {
        **{".git": "hidden", ".hidden": "hidden", ".cache": "hidden", "a.txt": None, "b.txt": "excluded by b.*"},
        **{"er": "excluded by er/", "out": f"a link that leaves the folder, to {tmp_path}"},
    }
