"""How a question is answered without a language model: which rule is tried when, and the one for single facts."""

from __future__ import annotations

from collections.abc import Callable

from .documents import about_documents, documents
from .outline import about_sections, outline
from .passages import Evidence, Reply, threshold, weigh
from .question import Question, fold
from .steps import Call, Rule, Script, cite, search
from .tables import about_cells, tables

__all__ = ["Call", "Script", "answer"]

_MISSING_COST = 0.03  # more support is asked for with each word of the question that no document holds

_QUOTED = 2  # passages of an answer, when none leads clearly
_CLOSE = 0.12  # of support: what lies this near to the best is as good

REFUSAL = "The documents do not answer this question."


def answer(question: Question, tools: frozenset[str]) -> Script:
    """Counts, lists and outlines by code where it is offered, everything else by the best passages, or a refusal."""
    coded = "analysis_execute_code" in tools
    rules = [rule for rule, wants in _CODED if coded and wants(question)]
    for rule in rules:
        found = yield from rule(question)
        if found:
            return found
    found = yield from lookup(question, cells=coded and tables not in rules)
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


def lookup(question: Question, *, cells: bool) -> Rule:
    """The passages that hold enough of the question's words; with `cells`, cells of a table that is the best one."""
    reply = Reply.parse((yield search(question.text)))
    evidence = [e for e in weigh(question, reply.passages) if e.enough]
    ranked = [e for e in evidence if not _unknown(question, reply.missing, e.support)]
    if cells and ranked and "table" in ranked[0].passage.kind:
        best = ranked[0].passage
        found = yield from tables(question, [best.document_id], f"{best.title} {best.file}")
        if found:
            return found
    if not ranked:
        return None
    chosen = [e for e in ranked[:_QUOTED] if e.support >= ranked[0].support - _CLOSE]
    yield cite([each.passage.id for each in chosen])
    return "\n".join(map(_say, chosen))


def _unknown(question: Question, missing: tuple[str, ...], support: float) -> bool:
    """Whether words of the question occur nowhere in scope that matter: then the passages are about something else."""
    lost = {fold(word) for word in missing}
    names = any(fold(name) in lost for name in question.names)
    others = sum(fold(term) in lost for term in question.terms)
    return names or support < threshold(question) + others * _MISSING_COST


def _say(evidence: Evidence) -> str:
    where = evidence.passage.title
    if evidence.passage.headings and evidence.passage.headings[-1] != where:
        where += f", {evidence.passage.headings[-1]}"
    return f"{where}: “{evidence.quote}”"
