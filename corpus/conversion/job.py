"""What the host asks for and what a child leaves behind: names of files, and records that travel as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import orjson

SOURCE = "source"  # the private copy of the document; beside it, the folder that the child may write
OUTPUT = "output"
RESULT = "result.json"
MEMBER = "member-"  # files that were in the document; a number follows
BESIDE = "beside"  # copies of pictures that a document names
PICTURES = "pictures"  # one behind the other; the result tells where each ends
FILES = ("content.txt", "items.jsonl", "chunks.jsonl", "toc.json", PICTURES, RESULT)


@dataclass(frozen=True, slots=True)
class Job:
    """One document to convert, in a folder of its own."""

    number: int
    folder: str
    name: str  # of the document's file
    document_id: str
    mime_type: str | None
    wall_s: float
    cpu_s: int
    memory_mb: int
    file_mb: int
    ocr: str = ""  # the program that reads pictures; without it no program can be run
    beside: Mapping[str, str] = field(default_factory=dict)  # pictures beside the document: names by address

    def line(self) -> bytes:
        return orjson.dumps(asdict(self)) + b"\n"

    @property
    def source(self) -> Path:
        return Path(self.folder) / SOURCE

    @property
    def pictures(self) -> Path:
        """Where the pictures from beside the document are."""
        return Path(self.folder) / BESIDE

    @property
    def output(self) -> Path:
        return Path(self.folder) / OUTPUT


@dataclass(frozen=True, slots=True)
class Confinement:
    """What a child found that it cannot do, by trying it, once it was in jail."""

    files: bool  # read what is not its own
    sockets: bool  # reach the network
    programs: bool  # run another program


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended: `signal` if it was killed, by us if it was `late`; and the most memory that it had, in MiB."""

    number: int
    signal: int = 0
    late: bool = False
    peak_mb: int = 0

    def line(self) -> bytes:
        return orjson.dumps(asdict(self)) + b"\n"
