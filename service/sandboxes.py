"""The sandbox as the commands use it: cells find `/documents`, and code runs only where it is confined well enough."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import console
from .configuration import Configuration
from .corpora import LateCorpus

if TYPE_CHECKING:
    from ..corpus import Scope
    from ..sandbox import FileJournals, Journal, Journals, Limits, Sandbox, Session
    from ..vfs import DocumentFiles

MINIMUM_LEVEL = 2  # of isolation; below it code is not run


@asynccontextmanager
async def usable_sandbox(journals: Journals | None = None) -> AsyncIterator[Sandbox | None]:
    """A sandbox while the block runs; None, told on stderr, where code cannot be confined well enough."""
    from ..analysis import analysis_sandbox

    async with analysis_sandbox(minimum_level=MINIMUM_LEVEL, journals=journals) as sandbox:
        problem = await _problem(sandbox)
        if problem:
            console.message(f"Code is not run here: {problem}. `glossator doctor` says how to change that.")
        yield None if problem else sandbox


async def _problem(sandbox: Sandbox) -> str:
    from ..sandbox import SandboxUnavailable

    try:
        level = (await sandbox.isolation()).level
    except SandboxUnavailable as error:
        return str(error)
    return f"isolation level {level}, needed {MINIMUM_LEVEL}" if level < MINIMUM_LEVEL else ""


@dataclass(frozen=True, slots=True)
class Cells:
    """A session, and the files that it reads."""

    session: Session
    files: DocumentFiles


@asynccontextmanager
async def cells(
    configuration: Configuration, limits: Limits, name: str | None = None, scope: Scope | None = None
) -> AsyncIterator[Cells]:
    """A session over the configured corpus, which is opened when a cell first asks for it; with `name` it is kept."""
    from ..analysis import analysis_sandbox
    from ..analysis.functions import CorpusFunctions
    from ..analysis.sandboxes import session_name
    from ..vfs.files import DocumentFiles

    async with LateCorpus(configuration, scope) as corpus:
        functions = CorpusFunctions(corpus.snapshot)
        files = DocumentFiles(functions.look, limits=configuration.files)
        journals = kept_sessions(configuration) if name is not None else None
        async with analysis_sandbox(limits, minimum_level=MINIMUM_LEVEL, journals=journals) as sandbox:
            kept = session_name(name, scope) if name is not None else None
            yield Cells(await sandbox.session(functions=functions.table(), filesystem=files, name=kept), files)


def kept_sessions(configuration: Configuration) -> FileJournals:
    """The sessions over the configured corpus, without those that have expired."""
    from ..sandbox import FileJournals

    journals = FileJournals(configuration.sessions, expire_s=configuration.session_s)
    journals.expire()
    return journals


def journal_of(sessions: FileJournals, name: str) -> Journal:
    """The journal of a session; where none can be kept, told on stderr, one that lasts as long as the process."""
    from ..sandbox import MemoryJournal, SessionNotKept

    try:
        return sessions.open(name)
    except SessionNotKept as error:
        console.message(f"{error}. Session {name} ends with this process.")
        return MemoryJournal()
