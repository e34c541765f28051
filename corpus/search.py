"""Search in one generation: full text and vectors, fused by reciprocal rank."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from . import index
from .documents import Document, SearchPage, SearchResult
from .lance import BooleanQuery, MatchQuery, Occur, PhraseQuery, col
from .query import Request
from .terms import QueryTerm

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from lancedb.table import AsyncTable
    from numpy.typing import NDArray

RRF_K = 60
VECTOR_DEPTH = 100  # nearest chunks that take part in the fusion
_COLUMN = "terms"
_EVERYTHING = 1 << 31  # a limit that limits nothing


@dataclass(frozen=True, slots=True)
class _Hit:
    row: int  # in this version of the table
    chunk_id: str
    document_id: str
    has_vector: bool
    score: float


class Searcher:
    """Searches one version of the chunks table."""

    def __init__(self, table: AsyncTable, documents: Mapping[str, Document]):
        self._table = table
        self._documents = documents

    async def search(
        self, request: Request, vector: Awaitable[NDArray[np.float32]] | None, *, limit: int, offset: int
    ) -> SearchPage:
        """`vector`: of the query, for a request that asks for near passages; it may still be in the making."""
        absent = await self._absent(request.phrases, request.scope)
        hits = await self._ranked(request, [term for term in request.terms if term not in absent], vector)
        found = await index.passages(self._table, [hit.row for hit in hits[offset : offset + limit]])
        unseen = [term for term in request.terms if not term.phrase and not _stands(term, found.values())]
        absent += await self._absent(unseen, request.scope)
        return SearchPage(
            results=[
                SearchResult(found[hit.row].chunk, self._documents[hit.document_id], hit.score)
                for hit in hits[offset : offset + limit]
            ],
            total=len(hits),
            documents=len({hit.document_id for hit in hits}),
            missing_terms=tuple(term.text for term in request.terms if term in absent),
        )

    async def _ranked(
        self, request: Request, terms: Sequence[QueryTerm], vector: Awaitable[NDArray[np.float32]] | None
    ) -> list[_Hit]:
        """Every passage that matches, best first. `terms`: those of the request but for phrases that stand nowhere."""
        if not terms:
            return []
        if vector is None:
            return await self._by_text(terms, request.scope)
        if not request.by_text:
            return await self._by_vector(vector, request.scope)
        text, near = await asyncio.gather(self._by_text(terms, request.scope), self._by_vector(vector, request.scope))
        return fuse(text, near)

    async def _by_text(self, terms: Sequence[QueryTerm], scope: frozenset[str] | None) -> list[_Hit]:
        return ordered(await self._hits(self._text(full_text(terms), scope), _EVERYTHING, "_score"))

    async def _by_vector(self, vector: Awaitable[NDArray[np.float32]], scope: frozenset[str] | None) -> list[_Hit]:
        near = self._table.query().nearest_to(await vector).distance_type("cosine")
        hits = await self._hits(_scoped(near, scope), VECTOR_DEPTH, "_distance")
        return ordered([replace(hit, score=1.0 - hit.score) for hit in hits])

    def _text(self, query: Any, scope: frozenset[str] | None) -> Any:
        return _scoped(self._table.query().nearest_to_text(query), scope)

    @staticmethod
    async def _hits(query: Any, limit: int, score: str) -> list[_Hit]:
        names = ["id", "document_id", "embedding", score]
        rows: pa.Table = await query.select(names).with_row_id().limit(limit).to_arrow()
        columns = (rows[name].to_pylist() for name in ["_rowid", *names])
        return [
            _Hit(row, chunk_id, document_id, index.has_vector(embedding), value)
            for row, chunk_id, document_id, embedding, value in zip(*columns, strict=True)
        ]

    async def _absent(self, terms: Sequence[QueryTerm], scope: frozenset[str] | None) -> list[QueryTerm]:
        """Those of the terms that stand nowhere in scope."""
        found = await asyncio.gather(*(self._hits(self._text(exactly(term), scope), 1, "_score") for term in terms))
        return [term for term, hits in zip(terms, found, strict=True) if not hits]


def _stands(term: QueryTerm, passages: Iterable[index.Passage]) -> bool:
    """Whether one of the passages has all terms of a reading; close enough to say that the word occurs."""
    return any(passage.terms.issuperset(run) for passage in passages for run in term.alternatives)


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


def ordered(hits: Sequence[_Hit]) -> list[_Hit]:
    """Best first; equal scores by chunk id."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))


def fuse(text: Sequence[_Hit], near: Sequence[_Hit]) -> list[_Hit]:
    """Reciprocal rank fusion with equal weights.

    A passage without a vector has but one rank, which counts for both: it must not lose against every passage that is
    in two lists.
    """
    fused: dict[int, _Hit] = {}
    for rank, hit in enumerate(text, start=1):
        weight = 1.0 if hit.has_vector else 2.0
        fused[hit.row] = replace(hit, score=weight / (RRF_K + rank))
    for rank, hit in enumerate(near, start=1):
        before = fused[hit.row].score if hit.row in fused else 0.0
        fused[hit.row] = replace(hit, score=before + 1.0 / (RRF_K + rank))
    return ordered(list(fused.values()))


def _scoped(query: Any, scope: frozenset[str] | None) -> Any:
    return query if scope is None else query.where(col("document_id").isin(sorted(scope)))
