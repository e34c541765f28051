"""Functions that save an analyst lines: `grep`, `items` and `toc`."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .documents import KINDS, Documents
from .tree import MOUNT, text_of

_LINE_ENDS = re.compile(r"\r\n?")


class Shortcuts:
    """Reads documents by whatever names them: an id, a dict with an id, a path below /documents/{id}."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def items(self, doc: object) -> list[dict[str, Any]]:
        """The items of a document, in order: items.jsonl as a list of dicts."""
        body = self._documents.open(self._id(doc), "items.jsonl")
        return json.loads(b"[" + body.rstrip(b"\n").replace(b"\n", b",") + b"]")  # no newline stands inside a line

    def toc(self, doc: object) -> dict[str, Any]:
        """The sections of a document: toc.json as a dict."""
        return json.loads(self._documents.open(self._id(doc), "toc.json"))

    def grep(
        self, regex: str | re.Pattern[str], where: object = "content.txt", *, flags: int = 0
    ) -> list[dict[str, Any]]:
        """The lines that match: [{document_id, file, line_number, line}].

        `where` is a file name such as "items.jsonl" (in every document), a document (id, dict or path), a path to one
        file, or a list of documents or paths. Line numbers start at 1.
        """
        search = re.compile(regex, flags).search
        return [
            {"document_id": document, "file": kind, "line_number": number, "line": line}
            for document, kind in self._files(where)
            for number, line in enumerate(self._lines(document, kind), 1)
            if search(line)
        ]

    def _lines(self, document: str, kind: str) -> list[str]:
        text = self._documents.open(document, kind).decode()
        return (_LINE_ENDS.sub("\n", text) if "\r" in text else text).removesuffix("\n").split("\n")

    def _files(self, where: object) -> Iterator[tuple[str, str]]:
        if isinstance(where, str) and where in KINDS:
            yield from ((document, where) for document in self._documents.ids())
        elif isinstance(where, (str, os.PathLike, Mapping)) or not isinstance(where, Iterable):
            yield self._id(where), _kind(where) or "content.txt"
        else:
            for each in where:
                yield from self._files(each)

    def _id(self, doc: object) -> str:
        key = _key(doc)
        ids = self._documents.ids()
        if key not in ids:
            near = difflib.get_close_matches(key, ids, 1)
            hint = (
                f"did you mean {near[0]!r}?" if near else "ids are in list_documents() and in os.listdir('/documents')"
            )
            raise LookupError(f"no document {key!r} in scope; {hint}")
        return key


def _key(doc: object) -> str:
    if isinstance(doc, Mapping):
        doc = doc.get("document_id", doc.get("id"))
    if not isinstance(doc, (str, os.PathLike)):
        raise TypeError(f"a document is named by its id, a dict with its id, or a path, not {type(doc).__name__}")
    parts = _parts(doc)
    return parts[1] if len(parts) > 1 and parts[0] == MOUNT else "/".join(parts)


def _kind(doc: object) -> str | None:
    parts = _parts(doc) if isinstance(doc, (str, os.PathLike)) else []
    return parts[-1] if parts and parts[-1] in KINDS else None


def _parts(path: str | os.PathLike[str]) -> list[str]:
    return [part for part in text_of(path).split("/") if part]
