"""A corpus in memory behind the interface of `Snapshot`, and a line that joins the guest half to the host half."""

from __future__ import annotations

import asyncio
import atexit
import base64
import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from glossator.corpus.documents import FILE_KINDS, Document, File, FileKind, Status
from glossator.corpus.listing import Columns, Listing, brief_of, facts_of
from glossator.vfs import DocumentFiles, FileLimits
from glossator.vfs.guest import Guest, install

Files = Mapping[FileKind, bytes]

_RUNNER = asyncio.Runner()  # one loop for every line: a new one costs more than a request
atexit.register(_RUNNER.close)

# Pieces of file content: what decoders, line readers and newline translation can get wrong.
PIECES = (
    "plain text, then a line end\n",
    "dos line end\r\n",
    "old line end\r",
    "größe, naïve, Ελλάδα, 東京, 🏛\n",
    "\u2028 and \x85 and \x1c are no line ends\n",
    "tab\tand NUL \0 inside\n",
    '"quoted, with comma",2,3\n',
    "\n\n",
    "a line without an end",
    "long " * 3000,
)


class MemorySnapshot:
    """One generation, in memory."""

    def __init__(
        self, files: Mapping[str, Files], *, generation: int = 1, status: Mapping[str, Status] | None = None
    ) -> None:
        self.generation = generation
        self.files = files
        self.reads: list[tuple[FileKind, list[str]]] = []
        self.documents = listing([document(key, each, (status or {}).get(key, "ok")) for key, each in files.items()])

    def read_at(self, kind: FileKind, positions: Sequence[int]) -> list[bytes]:
        ids = [self.documents.ids[position] for position in positions]
        self.reads.append((kind, ids))
        return [self.files[each][kind] for each in ids]


