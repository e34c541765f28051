"""Reads the reply of `analysis_search` and weighs its passages as evidence for a question. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...corpus.terms import GAP, index_terms, is_undivided
from .question import Question, fold

ENOUGH = 0.62  # of a question's content words, by weight: what a passage must hold to support an answer
_UNDIVIDED_ENOUGH = 0.45  # where words are not divided, each carries its grammar with it
_LATER_COST = 0.05  # of support, per place in the order that the search gave: it knows which words are rare
_ENOUGH_PAIRS = 0.6  # of the character pairs of a word in a script without spaces: the rest is grammar
_NAME_WEIGHT = 1.5  # names, codes and numbers weigh more than other words
_AS_ASKED = 0.8  # for a sentence with a number where a number is asked for, or a name where a name is
_LONGEST = 420  # characters of an answer's quotation
_SHORTEST = 60  # characters below which the next sentence is quoted too

_HEAD = re.compile(
    r"^\[(?P<id>[0-9a-f]{8,})\] (?P<title>.*?) \((?P<document>[a-z2-7]{10})\)(?: p\.[\d,-]+)?(?: \| (?P<headings>.*))?$"
)
_KIND = re.compile(r"^Type: (?P<kind>\w+)")
_FILE = re.compile(r"   File: (?P<file>.*?)(?:   |$)")
_MISSING = re.compile(r'"([^"]+)"')
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”»)\]*_]*\s+|(?<=[。！？])|\n\s*\n|\n(?=[|*#>-])|(?<=\|)\n")


@dataclass(slots=True)
class Passage:
    id: str  # the chunk id's first characters
    title: str
    document_id: str
    headings: tuple[str, ...]
    kind: str = ""
    file: str = ""  # where the title is another
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class Reply:
    passages: Sequence[Passage]
    missing: tuple[str, ...]  # words and phrases of the query that occur nowhere in scope

    @classmethod
    def parse(cls, text: str) -> Reply:
        passages: list[Passage] = []
        missing: list[str] = []
        for line in text.splitlines():
            if line.startswith("> "):
                if passages:
                    passages[-1].lines.append(line[2:])
            elif head := _HEAD.match(line):
                passages.append(Passage(head["id"], head["title"], head["document"], _path(head["headings"])))
            elif passages and not passages[-1].kind and (kind := _KIND.match(line)):
                passages[-1].kind = kind["kind"]
                passages[-1].file = file["file"] if (file := _FILE.search(line)) else passages[-1].title
            elif line.startswith("No match:"):
                missing += _MISSING.findall(line.split(" More:")[0])
        return cls(passages, tuple(missing))


def _path(headings: str | None) -> tuple[str, ...]:
    parts = headings.split(" > ") if headings else []  # inside a heading it is written ` \\> `
    return tuple(part.replace("\\>", ">").replace("\\|", "|") for part in parts)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage, the stretch of it that answers best, and how much of the question it holds."""

    passage: Passage
    quote: str
    support: float  # 0..1, by weight of the question's content words
    lacks: tuple[str, ...]  # names, codes and numbers of the question that neither it nor its document's names hold

    @property
    def enough(self) -> bool:
        return not self.lacks and bool(self.quote)


def threshold(question: Question) -> float:
    """The support that a passage needs."""
    undivided = sum(is_undivided(term) for term in question.terms)
    return _UNDIVIDED_ENOUGH if undivided * 2 > len(question.terms) else ENOUGH


def weigh(question: Question, passages: Iterable[Passage]) -> list[Evidence]:
    """Best first: those that lack no name, in the file that the question names, by support and the search's order."""
    found = [_evidence(question, passage) for passage in passages]
    ranks = {id(evidence): rank for rank, evidence in enumerate(found)}

    def key(evidence: Evidence) -> tuple[bool, bool, float]:
        other_file = bool(question.files) and not _in_named_file(question, evidence.passage)
        return not evidence.enough, other_file, _LATER_COST * ranks[id(evidence)] - evidence.support

    return sorted(found, key=key)


def _in_named_file(question: Question, passage: Passage) -> bool:
    return any(fold(file) == fold(passage.file) for file in question.files)


def _evidence(question: Question, passage: Passage) -> Evidence:
    around = Bag(f"{passage.title} {passage.file} {' '.join(passage.headings)}", question.language)
    whole = Bag(passage.text, question.language)
    held = [term for term in question.terms if term in whole or term in around]
    total = sum(_weight(question, term) for term in question.terms)
    support = sum(_weight(question, term) for term in held) / total if total else 0.0
    lacks = tuple(term for term in question.terms if term in question.names and term not in held)
    return Evidence(passage, _quote(question, passage), support, lacks)


def _weight(question: Question, term: str) -> float:
    return _NAME_WEIGHT if term in question.names else 1.0


class Bag:
    """The terms of a text, as full-text search reads them: stems, numbers without their zeros in front."""

    def __init__(self, text: str, language: str | None) -> None:
        self._language = language
        self._terms = _terms(text, language) | _terms(text, "en")

    def __contains__(self, word: str) -> bool:
        parts = _terms(word, self._language)
        held = len(parts & self._terms)
        return held >= (_ENOUGH_PAIRS if is_undivided(word) else 1) * max(1, len(parts))


def _terms(text: str, language: str | None) -> set[str]:
    stream = index_terms(text, language).split(GAP)[0].split()
    return {term.lstrip("0") or term for term in stream}


def sentences(text: str) -> list[str]:
    return [" ".join(s.split()) for s in _SENTENCE_END.split(text) if s and s.strip(" |-:#>*\n\t")]


def _quote(question: Question, passage: Passage) -> str:
    """The sentence, list line or table row that answers best, with the next one when it is very short."""
    parts = sentences(passage.text)
    if not parts:
        return ""
    scores = _scores(question, parts)
    best = max(range(len(parts)), key=lambda i: scores[i])
    last = best + 1
    while last < len(parts) and len(" ".join(parts[best:last])) < _SHORTEST:
        last += 1
    return _cut(" ".join(parts[best:last]))


def _scores(question: Question, parts: Sequence[str]) -> list[float]:
    """How well each sentence answers: which words of the question it holds, best those that few others do, and whether
    it has the number or name that is asked for."""
    bags = [Bag(part, question.language) for part in parts]
    holding = {term: sum(term in bag for bag in bags) for term in question.terms}
    return [
        sum(_weight(question, term) * (0.5 + 1 / holding[term]) for term in question.terms if term in bag)
        + _AS_ASKED * question.wants(part)
        - len(part) / 2_000  # of two that hold as much, the shorter
        for part, bag in zip(parts, bags, strict=True)
    ]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0]
