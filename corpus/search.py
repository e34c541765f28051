"""Search in one generation: the best by words and by meaning are looked at, ranked and cut to a page."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

from . import index, rank, reranking
from .documents import PICTURE_REF, Chunk, Document, SearchPage, SearchResult
from .lance import BooleanQuery, MatchQuery, Occur, PhraseQuery, col
from .query import Request
from .rank import Hit, Origin, Passage
from .rows import Rows
from .terms import QueryTerm, index_terms

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from lancedb.table import AsyncTable
    from numpy.typing import NDArray

    from .listing import Listing
    from .reranking import Reranker

DEPTH = 1000  # passages that are found by their words; whoever wants all that mention one reads the documents
LOOKED_AT = 50  # of the best by words, and of the nearest: their texts decide the order
ORDERS = 64  # of a reranker that are kept
COPIES = 3  # documents with the same passage that are named
_COLUMN = "terms"


class Searcher:
    """Searches one version of the chunks table."""

    def __init__(self, table: AsyncTable, documents: Listing, reranker: Reranker | None = None):
        self._table = table
        self._documents = documents
        self._reranker = reranker
        self._orders: dict[tuple[object, ...], list[int]] = {}  # that the reranker gave, by what was asked
        self._opening = asyncio.Lock()
        self._rows: Rows | None = None  # read by the first search
        self._origins: dict[str, Origin] = {}  # by document; they never change in one generation

    async def search(
        self, request: Request, vector: asyncio.Task[NDArray[np.float32]] | None, *, limit: int, offset: int
    ) -> SearchPage:
        """`vector`: of the query, for a request that asks for near passages; it may still be in the making."""
        absent = await self._absent(request.phrases, request.scope)
        terms = [term for term in request.terms if term not in absent]
        hits, seen = await self._ranked(request, terms, vector)
        hits = await self._reranked(request, hits, seen) if self._reranker and len(hits) > 1 else hits
        page = hits[offset : offset + limit]
        await self._see(page, seen)
        texts = [frozenset(passage.terms) for passage in seen.values()]
        unseen = [term for term in request.terms if not term.phrase and not _stands(term, texts)]
        absent += await self._absent(unseen, request.scope)
        return SearchPage(
            results=self._results(page, seen),
            total=len(hits),
            documents=len({hit.document_id for hit in hits}),
            missing_terms=tuple(term.text for term in request.terms if term in absent),
            is_cut=len(hits) >= DEPTH,
        )

    async def _ranked(
        self, request: Request, terms: Sequence[QueryTerm], vector: asyncio.Task[NDArray[np.float32]] | None
    ) -> tuple[list[Hit], dict[int, Passage]]:
        """What was found, best first, and the texts that decided. `terms`: but for phrases that stand nowhere."""
        if not terms:
            return [], {}
        by_words, by_meaning = await asyncio.gather(
            self._by_words(terms if request.by_text else [], request.scope),
            self._by_meaning(vector, request.scope),
        )
        rows = dict.fromkeys(hit.row for hit in [*by_words[:LOOKED_AT], *by_meaning])
        seen = await index.passages(self._table, list(rows), None if vector is None else await vector)
        origins = self._origins_of({passage.chunk.document_id for passage in seen.values()})
        return rank.ranked(by_words, by_meaning, seen, terms, origins), seen

    async def _reranked(self, request: Request, hits: Sequence[Hit], seen: dict[int, Passage]) -> list[Hit]:
        """The best of the hits in the reranker's order, the others below. Scores stay with the places.

        An order is kept for the pages that follow: a language model would give another one each time.
        """
        assert self._reranker is not None
        best, others = hits[: reranking.READ], hits[reranking.READ :]
        key = (request.query, request.by_text, request.by_vector, request.scope)
        if key not in self._orders:
            await self._see(best, seen)
            names = dict(zip(ids := [hit.document_id for hit in best], self._documents.among(ids), strict=True))
            texts = [_told(seen[hit.row].chunk, names[hit.document_id].title) for hit in best]
            order = await reranking.order(self._reranker, request.query, texts)
            if len(self._orders) >= ORDERS:
                self._orders.pop(next(iter(self._orders)))
            self._orders[key] = order
        placed = zip(self._orders[key], best, strict=True)
        return [*(best[index].scored(place.score) for index, place in placed), *others]

    async def _see(self, hits: Sequence[Hit], seen: dict[int, Passage]) -> None:
        """Read the passages that have not been looked at."""
        seen |= await index.passages(self._table, [hit.row for hit in hits if hit.row not in seen])

    def _origins_of(self, ids: Set[str]) -> dict[str, Origin]:
        for document in self._documents.among([id for id in ids if id not in self._origins]):
            texts = (document.title, document.whole_name)
            name = frozenset(term for text in texts for term in index_terms(text, document.language).split())
            self._origins[document.id] = Origin(document.chunk_count, document.uri, name)
        return {id: self._origins[id] for id in ids}

    def _results(self, hits: Sequence[Hit], seen: Mapping[int, Passage]) -> list[SearchResult]:
        ids = dict.fromkeys(each.document_id for hit in hits for each in (hit, *hit.copies))
        documents = dict(zip(ids, self._documents.among(list(ids)), strict=True))
        return [_result(hit, seen, documents) for hit in hits]

    async def _by_words(self, terms: Sequence[QueryTerm], scope: frozenset[str] | None) -> list[Hit]:
        if not terms:
            return []
        hits = await self._hits(self._text(full_text(terms), scope), DEPTH, "_score")
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))

    async def _by_meaning(
        self, vector: asyncio.Task[NDArray[np.float32]] | None, scope: frozenset[str] | None
    ) -> list[Hit]:
        if vector is None:
            return []
        near = self._table.query().nearest_to(await vector).distance_type("cosine")
        if scope is not None and (await self._named()).count(scope) <= index.BY_EACH:
            near = near.bypass_vector_index()  # which looks where most are, and that may be elsewhere
        return await self._hits(_scoped(near, scope), LOOKED_AT, "_distance")

    def _text(self, query: Any, scope: frozenset[str] | None) -> Any:
        return _scoped(self._table.query().nearest_to_text(query), scope)

    async def _hits(self, query: Any, limit: int, score: str) -> list[Hit]:
        scores, rows = await asyncio.gather(_scores(query, limit, score), self._named())
        return list(rows.hits(scores))

    async def _named(self) -> Rows:
        async with self._opening:
            if self._rows is None:
                self._rows = await Rows.of(self._table)
            return self._rows

    async def _absent(self, terms: Sequence[QueryTerm], scope: frozenset[str] | None) -> list[QueryTerm]:
        """Those of the terms that stand nowhere in scope."""
        found = await asyncio.gather(*(_scores(self._text(exactly(term), scope), 1, "_score") for term in terms))
        return [term for term, hits in zip(terms, found, strict=True) if not hits]


async def _scores(query: Any, limit: int, score: str) -> dict[int, float]:
    """What a query finds: rows, and how well each fits."""
    found: pa.Table = await query.select([score]).with_row_id().limit(limit).to_arrow()
    return dict(zip(found["_rowid"].to_pylist(), found[score].to_pylist(), strict=True))


def _stands(term: QueryTerm, passages: Iterable[frozenset[str]]) -> bool:
    """Whether one of the passages has all terms of a reading; close enough to say that the word occurs."""
    return any(terms.issuperset(run) for terms in passages for run in term.alternatives)


def _result(hit: Hit, seen: Mapping[int, Passage], documents: Mapping[str, Document]) -> SearchResult:
    notes = _copied([documents[copy.document_id] for copy in hit.copies])
    chunk = seen[hit.row].chunk
    pictures = tuple(ref for ref in chunk.doc_item_refs if ref.startswith(PICTURE_REF))
    return SearchResult(chunk, documents[hit.document_id], hit.score, pictures, notes)


def _told(chunk: Chunk, title: str) -> str:
    """A passage as a reranker reads it."""
    return " > ".join([title, *chunk.headings]) + "\n" + chunk.content


def _copied(documents: Sequence[Document]) -> tuple[str, ...]:
    """Where else the same passage stands."""
    if not documents:
        return ()
    named = ", ".join(f"{document.whole_name} ({document.id})" for document in documents[:COPIES])
    more = f" and {len(documents) - COPIES} more" if len(documents) > COPIES else ""
    return (f"the same in {named}{more}",)


def full_text(terms: Sequence[QueryTerm]) -> Any:
    """A query for chunks with any of the words and all of the phrases."""
    phrases = [(Occur.MUST, exactly(term)) for term in terms if term.phrase]
    single = dict.fromkeys(token for term in terms if not term.phrase for run in term.alternatives for token in run)
    match = [(Occur.SHOULD, _match(single))] if single else []
    return BooleanQuery([*phrases, *match]) if phrases else match[0][1]


def exactly(term: QueryTerm) -> Any:
    """A query for chunks in which the term stands, in any of its readings."""
    readings = [_sequence(run) if len(run) > 1 else _match(run) for run in term.alternatives]
    return BooleanQuery([(Occur.SHOULD, reading) for reading in readings]) if len(readings) > 1 else readings[0]


def _match(terms: Iterable[str]) -> Any:
    return MatchQuery(" ".join(terms), _COLUMN)  # pyright: ignore[reportCallIssue]  # its defaults are not typed


def _sequence(terms: Iterable[str]) -> Any:
    return PhraseQuery(" ".join(terms), _COLUMN)  # pyright: ignore[reportCallIssue]  # its defaults are not typed


def _scoped(query: Any, scope: frozenset[str] | None) -> Any:
    return query if scope is None else query.where(col("document_id").isin(sorted(scope)))
