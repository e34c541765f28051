"""`glossator search`: the passages that an agent would be shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from .. import console
from ..configuration import Configuration
from ..options import configured, json_option
from ..scoping import Choice, scoped

if TYPE_CHECKING:
    from ...analysis.results import Reach
    from ...corpus import SearchMode, SearchPage

MODES = ("hybrid", "fulltext", "semantic")


@click.command("search", short_help="Find passages.")
@click.argument("words", nargs=-1, required=True, metavar="QUERY...")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="Most passages to show.")
@click.option("--offset", type=click.IntRange(0), default=0, show_default=True, help="Passages to skip.")
@click.option("--mode", type=click.Choice(MODES), default="hybrid", show_default=True, help="How to search.")
@scoped
@json_option
@configured
def command(
    configuration: Configuration,
    words: Sequence[str],
    limit: int,
    offset: int,
    mode: SearchMode,
    choice: Choice,
    as_json: bool,
) -> None:
    """Find passages. Any text is a query; "quoted words" are looked for as a phrase."""
    import asyncio

    page, scope = asyncio.run(_search(configuration, choice, " ".join(words), limit, offset, mode))
    if as_json:
        console.write_json([result.as_dict() for result in page.results])
    else:
        from ...analysis.text import search_text

        console.write(search_text(page, scope=scope, offset=offset))


async def _search(
    configuration: Configuration, choice: Choice, query: str, limit: int, offset: int, mode: SearchMode
) -> tuple[SearchPage, Reach]:
    from ...analysis.results import Reach
    from ..corpora import newest

    async with newest(configuration, choice) as snapshot:
        page = await snapshot.search(query, limit=limit, offset=offset, mode=mode)
        return page, Reach(len(snapshot.documents), len(snapshot.documents.unreadable))
