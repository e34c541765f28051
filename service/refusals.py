"""What a disk or a database refuses, as libraries raise it, in a sentence with the way out.

Libraries are recognised without importing them: a command that fails early has not paid for loading them.
"""

from __future__ import annotations

import re
import sqlite3

_FULL = "the disk is full: make room and run the command again; what was finished before is stored"
_CLOSED = "the corpus cannot be written by this user: make its folder and all files in it writable"
_DAMAGED = "a database of the corpus is damaged: restore a backup (`glossator restore`) or make a new corpus"

# By SQLite's primary result code.
_SQLITE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _CLOSED,
    sqlite3.SQLITE_PERM: _CLOSED,
    sqlite3.SQLITE_CANTOPEN: _CLOSED,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_BUSY: "another process keeps a database of the corpus busy: run the command again",
}
_PRIMARY = 0xFF  # the bits of a code without its extension

# LanceDB raises everything as RuntimeError, ValueError or OSError and tells by text what it was.
_LANCE_SIGN = re.compile("lance error:|LanceError|/lance-")
_LANCE_KINDS = (RuntimeError, ValueError, OSError)
_BROKEN_INDEX = "the index of the corpus is damaged: restore a backup (`glossator restore`) or make a new corpus"
# What is in none of these (a query that it refuses, say) is our bug.
_LANCE = {
    "(os error 28)": _FULL,
    "(os error 13)": _CLOSED,
    "(os error 30)": _CLOSED,
    "LanceError(IO)": _BROKEN_INDEX,
    "Not found:": _BROKEN_INDEX,
    "orrupt": _BROKEN_INDEX,
}


def refusal(error: BaseException) -> str | None:
    """The sentence, None where the error is something else."""
    found = getattr(error, "orig", None) or error  # SQLAlchemy keeps the driver's error there
    if isinstance(found, sqlite3.Error):
        told = _SQLITE.get(getattr(found, "sqlite_errorcode", -1) & _PRIMARY)
        return f"{told} ({found})" if told else None
    text = str(error)
    if isinstance(error, _LANCE_KINDS) and _LANCE_SIGN.search(text):
        return next((told for mark, told in _LANCE.items() if mark in text), None)
    return None
