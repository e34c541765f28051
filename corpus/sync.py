"""Keeping up with a folder: the corpus holds what the folder holds, and everything that came from elsewhere."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from collections.abc import Collection as Ids
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path

from .documents import INSIDE, Document, Outcome
from .errors import SyncRefused
from .folder import Folder
from .ingest import Ingest
from .patterns import Selection
from .sources import Digests, Source, is_member, path_of, place_of, survey, uri_of
from .store import Store


@dataclass(frozen=True, slots=True)
class Plan:
    """What would make the corpus match the folder."""

    sources: Sequence[Source]  # to be stored, unless they are already
    moved: Mapping[str, str]  # from uris of sources to those under which they are stored
    gone: Sequence[Document]  # whose files are no more, and what was in them
    skipped: Sequence[Outcome]


@dataclass
class Sync:
    """One folder and what is to be taken of it. A document came from the folder if its file lies, or lay, below it.

    A document is removed when its file is gone, and for no other reason: what patterns leave out, or what cannot be
    looked at, keeps the document that it may have.
    """

    store: Store
    folder: Path  # absolute, without links
    selection: Selection = field(default_factory=Selection)
    allow_empty: bool = False
    digests: Digests = field(default_factory=Digests)

    async def run(self, ingest: Ingest, remove: Callable[[Ids[str]], Awaitable[object]]) -> AsyncGenerator[Outcome]:
        """Bring the corpus up to date; one outcome per file. `remove` ends documents by id.

        SyncRefused when the folder is gone or empty and documents came from it.
        """
        plan = await asyncio.to_thread(self._plan)
        for outcome in plan.skipped:
            yield outcome
        async with aclosing(ingest.take(plan.sources, plan.moved)) as outcomes:
            async for outcome in outcomes:
                yield outcome
        if plan.gone:
            await remove([document.id for document in plan.gone])
        for document in plan.gone:
            yield Outcome(place_of(document.uri), "removed", document.id)

    def _plan(self) -> Plan:
        surveyed = self._survey()
        sources = [source for source in surveyed if source.because == "fault"]
        everything = self.store.state.beneath(f"{uri_of(self.folder).rstrip('/')}/")
        stored = {uri: document for uri, document in everything.items() if not is_member(uri)}
        met = {source.uri for source in sources}
        gone = {uri: document for uri, document in stored.items() if uri not in met and not _is_there(path_of(uri))}
        if gone and not sources and not self.allow_empty:
            raise SyncRefused(
                f"{self.folder} is {'empty' if self.folder.exists() else 'not there'}, and {len(gone)} documents came"
                " from it: nothing was removed. Is it mounted? --allow-empty removes them"
            )
        moved = self._moved([source for source in sources if source.uri not in stored], gone)
        lost = {uri for uri in gone if uri not in {*moved.values()}}
        lost_with_members = [document for uri, document in everything.items() if uri.partition(INSIDE)[0] in lost]
        left_out = [source for source in surveyed if source.because != "fault"]
        skipped = [Outcome(str(source.path), "skipped", None, source.refusal) for source in left_out]
        return Plan(sources, moved, lost_with_members, skipped)

    def _survey(self) -> list[Source]:
        if self.folder.is_dir():
            if Folder(self.folder).is_corpus():
                raise SyncRefused(f"{self.folder} is a corpus; its databases are no documents")
            return list(survey(self.folder, self.selection))
        if self.folder.exists():
            raise SyncRefused(f"{self.folder} is a file: `glossator add` takes files, sync takes a folder")
        if not self.allow_empty and not self.store.state.beneath(f"{uri_of(self.folder)}/"):
            raise SyncRefused(f"there is no folder {self.folder}")
        return []

    def _moved(self, new: Sequence[Source], gone: Mapping[str, Document]) -> dict[str, str]:
        """Which of the new files are ones that have gone: those with equal content, of the same name if possible."""
        by_digest: dict[str, list[Document]] = {}
        for document in gone.values():
            by_digest.setdefault(document.source_digest, []).append(document)
        moved: dict[str, str] = {}
        found = [(source, self._digest(source)) for source in new] if gone else []
        for same_name in (True, False):
            for source, digest in found:
                left = by_digest.get(digest, []) if source.uri not in moved else []
                name = source.uri.rsplit("/", 1)[-1]
                match = next((each for each in left if not same_name or each.uri.rsplit("/", 1)[-1] == name), None)
                if match is not None:
                    left.remove(match)
                    moved[source.uri] = match.uri
        return moved

    def _digest(self, source: Source) -> str:
        try:
            return "" if source.refusal else self.digests.of(source.path).hex
        except OSError:  # the run itself will say so
            return ""


def _is_there(path: Path) -> bool:
    """Whether a file may be there: only the certainty that there is none counts against it."""
    try:
        return not stat.S_ISDIR(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
