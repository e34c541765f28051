"""Items to chunks: docling-core's hybrid chunker over text, tables cut by rows with their header repeated.

The chunker sees one flat document in which every item is a paragraph of the Markdown that the chunk is to show, so
that a chunk's content is what `content.txt` has, and its items are known exactly. Tables never reach it: it is
quadratic in rows.
"""

from __future__ import annotations

import uuid
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from typing import Any

from docling_core.transforms.chunker.doc_chunk import DocChunk
from docling_core.transforms.chunker.hierarchical_chunker import ChunkingDocSerializer, ChunkingSerializerProvider
from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
from docling_core.transforms.chunker.tokenizer.base import BaseTokenizer
from docling_core.transforms.serializer.markdown import MarkdownTextSerializer
from docling_core.types.doc.document import DoclingDocument
from docling_core.types.doc.labels import DocItemLabel

from . import tokens
from .bites import bites
from .captions import beside
from .documents import Chunk
from .items import Item, is_header
from .markdown import block
from .picturechunks import picture_content
from .tablechunks import table_contents

CHUNK_TOKENS = 254  # word pieces of heading path and content: what the default embedder reads, less its two markers
_MIN_BODY_TOKENS = 64  # left for content when the heading path is very long
_NAMESPACE = uuid.UUID("6f0b1d52-8f0e-5c1c-9a39-6d0c7c3a1f11")


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk before it has an id: content, heading path, and the positions of its items."""

    content: str
    headings: tuple[str, ...]
    positions: tuple[int, ...]  # of what the content is made of
    heads: tuple[int, ...] = ()  # of headers that this piece is the first one under
    metadata: Mapping[str, Any] = field(default_factory=dict)  # its own keys, where it came with the document


class _WordPieces(BaseTokenizer):
    """Our tokenizer as docling-core wants it."""

    def count_tokens(self, text: str) -> int:
        return _count(text)

    def get_max_tokens(self) -> int:
        return CHUNK_TOKENS

    def get_tokenizer(self) -> Callable[[str], int]:
        return _count


class _AsWritten(MarkdownTextSerializer):
    """Line breaks stay as they are: docling-core would end every line with two spaces."""

    def _md_line_breaks(self, text: str) -> str:
        return text


class _Serializers(ChunkingSerializerProvider):
    def get_serializer(self, doc: DoclingDocument) -> ChunkingDocSerializer:
        return ChunkingDocSerializer(doc=doc, text_serializer=_AsWritten())


@lru_cache(maxsize=4096)
def _count(text: str) -> int:
    """The chunker counts the same texts again and again."""
    return tokens.count(text)


def _budget(path: Sequence[str]) -> int:
    """Word pieces that a heading path leaves for content."""
    return max(_MIN_BODY_TOKENS, CHUNK_TOKENS - _count("\n".join(path)))


def cut(items: Sequence[Item], name: str = "") -> list[Piece]:
    """The pieces of a document in reading order; every item with text but headers is in at least one.

    Each picture that is kept has a piece of its own; one of which nothing is said is told by the document's `name`.
    """
    pictures = list(_pictures(items, name))
    held = {position for piece in pictures for position in piece.positions}
    texts = [piece for run in _runs(items) for piece in run.pieces(items, held)]
    return sorted([*texts, *pictures], key=lambda piece: min(piece.positions)) if pictures else texts


def _pictures(items: Sequence[Item], name: str) -> Iterator[Piece]:
    path: list[tuple[int, str]] = []
    number = 0
    for position, item in enumerate(items):
        if is_header(item):
            while path and path[-1][0] >= item.level:
                path.pop()
            path.append((item.level, item.text))
        elif item.picture is not None:
            number += 1
            headings = tuple(text for _, text in path)
            content = picture_content(items, position, _budget(headings)) or f"Picture {number} of {name}".strip()
            yield Piece(content, headings, (position, *_caption(items, position)))


def _caption(items: Sequence[Item], position: int) -> tuple[int, ...]:
    """Where the caption of a picture stands."""
    at = beside(items, position) if items[position].caption else None
    return () if at is None else (at,)


def chunks(
    document_id: str,
    items: Sequence[Item],
    refs: Sequence[str],
    pieces: Sequence[Piece] | None = None,
    name: str = "",
) -> list[Chunk]:
    """Chunks with ids that depend only on document, heading path, content and how many equal ones came before.

    Cut here, unless `pieces` are given; `name` is the document's.
    """
    seen: dict[tuple[str, ...], int] = {}
    made: list[Chunk] = []
    for piece in _with_headings(items, cut(items, name) if pieces is None else pieces):
        key = (document_id, *piece.headings, piece.content)
        number = seen[key] = seen.get(key, -1) + 1
        positions = (*piece.heads, *piece.positions)
        own = [items[position] for position in positions]
        body = [items[position] for position in piece.positions or piece.heads]
        made.append(
            Chunk(
                id=str(uuid.uuid5(_NAMESPACE, "\x1f".join((*key, str(number))))),
                document_id=document_id,
                position=len(made),
                content=piece.content,
                headings=piece.headings,
                page_numbers=tuple(sorted({page for item in own for page in item.pages})),
                doc_item_refs=tuple(refs[position] for position in positions),
                labels=tuple(dict.fromkeys(item.label for item in body)),
                metadata=piece.metadata,
            )
        )
    return made


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring items that are chunked together: one table, or everything between two tables."""

    positions: range
    path: tuple[str, ...]  # headings in force at its start
    levels: tuple[int, ...]  # their levels

    def pieces(self, items: Sequence[Item], held: Collection[int]) -> list[Piece]:
        """`held`: positions that are in pieces already."""
        first = items[self.positions.start]
        if first.table is not None:
            return [
                Piece(content, self.path, (self.positions.start,))
                for content in table_contents(first.table, _budget(self.path))
            ]
        return list(self._text_pieces(items, held))

    def _text_pieces(self, items: Sequence[Item], held: Collection[int]) -> Iterator[Piece]:
        document = DoclingDocument(name="run")
        for level, text in zip(self.levels, self.path, strict=True):
            document.add_heading(text, level=level + 1)
        known: dict[str, int] = {}
        for position in self.positions:
            item = items[position]
            if is_header(item):
                document.add_heading(item.text, level=item.level + 1)
            elif position not in held:
                for text in filter(None, bites(block(item))):
                    known[document.add_text(DocItemLabel.TEXT, text).self_ref] = position
        for chunk in HybridChunker(tokenizer=_WordPieces(), serializer_provider=_Serializers()).chunk(document):
            assert isinstance(chunk, DocChunk)
            positions = tuple(dict.fromkeys(known[item.self_ref] for item in chunk.meta.doc_items))
            yield Piece(chunk.text, tuple(chunk.meta.headings or ()), positions)


