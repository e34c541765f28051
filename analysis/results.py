"""What an analysis returns to the host: an answer, what it cites and what it computed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..corpus.documents import Chunk, Document, Picture
    from ..sandbox.results import CellResult


class Reach(NamedTuple):
    """How many documents may be searched and read, and how many of them have no text because reading failed."""

    documents: int
    unreadable: int


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage that an answer rests on."""

    chunk_id: str
    document_id: str
    title: str
    uri: str
    headings: tuple[str, ...]
    page_numbers: tuple[int, ...]
    text: str

    @classmethod
    def of(cls, chunk: Chunk, document: Document) -> Citation:
        """The citation of one chunk of a document; of one in a file it names both."""
        return cls(
            chunk.id,
            document.id,
            f"{document.title} in {document.held_by}" if document.held_by else document.title,
            document.uri,
            chunk.headings,
            chunk.page_numbers,
            chunk.content,
        )

    def as_dict(self) -> dict[str, Any]:
        """The citation as JSON values."""
        return {**asdict(self), "headings": list(self.headings), "page_numbers": list(self.page_numbers)}


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that ran for a question: its number in the session, its code and what the model saw of its output."""

    number: int
    code: str
    output: str


@dataclass(frozen=True, slots=True)
class Computation:
    """Code that read the corpus for an answer, with how much of the corpus it read."""

    cells: tuple[Cell, ...]
    documents_read: int  # documents whose files the cells opened
    documents_in_scope: int
    unreadable: int

    def as_dict(self) -> dict[str, Any]:
        """The computation as JSON values."""
        return {**asdict(self), "cells": [asdict(cell) for cell in self.cells]}


@dataclass(frozen=True, slots=True)
class Support:
    """Where a stretch of the answer stands in a cited passage; offsets are in characters."""

    start: int  # in `Answer.text`
    end: int
    citation: int  # index into `Answer.citations`
    passage_start: int  # in that citation's text
    passage_end: int


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that was let out: cited, computed, or openly a refusal."""

    text: str  # with [n] marks; n counts `citations` from 1
    grounded: bool  # at least one chunk, or a computation that read the corpus, is cited
    citations: tuple[Citation, ...] = ()
    computations: tuple[Computation, ...] = ()
    model: str = ""
    unsupported: tuple[str, ...] = ()  # numbers and quotations of the text that no evidence contains
    note: str = ""  # coverage of the corpus, what was unsupported, which kind of model answered
    supports: tuple[Support, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The keys that programs see."""
        return {
            "text": self.text,
            "grounded": self.grounded,
            "citations": [citation.as_dict() for citation in self.citations],
            "computations": [computation.as_dict() for computation in self.computations],
            "model": self.model,
        }


@dataclass(frozen=True, slots=True)
class SearchReply:
    """What a search found: the text that the model reads, and the pictures that its hits name as attached."""

    text: str
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class CellReply:
    """A cell's outcome: the text that the model reads, and the sandbox's own record."""

    text: str
    result: CellResult
    documents_read: frozenset[str] = frozenset()
