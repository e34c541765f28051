"""What is asked of one generation: the query's terms, its language, and which of the two indices answer.

Nothing here looks at an index, so that the embedder can work while the index is still being opened.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from . import lexicon
from .documents import SearchMode
from .embed import Embedder
from .errors import EmbedderMissing
from .listing import Listing
from .terms import QueryTerm, is_undivided, query_terms, words


@dataclass(frozen=True, slots=True)
class Request:
    """A query, analysed."""

    query: str
    terms: Sequence[QueryTerm]
    by_text: bool
    by_vector: bool
    scope: frozenset[str] | None  # ids of documents; None: the whole corpus

    @property
    def is_empty(self) -> bool:
        """Whether nothing can match: no words, or no documents."""
        return not self.terms or self.scope == frozenset()

    @property
    def phrases(self) -> list[QueryTerm]:
        return [term for term in self.terms if term.phrase]


def analyse(
    query: str,
    mode: SearchMode,
    scope: Collection[str] | None,
    documents: Listing,
    embedder: Embedder,
) -> Request:
    """The request that `query` makes of a generation with these documents; any text is one."""
    if mode == "semantic" and not embedder.identity.dimension:
        raise EmbedderMissing("this corpus has no vectors: search it with mode `fulltext` or `hybrid`")
    language = query_language(query)
    stops = lexicon.stop_words().get(language or lexicon.ENGLISH, frozenset())
    terms = query_terms(query, documents.languages, stops)
    # Whoever quotes wants these words, not their like; and nothing is like a code, or like ISO 9001.
    exact = any(term.phrase for term in terms) or sum(not term.is_code for term in terms) < min(len(terms), 2)
    return Request(
        query,
        terms,
        by_text=mode != "semantic",
        by_vector=mode == "semantic" or (mode == "hybrid" and not exact and embedder.serves(language)),
        scope=None if scope is None else frozenset(scope),
    )


def query_language(query: str) -> str | None:
    """The language of a query by its script and stop words, None if neither tells; `und` for an unknown script."""
    found = words(query)
    letters = [word for word in found if not word.isdigit()]
    foreign = [word for word in letters if is_undivided(word) or lexicon.script(word) != "latin"]
    if foreign and len(foreign) * 2 >= len(letters):
        return lexicon.guess(foreign) or "und"
    return lexicon.guess(found)