class Memory:
    """What a listing looks up, of documents in memory; their rows are their positions."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = documents

    def columns(self) -> Columns:
        digests = [file.digest for document in self.documents for file in document.files.values()]
        facts = [facts_of(document, {each: int(each[:12], 16) for each in digests}) for document in self.documents]
        return Columns(range(len(self.documents)), b"".join(facts))

    def column(self, name: str, rows: Sequence[int]) -> list[bytes]:
        make = {"record": lambda each: orjson.dumps(asdict(each)), "brief": brief_of}[name]
        return [make(self.documents[row]) for row in rows]

    def pages(self, name: str, start: int, stop: int | None, size: int) -> Iterator[list[bytes]]:
        rows = range(len(self.documents))[start:stop]
        return (self.column(name, rows[first : first + size]) for first in range(0, len(rows), size))

    def unreadable(self) -> list[str]:
        return [document.id for document in self.documents if document.status == "unreadable"]

    def collections(self) -> Mapping[str, frozenset[str]]:
        return {}

    def languages(self, rows: Sequence[int] | None) -> set[str]:
        return {document.language or "" for document in self.documents}


def listing(documents: Sequence[Document]) -> Listing:
    """A listing of documents in memory."""
    return Listing([document.id for document in documents], Memory(documents))


def identifier(number: int) -> str:
    """An id as the corpus makes them."""
    return base64.b32encode(hashlib.sha256(f"file:///{number}".encode()).digest())[:10].decode().lower()


def document(key: str, files: Files, status: Status = "ok") -> Document:
    return Document(
        id=key,
        title=f"Title of {key}",
        uri=f"file:///{key}.md",
        created_at="2026-11-30T12:00:00+00:00",
        updated_at="2026-11-30T12:00:00.250000+00:00",
        metadata={},
        mime_type="text/markdown",
        size=1,
        page_count=None,
        language="en",
        item_count=1,
        chunk_count=1,
        status=status,
        reason=None if status == "ok" else "no text layer",
        source_digest="",
        files={kind: File(hashlib.sha256(body).hexdigest(), len(body)) for kind, body in files.items()},
    )


def readable(key: str, text: str = "some text\n") -> dict[FileKind, bytes]:
    """Five well-formed files of a document with one item per line of `text`."""
    items = [{"self_ref": f"#/texts/{n}", "label": "text", "text": line} for n, line in enumerate(text.splitlines())]
    rows = "".join(json.dumps(item) + "\n" for item in items).encode()
    toc = {"doc_id": key, "title": f"Title of {key}", "tree": []}
    metadata = {"id": key, "title": f"Title of {key}"}
    return {
        "metadata.json": json.dumps(metadata).encode(),
        "content.txt": text.encode(),
        "items.jsonl": rows,
        "chunks.jsonl": rows,
        "toc.json": json.dumps(toc).encode(),
    }


def corpus(count: int, *, generation: int = 1, text: str = "some text\nmore text\n") -> MemorySnapshot:
    ids = [identifier(number) for number in range(count)]
    return MemorySnapshot({key: readable(key, text) for key in ids}, generation=generation)


def random_files(seed: int, count: int = 8) -> dict[str, dict[FileKind, bytes]]:
    """Documents whose files hold anything, and some of them bytes that are not UTF-8."""
    source = random.Random(seed)

    def body() -> bytes:
        text = "".join(source.choice(PIECES) for _ in range(source.randrange(6)))
        return text.encode() + source.choice((b"", b"", b"", b"\xff\xfe broken \xc3"))

    return {identifier(number): {kind: body() for kind in FILE_KINDS} for number in range(count)}


def write(files: Mapping[str, Files], folder: Path) -> None:
    """The same tree on disk, read-only."""
    (folder / "documents").mkdir(parents=True)
    for key, each in files.items():
        home = folder / "documents" / key
        home.mkdir()
        for kind, body in each.items():
            (home / kind).write_bytes(body)
            (home / kind).chmod(0o444)
        home.chmod(0o555)
    (folder / "documents").chmod(0o555)


class Line:
    """Joins both halves in one process; every header goes through JSON, as between processes."""

    def __init__(self, host: DocumentFiles) -> None:
        self.host = host
        self.headers: list[dict[str, Any]] = []
        self.answers: dict[int, tuple[dict[str, Any], list[bytes]]] = {}

    def request(self, header: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
        self.headers.append(header)
        reply, bodies = _RUNNER.run(self.host.request(json.loads(json.dumps(header))))
        return json.loads(json.dumps(reply)), list(bodies)

    def ask(self, header: dict[str, Any]) -> int:
        number = len(self.headers)
        self.answers[number] = self.request(header)
        return number

    def answer(self, number: int) -> tuple[dict[str, Any], list[bytes]]:
        return self.answers.pop(number)

    def forget(self, number: int) -> None:
        del self.answers[number]

    def requests(self, op: str) -> list[dict[str, Any]]:
        return [header for header in self.headers if header["op"] == op]


class Mounted:
    """A guest with its host half: what a session has."""

    def __init__(
        self, *snapshots: MemorySnapshot, document_ids: frozenset[str] | None = None, limits: FileLimits | None = None
    ) -> None:
        self.waiting = list(snapshots)  # the last one stays

        async def newest() -> MemorySnapshot:
            return self.waiting.pop(0) if len(self.waiting) > 1 else self.waiting[0]

        self.host = DocumentFiles(newest, document_ids, limits or FileLimits())
        self.line = Line(self.host)
        self.guest: Guest = install(self.line)
        self.guest.begin()

    def cell_ends(self) -> None:
        """The cell is over, and the next one begins."""
        self.host.finish(json.loads(json.dumps(self.guest.finish())))
        self.guest.begin()

    def __getattr__(self, name: str) -> Any:
        """A name as cells see it: `open`, `Path`, a module …"""
        if name in self.guest.names:
            return self.guest.names[name]
        if name in self.guest.modules:
            children = {
                each.removeprefix(f"{name}."): getattr(self, each)
                for each in self.guest.modules
                if each.startswith(f"{name}.")
            }
            return Module({**self.guest.modules[name], **children})
        raise AttributeError(name)


class Module:
    """A module as cells see it: the names that the guest gives."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        vars(self).update(names)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)
