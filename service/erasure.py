"""Erasing documents for good: from the corpus, and from the sessions that saw them; then a look at every file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .configuration import Configuration
from .failures import Failure

if TYPE_CHECKING:
    from ..corpus import Corpus, Document


@dataclass(frozen=True, slots=True)
class Erased:
    """What went."""

    documents: Sequence[Document]
    sessions: Sequence[str]  # names of those that held something of the documents


async def erase(configuration: Configuration, corpus: Corpus, keys: Sequence[str]) -> Erased:
    """Purge the documents that `keys` name, and delete each session in which a trace of them stands.

    Raises `Failure` when a file holds something of them still, such as the journal of a session that is running.
    """
    import asyncio

    purged = await corpus.purge(keys)
    sessions = await asyncio.to_thread(_delete_sessions, configuration, purged.traces)
    from ..corpus.purge import found

    if left := await asyncio.to_thread(found, configuration.corpus, purged.traces):
        names = ", ".join(str(file.relative_to(configuration.corpus)) for file in left)
        raise Failure(
            f"the documents are removed, but something of them is left in {names}: end the sessions that run, close"
            f" what reads the corpus, and delete it (sessions: `glossator sessions --delete NAME`)"
        )
    return Erased(purged.documents, sessions)


def _delete_sessions(configuration: Configuration, traces: frozenset[bytes]) -> list[str]:
    from ..corpus.purge import holds
    from ..sandbox import FileJournals, SessionBusy

    journals, deleted = FileJournals(configuration.sessions), []
    for name in journals.names():
        files = [configuration.sessions / f"{name}.{kind}" for kind in ("journal", "checkpoint")]
        if any(holds(file, traces) for file in files if file.exists()):
            try:
                journals.delete(name)
                deleted.append(name)
            except SessionBusy:  # the look at every file will find it
                continue
    return deleted
