"""`glossator ls`: the documents of the corpus."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from .. import console
from ..configuration import Configuration
from ..options import configured, json_option
from ..scoping import Choice, scoped

if TYPE_CHECKING:
    from ...corpus import Document

_COLUMNS = ("id", "title", "file", "pages", "passages", "status")


@click.command("ls", short_help="List the documents.")
@scoped
@json_option
@configured
def command(configuration: Configuration, choice: Choice, as_json: bool) -> None:
    """List the documents; the file is named where the title is another."""
    import asyncio

    documents, files = asyncio.run(_list(configuration, choice))
    if as_json:
        console.write_json([json.loads(data) for data in files])
    elif documents:
        _tell(documents)
    elif not choice:
        console.message(f"No documents in {configuration.corpus} yet: glossator add PATH")


async def _list(configuration: Configuration, choice: Choice) -> tuple[list[Document], list[bytes]]:
    """The documents, and the metadata.json of each."""
    from ..corpora import newest

    async with newest(configuration, choice) as snapshot:
        return list(snapshot.documents.values()), snapshot.read("metadata.json", list(snapshot.documents))


def _tell(documents: Sequence[Document]) -> None:
    console.table(_COLUMNS, [_row(document) for document in documents], cut=("title", "file"))
    if told := [document for document in documents if document.reason is not None]:
        console.write("")
        rows = [(document.id, document.title, document.reason or "") for document in told]
        console.table(("id", "title", "reason"), rows, cut=("title",))


def _row(document: Document) -> tuple[str, ...]:
    file = document.whole_name
    return (
        document.id,
        document.title,
        "" if file == document.title else file,
        "" if document.page_count is None else str(document.page_count),
        str(document.chunk_count),
        document.status,
    )
