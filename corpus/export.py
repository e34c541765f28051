"""A generation as plain files: FOLDER/{document id}/ with the five files, byte for byte what cells see."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .documents import FILE_KINDS, FileKind
from .errors import ExportRefused

if TYPE_CHECKING:
    from .snapshot import Snapshot

_PAGE = 64  # documents whose files are held in memory at once

Tell = Callable[[int, int], None]  # how many documents are written, of how many


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote."""

    folder: Path
    generation: int
    documents: int
    bytes: int


async def export(
    snapshot: Snapshot, folder: Path, kinds: Sequence[FileKind] = FILE_KINDS, tell: Tell | None = None
) -> Exported:
    """Write the documents of a snapshot into `folder`, which is made and must not hold anything yet.

    Whole or not at all: the files take their place together, when all are written. A document's files and folder bear
    the time of its last change. Raises `ExportRefused`, and OSError for what the disk refuses.
    """
    cancelled = threading.Event()
    work = asyncio.create_task(asyncio.to_thread(_export, snapshot, folder, kinds, tell, cancelled.is_set))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        cancelled.set()
        await asyncio.wait({work})  # a thread is not cancelled: it tidies up
        work.exception()
        raise


class _Cancelled(Exception):
    """Nobody waits for this export any more."""


def _export(
    snapshot: Snapshot, folder: Path, kinds: Sequence[FileKind], tell: Tell | None, cancelled: Callable[[], bool]
) -> Exported:
    folder = Path(os.path.realpath(folder))
    documents, done, written = snapshot.documents, 0, 0
    with _in_its_place(folder) as draft:
        for page in documents.pages(size=_PAGE):
            if cancelled():
                raise _Cancelled
            for kind in kinds:
                for document, body in zip(page, snapshot.read(kind, page), strict=True):
                    home = draft / document
                    home.mkdir(exist_ok=True)
                    (home / kind).write_bytes(body)
                    written += len(body)
            for document in page:
                _date(draft / document, documents.facts(document).changed)
            done += len(page)
            if tell is not None:
                tell(done, len(documents))
    return Exported(folder, snapshot.generation, len(documents), written)


def _date(home: Path, changed: float) -> None:
    time_ns = round(changed * 10**6) * 1000  # a corpus keeps microseconds
    for path in (*home.iterdir(), home):
        os.utime(path, ns=(time_ns, time_ns))


@contextmanager
def _in_its_place(folder: Path) -> Iterator[Path]:
    """A folder beside `folder` that takes its name at the end of the block; that replaces nothing but an empty one."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        what = "is not empty" if folder.is_dir() else "is a file"
        raise ExportRefused(f"{folder} {what}: an export overwrites nothing, name a new folder")
    draft = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    draft.mkdir(parents=True)
    try:
        yield draft
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
