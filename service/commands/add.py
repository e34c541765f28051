"""`glossator add`: convert and store files and folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import console
from ..configuration import Configuration
from ..options import configured, json_option, named, pairs

if TYPE_CHECKING:
    from ...corpus import Outcome, Progress

_STATUSES = ("added", "updated", "unchanged", "empty", "failed")  # the order of the summary
_PHASES = {"convert": "Adding", "embed": "Embedding"}  # of the pipeline: the title of the bar
# What is worth knowing while a phase runs, and what holds when it is interrupted.
_ASIDES = {"convert": "", "embed": "searchable already; vectors follow"}
_STANDING = {
    "convert": "What was finished is stored: run the same command again for the rest.",
    "embed": "The documents are stored and found by their words: the next `glossator add` makes the missing vectors.",
}
_EXPLAINED = ("empty", "failed")  # statuses whose files are listed one by one, with the reason


@click.command("add", short_help="Convert and store files and folders.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", callback=named)
@click.option(
    "--meta",
    "metadata",
    multiple=True,
    metavar="KEY=VALUE",
    callback=pairs,
    help="Store this with each document, as a string; may be repeated. Front matter can hold other types.",
)
@click.option(
    "--collection",
    "collections",
    multiple=True,
    metavar="NAME",
    callback=named,
    help="Put the documents into this collection; may be repeated.",
)
@json_option
@configured
def command(
    configuration: Configuration,
    paths: Sequence[str],
    metadata: Sequence[tuple[str, str]],
    collections: Sequence[str],
    as_json: bool,
) -> int:
    """Convert and store files; folders are walked.

    A file that is already there is left alone, or replaces its document when it has changed. One that cannot be
    converted never stops the others. Exit code 1 when a file failed.
    """
    import asyncio

    outcomes = asyncio.run(_add(configuration, paths, dict(metadata), collections))
    if as_json:
        console.write_json([_as_dict(outcome) for outcome in outcomes])
    else:
        _report(outcomes)
    return int(any(outcome.status == "failed" for outcome in outcomes))


async def _add(
    configuration: Configuration, paths: Sequence[str], metadata: dict[str, str], collections: Sequence[str]
) -> list[Outcome]:
    import asyncio

    from ...corpus import Corpus

    phase = "convert"
    async with await Corpus.open(configuration.corpus, create=True) as corpus:
        try:
            with console.progress() as advance:

                def tell(progress: Progress) -> None:
                    nonlocal phase
                    phase = progress.phase
                    advance(_PHASES[phase], progress.done, progress.total, progress.name or _ASIDES[phase])

                adding = corpus.add(paths, metadata=metadata, progress=tell, collections=collections)
                return [outcome async for outcome in adding]
        except asyncio.CancelledError:  # Ctrl-C
            console.message(_STANDING[phase])
            raise


def _as_dict(outcome: Outcome) -> dict[str, str | None]:
    return {
        "path": outcome.path,
        "status": outcome.status,
        "document_id": outcome.document_id,
        "reason": outcome.reason,
    }


def _report(outcomes: Sequence[Outcome]) -> None:
    if not outcomes:
        console.message("Nothing to add: no files there.")
        return
    counts = Counter(outcome.status for outcome in outcomes)
    explained = [o for o in outcomes if o.status not in _EXPLAINED and o.reason]  # pages that were not read
    told = explained + [o for status in _EXPLAINED for o in outcomes if o.status == status]
    if told:
        console.table(("status", "file", "reason"), [(o.status, _near(o.path), o.reason or "") for o in told])
        console.write("")
    console.table(_STATUSES, [[str(counts[status]) for status in _STATUSES]])


def _near(path: str) -> str:
    """A path as it is read from here: what lies below the current folder is told without it."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except (ValueError, OSError):  # elsewhere; or the current folder is gone
        return path
