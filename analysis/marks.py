"""Marks: [n] placed in an answer behind each sentence whose support stands in a cited passage. Pure functions.

The host places the marks, never the model: what a model writes as [1] or as a chunk id is taken out first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from .checks import Claim, Source, claims, plain, quotation_parts, quotations
from .numbers import numbers
from .results import Citation, Support
from .text import short

OVERLAP = 0.6  # share of a sentence's telling words that a passage must hold to support it without number or quotation
WORDS = 3  # telling words that a sentence needs for that
TELLING = 4  # letters of a word that tells something

_RUN = r"(?:\[\^?\d{1,3}\])+"
# Behind a space or a digit, or before punctuation: `items[1] of it` is code, not a mark.
_WRITTEN_MARK = re.compile(rf"(?:[ \t]+|(?<![A-Za-z_])){_RUN}(?![(\w])|{_RUN}(?=[.,;:!?)]|$)", re.MULTILINE)
# Where a sentence ends: at a line's end, or before a space and what may begin another ("Art. 5" does not).
_END = re.compile(r"""[.!?…]["”'’)*_]*(?=\s+["“„«'(\[*_#-]*[^\W\d_a-z])|[。！？]["”』」)]*|\n""")
_CLOSING = re.compile(r"[.!?。！？…]*[*_]*[ \t]*\|?\s*$")
_ID = re.compile(
    r"""(?<![ \t])[ \t]*(?:[\[(`]+(?:chunks?(?:[ _]ids?)?:?\s*)?)?\b(?P<prefix>[0-9a-f]{8})
    (?P<rest>-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?\b[\])`]*""",
    re.VERBOSE | re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Marked:
    """An answer with its marks, and what each mark rests on."""

    text: str
    supports: tuple[Support, ...]


def id_prefixes(text: str) -> frozenset[str]:
    """What looks like the first 8 characters of a chunk id: it may also be a number or a commit's name."""
    return frozenset(match["prefix"].lower() for match in _ID.finditer(text))


def unmarked(text: str, chunk_ids: Set[str] = frozenset()) -> str:
    """The text without marks of the model's own and without ids: whole UUIDs, and first characters of `chunk_ids`."""
    prefixes = {short(chunk_id) for chunk_id in chunk_ids}

    def without(match: re.Match[str]) -> str:
        return "" if match["rest"] or match["prefix"].lower() in prefixes else match[0]

    return _WRITTEN_MARK.sub("", _ID.sub(without, text)).strip()


def marked(text: str, citations: Sequence[Citation]) -> Marked:
    """Place [n] at the end of each sentence that a cited passage supports; n counts citations from 1."""
    out: list[str] = []
    supports: list[Support] = []
    position = 0
    for sentence in _sentences(text):
        found = [(n, span) for n, citation in enumerate(citations) if (span := _supported(sentence, citation))]
        closing = _CLOSING.search(sentence)
        end = closing.start() if closing else len(sentence)
        marks = "".join(f"[{n + 1}]" for n, _ in found)
        piece = f"{sentence[:end]} {marks}{sentence[end:]}" if marks else sentence
        lead = len(sentence) - len(sentence.lstrip())
        supports += [Support(position + lead, position + end, n, *span) for n, span in found]
        out.append(piece)
        position += len(piece)
    return Marked("".join(out), tuple(supports))


def _sentences(text: str) -> Iterator[str]:
    """The text cut behind each sentence and line, never inside a quotation; joined again it is the text."""
    inside = [(quotation.start, quotation.end) for quotation in quotations(text)]
    start = 0
    for match in _END.finditer(text):
        if not any(left < match.end() < right for left, right in inside):
            yield text[start : match.end()]
            start = match.end()
    if start < len(text):
        yield text[start:]


def _supported(sentence: str, citation: Citation) -> tuple[int, int] | None:
    """The stretch of a passage that supports a sentence: first to last claim found, or most of its words."""
    spans = [span for claim in claims(sentence) if (span := _locate(claim, citation.text))]
    if spans:
        return min(start for start, _ in spans), max(end for _, end in spans)
    words = _telling(sentence)
    shared = words & _telling(citation.text)
    return (0, len(citation.text)) if len(words) >= WORDS and len(shared) >= OVERLAP * len(words) else None


def _telling(text: str) -> set[str]:
    return {word for word in _WORD.findall(plain(text)) if len(word) >= TELLING}


def _locate(claim: Claim, passage: str) -> tuple[int, int] | None:
    """Where a passage says a claim, in characters of the passage."""
    if claim.number is not None:
        number = claim.number
        return next(((n.start, n.end) for n in numbers(passage) if number.agrees(frozenset(n.readings()))), None)
    if not Source(passage).supports(claim):
        return None
    first = [re.escape(word) for word in re.findall(r"\w+", quotation_parts(claim.written)[0])]
    match = re.search(r"\W+".join(first), passage, re.IGNORECASE) if first else None
    return match.span() if match else (0, len(passage))
