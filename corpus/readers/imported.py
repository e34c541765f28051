"""Documents that were prepared elsewhere: DoclingDocument JSON, alone or with chunks of its own.

    {"schema_name": "DoclingDocument", …}
    {"document": {…}, "chunks": [{"content", "doc_item_refs", "headings"?, "metadata"?}, …], "title"?, "metadata"?}

docling's own chunks (`text` and `meta` with `doc_items` and `headings`) are taken as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from docling_core.types.doc.document import DoclingDocument
from pydantic import ValidationError

from .. import given
from ..items import GivenChunk, Item, Reading, Source, Unreadable
from .docling import items_of

_SCHEMA = "DoclingDocument"


def read(source: Source) -> Reading:
    try:
        value = orjson.loads(source.data)
    except orjson.JSONDecodeError as error:
        raise Unreadable(f"broken JSON: {error}") from error
    wrapped = value if "document" in value else {"document": value}
    document = _document(wrapped["document"])
    items = items_of(document)
    chunks = [_chunk(number, chunk, items) for number, chunk in enumerate(_list(wrapped, "chunks"))]
    metadata = wrapped.get("metadata") or {}
    if not isinstance(metadata, Mapping):
        raise Unreadable("its metadata is not an object of keys and values")
    pages = len(document.pages) or None
    title = wrapped.get("title")
    return Reading(items, str(title) if title else None, dict(metadata), pages, chunks=chunks)


def _document(value: Any) -> DoclingDocument:
    try:
        return DoclingDocument.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise Unreadable(f"not a {_SCHEMA}: {place}: {first['msg']}") from error


def _list(wrapped: Mapping[str, Any], name: str) -> list[Any]:
    value = wrapped.get(name) or []
    if not isinstance(value, list):
        raise Unreadable(f"its {name} are not a list")
    return value


def _chunk(number: int, chunk: Any, items: list[Item]) -> GivenChunk:
    """A chunk, checked: what it says it holds must be there."""
    if not isinstance(chunk, Mapping):
        raise Unreadable(f"chunk {number} is not an object")
    inner = chunk.get("meta") or {}
    content = chunk.get("content", chunk.get("text"))
    refs = chunk.get("doc_item_refs", [item.get("self_ref") for item in inner.get("doc_items", ())])
    headings = chunk.get("headings", inner.get("headings"))
    if not isinstance(content, str) or not content.strip():
        raise Unreadable(f"chunk {number} has no content")
    known = {item.ref for item in items}
    if lost := [ref for ref in refs if ref not in known]:
        raise Unreadable(f"chunk {number} names {lost[0]}, which is no item of the document with text")
    try:
        metadata = given.metadata(chunk.get("metadata") or {})
    except ValueError as error:
        raise Unreadable(f"chunk {number}: {error}") from error
    return GivenChunk(content, tuple(refs), None if headings is None else tuple(map(str, headings)), metadata)
