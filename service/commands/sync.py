"""`glossator sync`: the corpus holds what a folder holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from .. import console
from ..configuration import Configuration
from ..intake import as_dict, collection_option, count, explain, failed, metadata_option, progress, table_option
from ..options import configured, json_option, named

_STATUSES = ("added", "updated", "renamed", "removed", "unchanged", "empty", "skipped", "failed")  # of the summary
_EXPLAINED = ("renamed", "removed", "empty", "skipped", "failed")  # whose files are listed one by one
_WATCHED = ("added", "updated", "renamed", "removed", "empty", "failed")  # the same, while it watches


def _named(context: click.Context, parameter: click.Parameter, value: str) -> str:
    return named(context, parameter, [value])[0]


@click.command("sync", short_help="Add, update, rename, remove: match a folder.")
@click.argument("folder", metavar="FOLDER", callback=_named)
@click.option("--include", multiple=True, metavar="PATTERN", help="Only files like this: '*.pdf'; may be repeated.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="No files like this: drafts/; may be repeated.")
@click.option("--watch", is_flag=True, help="Go on, and follow every change until interrupted.")
@click.option("--allow-empty", is_flag=True, help="Remove the documents of a folder that is empty or gone.")
@metadata_option
@table_option
@collection_option
@json_option
@configured
def command(
    configuration: Configuration,
    folder: str,
    watch: bool,
    metadata: Sequence[tuple[str, str]],
    as_json: bool,
    **options: Any,
) -> int:
    """Add, update, rename and remove documents until the corpus matches FOLDER.

    Documents that came from elsewhere stay. A document is removed when its file is gone, and for no other reason. A
    new file with the content of one that is gone has been renamed: its document keeps its id. Exit code 1 when a file
    failed.
    """
    import asyncio

    follow = _watch if watch else _once
    return int(asyncio.run(follow(configuration, folder, {**options, "metadata": dict(metadata)}, as_json)))


async def _once(configuration: Configuration, folder: str, options: dict[str, Any], as_json: bool) -> bool:
    from ...corpus import Corpus

    async with await Corpus.open(configuration.corpus, create=True, hooks=configuration.hooks) as corpus:
        with progress() as tell:
            outcomes = [outcome async for outcome in corpus.sync(folder, progress=tell, **options)]
    if as_json:
        console.write_json([as_dict(outcome) for outcome in outcomes])
    elif outcomes:
        explain(outcomes, _EXPLAINED)
        count(outcomes, _STATUSES)
    else:
        console.message("Nothing to do: no files there.")
    return failed(outcomes)


async def _watch(configuration: Configuration, folder: str, options: dict[str, Any], as_json: bool) -> bool:
    """Until it is interrupted; each round is told as it ends."""
    from ...corpus import Corpus

    first = True
    async with await Corpus.open(configuration.corpus, create=True, hooks=configuration.hooks) as corpus:
        async for outcomes in corpus.watch(folder, **options):
            if as_json:
                console.write_json([as_dict(outcome) for outcome in outcomes])
            else:
                explain(outcomes, _WATCHED)
            if first:
                console.message(f"Watching {folder}; Ctrl-C ends it.")
            first = False
    return False
