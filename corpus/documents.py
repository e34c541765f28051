"""The records of the corpus: documents, chunks, search results, and the outcome of adding a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import unquote

FileKind = Literal["metadata.json", "content.txt", "items.jsonl", "chunks.jsonl", "toc.json"]
HOT_BYTES = 64 << 20  # of files kept in memory for all sessions of a process; the least used go first
FILE_KINDS: tuple[FileKind, ...] = ("metadata.json", "content.txt", "items.jsonl", "chunks.jsonl", "toc.json")

INSIDE = "#"  # stands between a file and what is in it, in uris; in names the character is encoded
PICTURE_REF = "#/pictures/"  # how the self_refs of pictures begin
PICTURE_TYPES = ("image/png", "image/jpeg", "image/webp", "image/gif")

Status = Literal["ok", "empty", "unreadable"]
SearchMode = Literal["hybrid", "fulltext", "semantic"]  # by words and meaning, by words, by meaning
SEARCH_MODES: tuple[SearchMode, ...] = ("hybrid", "fulltext", "semantic")


@dataclass(frozen=True, slots=True)
class File:
    """One of a document's five files: where its bytes are, and how many."""

    digest: str  # SHA-256 of the bytes, hexadecimal
    size: int  # bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in a document, in a form that models take."""

    ref: str  # self_ref of its item
    media_type: str  # one of PICTURE_TYPES
    width: int  # pixels
    height: int
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Document:
    id: str
    title: str
    uri: str  # file:///… or whatever the source is called; unique in the corpus
    created_at: str  # ISO 8601, UTC: when it was first stored
    updated_at: str
    metadata: Mapping[str, Any]  # the keys stored with the document
    mime_type: str
    size: int  # bytes of the source
    page_count: int | None
    language: str | None  # ISO 639-1
    item_count: int
    chunk_count: int
    status: Status
    reason: str | None  # why it is unreadable or empty
    source_digest: str  # SHA-256 of the source's bytes
    files: Mapping[FileKind, File]

    @property
    def name(self) -> str:
        """The last part of its uri: what people call it when its title is another."""
        return self._names[-1]

    @property
    def held_by(self) -> str:
        """The names of the files that it is in, the innermost first: `report.zip in mail.eml`; empty for most."""
        return " in ".join(self._names[-2::-1])

    @property
    def whole_name(self) -> str:
        """Its name, with those of the files that it is in: `annex.pdf in report.zip`."""
        return " in ".join(reversed(self._names))

    @property
    def _names(self) -> list[str]:
        return [unquote(part.rstrip("/").rsplit("/", 1)[-1]) for part in self.uri.split(INSIDE)]


@dataclass(frozen=True, slots=True)
class Chunk:
    """What is indexed and cited."""

    id: str  # a UUID
    document_id: str
    position: int  # in the document, from 0
    content: str
    headings: tuple[str, ...]  # the chunk's own heading path, outermost first
    page_numbers: tuple[int, ...]
    doc_item_refs: tuple[str, ...]  # self_refs of its items
    labels: tuple[str, ...]  # of its items, in order, without repeats
    metadata: Mapping[str, Any] = field(default_factory=dict)  # custom keys


@dataclass(frozen=True, slots=True)
class SearchResult:
    chunk: Chunk
    document: Document
    score: float
    picture_refs: tuple[str, ...] = ()  # those of its doc_item_refs that are pictures
    annotations: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The keys that programs see, in code and in `--json`."""
        chunk = self.chunk
        return {
            "chunk_id": chunk.id,
            "content": chunk.content,
            "document_id": chunk.document_id,
            "document_title": self.document.title,
            "document_uri": self.document.uri,
            "score": self.score,
            "page_numbers": list(chunk.page_numbers),
            "headings": list(chunk.headings),
            "doc_item_refs": list(chunk.doc_item_refs),
            "labels": list(chunk.labels),
            "picture_refs": list(self.picture_refs),
            "chunk_meta": dict(chunk.metadata),
            "annotations": list(self.annotations),
        }


@dataclass(frozen=True, slots=True)
class SearchPage:
    results: Sequence[SearchResult]
    total: int  # passages that matched, before limit and offset; copies counted once
    documents: int  # documents among them
    missing_terms: tuple[str, ...] = ()  # words and quoted phrases of the query that occur nowhere in scope
    is_cut: bool = False  # more passages matched than are ranked: `total` and `documents` are of those that are


OutcomeStatus = Literal["added", "updated", "renamed", "removed", "unchanged", "empty", "skipped", "failed"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file given to `Corpus.add`, or met by `Corpus.sync`."""

    path: str
    status: OutcomeStatus
    document_id: str | None = None
    reason: str | None = None  # why it failed, is empty or was skipped


@dataclass(frozen=True, slots=True)
class Progress:
    """How far `Corpus.add` has come."""

    phase: Literal["convert", "embed"]
    done: int
    total: int  # files, or chunks that wait for a vector
    name: str = ""  # of the file that was finished last
