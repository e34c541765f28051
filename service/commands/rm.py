"""`glossator rm`: remove documents from the corpus; their source files stay where they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from .. import console
from ..configuration import Configuration
from ..options import configured, json_option

if TYPE_CHECKING:
    from ...corpus import Document


@click.command("rm", short_help="Remove documents; their source files stay.")
@click.argument("documents", nargs=-1, required=True, metavar="DOC...")
@click.option("--purge", is_flag=True, help="Erase every byte of theirs, also from sessions, and prove it.")
@json_option
@configured
def command(configuration: Configuration, documents: Sequence[str], purge: bool, as_json: bool) -> None:
    """Remove documents from the corpus, never the files that they came from.

    DOC is an id or the beginning of one, a path, a file name, a URI or a title.
    """
    import asyncio

    removed = asyncio.run((_purge if purge else _remove)(configuration, documents))
    if as_json:
        console.write_json([{"id": each.id, "title": each.title, "uri": each.uri} for each in removed])
        return
    how = "purged" if purge else "removed"
    for document in removed:
        console.write(f"{how} {document.id}  {console.one_line(document.title)}  {document.uri}")


async def _remove(configuration: Configuration, keys: Sequence[str]) -> list[Document]:
    from ..corpora import existing

    async with existing(configuration) as corpus:
        return await corpus.remove(keys)


async def _purge(configuration: Configuration, keys: Sequence[str]) -> list[Document]:
    from ..corpora import existing
    from ..erasure import erase

    async with existing(configuration) as corpus:
        erased = await erase(configuration, corpus, keys)
    for name in erased.sessions:
        console.message(f"Deleted the session {name}, which had seen them.")
    return list(erased.documents)
