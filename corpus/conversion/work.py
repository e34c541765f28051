"""One document from bytes to its files; runs in the child, with nothing of the jail in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson
from lxml.etree import XMLSyntaxError

from .. import chunks, formats, given, languages, readers, render, toc, tokens
from ..captions import captioned
from ..items import Item, Member, Source, Unreadable
from ..markdown import one_line
from ..pictures import Album
from ..readers import xml
from ..tidy import clean, tidy
from .job import MEMBER, PICTURES, RESULT, Confinement, Job

MAX_MEMBERS = 1000  # of one archive or message
MAX_UNPACKED = 512 << 20  # bytes of all of them


def preload() -> None:
    """Load what is loaded at first use."""
    tokens.tokenizer()


def convert(job: Job, confinement: Confinement) -> None:
    """Write the document's files and `result.json`: its properties, or {"failed": reason}."""
    folder = job.output
    result: dict[str, Any]
    try:
        result = _converted(job, folder)
    except Unreadable as error:
        result = {"failed": str(error)}
    except XMLSyntaxError as error:  # from the readers of archives that docling parses
        result = {"failed": xml.reason(error.msg or "")}
    except MemoryError:
        result = {"failed": f"needs more than {job.memory_mb} MB of memory"}
    except RecursionError:
        result = {"failed": "nested too deeply"}
    # The outermost boundary of a process that runs other people's parsers on other people's files: whatever they
    # raise is this document's failure and nobody else's.
    except Exception as error:
        result = {"failed": f"the reader failed: {type(error).__name__}: {error}"[:500]}
    result["confinement"] = asdict(confinement)
    (folder / RESULT).write_bytes(orjson.dumps(result, default=str))


def _converted(job: Job, folder: Path) -> dict[str, Any]:
    data = job.source.read_bytes()
    format = formats.detect(data, job.name)
    beside = {address: job.pictures / name for address, name in job.beside.items()}
    reading = readers.read(Source(data, job.name, format.name, job.ocr, beside))
    items = captioned(list(tidy(reading.items)))
    refs = render.self_refs(items)
    album = Album()
    items = list(album.fill(items, refs))
    pieces = given.pieces(items, reading.chunks, job.name) if reading.chunks else None
    cut = chunks.chunks(job.document_id, items, refs, pieces, job.name)
    by_item: dict[str, list[str]] = {ref: [] for ref in refs}
    for chunk in cut:
        for ref in chunk.doc_item_refs:
            by_item[ref].append(chunk.id)
    chunk_ids = [by_item[ref] for ref in refs]
    title = one_line(clean(reading.title or title_of(items) or "")) or None
    files = {
        "content.txt": render.content_file(items),
        "items.jsonl": render.items_file(items, refs, chunk_ids),
        "chunks.jsonl": render.chunks_file(cut),
        "toc.json": render.toc_file(job.document_id, title or job.name, toc.tree(items, refs, chunk_ids)),
        PICTURES: b"".join(picture.data for picture in album.pictures),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return {
        "title": title,
        "mime_type": job.mime_type or format.mime_type,
        "page_count": reading.page_count,
        "language": languages.code(reading.language) or languages.detect(files["content.txt"].decode()),
        "metadata": dict(reading.metadata),
        "item_count": len(items),
        "scans": list(reading.scans),
        "pictures": [[p.ref, p.media_type, p.width, p.height, len(p.data)] for p in album.pictures],
        "members": _unpacked(reading.members[:MAX_MEMBERS], folder),
        "left_in": max(0, len(reading.members) - MAX_MEMBERS),
        **_status(files["content.txt"], album),
    }


def _unpacked(members: Sequence[Member], folder: Path) -> list[tuple[str, str]]:
    """Write the files that are in the document; the name of each, and why it was not unpacked."""
    told: list[tuple[str, str]] = []
    room = MAX_UNPACKED
    for number, member in enumerate(members):
        refusal = member.refusal
        try:
            data = b"" if refusal else member.unpack()
        except Unreadable as error:
            refusal = str(error)
        except MemoryError:
            refusal = "needs too much memory"
        else:
            if len(data) > room:
                refusal = f"no more than {MAX_UNPACKED >> 20} MB are unpacked of one file"
            elif not refusal:
                (folder / f"{MEMBER}{number}").write_bytes(data)
                room -= len(data)
        told.append((member.name, refusal))
    return told


def _status(content: bytes, album: Album) -> dict[str, str | None]:
    """Pictures alone are no text, though each can be found."""
    count = len(album.pictures)
    if not content:
        return {"status": "empty", "reason": f"no text, {_pictures(count)}" if count else "no text"}
    left = album.left_out
    return {"status": "ok", "reason": f"{_pictures(left)} left out: {count} are kept of one document" if left else None}


def _pictures(count: int) -> str:
    return "1 picture" if count == 1 else f"{count} pictures"


def title_of(items: list[Item]) -> str | None:
    """The text of a title item, else of a first header that stands alone at its level."""
    for item in items:
        if item.label == "title":
            return item.text
    headers = [item for item in items if item.label == "section_header"]
    if headers and sum(item.level <= headers[0].level for item in headers) == 1:
        return headers[0].text
    return None
