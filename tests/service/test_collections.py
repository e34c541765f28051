"""`glossator collections`, and every command that can be limited to a collection."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Glossator, Ran, write


@pytest.fixture
def call(glossator_here: Glossator, own_corpus: Path):
    def call(*arguments: str) -> Ran:
        return glossator_here("--corpus", str(own_corpus), *arguments)

    return call


def test_the_life_of_a_collection(call: Glossator) -> None:
    assert "glossator collections create" in call("collections").err
    made = call("collections", "create", "Rules", "--description", "What is allowed", "--option", "topic=berths")
    assert (made.code, made.out) == (0, "Rules: 0 documents\nWhat is allowed\ntopic = berths\n")
    added = call("collections", "add", "Rules", "harbour.md", "fees.csv", "--json")
    assert [each["title"] for each in added.json] == ["Harbour rules", "fees.csv"]
    assert "Nothing to change" in call("collections", "add", "Rules", "fees.csv").err
    assert call("collections", "remove", "Rules", "fees.csv").out.startswith("removed ")
    assert (
        call("collections", "describe", "Rules", "--rename", "Law", "--option", "topic=", "--json").json["options"]
        == []
    )
    (listed,) = call("collections", "--json").json
    assert (listed["name"], listed["document_count"], listed["description"]) == ("Law", 1, "What is allowed")
    assert call("collections", "list").out.splitlines()[1].split() == ["Law", "1", "What", "is", "allowed"]
    assert "Harbour rules" in call("collections", "show", "Law").out
    assert call("collections", "delete", "Law").code == 0 and call("collections", "--json").json == []
    assert len(call("ls", "--json").json) == 3


def test_commands_see_their_collection_only(call: Glossator, tmp_path: Path) -> None:
    call("collections", "create", "Light")
    write(tmp_path, {"lamp.txt": "The lamp of Gull Rock burns oil.\n"})
    assert call("add", str(tmp_path / "lamp.txt"), "--collection", "Light").code == 0
    call("collections", "add", "Light", "lighthouse.txt")
    inside = ("--collection", "Light")
    assert [each["title"] for each in call("ls", "--json", *inside).json] == ["lighthouse.txt", "lamp.txt"]
    found = call("search", "berth", "Gull", "--json", *inside).json
    assert {each["document_title"] for each in found} == {"lighthouse.txt", "lamp.txt"}
    counted = call("exec", "-c", "len(await list_documents()), len(list(Path('/documents').iterdir()))", *inside)
    assert counted.out == "(2, 2)\n"
    narrowed = call("exec", "-c", "len(await list_documents(where={'collection': 'Light'}))")
    assert narrowed.out == "2\n"
    answer = call("ask", "What does a berth cost for each night?", "--json", *inside).json
    assert not any(citation["title"] == "Harbour rules" for citation in answer["citations"])


def test_mistakes_are_told_in_a_line(call: Glossator, tmp_path: Path) -> None:
    call("collections", "create", "Rules")
    for arguments in (
        ("ls", "--collection", "Rule"),
        ("search", "berth", "--collection", "Rule"),
        ("add", str(tmp_path), "--collection", "Rule"),
        ("collections", "show", "Rule"),
        ("collections", "delete", "Rule"),
        ("collections", "add", "Rule", "fees.csv"),
    ):
        told = call(*arguments)
        assert (told.code, told.out) == (1, ""), arguments
        assert told.err == "Error: no collection 'Rule' in this corpus; there is 'Rules'\n"
    assert "already" in call("collections", "create", "rules").err
    assert "no document 'tea'" in call("collections", "add", "Rules", "tea").err
    assert call("collections", "create", "X", "--option", "topic").code == 2
    assert call("ls", "--collection", "").code == 2


def test_the_corpus_may_be_named_anywhere(glossator_here: Glossator, own_corpus: Path) -> None:
    for number, places in enumerate(([0], [1], [3])):
        words = ["collections", "create", f"C{number}"]
        for place in places:
            words[place:place] = ["--corpus", str(own_corpus)]
        assert glossator_here(*words).code == 0
    assert len(glossator_here("collections", "--json", "--corpus", str(own_corpus)).json) == 3
