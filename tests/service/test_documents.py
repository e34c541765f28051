"""`add`, `ls`, `show`, `rm` and `search`: what is printed, what `--json` holds, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glossator.corpus import FILE_KINDS
from glossator.service.commands import search, show

from .conftest import FEES, Glossator, write

RESULT_KEYS = {
    "chunk_id",
    "content",
    "document_id",
    "document_title",
    "document_uri",
    "score",
    "page_numbers",
    "headings",
    "doc_item_refs",
    "labels",
    "picture_refs",
    "chunk_meta",
    "annotations",
}
METADATA_KEYS = {
    "id",
    "title",
    "uri",
    "created_at",
    "metadata",
    "updated_at",
    "mime_type",
    "size",
    "page_count",
    "language",
    "item_count",
    "chunk_count",
    "status",
}
BROKEN_PDF = b"%PDF-1.7\nnothing that a reader could use\n"


def test_add_tells_each_outcome(glossator_here: Glossator, tmp_path: Path) -> None:
    files = {"a.md": "---\nyear: 2031\n---\n# A\n\ntext\n", "blank.txt": "", "broken.pdf": BROKEN_PDF}
    folder = write(tmp_path / "in", files)
    to = ("--corpus", str(tmp_path / "corpus"))
    meta = ("--meta", "version=1.10", "--meta", "note=a=b")
    first = glossator_here("add", str(folder), str(tmp_path / "none.md"), "--json", *meta, *to)
    assert first.code == 1  # two files failed
    assert all(outcome.keys() == {"path", "status", "document_id", "reason"} for outcome in first.json)
    told = {Path(outcome["path"]).name: outcome for outcome in first.json}
    assert {name: outcome["status"] for name, outcome in told.items()} == {
        "a.md": "added",
        "blank.txt": "empty",
        "broken.pdf": "failed",
        "none.md": "failed",
    }
    assert told["a.md"]["reason"] is None and told["a.md"]["document_id"]
    assert all(told[name]["reason"] for name in ("blank.txt", "broken.pdf", "none.md"))
    stored = {document["title"]: document["metadata"] for document in glossator_here("ls", "--json", *to).json}
    assert stored["A"] == {"year": 2031, "version": "1.10", "note": "a=b"}

    again = glossator_here("add", str(folder / "a.md"), "--json", *meta, *to)
    assert again.code == 0
    assert [(o["status"], o["document_id"]) for o in again.json] == [("unchanged", told["a.md"]["document_id"])]

    write(folder, {"a.md": "# A\n\nother text\n"})
    changed = glossator_here("add", str(folder), *to)
    assert changed.code == 1
    *_, heads, counts = changed.out.splitlines()
    assert heads.split() == ["added", "updated", "unchanged", "empty", "failed"]
    assert counts.split() == ["0", "1", "1", "0", "1"]
    assert any(line.startswith("failed") and "broken.pdf" in line for line in changed.out.splitlines())


def test_an_empty_path_is_not_the_current_folder(
    glossator_here: Glossator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `add "$UNSET"` becomes."""
    monkeypatch.chdir(write(tmp_path / "in", {"a.md": "# A\n"}))
    ran = glossator_here("add", "", "--corpus", str(tmp_path / "corpus"))
    assert (ran.code, ran.out) == (2, "") and "empty" in ran.err
    assert not (tmp_path / "corpus").exists()


def test_what_lies_below_the_current_folder_is_told_from_here(
    glossator_here: Glossator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write(tmp_path / "in", {"sub/blank.txt": ""}))
    to = ("--corpus", str(tmp_path / "in" / "corpus"))
    assert ["empty", "sub/blank.txt", "no", "text"] in [
        line.split() for line in glossator_here("add", ".", *to).out.splitlines()
    ]
    assert [Path(outcome["path"]) for outcome in glossator_here("add", ".", "--json", *to).json] == [
        tmp_path / "in" / "sub" / "blank.txt"  # and not the corpus, which is in the folder
    ]


@pytest.mark.parametrize("value", ["no equals", "=value", " =x"])
def test_metadata_that_is_no_pair(glossator_here: Glossator, value: str) -> None:
    ran = glossator_here("add", ".", "--meta", value)
    assert ran.code == 2 and "key=value" in ran.err


