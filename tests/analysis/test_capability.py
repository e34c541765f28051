"""The capability in any pydantic-ai agent: no answer without a cite after the last evidence."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, ToolCallPart
from pydantic_ai.exceptions import UnexpectedModelBehavior

from glossator.analysis import Analysis, AnalysisCapability, Answer, CitationMissing, analysis_sandbox
from glossator.corpus import Corpus
from glossator.sandbox import FileJournals, HostFunction, PoolLimits, Sandbox

from .playing import Playing, cite, cite_first, code, first_id, say, search

pytestmark = pytest.mark.anyio

CAP = "cap of aggregate liability"
COUNT = "sum('arbour' in p.read_text() for p in Path('/documents').glob('*/content.txt'))"


class Asked:
    """One agent over the harbour, and the answers that it let out."""

    def __init__(self, corpus: Corpus, sandbox: Sandbox | None, **settings: Any) -> None:
        self.answers: list[Answer] = []
        self.capability = AnalysisCapability(corpus, sandbox, on_answer=self.answers.append, **settings)

    async def ask(self, model: Playing, question: str = "What is the cap?") -> str:
        agent = Agent(model, capabilities=[self.capability], retries={"tools": 3, "output": 3})
        return (await agent.run(question)).output


@pytest.fixture
def asked(corpus: Corpus, sandbox: Sandbox) -> Asked:
    return Asked(corpus, sandbox)


async def test_lookup(asked: Asked) -> None:
    model = Playing(search(CAP), cite_first, say("The cap is EUR 2,000,000."))
    assert await asked.ask(model) == "The cap is EUR 2,000,000 [1]."
    (answer,) = asked.answers
    assert answer.grounded and answer.citations[0].title == "Lease of pier 4"
    assert model.tools == [["analysis_cite", "analysis_execute_code", "analysis_search"]] * 3
    assert "the last tool call before every final answer" in model.instructions[0]


async def test_code(asked: Asked) -> None:
    model = Playing(code(COUNT), cite(), say("3 documents mention the harbour."))
    assert await asked.ask(model, "How many documents mention the harbour?") == "3 documents mention the harbour."
    (answer,) = asked.answers
    assert answer.grounded and answer.computations[0].cells[0].output == "3"
    assert "Coverage: 4 documents in scope, 4 read by code" in answer.note


async def test_an_uncited_answer_is_sent_back_with_the_reason(asked: Asked) -> None:
    found: list[str] = []

    def keep(read: str) -> Any:
        found.append(first_id(read))
        return say("The cap is EUR 2,000,000.")

    model = Playing(search(CAP), keep, lambda _: cite(found[0]), say("The cap is EUR 2,000,000."))
    assert await asked.ask(model) == "The cap is EUR 2,000,000 [1]."
    assert "Call analysis_cite before the final answer" in model.read[2]


async def test_a_wrong_citation_is_told_and_can_be_put_right(asked: Asked) -> None:
    found: list[str] = []

    def damaged(read: str) -> Any:
        found.append(first_id(read))
        return cite(found[0][:-1] + ("0" if found[0][-1] != "0" else "1"))

    model = Playing(search(CAP), damaged, lambda read: cite(read.split('["')[1][:8]), say("It is EUR 2,000,000."))
    assert await asked.ask(model) == "It is EUR 2,000,000 [1]."
    assert "differs a little" in model.read[2]


async def test_refusal(asked: Asked) -> None:
    model = Playing(search("zeppelin mooring fees"), cite(), say("The corpus does not say."))
    assert await asked.ask(model) == "The corpus does not say."
    assert not asked.answers[0].grounded


async def test_a_model_that_never_cites_gives_an_error_that_carries_the_draft(asked: Asked) -> None:
    model = Playing(search(CAP), say("The cap is EUR 2,000,000."))
    with pytest.raises(CitationMissing) as raised:
        await asked.ask(model)
    assert raised.value.draft == "The cap is EUR 2,000,000." and not asked.answers
    assert len(model.read) == 5  # the search, the draft, and three times sent back


async def test_so_does_one_whose_agent_was_given_no_retries(corpus: Corpus, sandbox: Sandbox) -> None:
    agent = Agent(Playing(say("From memory: 5.")), capabilities=[AnalysisCapability(corpus, sandbox)], retries=0)
    with pytest.raises(CitationMissing, match="would not cite"):
        await agent.run("?")


async def test_other_failures_stay_what_they_are(asked: Asked) -> None:
    with pytest.raises(UnexpectedModelBehavior, match="exceeded max retries"):
        await asked.ask(Playing(search(CAP, limit=0)))


async def test_cite_runs_after_every_other_call_of_its_step(asked: Asked) -> None:
    first = Playing(search(CAP), cite_first, say("EUR 2,000,000"))
    await asked.ask(first)
    prefix = asked.answers[0].citations[0].chunk_id[:8]
    model = Playing([cite(prefix), search(CAP), code("print(1)")], say("The cap is EUR 2,000,000."))
    assert await asked.ask(model) == "The cap is EUR 2,000,000 [1]."
    assert "Cited 1 of 1." in model.read[1]


async def test_evidence_after_the_cite_needs_another(asked: Asked) -> None:
    model = Playing(
        search(CAP), cite_first, search(CAP), say("EUR 2,000,000"), search(CAP), cite_first, say("EUR 2,000,000")
    )
    assert await asked.ask(model) == "EUR 2,000,000 [1]"
    assert "after your last analysis_cite" in model.read[4]


async def test_a_spent_budget_refuses_in_text_and_keeps_the_tools_listed(corpus: Corpus, sandbox: Sandbox) -> None:
    asked = Asked(corpus, sandbox, max_calls=1)
    keep: list[str] = []
    model = Playing(
        search(CAP),
        lambda read: keep.append(first_id(read)) or [search("rent"), code("print(1)")],
        lambda _: cite(keep[0]),
        say("EUR 2,000,000"),
    )
    assert await asked.ask(model) == "EUR 2,000,000 [1]"
    assert model.read[2].count("The budget of 1 searches and cells for this question is spent.") == 2
    assert len({tuple(tools) for tools in model.tools}) == 1


async def test_unsupported_claims_are_sent_back_once(asked: Asked) -> None:
    model = Playing(search(CAP), cite_first, say("It is EUR 2,100,000."), say("It is EUR 2,100,000, I say."))
    assert await asked.ask(model) == "It is EUR 2,100,000, I say."
    assert '"2,100,000" (number)' in model.read[3] and asked.answers[0].unsupported == ("2,100,000",)


async def test_variables_stay_within_a_run_and_runs_share_nothing(asked: Asked) -> None:
    model = Playing(code("x = 41"), code("x + 1"), cite(), say("Done."))
    await asked.ask(model)
    assert "-> 42" in model.read[2]
    other = Playing(code("x"), cite(), say("Done."))
    await asked.ask(other)
    assert "NameError" in other.read[1]


async def test_concurrent_runs_of_one_agent_keep_their_evidence_apart(corpus: Corpus, sandbox: Sandbox) -> None:
    capability = AnalysisCapability(corpus, sandbox)
    diligent = Playing(search(CAP), cite_first, say("EUR 2,000,000"))
    lazy = Playing(say("EUR 2,000,000"))
    agent = Agent(capabilities=[capability], retries={"output": 3})
    done = await asyncio.gather(*(agent.run("?", model=model) for model in (diligent, lazy)), return_exceptions=True)
    assert getattr(done[0], "output", None) == "EUR 2,000,000 [1]" and isinstance(done[1], CitationMissing)


async def test_a_conversation_may_outlive_the_run(analysis: Analysis) -> None:
    agent = Agent(capabilities=[AnalysisCapability(analysis=analysis)], retries={"output": 3})
    await agent.run("?", model=Playing(code("x = 41"), cite(), say("Noted.")))
    model = Playing(code("x + 1"), cite(), say("Done."))
    await agent.run("?", model=model)
    assert "-> 42" in model.read[1]


async def test_ids_may_come_as_text(asked: Asked) -> None:
    def as_text(read: str) -> ToolCallPart:
        return ToolCallPart("analysis_cite", {"chunk_ids": f'["{first_id(read)}"]'})

    assert await asked.ask(Playing(search(CAP), as_text, say("EUR 2,000,000"))) == "EUR 2,000,000 [1]"


async def test_a_busy_pool_is_told_and_the_run_goes_on(corpus: Corpus) -> None:
    begun, end = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        begun.set()
        await end.wait()

    async with analysis_sandbox(pool=PoolLimits(running=1, wait_s=0.05)) as small:
        other = await small.session(functions=[HostFunction("hold", hold)])
        running = asyncio.create_task(other.run("await hold()"))
        await begun.wait()
        model = Playing(code("1"), search(CAP), cite_first, say("EUR 2,000,000"))
        assert await Asked(corpus, small).ask(model) == "EUR 2,000,000 [1]"
        end.set()
        await running
    assert "the code sandbox is busy: 1 cells are running" in model.read[1] and "try again later" in model.read[1]


async def test_a_session_that_another_process_runs_is_told_and_the_run_goes_on(corpus: Corpus, tmp_path: Path) -> None:
    async def opened() -> Corpus:
        return corpus

    async with sandbox_of(tmp_path) as sandbox, sandbox_of(tmp_path) as elsewhere:
        held = await elsewhere.session(name="talk")
        analysis = Analysis(opened, sandbox, session="talk")
        agent = Agent(capabilities=[AnalysisCapability(analysis=analysis)], retries={"output": 3})
        model = Playing(code("1"), search(CAP), cite_first, say("EUR 2,000,000"))
        assert (await agent.run("?", model=model)).output == "EUR 2,000,000 [1]"
        assert "'talk' is in use by" in model.read[1] and "wait until that has ended" in model.read[1]
        await held.close()
        model = Playing(code("6 * 7"), cite(), say("Done."))
        await agent.run("?", model=model)
        assert "-> 42" in model.read[1]
        await analysis.close()


def sandbox_of(folder: Path) -> Sandbox:
    return analysis_sandbox(journals=FileJournals(folder))


def test_without_a_corpus_there_is_no_capability() -> None:
    with pytest.raises(TypeError, match="needs corpus="):
        AnalysisCapability()


class Amount(BaseModel):
    currency: str
    amount: int


async def test_structured_output_is_under_the_same_rule(corpus: Corpus, sandbox: Sandbox) -> None:
    answer = ToolCallPart("final_result", {"currency": "EUR", "amount": 2_000_000})
    model = Playing(search(CAP), lambda read: [answer, cite(first_id(read))])
    agent = Agent(model, output_type=Amount, capabilities=[AnalysisCapability(corpus, sandbox)], retries={"output": 3})
    result = await agent.run("?", metadata={"case": 1})
    assert result.output == Amount(currency="EUR", amount=2_000_000)
    assert result.metadata is not None and result.metadata["answer"].grounded


async def test_without_a_sandbox_code_is_not_offered_and_the_instructions_say_so(corpus: Corpus) -> None:
    async with analysis_sandbox(minimum_level=4) as weak:
        model = Playing(search(CAP), cite_first, say("EUR 2,000,000"))
        assert await Asked(corpus, weak).ask(model) == "EUR 2,000,000 [1]"
    assert model.tools == [["analysis_cite", "analysis_search"]] * 3
    assert "No code can be run here" in model.instructions[0] and "analysis_execute_code" not in model.instructions[0]
    assert "at least 4 is needed" in model.instructions[0]
