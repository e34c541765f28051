"""The documents' files: bytes by their SHA-256, in one SQLite file that any thread reads."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from .documents import File

_SCHEMA = "CREATE TABLE IF NOT EXISTS blob (digest BLOB PRIMARY KEY, data BLOB NOT NULL)"
_BUSY_S = 60.0
_MMAP_BYTES = 1 << 40  # SQLite cuts this down to what the platform allows
_PAGE_BYTES = 16384  # files of tens of kilobytes: fewer overflow pages, and reads twice as fast as with 4096
HOT_BYTES = 64 << 20  # of files kept in memory for all sessions of a process; the least used go first
_FEW = 8  # files read at once up to which they count as hot: a walk over the corpus would only flush the others
_PART = 500  # digests per statement


def describe(data: bytes) -> File:
    """The name under which `data` is stored."""
    return File(digest=hashlib.sha256(data).hexdigest(), size=len(data))


class Blobs:
    """Content-addressed bytes. What is in is never changed, only swept when no document row names it."""

    def __init__(self, path: Path, hot_bytes: int = HOT_BYTES):
        self._path = path
        self._hot = _Hot(hot_bytes)
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        self._opening = threading.Lock()

    def create(self) -> None:
        connection = self._connection()
        connection.execute(f"PRAGMA page_size={_PAGE_BYTES}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(_SCHEMA)

    def put(self, contents: Iterable[bytes]) -> None:
        """Store each of `contents`, all or none; under the writer lock."""
        rows = [(hashlib.sha256(data).digest(), data) for data in contents]
        with self._connection() as connection:
            connection.executemany("INSERT OR IGNORE INTO blob VALUES (?, ?)", rows)

    def get(self, digests: Sequence[bytes]) -> list[bytes]:
        """The bytes for each digest, in the order asked; KeyError for one that is not there."""
        if len(digests) > _FEW:
            return self._stored(digests)
        found = self._hot.get(digests)
        missing = [digest for digest in digests if digest not in found]
        if missing:
            found.update(zip(missing, self._stored(missing), strict=True))
            self._hot.keep(found)
        return [found[digest] for digest in digests]

    def _stored(self, digests: Sequence[bytes]) -> list[bytes]:
        execute, found = self._connection().execute, {}
        for start in range(0, len(digests), _PART):
            part = digests[start : start + _PART]
            marks = ",".join("?" * len(part))
            found.update(execute(f"SELECT digest, data FROM blob WHERE digest IN ({marks})", part).fetchall())
        return [found[digest] for digest in digests]

    def sweep(self, live: Collection[bytes]) -> int:
        """Delete what no digest of `live` names; under the writer lock. How many went."""
        connection = self._connection()
        with connection:
            dead = [row for row in connection.execute("SELECT digest FROM blob") if row[0] not in live]
            connection.executemany("DELETE FROM blob WHERE digest = ?", dead)
        return len(dead)

    def close(self) -> None:
        with self._opening:
            while self._open:
                self._open.pop().close()
            self._local = threading.local()

    def _connection(self) -> sqlite3.Connection:
        """One connection per thread: SQLite then reads in parallel, without a lock of ours."""
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self._path, timeout=_BUSY_S, check_same_thread=False)
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute(f"PRAGMA mmap_size={_MMAP_BYTES}")
            with self._opening:
                self._open.append(connection)
            self._local.connection = connection
        return connection


class _Hot:
    """Bodies by digest, the least recently used first; never stale, since a digest names its bytes."""

    def __init__(self, most: int) -> None:
        self._most = most  # bytes
        self._held = 0
        self._bodies: dict[bytes, bytes] = {}
        self._lock = threading.Lock()

    def get(self, digests: Sequence[bytes]) -> dict[bytes, bytes]:
        with self._lock:
            found = {digest: self._bodies.pop(digest) for digest in {*digests} if digest in self._bodies}
            self._bodies.update(found)
        return found

    def keep(self, bodies: Mapping[bytes, bytes]) -> None:
        with self._lock:
            for digest, body in bodies.items():
                self._held += len(body) - len(self._bodies.pop(digest, b""))
                self._bodies[digest] = body
            while self._held > self._most:
                self._held -= len(self._bodies.pop(next(iter(self._bodies))))
