"""From a converted source to what is published of it: the document, its five files, its chunks and their terms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

import orjson

from . import languages
from .blobs import describe
from .convert import Converted
from .documents import FILE_KINDS, Chunk, Document, Picture
from .embed import Embedder
from .index import Entry
from .lexicon import script
from .render import metadata_file, toc_file
from .sources import Digest, Source, name_of
from .state import Stored
from .store import Addition
from .terms import GAP, index_terms, is_undivided, words

_TELLING_SHARE = 0.2  # of a text's words that must be different words in letters, for it to have a vector


def converted(
    source: Source, id: str, result: Converted, old: Stored | None, given: Mapping[str, Any], embedder: Embedder
) -> Addition:
    """A document that was read; `given` is metadata that came with it and goes before its own."""
    document = replace(
        _document(source, id, old, {**result.metadata, **given}),
        title=result.title or source.name,
        mime_type=result.mime_type,
        size=result.source_size,
        page_count=result.page_count,
        language=_language(given) or result.language,
        item_count=result.item_count,
        chunk_count=len(result.chunks),
        status=result.status,
        reason=result.reason,
        source_digest=result.source_digest,
    )
    files = (result.content, result.items, result.chunks_file, result.toc)
    entries = [entry(document, chunk, embedder) for chunk in result.chunks]
    return _addition(document, files, given, entries, result.pictures)


def unreadable(
    source: Source, id: str, found: Digest, reason: str, old: Stored | None, given: Mapping[str, Any]
) -> Addition:
    """A document that could not be read: it has the five files, and no text."""
    document = replace(_document(source, id, old, given), size=found.size, reason=reason, source_digest=found.hex)
    return _addition(document, (b"", b"", b"", toc_file(document.id, document.title, [])), given, [])


def is_read_already(source: Source, old: Stored, digest: str, given: Mapping[str, Any]) -> bool:
    """Whether a document needs another name or other metadata, and no conversion.

    A suffix may say how a file is to be read; under a key that goes, the file may have a value of its own.
    """
    before = old.document
    return (
        (before.source_digest == digest and before.status != "unreadable")
        and old.given.keys() <= given.keys()
        and PurePath(name_of(before.uri)).suffix == PurePath(source.name).suffix
    )


def renewed(
    source: Source,
    old: Stored,
    given: Mapping[str, Any],
    files: Sequence[bytes],
    pictures: Sequence[Picture],
    chunks: Sequence[Chunk],
    embedder: Embedder,
) -> Addition:
    """A document whose file lies elsewhere now, or of which more is known; `files` are its five, as stored. It has a
    new title if that was the file's name."""
    was = old.document
    document = replace(
        was,
        uri=source.uri,
        title=source.name if was.title == name_of(was.uri) else was.title,
        metadata={**was.metadata, **given},
        language=_language(given) or was.language,
        updated_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    _, content, items, chunks_file, toc = files
    rendered = (content, items, chunks_file, toc_file(was.id, document.title, orjson.loads(toc)["tree"]))
    return _addition(document, rendered, given, [entry(document, chunk, embedder) for chunk in chunks], pictures)


def _language(given: Mapping[str, Any]) -> str | None:
    """The language that somebody says the document is in: he goes before what its text seems to be."""
    told = given.get("language")
    return languages.code(told) if isinstance(told, str) else None


def entry(document: Document, chunk: Chunk, embedder: Embedder) -> Entry:
    """What a chunk is found by: its document's title and file name and its headings belong to it."""
    heads = dict.fromkeys([document.title, document.whole_name, *chunk.headings])
    terms = f" {GAP} ".join(index_terms(text, document.language) for text in [*heads, chunk.content])
    return Entry(chunk, terms, embed=embedder.serves(document.language) and is_embeddable(chunk.content))


def is_embeddable(content: str) -> bool:
    """Whether the text says something in Latin letters; vectors of other scripts, or of rows of numbers, only harm."""
    found = words(content)
    latin = {word for word in found if not is_undivided(word) and script(word) == "latin"}
    foreign = {word for word in found if not word[0].isdigit()} - latin
    return len(foreign) <= len(latin) and len(latin) >= _TELLING_SHARE * len(found)


def embedded_text(title: str, headings: Sequence[str], content: str) -> str:
    """What the embedder sees of a chunk."""
    path = dict.fromkeys(filter(None, [_spoken(title), *headings]))
    return "\n".join([" > ".join(path), content]) if path else content


def _spoken(title: str) -> str:
    """A title as one would say it: of a file name only its words, of a mere number nothing."""
    if " " not in title:
        title = re.sub(r"[-_.+]+", " ", PurePath(title).stem)
    return title if any(map(str.isalpha, title)) else ""


def _document(source: Source, id: str, old: Stored | None, metadata: Mapping[str, Any]) -> Document:
    """A document of which nothing is known but where it is."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Document(
        id=id,
        title=source.name,
        uri=source.uri,
        created_at=old.document.created_at if old else now,
        updated_at=now,
        metadata=metadata,
        mime_type="application/octet-stream",
        size=0,
        page_count=None,
        language=None,
        item_count=0,
        chunk_count=0,
        status="unreadable",
        reason=None,
        source_digest="",
        files={},
    )


def _addition(
    document: Document,
    rendered: tuple[bytes, bytes, bytes, bytes],
    given: Mapping[str, Any],
    entries: Sequence[Entry],
    pictures: Sequence[Picture] = (),
) -> Addition:
    contents = (metadata_file(document), *rendered)
    files = dict(zip(FILE_KINDS, map(describe, contents), strict=True))
    return Addition(Stored(replace(document, files=files), given, tuple(pictures)), contents, tuple(entries))
