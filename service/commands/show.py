"""`glossator show`: one of a document's five files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from .. import console
from ..configuration import Configuration
from ..options import configured, json_option

if TYPE_CHECKING:
    from ...corpus import FileKind

# Spelled out so that `--help` needs no corpus; tests/service/test_commands.py compares it with FILE_KINDS.
FILES = ("metadata.json", "content.txt", "items.jsonl", "chunks.jsonl", "toc.json")


@click.command("show", short_help="Print one of a document's five files.")
@click.argument("document", metavar="DOC")
@click.argument("file", metavar="[FILE]", type=click.Choice(FILES), default="content.txt")
@json_option
@configured
def command(configuration: Configuration, document: str, file: FileKind, as_json: bool) -> None:
    """Print one file of a document: content.txt, metadata.json, items.jsonl, chunks.jsonl or toc.json.

    DOC is an id or the beginning of one, a path, a file name, a URI or a title.
    """
    import asyncio

    data = asyncio.run(_read(configuration, document, file))
    if as_json:
        console.write_json(_as_value(data, file))
    else:
        console.write_bytes(data)


async def _read(configuration: Configuration, key: str, file: FileKind) -> bytes:
    from ..corpora import existing

    async with existing(configuration) as corpus:
        document = await corpus.find(key)
        snapshot = await corpus.snapshot()
        try:
            return snapshot.read(file, [document.id])[0]
        finally:
            await snapshot.close()


def _as_value(data: bytes, file: FileKind) -> Any:
    """The file as one JSON value: text is a string, lines of JSON are an array."""
    text = data.decode("utf-8")
    if file.endswith(".jsonl"):
        return [json.loads(line) for line in text.split("\n") if line]
    return json.loads(text) if file.endswith(".json") else text
