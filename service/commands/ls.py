"""`glossator ls`: the documents of the corpus."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import unquote

import click

from .. import console
from ..configuration import Configuration
from ..options import configured, json_option

if TYPE_CHECKING:
    from ...corpus import Document

_COLUMNS = ("id", "title", "file", "pages", "passages", "status")


@click.command("ls", short_help="List the documents.")
@json_option
@configured
def command(configuration: Configuration, as_json: bool) -> None:
    """List the documents."""
    import asyncio

    documents, files = asyncio.run(_list(configuration))
    if as_json:
        console.write_json([json.loads(data) for data in files])
    elif documents:
        console.table(_COLUMNS, [_row(document) for document in documents])
    else:
        console.message(f"No documents in {configuration.corpus} yet: glossator add PATH")


async def _list(configuration: Configuration) -> tuple[list[Document], list[bytes]]:
    """The documents, and the metadata.json of each."""
    from ..corpora import newest

    async with newest(configuration) as snapshot:
        return list(snapshot.documents.values()), snapshot.read("metadata.json", list(snapshot.documents))


def _row(document: Document) -> tuple[str, ...]:
    return (
        document.id,
        document.title,
        unquote(document.uri.rsplit("/", 1)[-1]),
        "" if document.page_count is None else str(document.page_count),
        str(document.chunk_count),
        document.status if document.reason is None else f"{document.status}: {document.reason}",
    )
