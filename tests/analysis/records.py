"""Corpus records for tests of pure modules."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import quote

from glossator.corpus.documents import Chunk, Document, SearchPage, SearchResult
from glossator.sandbox.results import CellResult

NAMESPACE = uuid.UUID("00000000-0000-0000-0000-000000000000")


def chunk(content: str, *, document_id: str = "aaaaaaaaaa", **fields: Any) -> Chunk:
    values: dict[str, Any] = {
        "id": str(uuid.uuid5(NAMESPACE, document_id + content)),
        "document_id": document_id,
        "position": 0,
        "content": content,
        "headings": (),
        "page_numbers": (),
        "doc_item_refs": (),
        "labels": ("text",),
    }
    return Chunk(**values | fields)


def document(title: str = "Lease.md", *, id: str = "aaaaaaaaaa", **fields: Any) -> Document:
    values: dict[str, Any] = {
        "id": id,
        "title": title,
        "uri": f"file:///{quote(title, errors='replace')}",
        "created_at": "2026-01-01T00:00:00+00:00",
        "updated_at": "2026-01-01T00:00:00+00:00",
        "metadata": {},
        "mime_type": "text/markdown",
        "size": 1,
        "page_count": None,
        "language": "en",
        "item_count": 1,
        "chunk_count": 1,
        "status": "ok",
        "reason": None,
        "source_digest": "",
        "files": {},
    }
    return Document(**values | fields)


def page(*results: SearchResult, total: int | None = None, missing: tuple[str, ...] = ()) -> SearchPage:
    documents = len({result.document.id for result in results})
    return SearchPage(results, len(results) if total is None else total, documents, missing)


def cell(stdout: str = "", **fields: Any) -> CellResult:
    return CellResult(fields.pop("number", 1), stdout, **fields)