def test_ls_holds_metadata_json(glossator_here: Glossator, corpus: Path) -> None:
    listed = glossator_here("ls", "--json", "--corpus", str(corpus))
    assert listed.code == 0 and listed.err == ""
    assert {document["title"] for document in listed.json} >= {"Harbour rules"}
    for document in listed.json:
        assert document.keys() >= METADATA_KEYS
        assert document["metadata"]["origin"] == "harbour office"
        shown = glossator_here("show", document["id"], "metadata.json", "--corpus", str(corpus))
        assert json.loads(shown.out) == document


def test_ls_for_people(glossator_here: Glossator, corpus: Path) -> None:
    heads, *rows = glossator_here("ls", "--corpus", str(corpus)).out.splitlines()
    assert heads.split() == ["id", "title", "file", "pages", "passages", "status"]
    assert len(rows) == 3
    assert ["fees.csv", "1", "ok"] in [row.split()[1:] for row in rows]  # the file is its title
    assert ["Harbour", "rules", "harbour.md", "2", "ok"] in [row.split()[1:] for row in rows]


def test_show_prints_each_of_the_five_files(glossator_here: Glossator, corpus: Path) -> None:
    assert show.FILES == FILE_KINDS
    for file in FILE_KINDS:
        shown = glossator_here("show", "harbour.md", file, "--corpus", str(corpus))
        assert (shown.code, shown.err) == (0, "") and shown.out
        value = glossator_here("show", "harbour.md", file, "--json", "--corpus", str(corpus)).json
        assert type(value) is {"content.txt": str, "items.jsonl": list, "chunks.jsonl": list}.get(file, dict)


def test_show_takes_what_a_person_knows(glossator_here: Glossator, corpus: Path, sources: Path) -> None:
    (document,) = (
        document["id"]
        for document in glossator_here("ls", "--json", "--corpus", str(corpus)).json
        if document["title"] == "Harbour rules"
    )
    keys = (document, document[:5], "harbour.md", str(sources / "harbour.md"), "Harbour rules")
    shown = {glossator_here("show", key, "--corpus", str(corpus)).out for key in keys}
    assert len(shown) == 1 and "14 berths" in shown.pop()


def test_show_knows_five_files(glossator_here: Glossator, corpus: Path) -> None:
    ran = glossator_here("show", "harbour.md", "secrets.txt", "--corpus", str(corpus))
    assert ran.code == 2 and "toc.json" in ran.err


@pytest.mark.parametrize("command", ["show", "rm"])
def test_an_unknown_document(glossator_here: Glossator, corpus: Path, command: str) -> None:
    ran = glossator_here(command, "harbor.md", "--corpus", str(corpus))
    assert (ran.code, ran.out) == (1, "")
    assert "'harbor.md'" in ran.err and "did you mean" in ran.err and "Traceback" not in ran.err


def test_rm_names_what_it_removed(glossator_here: Glossator, own_corpus: Path, sources: Path) -> None:
    to = ("--corpus", str(own_corpus))
    unknown = glossator_here("rm", "harbour.md", "nothing.md", *to)
    assert unknown.code == 1 and len(glossator_here("ls", "--json", *to).json) == 3  # all or none

    listed = {document["title"]: document for document in glossator_here("ls", "--json", *to).json}
    fees = glossator_here("rm", "fees.csv", "--json", *to)
    assert (fees.code, fees.err) == (0, "")
    assert fees.json == [{key: listed["fees.csv"][key] for key in ("id", "title", "uri")}]

    ran = glossator_here("rm", "harbour.md", *to)
    assert ran.code == 0 and ran.out.startswith("removed ") and "Harbour rules" in ran.out
    assert "Harbour rules" not in [document["title"] for document in glossator_here("ls", "--json", *to).json]
    assert (sources / "harbour.md").exists()


def test_search_json(glossator_here: Glossator, corpus: Path) -> None:
    ran = glossator_here("search", "how", "many", "berths", "--json", "--corpus", str(corpus))
    assert (ran.code, ran.err) == (0, "")
    assert all(result.keys() == RESULT_KEYS for result in ran.json)
    assert "14 berths" in ran.json[0]["content"]
    assert ran.json[0]["document_title"] == "Harbour rules"


