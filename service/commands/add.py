"""`glossator add`: convert and store files and folders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from .. import console
from ..configuration import Configuration
from ..intake import as_dict, collection_option, count, explain, failed, metadata_option, progress, table_option
from ..options import configured, json_option, named

if TYPE_CHECKING:
    from ...corpus import Outcome

_STATUSES = ("added", "updated", "unchanged", "empty", "failed")  # the order of the summary
_RARE = ("removed",)  # of what was in a file that has changed; counted where there are any
_EXPLAINED = ("empty", "failed")  # statuses whose files are listed one by one, with the reason


@click.command("add", short_help="Convert and store files and folders.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", callback=named)
@metadata_option
@table_option
@collection_option
@json_option
@configured
def command(
    configuration: Configuration,
    paths: Sequence[str],
    metadata: Sequence[tuple[str, str]],
    as_json: bool,
    **options: Any,
) -> int:
    """Convert and store files; folders are walked.

    A file that is already there is left alone, or replaces its document when it has changed. One that cannot be
    converted never stops the others. Exit code 1 when a file failed.
    """
    import asyncio

    outcomes = asyncio.run(_add(configuration, paths, {**options, "metadata": dict(metadata)}))
    if as_json:
        console.write_json([as_dict(outcome) for outcome in outcomes])
    elif outcomes:
        explain(outcomes, _EXPLAINED)
        met = {outcome.status for outcome in outcomes}
        count(outcomes, [*_STATUSES, *(status for status in _RARE if status in met)])
    else:
        console.message("Nothing to add: no files there.")
    return int(failed(outcomes))


async def _add(configuration: Configuration, paths: Sequence[str], options: dict[str, Any]) -> list[Outcome]:
    from ...corpus import Corpus

    async with await Corpus.open(configuration.corpus, create=True, hooks=configuration.hooks) as corpus:
        with progress() as tell:
            return [outcome async for outcome in corpus.add(paths, progress=tell, **options)]
