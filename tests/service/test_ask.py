"""`glossator ask`: answers by rule, and by a language model over real HTTP."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from .conftest import Glossator, Ran
from .scripted import Message, Script, calls, says, serving

KEYS = {"text", "grounded", "citations", "computations", "model"}
CITATION_KEYS = {"chunk_id", "document_id", "title", "uri", "headings", "page_numbers", "text"}


def last_reply(messages: list[Message]) -> str:
    return next(message["content"] for message in reversed(messages) if message["role"] == "tool")


def cite_the_first(messages: list[Message]) -> Message:
    found = re.search(r"^\[([0-9a-f]{8})\]", last_reply(messages), re.MULTILINE)
    assert found
    return calls("analysis_cite", chunk_ids=[found[1]])


def ask(glossator_here: Glossator, corpus: Path, script: Script, *arguments: str) -> Ran:
    env = {"OPENAI_BASE_URL": script.url, "OPENAI_API_KEY": "unused"}
    return glossator_here("ask", *arguments, "--model", "openai:scripted", "--corpus", str(corpus), env=env)


def test_a_lookup_without_a_model(glossator_here: Glossator, corpus: Path) -> None:
    ran = glossator_here("ask", "How many berths has the north quay?", "--json", "--corpus", str(corpus))
    assert (ran.code, ran.err) == (0, "")
    assert ran.json.keys() == KEYS
    assert ran.json["grounded"] is True and "14" in ran.json["text"]
    assert all(citation.keys() == CITATION_KEYS for citation in ran.json["citations"])
    assert any("14 berths" in citation["text"] for citation in ran.json["citations"])


def test_for_people(glossator_here: Glossator, corpus: Path) -> None:
    ran = glossator_here("ask", "Who", "was", "the", "keeper", "of", "the", "lighthouse?", "--corpus", str(corpus))
    assert (ran.code, ran.err) == (0, "")
    assert "Ada Brandt" in ran.out and "[1] " in ran.out
    assert any(line.startswith("> ") and "Ada Brandt" in line for line in ran.out.splitlines())
    assert "no language model" in ran.out.lower()


def test_a_count_shows_its_code(glossator_here: Glossator, corpus: Path) -> None:
    ran = glossator_here("ask", "How many documents are there?", "--corpus", str(corpus))
    assert ran.code == 0 and "3" in ran.out
    assert "Computed from the list of 3 documents." in ran.out and "await list_documents()" in ran.out


def test_a_refusal_is_an_answer(glossator_here: Glossator, corpus: Path) -> None:
    question = "What is the boiling point of tungsten hexafluoride?"
    ran = glossator_here("ask", question, "--json", "--corpus", str(corpus))
    assert ran.code == 0
    assert ran.json["grounded"] is False and ran.json["citations"] == []
    assert "No evidence in the corpus" in glossator_here("ask", question, "--corpus", str(corpus)).out


def test_a_model_searches_cites_and_answers(glossator_here: Glossator, corpus: Path) -> None:
    steps = (calls("analysis_search", query="berths"), cite_the_first, says("The north quay has 14 berths."))
    with serving(*steps) as script:
        ran = ask(glossator_here, corpus, script, "--json", "How many berths?")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["grounded"] is True and "14 berths" in ran.json["text"]
    assert "scripted" in ran.json["model"]
    assert [citation["title"] for citation in ran.json["citations"]] == ["Harbour rules"]
    tools = {tool["function"]["name"] for tool in script.requests[0]["tools"]}
    assert tools == {"analysis_search", "analysis_cite", "analysis_execute_code"}


def test_a_model_computes(glossator_here: Glossator, corpus: Path) -> None:
    code = "print(sum((folder / 'content.txt').read_text() != '' for folder in Path('/documents').iterdir()))"
    steps = (
        calls("analysis_execute_code", code=code),
        calls("analysis_cite", chunk_ids=[]),
        says("All 3 documents have text."),
    )
    with serving(*steps) as script:
        ran = ask(glossator_here, corpus, script, "How many documents have text?")
    assert (ran.code, ran.err) == (0, "")
    assert "Computed from 3 of 3 documents" in ran.out and "    print(sum(" in ran.out and "> 3" in ran.out


def test_people_see_the_last_cell_whole_and_those_before_it_shortened(glossator_here: Glossator, corpus: Path) -> None:
    first = "files = list(Path('/documents').glob('*/content.txt'))\n" + "\n".join(f"print({n})" for n in range(9))
    steps = (
        calls("analysis_execute_code", code=first),
        calls("analysis_execute_code", code="texts = [file.read_text() for file in files]\nprint(len(texts), 'texts')"),
        calls("analysis_cite", chunk_ids=[]),
        says("There are 3 texts."),
    )
    with serving(*steps) as script:
        ran = ask(glossator_here, corpus, script, "How many texts?")
    assert ran.code == 0
    last, _, before = ran.out.partition("Before it, shortened (--json shows all):")
    assert "Cell 2:\n    texts = [" in last and "> 3 texts" in last and "Cell 1:" not in last
    assert (
        before.startswith("\n\nCell 1:\n    files = list(")
        and "… 7 more lines" in before
        and "> … 6 more lines" in before
    )
    assert "print(8)" not in ran.out


def test_a_question_must_be_one(glossator_here: Glossator, corpus: Path) -> None:
    ran = glossator_here("ask", " ", "--json", "--corpus", str(corpus))
    assert (ran.code, ran.out) == (2, "") and "empty" in ran.err


def test_a_model_that_calls_tools_wrongly(glossator_here: Glossator, corpus: Path) -> None:
    with serving(calls("analysis_search", quarry="berths")) as script:
        ran = ask(glossator_here, corpus, script, "--json", "How many berths?")
    assert (ran.code, ran.out) == (1, "") and len(ran.err.splitlines()) == 1
    assert "analysis_search" in ran.err and "http" not in ran.err  # a library's advice to its programmer


def test_a_model_that_never_cites_gets_no_answer_out(glossator_here: Glossator, corpus: Path) -> None:
    with serving(calls("analysis_search", query="berths"), says("There are 14 berths.")) as script:
        ran = ask(glossator_here, corpus, script, "--json", "How many berths?")
    assert (ran.code, ran.out) == (1, "")
    assert "would not cite" in ran.err and "There are 14 berths." in ran.err and "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("model", "env", "named"),
    [
        ("openai:x", {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": "unused"}, "openai"),
        ("openai:x", {}, "OPENAI_API_KEY"),
        ("openai:x", {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": ""}, "OPENAI_API_KEY"),
        ("nobody:x", {}, "nobody"),
        ("justaname", {}, "justaname"),
    ],
    ids=["unreachable", "no key", "empty key", "unknown provider", "no provider"],
)
def test_a_model_that_cannot_be_used(
    glossator_here: Glossator, corpus: Path, model: str, env: dict[str, str], named: str
) -> None:
    ran = glossator_here("ask", "x", "--json", "--model", model, "--corpus", str(corpus), env=env)
    assert (ran.code, ran.out) == (1, "")
    assert named in ran.err and "Traceback" not in ran.err and "bug in Glossator" not in ran.err


def test_the_model_from_the_environment(glossator_here: Glossator, corpus: Path) -> None:
    env: dict[str, Any] = {"GLOSSATOR_MODEL": "nobody:x"}
    ran = glossator_here("ask", "x", "--corpus", str(corpus), env=env)
    assert ran.code == 1 and "nobody" in ran.err
