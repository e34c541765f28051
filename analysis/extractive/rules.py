"""How a question is answered without a language model: which rule is tried when, and the one for single facts."""

from __future__ import annotations

from collections.abc import Callable

from .documents import about_documents, documents
from .outline import about_sections, outline
from .passages import ENOUGH, Evidence, Reply, weigh
from .question import Question, fold
from .steps import Call, Rule, Script, cite, search
from .tables import about_cells, tables

__all__ = ["Call", "Script", "answer"]

_MISSING_COST = 0.15  # more support is asked for with each word of the question that no document holds

REFUSAL = "The documents do not answer this question."


def answer(question: Question, tools: frozenset[str]) -> Script:
    """Counts, lists and outlines by code where it is offered, everything else by the best passage, or a refusal."""
    rules: list[Callable[[Question], Rule]] = [lookup]
    if "analysis_execute_code" in tools:
        rules = [rule for rule, wants in _CODED if wants(question)] + rules
        if tables not in rules:
            rules.append(tables)  # a single cell that no passage shows well
    for rule in rules:
        found = yield from rule(question)
        if found:
            return found
    yield cite()
    return REFUSAL


# Rules that run code, in the order in which they are tried, and which questions they are first to answer.
_CODED: tuple[tuple[Callable[[Question], Rule], Callable[[Question], bool]], ...] = (
    (outline, about_sections),
    (documents, about_documents),
    (tables, about_cells),
)


def lookup(question: Question) -> Rule:
    """The passage that holds the question's words, if it holds enough of them."""
    reply = Reply.parse((yield search(question.text)))
    ranked = weigh(question, reply.passages)
    if not ranked or not ranked[0].enough or _unknown(question, reply.missing, ranked[0].support):
        return None
    chosen = ranked[0]
    yield cite([chosen.passage.id])
    return _say(chosen)


def _unknown(question: Question, missing: tuple[str, ...], support: float) -> bool:
    """Whether words of the question occur nowhere in scope that matter: then the passages are about something else."""
    lost = {fold(word) for word in missing}
    names = any(fold(name) in lost for name in question.names)
    others = sum(fold(term) in lost for term in question.terms)
    return names or support < ENOUGH + others * _MISSING_COST


def _say(evidence: Evidence) -> str:
    where = evidence.passage.title
    if evidence.passage.headings and evidence.passage.headings[-1] != where:
        where += f", {evidence.passage.headings[-1]}"
    return f"{where}: “{evidence.quote}”"
