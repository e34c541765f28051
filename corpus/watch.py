"""Following a folder: a round of synchronisation now, and one after each change."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path

from watchfiles import Change, awatch

from .documents import Outcome
from .errors import SyncRefused
from .sync import Sync

TICK_MS = 500  # how often the watcher looks up when nothing changes
SETTLE_MS = 400  # changes that follow each other within this make one round
RETURN_S = 1.0  # how often a folder that has gone is looked for


async def rounds(sync: Sync, corpus: Path, run: Callable[[], AsyncGenerator[Outcome]]) -> AsyncGenerator[list[Outcome]]:
    """The outcomes of each round that had any but of unchanged files. What the first one refuses is raised.

    Later a folder that has gone or is empty is told as a failure, and awaited: it may be mounted again.
    """
    first = True
    async with aclosing(_changes(sync.folder, corpus)) as changes:
        async for _ in changes:
            try:
                async with aclosing(run()) as outcomes:
                    found = [outcome async for outcome in outcomes]
            except SyncRefused as error:
                if first:
                    raise
                found = [Outcome(str(sync.folder), "failed", None, str(error))]
            if first or any(outcome.status not in ("unchanged", "skipped") for outcome in found):
                yield found
            first = False


async def _changes(folder: Path, corpus: Path) -> AsyncGenerator[None]:
    """Yields once it watches, and after changes; a folder that goes and comes back is watched anew."""

    def counts(_change: Change, path: str) -> bool:
        """What a round would not look at needs none; what the round itself writes would never end."""
        inside = Path(path)
        hidden = any(part.startswith(".") for part in inside.relative_to(folder).parts)
        return not hidden and not inside.is_relative_to(corpus)

    while True:
        watched, fresh = _inode(folder), True
        if watched is None:
            yield  # for the round to say so
            await _returned(folder)
            continue
        watcher = awatch(
            folder,
            watch_filter=counts,
            debounce=SETTLE_MS,
            rust_timeout=TICK_MS,
            yield_on_timeout=True,
            recursive=True,
        )
        async with aclosing(watcher) as ticks:
            async for changes in ticks:
                if changes or fresh:
                    yield
                fresh = False
                if _inode(folder) != watched:
                    break


async def _returned(folder: Path) -> None:
    while _inode(folder) is None:  # noqa: ASYNC110  # nothing tells when a folder appears that nobody can watch yet
        await asyncio.sleep(RETURN_S)


def _inode(folder: Path) -> int | None:
    try:
        return os.stat(folder).st_ino
    except OSError:
        return None
