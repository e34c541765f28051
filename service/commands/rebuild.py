"""`glossator rebuild`: make anew what was made from the documents."""

from __future__ import annotations

import click

from .. import console
from ..configuration import Configuration
from ..options import configured


@click.command("rebuild", short_help="Make vectors anew, also by another embedder.")
@click.option("--embed", "parts", flag_value="embed", required=True, help="The vectors.")
@click.option("--embedder", metavar="NAME", help="Use this embedder from now on: minilm, none or PROVIDER:MODEL.")
@configured
def command(configuration: Configuration, parts: str, embedder: str | None) -> None:
    """Make anew what was made from the documents; ids and texts stay.

    Until the vectors are there, search goes by words. What is interrupted is continued by the next `glossator add`.
    """
    import asyncio

    asyncio.run(_embed(configuration, embedder))


async def _embed(configuration: Configuration, name: str | None) -> None:
    from ...corpus import Corpus, Progress
    from ...corpus.embed import built_in

    chosen = built_in(name) if name else None
    async with await Corpus.open(configuration.corpus) as corpus:
        with console.progress() as advance:

            def tell(progress: Progress) -> None:
                advance("Embedding", progress.done, progress.total, "searchable by words; vectors follow")

            await corpus.reembed(chosen, progress=tell)
