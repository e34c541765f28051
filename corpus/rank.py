"""The order of what was found: how well each passage fits by its words and by its meaning, and copies told once.

Nothing here reads the index. What the numbers are worth is measured by benchmarks/retrieval.py.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from .documents import Chunk
from .terms import QueryTerm

# What neighbouring words of the query that stand side by side in a passage, too, add to its share of the best score.
NEARNESS = 0.4
_REACH = 2  # words from one neighbour to the other, in a passage; to a number one: ISO 9001 is a name
# Characters with which a passage counts for half by its words: a caption under a long title is found by the title.
_BRIEF = 20
# What a question that names a document adds to its passages, if all its words do and no other document has them.
NAMED = 1.5
# What is left of a passage's score for each better one of its document: the next document says more than the fifth
# passage of the first.
REPEATED = 0.97
_TELLING = 40  # characters from which equal texts are copies: shorter ones say something else in each document


class Pair(NamedTuple):
    """Two neighbours of the query, each in all of its readings; without a second one, a code as it is written."""

    first: frozenset[str]
    second: frozenset[str] = frozenset()
    reach: int = _REACH


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that was looked at: its chunk, what it is found by, and how near it is to the query."""

    chunk: Chunk
    terms: Sequence[str]  # in the order of the text
    cosine: float | None  # None: it has no vector, or none was asked for


@dataclass(frozen=True, slots=True, order=True)
class Origin:
    """What of a document counts for the order of its passages. Of copies the first by this order is kept."""

    chunk_count: int  # the fewer it has, the more it is about each of them
    uri: str
    name: frozenset[str] = field(compare=False)  # terms of its title and file name


class Hit(NamedTuple):
    """A passage that was found. `score` is a share of what the best passage has, from 0 to 1."""

    row: int  # in the version of the table that was searched
    chunk_id: str
    document_id: str
    score: float
    copies: tuple[Hit, ...] = ()  # the same passage in other documents

    def scored(self, score: float) -> Hit:
        return Hit(self.row, self.chunk_id, self.document_id, score, self.copies)


def ranked(
    by_words: Sequence[Hit],
    by_meaning: Sequence[Hit],
    seen: Mapping[int, Passage],
    terms: Sequence[QueryTerm],
    origins: Mapping[str, Origin],
) -> list[Hit]:
    """All hits, best first; equal scores by chunk id.

    `by_words` have BM25 for a score; `by_meaning` are empty where vectors are not asked. `seen` holds the best of both,
    `origins` their documents.
    """
    words = _shares(_nearer(by_words, seen, terms))
    meaning = _shares({row: max(0.0, p.cosine) for row, p in seen.items() if p.cosine is not None and by_meaning})
    hits = {hit.row: hit for hit in [*by_words, *by_meaning]}
    named = _named(terms, origins)
    scores = _shares(
        {
            row: _fused(row, words, meaning, by_meaning, seen) * (1 + NAMED * named.get(hit.document_id, 0.0))
            for row, hit in hits.items()
        }
    )
    ordered = _ordered(hit.scored(scores[hit.row]) for hit in hits.values())
    best = sorted(origins, key=lambda id: (-named.get(id, 0.0), origins[id]))
    return _ordered(_spread(_folded(ordered, seen, {id: place for place, id in enumerate(best)})))


def _named(terms: Sequence[QueryTerm], origins: Mapping[str, Origin]) -> dict[str, float]:
    """How far a query names each document: the share of its words in the name, each less the more names have it."""
    asked = [frozenset(run[0] for run in term.alternatives if len(run) == 1) for term in terms if not term.phrase]
    frequency = Counter(term for origin in origins.values() for term in origin.name)

    def share(name: frozenset[str]) -> float:
        found = [min(frequency[term] for term in word & name) for word in asked if word & name]
        return sum(1 - count / len(origins) for count in found) / len(asked)

    return {id: share(origin.name) for id, origin in origins.items()} if asked else {}


def _fused(
    row: int,
    words: Mapping[int, float],
    meaning: Mapping[int, float],
    by_meaning: Sequence[Hit],
    seen: Mapping[int, Passage],
) -> float:
    """The mean of both shares. A passage that has no vector must not lose against all that have one."""
    share = words.get(row, 0.0)
    if not by_meaning or (row in seen and seen[row].cosine is None):
        return share
    return (share + meaning.get(row, 0.0)) / 2 if words else meaning.get(row, 0.0)