def test_search_for_people(glossator_here: Glossator, corpus: Path) -> None:
    ran = glossator_here("search", "lighthouse keeper", "--limit", "1", "--corpus", str(corpus))
    first, place, kind, passage, *_ = ran.out.splitlines()
    assert first.startswith("1 of ") and "scope 3 documents, 0 unreadable" in first
    assert place.startswith("[") and kind.startswith("Type: ")
    assert passage.startswith("> ") and "Ada Brandt" in ran.out


@pytest.mark.parametrize("mode", search.MODES)
def test_search_modes(glossator_here: Glossator, corpus: Path, mode: str) -> None:
    assert glossator_here("search", "breakwater knots", "--mode", mode, "--json", "--corpus", str(corpus)).json


def test_search_offset_goes_on_where_limit_ended(glossator_here: Glossator, corpus: Path) -> None:
    query = ("search", "harbour vessel lighthouse", "--json", "--corpus", str(corpus))
    both = [result["chunk_id"] for result in glossator_here(*query, "--limit", "2").json]
    second = [result["chunk_id"] for result in glossator_here(*query, "--limit", "1", "--offset", "1").json]
    assert len(both) == 2 and second == both[1:]


@pytest.mark.parametrize("wrong", [("--limit", "0"), ("--mode", "magic"), ("--offset", "-1")], ids=" ".join)
def test_search_wrong_usage(glossator_here: Glossator, wrong: tuple[str, str]) -> None:
    ran = glossator_here("search", "x", *wrong)
    assert (ran.code, ran.out) == (2, "") and wrong[0] in ran.err


@pytest.mark.parametrize(
    "arguments", [("ls",), ("search", "x"), ("show", "x"), ("rm", "x"), ("ask", "x")], ids=" ".join
)
def test_no_corpus(glossator_here: Glossator, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    where = tmp_path / "none"
    ran = glossator_here(*arguments, "--json", "--corpus", str(where))
    assert (ran.code, ran.out) == (1, "")
    (line,) = ran.err.splitlines()
    assert str(where) in line and "add PATH" in line
    assert not where.exists()


def test_a_file_is_no_corpus(glossator_here: Glossator, tmp_path: Path) -> None:
    file = write(tmp_path, {"fees.csv": FEES}) / "fees.csv"
    for arguments in (("ls",), ("add", str(file))):
        ran = glossator_here(*arguments, "--corpus", str(file))
        assert ran.code == 1 and len(ran.err.splitlines()) == 1 and str(file) in ran.err
    assert file.read_text() == FEES


@pytest.mark.parametrize("arguments", [(), ("frobnicate",), ("add",), ("ask",), ("ls", "--what")], ids=" ".join)
def test_wrong_usage(glossator_here: Glossator, arguments: tuple[str, ...]) -> None:
    ran = glossator_here(*arguments)
    assert ran.code == 2 and ran.out == "" and "Traceback" not in ran.err


@pytest.mark.parametrize(("wrong", "meant"), [("ad", "add"), ("serch", "search"), ("list", "ls")])
def test_a_command_that_is_nearly_one(glossator_here: Glossator, wrong: str, meant: str) -> None:
    ran = glossator_here(wrong, "x")
    assert (ran.code, ran.out) == (2, "") and f"Did you mean {meant}?" in ran.err


def test_rebuild_gives_the_corpus_another_embedder(glossator_here: Glossator, own_corpus: Path) -> None:
    env = {"GLOSSATOR_CORPUS": str(own_corpus)}
    ran = glossator_here("rebuild", "--embed", "--embedder", "none", env=env)
    assert (ran.code, ran.out) == (0, "")
    refused = glossator_here("search", "--mode", "semantic", "fees", env=env)
    assert refused.code == 1 and "this corpus has no vectors" in refused.err
    assert glossator_here("search", "fees", env=env).code == 0
    wrong = glossator_here("rebuild", "--embed", "--embedder", "word2vec", env=env)
    assert wrong.code == 1 and "minilm and none are built in" in wrong.err
    assert glossator_here("rebuild", env=env).code == 2
