"""`glossator show`: one of a document's five files, or one of its pictures."""

from __future__ import annotations

import base64
import json
import re
import sys
from typing import TYPE_CHECKING, Any, cast

import click

from .. import console
from ..configuration import Configuration
from ..failures import Failure
from ..options import configured, json_option

if TYPE_CHECKING:
    from ...corpus import FileKind, Picture

# Spelled out so that `--help` needs no corpus; tests/service/test_commands.py compares it with FILE_KINDS.
FILES = ("metadata.json", "content.txt", "items.jsonl", "chunks.jsonl", "toc.json")
_PICTURE = re.compile(r"#/pictures/\d+")


class _Shown(click.Choice[str]):
    """One of the files, or the self_ref of a picture."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return value if _PICTURE.fullmatch(value) else super().convert(value, param, ctx)


@click.command("show", short_help="Print a document's files or pictures.")
@click.argument("document", metavar="DOC")
@click.argument("file", metavar="[FILE]", type=_Shown(FILES), default="content.txt")
@json_option
@configured
def command(configuration: Configuration, document: str, file: str, as_json: bool) -> None:
    """Print one file of a document: content.txt, metadata.json, items.jsonl, chunks.jsonl or toc.json.

    DOC is an id or the beginning of one, a path, a file name, a URI or a title. Instead of FILE the self_ref of a
    picture in items.jsonl, such as '#/pictures/0', writes that picture: send it into a file.
    """
    import asyncio

    if _PICTURE.fullmatch(file):
        _write(asyncio.run(_look(configuration, document, file)), as_json)
        return
    data = asyncio.run(_read(configuration, document, cast("FileKind", file)))
    if as_json:
        console.write_json(_as_value(data, file))
    else:
        console.write_bytes(data)


def _write(picture: Picture, as_json: bool) -> None:
    if as_json:
        told = {name: getattr(picture, name) for name in ("ref", "media_type", "width", "height")}
        console.write_json({**told, "data": base64.b64encode(picture.data).decode()})
    elif sys.stdout.isatty():
        raise Failure(f"{picture.ref} is a picture ({picture.media_type}): send it into a file, with > FILE")
    else:
        console.write_bytes(picture.data)


async def _look(configuration: Configuration, key: str, ref: str) -> Picture:
    from ..corpora import existing

    async with existing(configuration) as corpus:
        document = await corpus.find(key)
        async with await corpus.snapshot() as snapshot:
            picture = snapshot.picture(document.id, ref)
    if picture is None:
        raise Failure(f"{document.title} keeps no picture {ref}; `glossator show {document.id} items.jsonl` lists them")
    return picture


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
