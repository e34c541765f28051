"""Functions that save an analyst lines: `grep`, `items` and `toc`."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from .documents import KINDS, Documents
from .tree import MOUNT, text_of

BY_ID = (
    "documents are named by their ids, not by titles or files:"
    ' {d["title"]: d["id"] for d in await list_documents()} leads from the one to the other'
)
_LINE_ENDS = re.compile(r"\r\n?")


def shortcuts(documents: Documents) -> dict[str, Callable[..., Any]]:
    """The functions by their names: plain ones, with the signatures that a cell is shown."""
    reader = Reader(documents)

    def items(doc):
        """The items of a document in order, items.jsonl as a list of dicts. `doc`: an id, or a dict or path with it."""
        return reader.items(doc)

    def toc(doc):
        """The sections of a document, toc.json as a dict. `doc`: an id, or a dict or path with it."""
        return reader.toc(doc)

    def grep(regex, where="content.txt", *, flags=0):
        """The lines that match: [{document_id, file, line_number, line}].

        `where` is a file name such as "items.jsonl" (in every document), a document (id, dict or path), a path to one
        file, or a list of documents or paths. Line numbers start at 1. `flags` are those of re, such as re.I.
        """
        return reader.grep(regex, where, flags)

    functions = {"items": items, "toc": toc, "grep": grep}
    for name, function in functions.items():
        function.__qualname__ = name
    return functions


class Reader:
    """Reads documents by whatever names them: an id, a dict with an id, a path below /documents/{id}."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def items(self, doc: object) -> list[dict[str, Any]]:
        body = self._documents.open(self._id(doc), "items.jsonl")
        return json.loads(b"[" + body.rstrip(b"\n").replace(b"\n", b",") + b"]")  # no newline stands inside a line

    def toc(self, doc: object) -> dict[str, Any]:
        return json.loads(self._documents.open(self._id(doc), "toc.json"))

    def grep(self, regex: str | re.Pattern[str], where: object, flags: int) -> list[dict[str, Any]]:
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
        if where is None or (isinstance(where, str) and where in KINDS):
            where = where or "content.txt"
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
            raise LookupError(f"no document {key!r} in scope; {self._advice(key)}")
        return key

    def _advice(self, key: str) -> str:
        near = difflib.get_close_matches(key, [*KINDS, *self._documents.ids()], 1)
        return f"did you mean {near[0]!r}?" if near else BY_ID


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
