"""`glossator rm`: remove documents from the corpus; their source files stay where they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from .. import console
from ..configuration import Configuration
from ..options import configured

if TYPE_CHECKING:
    from ...corpus import Document


@click.command("rm", short_help="Remove documents; their source files stay.")
@click.argument("documents", nargs=-1, required=True, metavar="DOC...")
@configured
def command(configuration: Configuration, documents: Sequence[str]) -> None:
    """Remove documents from the corpus, never the files that they came from.

    DOC is an id or the beginning of one, a path, a file name, a URI or a title.
    """
    import asyncio

    for document in asyncio.run(_remove(configuration, documents)):
        console.write(f"removed {document.id}  {console.one_line(document.title)}  {document.uri}")


async def _remove(configuration: Configuration, keys: Sequence[str]) -> list[Document]:
    from ..corpora import existing

    async with existing(configuration) as corpus:
        return await corpus.remove(keys)