def _shares(scores: Mapping[int, float]) -> dict[int, float]:
    best = max(scores.values(), default=0.0)
    return {row: score / best if best else 0.0 for row, score in scores.items()}


def _nearer(hits: Sequence[Hit], seen: Mapping[int, Passage], terms: Sequence[QueryTerm]) -> dict[int, float]:
    """BM25 as a share of the best, and what neighbouring words and a text of some length add."""
    wanted = _neighbours(terms)
    shares = _shares({hit.row: hit.score for hit in hits})
    return {row: _weighed(share, seen[row], wanted) if row in seen else share for row, share in shares.items()}


def _weighed(share: float, passage: Passage, wanted: Sequence[Pair]) -> float:
    length = len(passage.chunk.content)
    return (share + NEARNESS * nearness(passage.terms, wanted)) * length / (length + _BRIEF)


def _neighbours(terms: Sequence[QueryTerm]) -> list[Pair]:
    """The neighbouring words of a query, its codes, and the neighbouring parts of these."""
    words = [term for term in terms if not term.phrase]
    within = [
        Pair(frozenset([first]), frozenset([second]), 1)
        for term in words
        for run in term.alternatives[-1:]
        for first, second in pairwise(run)
    ]
    between = [
        Pair(_ends(first, -1), _ends(second, 0), 1 if second.is_code else _REACH) for first, second in pairwise(words)
    ]
    whole = [Pair(_ends(term, 0, 1)) for term in words if term.is_code and len(term.alternatives) > 1]
    return within + between + whole


def _ends(term: QueryTerm, place: int, readings: int | None = None) -> frozenset[str]:
    return frozenset(run[place] for run in term.alternatives[:readings])


def nearness(text: Sequence[str], wanted: Sequence[Pair]) -> float:
    """Which share of the pairs stands in the text in this order, side by side; half for a word between them."""
    if not wanted:
        return 0.0
    asked = frozenset[str]().union(*(side for pair in wanted for side in (pair.first, pair.second)))
    places: dict[str, set[int]] = defaultdict(set)
    for place, term in enumerate(text):
        if term in asked:
            places[term].add(place)
    return sum(_closeness(places, pair) for pair in wanted) / len(wanted)


def _closeness(places: Mapping[str, set[int]], pair: Pair) -> float:
    starts = {place for term in pair.first if term in places for place in places[term]}
    if not pair.second:
        return float(bool(starts))
    ends = {place for term in pair.second if term in places for place in places[term]}
    for distance in range(1, pair.reach + 1):
        if any(start + distance in ends for start in starts):
            return 1 / distance
    return 0.0


def _folded(hits: Sequence[Hit], seen: Mapping[int, Passage], places: Mapping[str, int]) -> list[Hit]:
    """Passages with the same text under the same headings become one, in the place of the best of them.

    `places` says which document goes before which; passages of the others are copies.
    """
    groups: dict[object, list[Hit]] = {}
    for hit in hits:
        chunk = seen[hit.row].chunk if hit.row in seen else None
        key = (chunk.content, chunk.headings) if chunk and len(chunk.content) >= _TELLING else hit.row
        groups.setdefault(key, []).append(hit)
    return [_one(group, places) if len(group) > 1 else group[0] for group in groups.values()]


def _one(group: Sequence[Hit], places: Mapping[str, int]) -> Hit:
    by_document = {hit.document_id: hit for hit in reversed(group)}
    first, *others = sorted(by_document.values(), key=lambda hit: places[hit.document_id])
    return first._replace(score=group[0].score, copies=tuple(others))


def _spread(hits: Sequence[Hit]) -> list[Hit]:
    """The same, each passage a little lower for every better one of its document."""
    left: dict[str, float] = {}
    result = []
    for hit in hits:
        share = left.get(hit.document_id, 1.0)
        result.append(hit.scored(hit.score * share) if share < 1 else hit)
        left[hit.document_id] = share * REPEATED
    return result


def _ordered(hits: Iterable[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))
