"""Which document or collection a person means."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote

from .documents import Document
from .errors import AmbiguousDocument, CollectionNotFound, DocumentNotFound

_ID_PREFIX = 4  # characters: the shortest beginning of a document id that is taken for one
_CANDIDATES = 5


def find(documents: Mapping[str, Document], key: str) -> Document:
    """The document with this id, beginning of an id, uri, path, file name or title.

    DocumentNotFound, AmbiguousDocument.
    """
    if key in documents:
        return documents[key]
    for names in (_by_id, _by_place, _by_name):
        found = [document for document in documents.values() if names(document, key)]
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousDocument(key, [f"{document.id} {unquote(document.uri)}" for document in found[:_CANDIDATES]])
    raise DocumentNotFound(key, _near(documents, key))


def named(name: str, known: Iterable[str]) -> str:
    """`name` as a collection of `known` is called; CollectionNotFound."""
    known, wanted = list(known), unicodedata.normalize("NFC", name).strip()
    if wanted in known:
        return wanted
    near = difflib.get_close_matches(wanted, known, n=_CANDIDATES) or known[:_CANDIDATES]
    raise CollectionNotFound(name, near)


def _by_id(document: Document, key: str) -> bool:
    return len(key) >= _ID_PREFIX and document.id.startswith(key)


def _by_place(document: Document, key: str) -> bool:
    return (
        key == document.uri
        or document.uri == "file://" + key
        or unquote(document.uri) == f"file://{Path(key).absolute()}"
    )


def _by_name(document: Document, key: str) -> bool:
    return key in _names(document)


def _near(documents: Mapping[str, Document], key: str) -> list[str]:
    names = dict.fromkeys(name for document in documents.values() for name in _names(document))
    return difflib.get_close_matches(key, names, n=_CANDIDATES)


def _names(document: Document) -> tuple[str, str, str]:
    """What people call it: its title, the name of its file, and that with the names of the files that it is in."""
    return document.title, document.name, document.whole_name
