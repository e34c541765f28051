"""The five files of a document: content.txt, items.jsonl, chunks.jsonl, toc.json, metadata.json."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from . import markdown
from .documents import Chunk, Document
from .items import Item

# What str.splitlines splits at beyond "\n", and orjson leaves as it is: escaped, so that a line of JSON is one line
# for both .split("\n") and .splitlines(). JSON has these characters only inside strings.
_SEPARATORS = re.compile("[\x7f-\x9f\u2028\u2029]")
_REF_KINDS = {"table": "tables", "picture": "pictures"}  # all others are texts


def self_refs(items: Iterable[Item]) -> list[str]:
    """References in docling's form, numbered by kind in reading order: #/texts/0, #/tables/0, #/pictures/0."""
    counts: dict[str, int] = {}
    refs = []
    for item in items:
        kind = _REF_KINDS.get(item.label, "texts")
        number = counts[kind] = counts.get(kind, -1) + 1
        refs.append(f"#/{kind}/{number}")
    return refs


def content_file(items: Iterable[Item]) -> bytes:
    text = markdown.join(items)
    return (text + "\n" if text else "").encode("utf-8", "replace")


def items_file(items: Sequence[Item], refs: Sequence[str], chunk_ids: Sequence[Sequence[str]]) -> bytes:
    """One line per item; `chunk_ids` are the chunks that hold it, by position."""
    rows = []
    for item, ref, ids in zip(items, refs, chunk_ids, strict=True):
        row: dict[str, Any] = {
            "self_ref": ref,
            "label": item.label,
            "text": markdown.table(item.table) if item.table is not None else item.text or item.caption,
            "page_numbers": item.pages,
            "chunk_ids": ids,
            "heading_level": item.level,
        }
        if item.table is not None:
            row["table"] = {"columns": item.table.columns, "rows": item.table.rows}
        if item.label == "picture":
            row["picture"] = _picture(item)
        rows.append(row)
    return _lines(rows)


def _picture(item: Item) -> dict[str, Any]:
    """What is known of a picture; without a media type it is not kept."""
    kept = item.picture
    return {
        "caption": item.caption or item.text,
        "media_type": kept.media_type if kept else None,
        "width": kept.width if kept else None,
        "height": kept.height if kept else None,
        "box": None if item.box is None else [round(edge, 1) for edge in item.box],
    }


def chunks_file(chunks: Iterable[Chunk]) -> bytes:
    return _lines(
        {
            "chunk_id": chunk.id,
            "metadata": {
                "doc_item_refs": chunk.doc_item_refs,
                "headings": chunk.headings,
                "labels": chunk.labels,
                "page_numbers": chunk.page_numbers,
                **chunk.metadata,
            },
            "content": chunk.content,
        }
        for chunk in chunks
    )


def toc_file(document_id: str, title: str | None, tree: Sequence[Mapping[str, Any]]) -> bytes:
    return one_line({"doc_id": document_id, "title": title, "tree": tree}) + b"\n"


def metadata_file(document: Document) -> bytes:
    fields = (
        *("id", "title", "uri", "created_at", "metadata", "updated_at", "mime_type", "size", "page_count"),
        *("language", "item_count", "chunk_count", "status", "reason"),
    )
    return one_line({name: getattr(document, name) for name in fields}) + b"\n"


def one_line(value: Any) -> bytes:
    """JSON on one line, whichever way lines are split."""
    text = orjson.dumps(value, default=_plain, option=orjson.OPT_NON_STR_KEYS).decode()
    return _SEPARATORS.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode()


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(one_line(row) + b"\n" for row in rows)


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else str(value)
