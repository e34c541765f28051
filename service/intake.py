"""What `add` and `sync` share: their options, their progress, and how outcomes are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import console
from .options import named, pairs

if TYPE_CHECKING:
    from ..corpus import Outcome, Progress

_PHASES = {"convert": "Adding", "embed": "Embedding"}  # of the pipeline: the title of the bar
# What is worth knowing while a phase runs, and what holds when it is interrupted.
_ASIDES = {"convert": "", "embed": "searchable already; vectors follow"}
_STANDING = {
    "convert": "What was finished is stored: run the same command again for the rest.",
    "embed": "The documents are stored and found by their words: the next `glossator add` makes the missing vectors.",
}

metadata_option = click.option(
    "--meta",
    "metadata",
    multiple=True,
    metavar="KEY=VALUE",
    callback=pairs,
    help="Store this with each document, as a string; may be repeated. Front matter can hold other types.",
)
table_option = click.option(
    "--meta-table",
    "metadata_table",
    metavar="FILE",
    help="A CSV or JSON lines file whose column `path` names files, and whose other columns are stored with them.",
)
collection_option = click.option(
    "--collection",
    "collections",
    multiple=True,
    metavar="NAME",
    callback=named,
    help="Put the documents into this collection; may be repeated.",
)


@contextmanager
def progress() -> Iterator[Callable[[Progress], None]]:
    """Progress bars while the block runs; an interruption is told what holds."""
    import asyncio

    phase = "convert"
    try:
        with console.progress() as advance:

            def tell(progress: Progress) -> None:
                nonlocal phase
                phase = progress.phase
                advance(_PHASES[phase], progress.done, progress.total, progress.name or _ASIDES[phase])

            yield tell
    except asyncio.CancelledError:  # Ctrl-C
        console.message(_STANDING[phase])
        raise


def as_dict(outcome: Outcome) -> dict[str, Any]:
    """The keys that programs see."""
    return {
        "path": outcome.path,
        "status": outcome.status,
        "document_id": outcome.document_id,
        "reason": outcome.reason,
    }


def explain(outcomes: Sequence[Outcome], statuses: Sequence[str]) -> None:
    """A line for each file with one of these statuses, and for any other of which something is to be said."""
    noted = [o for o in outcomes if o.status not in statuses and o.reason and o.status != "skipped"]
    told = noted + [o for status in statuses for o in outcomes if o.status == status]
    rows = [(o.status, _near(o.path), o.reason or "") for o in told]
    if rows:
        console.table(("status", "file", "reason"), rows)
        console.write("")


def count(outcomes: Sequence[Outcome], statuses: Sequence[str]) -> None:
    """How many files had each status."""
    counts = Counter(outcome.status for outcome in outcomes)
    console.table(statuses, [[str(counts[status]) for status in statuses]])


def failed(outcomes: Sequence[Outcome]) -> bool:
    return any(outcome.status == "failed" for outcome in outcomes)


def _near(path: str) -> str:
    """A path as it is read from here: what lies below the current folder is told without it."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except (ValueError, OSError):  # elsewhere; or the current folder is gone
        return path
