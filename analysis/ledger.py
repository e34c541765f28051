"""The evidence ledger of one conversation: what was shown to the model, what only code has read, what is cited.

Whether a chunk was *shown* is decided when it is cited, not when text is returned: its id or a telling stretch of its
text must stand in something returned to the model for this question, and the chunk must have been delivered, by a
search or because its document's files were opened. A delivered chunk that was not shown was *read*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from .text import short

if TYPE_CHECKING:
    from ..corpus.documents import Chunk
    from ..sandbox.results import CellResult

STRETCH = 40  # characters of a chunk's text, white space as one space, that make a returned text show it
STEP = STRETCH // 2  # any stretch contains a whole block of this length that starts at a multiple of it
WHOLE = 8  # characters: a shorter chunk is shown by its id only, since such a text stands everywhere

_ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?\b")

Evidence = Literal["shown", "read", "none"]


@dataclass(frozen=True, slots=True)
class CellRecord:
    """A cell of the question: what ran, what the model saw of it, and what it read."""

    code: str
    result: CellResult
    opened: frozenset[str] = frozenset()  # documents whose files it opened
    found: tuple[Chunk, ...] = ()  # chunks that searches in it delivered
    listed: bool = False  # it asked which documents there are

    @property
    def output(self) -> str:
        """What it printed and its value, as the model saw them."""
        printed = (self.result.stdout.rstrip("\n"), self.result.stderr.rstrip("\n"))
        return "\n".join(filter(None, [*printed, self.result.value]))

    @property
    def reads(self) -> bool:
        """Whether it ended well and read or listed documents; what it searched can be cited and is no computation."""
        return self.result.error is None and bool(self.opened or self.listed)


@dataclass
class Ledger:
    """Evidence and citations of the current question, and what earlier questions cited."""

    question: str = ""
    cells: list[CellRecord] = field(default_factory=list)
    found: dict[str, Chunk] = field(default_factory=dict)  # delivered by searches, in tools and in code
    opened: set[str] = field(default_factory=set)  # documents whose files cells opened
    cited: dict[str, Chunk] = field(default_factory=dict)  # for this question, in order
    earlier: set[str] = field(default_factory=set)  # chunk ids cited for earlier questions of the conversation
    settled: bool = False  # True iff a cite call came after the last evidence
    cites: int = 0  # cite calls of this question that counted
    _texts: list[str] = field(default_factory=list)  # returned to the model, white space as one space

    def begin(self, question: str) -> None:
        """A new question: evidence starts anew; what was cited stays citable."""
        self.earlier |= self.cited.keys()
        self.question, self.settled, self.cites = question, False, 0
        for record in (self.cells, self.found, self.opened, self.cited, self._texts):
            record.clear()

    def precede(self, before: Ledger) -> None:
        """What stands in `before` happened earlier in this question."""
        self.question = self.question or before.question
        self.settled = before.settled if not self._texts and not self.cites else self.settled
        self.cites += before.cites
        self.earlier |= before.earlier
        self.opened |= before.opened
        self.cells[:0] = before.cells
        self._texts[:0] = before._texts
        self.found = before.found | self.found
        self.cited = before.cited | self.cited

    def show(self, *texts: str | None) -> None:
        """Texts of the corpus or of a cell went to the model, as evidence. What `analysis_cite` replies is none."""
        self._texts += [flat(text) for text in texts if text]
        self.settled = False

    def deliver(self, chunks: Iterable[Chunk]) -> None:
        """A search delivered these chunks."""
        self.found.update((chunk.id, chunk) for chunk in chunks)

    def searched(self, text: str, chunks: Sequence[Chunk]) -> None:
        """A search tool's reply went to the model, with these chunks."""
        self.deliver(chunks)
        self.show(text, *(chunk.content for chunk in chunks))

    def ran(self, cell: CellRecord) -> None:
        """A cell has ended and the model sees its output."""
        self.cells.append(cell)
        self.opened |= cell.opened
        self.deliver(cell.found)
        error = cell.result.error
        self.show(cell.result.stdout, cell.result.stderr, cell.result.value, error and error.message)
        self.settled = False

    def settle(self, chunks: Sequence[Chunk], *, empty: bool = False) -> None:
        """A cite call: these chunks are cited too; an empty list withdraws what was cited for this question."""
        if empty:
            self.cited.clear()
        self.cited.update((chunk.id, chunk) for chunk in chunks)
        if empty or chunks:
            self.settled = True
            self.cites += 1

    def evidence(self, chunk: Chunk) -> Evidence:
        """What this conversation knows of a chunk."""
        if chunk.id in self.earlier:
            return "shown"
        if chunk.id not in self.found and chunk.document_id not in self.opened:
            return "none"
        return "shown" if any(shows(text, chunk) for text in self._texts) else "read"

    def ids(self) -> set[str]:
        """What looks like a chunk id, whole or its first 8 characters, in the texts of this question."""
        texts = {match[0] for text in self._texts for match in _ID.finditer(text)}
        return {*texts, *self.found}

    @property
    def computed(self) -> bool:
        """Whether a cell of this question read the corpus: an answer without chunks is then a computation."""
        return any(cell.reads for cell in self.cells)


def shows(text: str, chunk: Chunk) -> bool:
    """Whether a text (white space as one space) shows a chunk: its id's first 8 characters, or a stretch of it."""
    return short(chunk.id) in text or _stretch(text, flat(chunk.content))


def flat(text: str) -> str:
    """Text with each run of white space as one space."""
    return " ".join(text.split())


def _stretch(text: str, content: str) -> bool:
    if len(content) < STRETCH:
        return len(content) >= WHOLE and content in text
    return any(
        content[start : start + STRETCH] in text
        for block in range(0, len(content) - STEP + 1, STEP)
        if content[block : block + STEP] in text
        for start in range(max(0, block - STEP), min(block, len(content) - STRETCH) + 1)
    )
