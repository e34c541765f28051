"""A corpus in one file, taken while others write, and back again with every id.

The file is a tar of the corpus's folder at one generation, behind a `backup.json` that names each part with its hash.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import json
import os
import secrets
import shutil
import sqlite3
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from .documents import FILE_KINDS
from .embed import NoEmbedder
from .errors import BackupRefused
from .folder import Folder
from .state import Lease
from .store import Store, Writer

_CONTENTS = "backup.json"
_BLOCK = 1 << 20
_PAGE = 256  # documents whose files are read at once
_LOCK = ".glossator-draft"  # held in a draft's folder by the process that works there


@dataclass(frozen=True, slots=True)
class BackedUp:
    """What a backup holds."""

    path: Path
    generation: int
    documents: int
    bytes: int


@dataclass(frozen=True, slots=True)
class _Taken:
    """What was fixed under the writer lock."""

    lease: Lease
    index: tuple[Path, ...]  # files of the index, relative to the folder; what the lease needs of them stays


async def backup(store: Store, path: Path) -> BackedUp:
    """Write the newest generation, with collections, hooks' tables and sessions, to `path`, which must not exist.

    Others may write meanwhile: they wait only while the state is copied. What was copied is read back before the file
    takes its name. BackupRefused.
    """
    _check_free(path)
    with _draft(path) as draft:
        folder = Folder(draft / "corpus")
        folder.path.mkdir()
        taken = await store.write("beginning a backup", lambda writer: _fix(writer, store, folder))
        try:
            await asyncio.to_thread(_copy, store.folder, folder, taken.index)
        finally:
            await asyncio.to_thread(store.state.release, taken.lease.token)
        documents = await _proved(folder)
        size = await asyncio.to_thread(_pack, folder.path, draft / "tar", path)
        return BackedUp(path, taken.lease.generation.number, documents, size)


async def restore(archive: Path, path: Path) -> BackedUp:
    """Make a corpus at `path`, which must be new or empty, from a backup: all of it or nothing. BackupRefused."""
    _check_empty(path)
    with _draft(path) as draft:
        folder = Folder(draft / "corpus")
        await asyncio.to_thread(_unpack, archive, folder.path)
        documents = await _proved(folder)
        size = sum(file.stat().st_size for file in folder.path.rglob("*") if file.is_file())
        store = await Store.open(folder.path, create=False, embedder=NoEmbedder())
        generation = store.state.newest().number
        store.close()
        os.rename(folder.path, path)  # onto an empty folder, too
        return BackedUp(path, generation, documents, size)


def _check_free(path: Path) -> None:
    if path.exists():
        raise BackupRefused(f"there is {path} already: name a new file")


def _check_empty(path: Path) -> None:
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise BackupRefused(f"{path} is not empty: choose another folder with --corpus, or remove it first")


async def _fix(writer: Writer, store: Store, folder: Folder) -> _Taken:
    """Under the lock: nothing is published between these three."""
    lease = await asyncio.to_thread(store.state.lease)
    await asyncio.to_thread(_copy_database, store.folder.state, folder.state)
    index = store.folder.index
    return _Taken(lease, tuple(file.relative_to(store.folder.path) for file in index.rglob("*") if file.is_file()))


def _copy(source: Folder, target: Folder, index: tuple[Path, ...]) -> None:
    for name in index:
        (target.path / name).parent.mkdir(parents=True, exist_ok=True)
        # What is cleaned meanwhile belongs to versions that the lease does not need; `_proved` would miss any other.
        with suppress(FileNotFoundError):
            shutil.copyfile(source.path / name, target.path / name)
    for database in (source.files, source.hooks):
        if database.exists():
            _copy_database(database, target.path / database.name)
    if source.sessions.exists():
        shutil.copytree(source.sessions, target.sessions, ignore=shutil.ignore_patterns("*.lock", ".*", "*.draft"))


def _copy_database(source: Path, target: Path) -> None:
    """One state of a database that others write to."""
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


async def _proved(folder: Folder) -> int:
    """Tidy a corpus up and read all of it; how many documents it has."""
    store = await Store.open(folder.path, create=False, embedder=NoEmbedder())
    try:
        await asyncio.to_thread(store.state.revoke)
        await store.write("tidying", lambda writer: writer.maintain(thorough=True))
        await asyncio.to_thread(_read_files, store)
        newest = store.state.newest()
        listing = store.state.listing(newest.number)
        chunks = await (await (await store.index()).at(newest.chunks_version)).count_rows()
        told = sum(document.chunk_count for document in listing.values())
        if chunks != told:
            raise BackupRefused(f"the copy has {chunks} passages of {told}: the corpus is damaged")
        return len(listing)
    finally:
        store.close()
        folder.lock.unlink(missing_ok=True)


def _read_files(store: Store) -> None:
    listing = store.state.listing(store.state.newest().number)
    for page in listing.pages(size=_PAGE):
        documents = listing.among(page)
        for kind in FILE_KINDS:
            numbers = listing.files.blobs(kind)
            bodies = store.blobs.get([numbers[listing.positions[id]] for id in page])
            for document, body in zip(documents, bodies, strict=True):
                _check_digest(body, document.files[kind].digest, f"{kind} of {document.id}")
        for file in listing.pictures(page):
            _check_digest(store.blobs.peek([file.number])[0], file.digest, f"picture {file.number}")


def _check_digest(body: bytes, digest: str, what: str) -> None:
    if hashlib.sha256(body).hexdigest() != digest:
        raise BackupRefused(f"{what} is not what its hash says: the corpus is damaged")


def _pack(folder: Path, draft: Path, path: Path) -> int:
    parts = {str(file.relative_to(folder)): _digest(file) for file in sorted(folder.rglob("*")) if file.is_file()}
    contents = draft.with_name(_CONTENTS)
    contents.write_text(json.dumps(parts, indent=1))
    descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)  # sessions are nobody else's business
    with open(descriptor, "wb") as file:
        with tarfile.open(fileobj=file, mode="w:gz" if path.suffix in (".gz", ".tgz") else "w") as tar:
            tar.add(contents, _CONTENTS)
            for name in parts:
                tar.add(folder / name, name)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)  # unlike a rename, it replaces nothing
    except FileExistsError as error:
        raise BackupRefused(f"there is {path} already: name a new file") from error
    return path.stat().st_size


def _unpack(archive: Path, folder: Path) -> None:
    folder.mkdir()
    try:
        with tarfile.open(archive) as tar:
            first = tar.next()
            if first is None or first.name != _CONTENTS:
                raise BackupRefused(f"{archive} is not a backup of a corpus")
            parts: Mapping[str, str] = json.loads(_member(tar, first))
            for member in tar:
                if member is not first:
                    _extract(tar, member, folder, parts)
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise BackupRefused(f"{archive} is not a backup of a corpus, or a broken one: {error}") from error
    if missing := [name for name in parts if not (folder / name).exists()]:
        raise BackupRefused(f"{archive} is broken: {missing[0]} is missing")


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path, parts: Mapping[str, str]) -> None:
    target = folder / member.name
    # A backup that somebody else has written must not write elsewhere: no links, and no name that leads out.
    if member.name not in parts or not member.isreg() or ".." in Path(member.name).parts or Path(member.name).anchor:
        raise BackupRefused(f"it is no backup: {member.name!r} has no place in one")
    target.parent.mkdir(mode=0o700 if member.name.startswith("sessions/") else 0o755, parents=True, exist_ok=True)
    source = tar.extractfile(member)
    assert source is not None, "a regular file"
    with source, open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, member.mode & 0o700 | 0o600), "wb") as file:
        shutil.copyfileobj(source, file, _BLOCK)
        file.flush()
        os.fsync(file.fileno())
    if _digest(target) != parts[member.name]:
        raise BackupRefused(f"the backup is broken: {member.name} is not what its hash says")


def _member(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    return file.read() if file is not None else b""


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _draft(path: Path) -> Iterator[Path]:
    """A folder beside `path`, on the same disk; what killed processes left of theirs is deleted."""
    prefix = f".{path.name}.draft-"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.parent / f"{prefix}{secrets.token_hex(8)}"
        draft.mkdir(mode=0o700)
    except OSError as error:
        raise BackupRefused(f"cannot write to {path.parent}: {error.strerror}") from error
    lock = os.open(draft / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        for other in path.parent.glob(f"{prefix}*"):
            if other != draft and _is_abandoned(other):
                shutil.rmtree(other, ignore_errors=True)
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        os.close(lock)


def _is_abandoned(draft: Path) -> bool:
    try:
        lock = os.open(draft / _LOCK, os.O_RDWR | os.O_CLOEXEC)
    except OSError:  # being made, or being deleted
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False
    finally:
        os.close(lock)