def _runs(items: Sequence[Item]) -> Iterator[_Run]:
    path: list[tuple[int, str]] = []
    start, start_path = 0, list(path)

    def run(stop: int) -> _Run:
        return _Run(range(start, stop), tuple(text for _, text in start_path), tuple(level for level, _ in start_path))

    for position, item in enumerate(items):
        if start < position and _turns(items[position - 1], item):
            yield run(position)
            start, start_path = position, list(path)
        if item.table is not None:
            if start < position:
                yield run(position)
            start, start_path = position, list(path)
            yield run(position + 1)
            start = position + 1
        elif is_header(item):
            while path and path[-1][0] >= item.level:
                path.pop()
            path.append((item.level, item.text))
    if start < len(items):
        yield run(len(items))


def _turns(before: Item, item: Item) -> bool:
    """Whether a page ends between two items: a chunk over both would be cited with two pages."""
    return bool(before.pages and item.pages) and item.pages[0] != before.pages[-1]


def _with_headings(items: Sequence[Item], pieces: Sequence[Piece]) -> list[Piece]:
    """Each heading joins the first piece of its section; a section without any piece becomes one itself."""
    starts = list(accumulate((min(piece.positions, default=0) for piece in pieces), max))
    joined: dict[int, list[int]] = {}
    lonely: list[tuple[int, Piece]] = []
    path: list[tuple[int, str]] = []
    ends = _section_ends(items)
    for position, end in ends.items():
        item = items[position]
        while path and path[-1][0] >= item.level:
            path.pop()
        first = bisect_right(starts, position)
        if first < len(starts) and starts[first] < end:
            joined.setdefault(first, []).append(position)
        else:
            lonely.append((first, Piece(item.text, tuple(text for _, text in path), (), (position,))))
        path.append((item.level, item.text))
    made = [(number, 1, replace(piece, heads=tuple(joined.get(number, ())))) for number, piece in enumerate(pieces)]
    made += [(number, 0, piece) for number, piece in lonely]
    return [piece for _, _, piece in sorted(made, key=itemgetter(0, 1))]


def _section_ends(items: Sequence[Item]) -> dict[int, int]:
    """Position of each header with text -> where its section ends."""
    ends: dict[int, int] = {}
    open_headers: list[int] = []
    for position, item in enumerate(items):
        if is_header(item):
            while open_headers and items[open_headers[-1]].level >= item.level:
                ends[open_headers.pop()] = position
            open_headers.append(position)
            ends[position] = len(items)
    return ends
