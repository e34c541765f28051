"""The last look at an answer: is it cited, is what it claims in the evidence, how much of the corpus does it cover."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from .checks import Claim, Source, describe, unsupported
from .errors import AnswerRejected
from .ledger import Ledger
from .marks import marked, unmarked
from .refusals import declines
from .results import Answer, Cell, Citation, Computation, Reach

NEVER_CITED = (
    "Call analysis_cite before the final answer: pass the chunk ids that ground it, or an empty list when the answer "
    "is a computation over the corpus or the corpus does not answer the question. Then write the answer again."
)
CITED_TOO_EARLY = (
    "You searched or ran code after your last analysis_cite. Call analysis_cite once more with every chunk id that "
    "grounds the answer (or an empty list), then write the answer again."
)
UNSUPPORTED = (
    "Not found in the cited passages, nor in what your cells printed (a number written in a cell's own source does not "
    "count): {claims}. Cite the passage that says it, print it from the corpus, or correct it or leave it out; after "
    "more evidence call analysis_cite again."
)
# Answers about all or none of something are only as good as what was read: these words ask for the coverage.
_SWEEPING = re.compile(
    r"""\b(?:how\ (?:many|often)|number\ of|count|all|every|each|none|no\ (?:document|passage|other|one)s?|list
    |wie\ ?viele?|alle[nrs]?|jede[nrs]?|keine?[nrs]?|combien|tou(?:s|tes)|aucune?|chaque
    |cu[aá]nt[oa]s|tod[oa]s|ning[uú]n[oa]?|quant[ie]|tutt[ie]|nessun[oa]?)\b|多少|几个|所有|すべて|いくつ|сколько|все\b""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Review:
    """Judges drafts of one question."""

    ledger: Ledger
    citations: tuple[Citation, ...]
    scope: Reach
    chunk_ids: Set[str] = frozenset()  # of chunks that exist and whose ids the draft may hold
    read: Callable[[], Sequence[Source]] = tuple  # what the cells of this question read, on demand

    def answer(self, draft: str, *, lenient: bool = False) -> Answer:
        """The answer that goes out, or `AnswerRejected` with what the model must do.

        When `lenient`, what is unsupported is reported and not sent back.
        """
        if not self.ledger.settled:
            raise AnswerRejected(CITED_TOO_EARLY if self.ledger.cited or self.ledger.cites else NEVER_CITED)
        text = unmarked(draft, self.chunk_ids)
        computations = self._computations(text)
        grounded = bool(self.citations or computations)
        missing = self._unsupported(text, grounded)
        if missing and not lenient:
            raise AnswerRejected(UNSUPPORTED.format(claims=describe(missing)))
        result = marked(text, self.citations)
        return Answer(
            text=result.text,
            grounded=grounded,
            citations=self.citations,
            computations=computations,
            unsupported=tuple(claim.written for claim in missing),
            note=self._note(text, computations, missing),
            supports=result.supports,
        )

    def _unsupported(self, text: str, grounded: bool) -> list[Claim]:
        question = self.ledger.question
        # How much was read is told to the model, not printed.
        more = [] if self.citations else [Source(self._coverage())]
        more += [] if grounded else [Source(question)]  # a refusal may repeat what was asked
        return unsupported(text, [*self._sources(), *more], tolerated=question)

    def _sources(self) -> list[Source]:
        cited = [Source(_passage(citation)) for citation in self.citations]
        return cited + [Source(cell.output, cell.code, self.read) for cell in self.ledger.cells]

    def _computations(self, text: str) -> tuple[Computation, ...]:
        if not self.ledger.computed or (self.citations and not self.ledger.opened):
            return ()  # code that only listed documents adds nothing to an answer that cites passages
        if not self.citations and declines(text, self.ledger.question, [cell.output for cell in self.ledger.cells]):
            return ()  # code looked and found nothing: a refusal all the same
        cells = tuple(Cell(cell.result.number, cell.code, cell.output) for cell in self.ledger.cells)
        return (Computation(cells, len(self.ledger.opened), self.scope.documents, self.scope.unreadable),)

    def _note(self, text: str, computations: tuple[Computation, ...], missing: Sequence[Claim]) -> str:
        notes = []
        if computations or _SWEEPING.search(self.ledger.question) or _SWEEPING.search(text):
            notes.append(self._coverage())
        if missing:
            notes.append(f"Not found in the evidence: {describe(missing)}.")
        return " ".join(notes)

    def _coverage(self) -> str:
        read = len(self.ledger.opened)
        listed = any(cell.listed for cell in self.ledger.cells)
        how = f"{read} read by code" if read else "listed by code" if listed else "none read in full, only searched"
        return f"Coverage: {self.scope.documents} documents in scope, {how}, {self.scope.unreadable} unreadable."


def _passage(citation: Citation) -> str:
    """A passage and what it is called: an answer may name its title, headings and pages."""
    pages = " ".join(f"p.{page}" for page in citation.page_numbers)
    return "\n".join([citation.title, citation.uri, *citation.headings, pages, citation.text])
