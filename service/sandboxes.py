"""The sandbox as the commands use it: cells find `/documents`, and code runs only where it is confined well enough."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from . import console
from .configuration import Configuration
from .corpora import LateCorpus

if TYPE_CHECKING:
    from ..sandbox import Limits, Sandbox, Session

MINIMUM_LEVEL = 2  # of isolation; below it code is not run


@asynccontextmanager
async def usable_sandbox() -> AsyncIterator[Sandbox | None]:
    """A sandbox while the block runs; None, told on stderr, where code cannot be confined well enough."""
    from ..analysis import analysis_sandbox

    async with analysis_sandbox(minimum_level=MINIMUM_LEVEL) as sandbox:
        isolation = await sandbox.isolation()
        if isolation.level < MINIMUM_LEVEL:
            told = f"isolation level {isolation.level}, needed {MINIMUM_LEVEL}"
            console.message(f"Code is not run here: {told}. `glossator doctor` says how to change that.")
        yield sandbox if isolation.level >= MINIMUM_LEVEL else None


@asynccontextmanager
async def cells(configuration: Configuration, limits: Limits) -> AsyncIterator[Session]:
    """A session over the configured corpus, which is opened when a cell first asks for it."""
    from ..analysis import analysis_sandbox
    from ..analysis.functions import CorpusFunctions
    from ..vfs.files import DocumentFiles

    async with LateCorpus(configuration) as corpus:
        functions = CorpusFunctions(corpus.snapshot)
        files = DocumentFiles(functions.look)
        async with analysis_sandbox(limits, minimum_level=MINIMUM_LEVEL) as sandbox:
            yield await sandbox.session(functions=functions.table(), filesystem=files)
