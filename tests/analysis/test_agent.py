"""`ask`: with a scripted model, over real HTTP, and without a model; failures are one sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from glossator.analysis import CitationMissing, ModelError, ask
from glossator.corpus import Corpus, CorpusNotFound
from glossator.sandbox import Sandbox

from ..service.scripted import Step, calls, says, serving
from .playing import Playing, cite, cite_first, code, first_id, say, search

pytestmark = pytest.mark.anyio

CAP = "cap of aggregate liability"


async def test_an_answer_names_its_model_and_has_the_five_keys(corpus: Corpus, sandbox: Sandbox) -> None:
    model = Playing(search(CAP), cite_first, say("The cap is EUR 2,000,000."))
    answer = await ask("What is the cap?", corpus=corpus, model=model, sandbox=sandbox)
    assert answer.model == "playing"
    shown = answer.as_dict()
    assert sorted(shown) == ["citations", "computations", "grounded", "model", "text"]
    assert sorted(shown["citations"][0]) == [
        *("chunk_id", "document_id", "headings", "page_numbers", "text", "title", "uri"),
    ]


async def test_a_folder_is_opened_and_a_sandbox_started_when_none_is_given(folder: Path) -> None:
    model = Playing(code("len(await list_documents())"), cite(), say("There are 4 documents."))
    answer = await ask("How many documents?", corpus=folder, model=model)
    assert answer.grounded and answer.computations[0].cells[0].output == "4"


async def test_a_missing_corpus_is_the_operators_error(tmp_path: Path, sandbox: Sandbox) -> None:
    with pytest.raises(CorpusNotFound):
        await ask("?", corpus=tmp_path / "nowhere", model=Playing(search("x")), sandbox=sandbox)


async def test_a_model_that_only_searches_is_stopped(corpus: Corpus, sandbox: Sandbox) -> None:
    with pytest.raises(ModelError, match="came to no answer within 80 requests"):
        await ask("?", corpus=corpus, model=Playing(search("x")), sandbox=sandbox, max_calls=2)


async def test_without_a_model_the_answer_says_so(corpus: Corpus, sandbox: Sandbox) -> None:
    answer = await ask("What does a berth cost for each night?", corpus=corpus, sandbox=sandbox)
    assert answer.grounded and "130" in answer.text and answer.citations[0].title == "Harbour rules"
    assert answer.model == "extractive" and "No language model was used" in answer.note


# Over real HTTP, against a server that speaks OpenAI's chat completions and plays a script.

Serve = Callable[..., Any]


@pytest.fixture
def http(corpus: Corpus, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Serve:
    async def play(*steps: Step, question: str = "What is the cap?") -> Any:
        with serving(*steps) as script:
            monkeypatch.setenv("OPENAI_BASE_URL", script.url)
            monkeypatch.setenv("OPENAI_API_KEY", "unused")
            return await ask(question, corpus=corpus, model="openai:scripted", sandbox=sandbox), script.requests

    return play


def first_hit(messages: list[dict[str, Any]]) -> dict[str, Any]:
    replies = [message["content"] for message in messages if message["role"] == "tool"]
    return calls("analysis_cite", chunk_ids=[first_id(replies[0])])


async def test_lookup_over_http(http: Serve) -> None:
    answer, requests = await http(calls("analysis_search", query=CAP), first_hit, says("The cap is EUR 2,000,000."))
    assert answer.text == "The cap is EUR 2,000,000 [1]." and answer.grounded and answer.model == "openai:scripted"
    assert requests[0]["model"] == "scripted"
    assert {tool["function"]["name"] for tool in requests[0]["tools"]} == {
        *("analysis_cite", "analysis_execute_code", "analysis_search"),
    }


async def test_code_over_http(http: Serve) -> None:
    source = "print(sum('arbour' in p.read_text() for p in Path('/documents').glob('*/content.txt')))"
    answer, _ = await http(
        calls("analysis_execute_code", code=source), calls("analysis_cite", chunk_ids=[]), says("3 documents.")
    )
    assert answer.grounded and answer.computations[0].documents_read == 4


async def test_a_citation_sent_back_over_http(http: Serve) -> None:
    answer, requests = await http(
        calls("analysis_search", query=CAP),
        calls("analysis_cite", chunk_ids=["#/texts/0"]),
        first_hit,
        says("The cap is EUR 2,000,000."),
    )
    assert answer.grounded and "a self_ref" in requests[2]["messages"][-1]["content"]


async def test_an_uncited_answer_sent_back_over_http(http: Serve) -> None:
    draft = says("The cap is EUR 2,000,000.")
    answer, requests = await http(calls("analysis_search", query=CAP), draft, first_hit, draft)
    assert answer.grounded and "Call analysis_cite before the final answer" in requests[2]["messages"][-1]["content"]


async def test_refusal_over_http(http: Serve) -> None:
    answer, _ = await http(
        calls("analysis_search", query="zeppelins"),
        calls("analysis_cite", chunk_ids=[]),
        says("The corpus does not mention zeppelins."),
        question="What do zeppelins pay?",
    )
    assert not answer.grounded and not answer.citations


async def test_a_model_that_never_cites_over_http(http: Serve) -> None:
    with pytest.raises(CitationMissing) as raised:
        await http(calls("analysis_search", query=CAP), says("The cap is EUR 2,000,000."))
    assert raised.value.draft == "The cap is EUR 2,000,000."


async def test_a_server_that_does_not_answer_is_one_sentence(
    corpus: Corpus, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(says("")) as script:
        closed = script.url
    monkeypatch.setenv("OPENAI_BASE_URL", closed)
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    with pytest.raises(ModelError, match="the server of openai:x cannot be reached") as raised:
        await ask("?", corpus=corpus, model="openai:x", sandbox=sandbox)
    assert "\n" not in str(raised.value)


async def test_a_server_that_knows_no_such_path_is_one_sentence(
    corpus: Corpus, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(says("")) as script:
        monkeypatch.setenv("OPENAI_BASE_URL", script.url.removesuffix("/v1"))
        monkeypatch.setenv("OPENAI_API_KEY", "unused")
        with pytest.raises(ModelError, match="openai:x"):
            await ask("?", corpus=corpus, model="openai:x", sandbox=sandbox)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("gpt-5", "write provider:name"),
        ("nobody:gpt-5", "the model nobody:gpt-5 cannot be used: Unknown model"),
        ("openai:gpt-5", "OPENAI_API_KEY"),
        ("anthropic:claude", "the model anthropic:claude cannot be used"),
    ],
)
async def test_a_model_that_cannot_be_built_is_one_sentence(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, model: str, message: str
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ModelError, match=message) as raised:
        await ask("?", corpus=corpus, model=model)
    assert "\n" not in str(raised.value)
