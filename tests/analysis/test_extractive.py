"""The built-in answerer: what it reads in a question, how it reads a reply, and what it answers, on real parts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.analysis import ask
from glossator.analysis.extractive.passages import Reply, sentences, weigh
from glossator.analysis.extractive.question import Question
from glossator.analysis.results import Reach
from glossator.analysis.text import search_text
from glossator.corpus import Corpus, NoEmbedder
from glossator.corpus.documents import SearchResult
from glossator.sandbox import Sandbox

from .records import chunk, document, page


@pytest.mark.parametrize(
    ("text", "terms", "names"),
    [
        ("How deep is the Sand Gut since 2025?", {"Sand", "Gut", "since", "2025"}, {"Sand", "Gut", "2025"}),
        ("What is the limit of liability?", {"limit", "liability"}, {"limit"}),
        ("What is the salary of the harbour master?", {"salary", "harbour", "master"}, {"salary"}),
        ("What is the date of the lease?", {"date", "lease"}, set()),
        ("Wie hoch ist das Gehalt des Hafenmeisters?", {"Gehalt", "Hafenmeisters"}, {"Gehalt"}),
        ("Was kostet ein Liegeplatz?", {"kostet", "Liegeplatz"}, set()),
        ("What is the total in berth-dues.xlsx?", {"total"}, {"total"}),
    ],
)
def test_content_words_and_names(text: str, terms: set[str], names: set[str]) -> None:
    question = Question.parse(text)
    assert set(question.terms) >= terms - {"since"} and question.names == names


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("How many berths are there?", "counts"),
        ("Wie viele Liegeplätze gibt es?", "counts"),
        ("Which documents mention the lighthouse?", "lists"),
        ("What is the total amount?", "sums"),
        ("What is the average amount?", "means"),
        ("Which vessel paid the most?", "most"),
        ("Which is the smallest fee?", "least"),
        ("What does each vessel pay?", "each"),
        ("When was it lit?", "number"),
        ("Who was its keeper?", "name"),
    ],
)
def test_what_is_asked(text: str, asked: str) -> None:
    assert getattr(Question.parse(text), asked)


@given(st.text(max_size=300))
def test_any_question_can_be_read(text: str) -> None:
    assert Question.parse(text).text == text


PAGES = st.lists(st.integers(1, 99), max_size=4).map(tuple)
TITLES = st.text(min_size=1, max_size=40).filter(lambda title: bool(title.split()))


@given(title=TITLES, headings=st.lists(TITLES, max_size=3).map(tuple), pages=PAGES, content=st.text(max_size=200))
def test_what_a_search_replies_can_be_read_back(
    title: str, headings: tuple[str, ...], pages: tuple[int, ...], content: str
) -> None:
    hit = chunk(content, headings=headings, page_numbers=pages, labels=("table",))
    text = search_text(page(SearchResult(hit, document(title), 0.5), missing=("zeppelin",)), scope=Reach(1, 0))
    reply = Reply.parse(text)
    (passage,) = reply.passages
    assert (passage.id, passage.document_id, passage.kind) == (hit.id[:8], "aaaaaaaaaa", "table")
    assert len(passage.headings) == len(headings)
    assert passage.lines == [line[2:] for line in text.splitlines() if line.startswith("> ")]
    assert reply.missing == ("zeppelin",)


def test_a_passage_that_lacks_a_name_or_number_supports_nothing() -> None:
    question = Question.parse("How many freshwater ducks were observed in 2018?")
    texts = ("Freshwater ducks were observed: 160 in 2023.", "Freshwater ducks were observed: 140 in 2018.")
    hits = [SearchResult(chunk(text), document(), 0.5) for text in texts]
    reply = Reply.parse(search_text(page(*hits), scope=Reach(1, 0)))
    best, other = weigh(question, reply.passages)
    assert best.enough and "2018" in best.quote
    assert not other.enough and other.lacks == ("2018",)


def test_sentences_keep_table_rows_apart() -> None:
    assert sentences("One. Two!\n\n| a | b |\n|---|---|\n| 1 | 2 |") == ["One.", "Two!", "| a | b |", "| 1 | 2 |"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("question", "expected", "kind"),
    [
        ("How fast may a vessel pass the breakwater?", "faster than 4 knots", "citation"),
        ("Who was the keeper of the lighthouse?", "Ada Brandt", "citation"),
        ("When is the harbour closed?", "3 May 2026", "citation"),
        ("How many documents are there?", "4 of 4 documents", "computation"),
        ("How many .txt documents are in the corpus?", "2 of 4 documents", "computation"),
        ("Which documents mention the lighthouse?", "1 of 4 documents", "computation"),
        ("What is the total amount in rules.md?", "total Amount: 65.5, 2 of 2 rows", "computation"),
        ("Which vessel has the highest amount in rules.md?", "Orca", "computation"),
        ("What is the amount of Tern in rules.md?", "Amount: 25.5", "computation"),
        ("List the sections of the lease of pier 4.", "2 Liability", "computation"),
        ("Which section of the lease of pier 4 contains the subsection Fees?", "2 Liability", "citation"),
        ("Who is the mayor of Paris?", "do not answer", "refusal"),
        ("How many zeppelins were moored in 1999?", "do not answer", "refusal"),
        ("What was the rent of pier 4 in 1987?", "do not answer", "refusal"),
        ("What is the salary of the keeper of the lighthouse?", "do not answer", "refusal"),
        ("", "do not answer", "refusal"),
    ],
)
async def test_answers(folder: Path, sandbox: Sandbox, question: str, expected: str, kind: str) -> None:
    answer = await ask(question, corpus=folder, sandbox=sandbox)
    assert expected in answer.text
    assert not answer.unsupported
    assert bool(answer.citations) is (kind == "citation")
    assert bool(answer.computations) is (kind == "computation") or answer.citations
    assert answer.grounded is (kind != "refusal")
    assert answer.model == "extractive" and "No language model was used" in answer.note


@pytest.mark.anyio
async def test_without_a_sandbox_it_still_looks_facts_up(folder: Path) -> None:
    async with Sandbox(minimum_level=4) as unattainable:
        answer = await ask("Who was the keeper of the lighthouse?", corpus=folder, sandbox=unattainable)
    assert "Ada Brandt" in answer.text and answer.citations


@pytest.mark.anyio
@pytest.mark.parametrize(
    "question",
    [
        'How many documents mention "{x}" \' or {y} \\ $z?',
        "What is the total of '); import os; print(' in rules.md?",
        "How many documents mention \u2028 { } \"'?",
        "List the sections of {0.__class__} $document.",
    ],
)
async def test_a_question_cannot_write_the_programs(folder: Path, sandbox: Sandbox, question: str) -> None:
    answer = await ask(question, corpus=folder, sandbox=sandbox)
    cells = [cell for computation in answer.computations for cell in computation.cells]
    assert not any("Error" in cell.output for cell in cells)


@pytest.mark.anyio
async def test_an_outline_or_tables_longer_than_an_output_are_still_answered(tmp_path: Path, sandbox: Sandbox) -> None:
    sections = "\n\n".join(f"## Station {n}\n\nText {n}.\n\n### Pump of station {n}\n\nMore." for n in range(400))
    tables = "\n\n".join(f"| Boat | Crew |\n|---|---|\n| Boat {n} | {n} |" for n in range(400))
    (tmp_path / "stations.md").write_text(f"# Stations\n\n{sections}\n")
    (tmp_path / "boats.md").write_text(f"# Boats\n\n{tables}\n")
    async with await Corpus.open(tmp_path / "corpus", create=True, embedder=NoEmbedder()) as corpus:
        assert [o.status async for o in corpus.add([tmp_path / "boats.md", tmp_path / "stations.md"])] == ["added"] * 2
        below = await ask("Which sections of stations.md are below Station 397?", corpus=corpus, sandbox=sandbox)
        assert "Pump of station 397" in below.text
        crew = await ask("What is the total crew of Boat 397 in boats.md?", corpus=corpus, sandbox=sandbox)
        assert "total Crew: 397, 1 of 400 rows" in crew.text
        every = await ask("What is the total crew in boats.md?", corpus=corpus, sandbox=sandbox)
        assert f"total Crew: {sum(range(400))}, 400 of 400 rows" in every.text
