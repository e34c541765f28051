"""Checks of a final answer: which numbers and quotations it claims, and which evidence contains them. Pure functions.

A claim must occur in a cited passage or in what a cell of the question printed. What a cell printed because it stood in
the cell's own source proves nothing: it counts only if what the cell read contains it too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from .numbers import WORDS, Number, numbers, values_of

QUOTES = (("“", "”"), ("„", "“"), ("„", "”"), ("«", "»"), ("»", "«"), ("「", "」"), ("『", "』"), ('"', '"'))
QUOTATION_CHARS = 2  # what is shorter between quotation marks is not a quotation

_QUOTED = [re.compile(f"{left}([^{left}{right}\n]+){right}") for left, right in QUOTES]
_ENUMERATION = re.compile(r"^[ \t>*-]*(?:\d{1,3}|[a-z])[.)](?=\s)", re.MULTILINE)
_ELLIPSIS = re.compile(r"\s*(?:\[?…\]?|\[?\.\.\.\]?)\s*")
_EDITED = re.compile(r"\[(\w+)\]")  # [T]he: a letter changed by whoever quotes
_MARKUP = re.compile(r"[*_`|\\]+")
_NOTE = re.compile(r"\[\^?\d{1,3}\]")  # the number of a note, in the source or as a mark of the answer
_COUNTING = WORDS.keys() - {"one"}
_SAME = str.maketrans({**dict.fromkeys("“”„«»‟", '"'), **dict.fromkeys("‘’‚‛", "'"), **dict.fromkeys("‐‑‒–—−", "-")})


@dataclass(frozen=True, slots=True)
class Claim:
    """A number or a quotation of an answer, and where it stands there (in characters)."""

    start: int
    end: int
    written: str
    number: Number | None = None  # None for a quotation


@dataclass(frozen=True)
class Source:
    """Something that may support a claim: a cited passage (with what it is called), or a cell's output."""

    text: str
    code: str | None = None  # of a cell: claims that are literals of it need `read`
    read: Callable[[], Sequence[Source]] = field(default=tuple, repr=False)  # of a cell: what it read, on demand

    def supports(self, claim: Claim) -> bool:
        """Whether this source contains the claim; a cell's own literal only if the cell read it."""
        if not self._contains(claim):
            return False
        if self.code is None or not self._literals._contains(claim):
            return True
        return any(source.supports(claim) for source in self.read())

    def _contains(self, claim: Claim) -> bool:
        if claim.number is not None:
            return claim.number.agrees(self._values, rounded=self.code is not None)
        whole = plain(claim.written).strip(" .,;:!?")
        return whole in self._plain or all(part in self._plain for part in quotation_parts(claim.written))

    @cached_property
    def _literals(self) -> Source:
        return Source(self.code or "")

    @cached_property
    def _values(self) -> frozenset[Decimal]:
        return values_of(self.text)

    @cached_property
    def _plain(self) -> str:
        return plain(self.text)


def claims(answer: str) -> list[Claim]:
    """Every quotation and every number of an answer, in order; numbers inside a quotation belong to it.

    Numbers of list items (`1.`) are no claims, nor is the word "one", which is mostly a pronoun, nor are ordinal words.
    """
    text = _ENUMERATION.sub(lambda match: " " * len(match[0]), answer)
    quotes = quotations(text)
    inside = [(claim.start, claim.end) for claim in quotes]
    found = [
        Claim(number.start, number.end, number.written, number)
        for number in numbers(text)
        if (not number.word or number.written.lower() in _COUNTING)
        and not any(start <= number.start < end for start, end in inside)
    ]
    return sorted([*quotes, *found], key=lambda claim: claim.start)


def unsupported(answer: str, sources: Sequence[Source], *, tolerated: str = "") -> list[Claim]:
    """The claims of an answer that no source contains; quotations of the question (`tolerated`) are the user's."""
    asked = plain(tolerated)
    return [
        claim
        for claim in claims(answer)
        if not (claim.number is None and plain(claim.written) in asked)
        and not any(source.supports(claim) for source in sources)
    ]


def quotation_parts(quotation: str) -> list[str]:
    """What must occur of a quotation: what stands between its ellipses, in plain form."""
    parts = _ELLIPSIS.split(_EDITED.sub(r"\1", quotation))
    return [part for part in (plain(part).strip(" .,;:!?") for part in parts) if part]


def plain(text: str) -> str:
    """Text for comparing quotations: one case, one space, one kind of quotation mark and dash, no markup or notes."""
    text = _NOTE.sub("", unicodedata.normalize("NFKC", text).translate(_SAME).casefold())
    return " ".join(_MARKUP.sub(" ", text).split())


def quotations(text: str) -> list[Claim]:
    """The quotations of a text, with their quotation marks, that do not overlap."""
    found: list[Claim] = []
    for pattern in _QUOTED:
        for match in pattern.finditer(text):
            overlaps = any(match.start() < claim.end and claim.start < match.end() for claim in found)
            if not overlaps and len(match[1].strip()) >= QUOTATION_CHARS:
                found.append(Claim(match.start(), match.end(), match[1]))
    return found


def describe(found: Iterable[Claim]) -> str:
    """Claims for a message: `"2,100" (number), "gross negligence" (quotation)`."""
    return ", ".join(f'"{claim.written}" ({"quotation" if claim.number is None else "number"})' for claim in found)
