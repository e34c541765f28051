"""A corpus's folder: what lies where, and whether there is a corpus at all.

state.sqlite     what is published (state.py)
files.sqlite     the documents' five files (blobs.py)
index/           chunks, terms and vectors in LanceDB (index.py)
hooks.sqlite     what hooks keep (hookstore.py)
sessions/        of whoever runs code over this corpus
writer.lock      who is writing (lock.py)
embedding.lock   who is embedding
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from .errors import CorpusNotFound, CorpusNotWritable, NotACorpus

_STATE = "state.sqlite"
_FILES = "files.sqlite"
_INDEX = "index"
_LOCK = "writer.lock"
_EMBEDDING = "embedding.lock"
_SESSIONS = "sessions"  # of whoever runs code over this corpus
_HOOKS = "hooks.sqlite"
_OURS = (_STATE, _FILES, _INDEX, _LOCK, _EMBEDDING, _SESSIONS, _HOOKS)


@dataclass(frozen=True, slots=True)
class Folder:
    path: Path

    @property
    def state(self) -> Path:
        return self.path / _STATE

    @property
    def files(self) -> Path:
        return self.path / _FILES

    @property
    def index(self) -> Path:
        return self.path / _INDEX

    @property
    def hooks(self) -> Path:
        return self.path / _HOOKS

    @property
    def sessions(self) -> Path:
        return self.path / _SESSIONS

    @property
    def lock(self) -> Path:
        return self.path / _LOCK

    @property
    def embedding_lock(self) -> Path:
        return self.path / _EMBEDDING

    def is_corpus(self) -> bool:
        return self.state.exists()

    def check_access(self) -> None:
        """Raise unless the folder can be written."""
        if not os.access(self.path, os.W_OK, effective_ids=True):
            raise CorpusNotWritable(
                f"{self.path} cannot be written, not even by readers, who mark what they read: make it writable"
            )

    def check_parts(self) -> None:
        """Raise unless all parts of a corpus in today's format are there."""
        for part, there, kind in (
            (self.files, self.files.is_file(), "file"),
            (self.index, self.index.is_dir(), "folder"),
        ):
            if not there:
                wrong = f"no {kind}" if part.exists() else "missing"
                raise NotACorpus(f"{self.path} is damaged: {part.name} is {wrong}; restore it or make a new corpus")

    def prepare(self, create: bool) -> None:
        """Make the folder for a new corpus; raise if something else is there, or nothing is wanted."""
        if self.path.exists() and not self.path.is_dir():
            raise NotACorpus(f"{self.path} is a file; a corpus is a folder")
        if stranger := self._stranger():
            raise NotACorpus(f"{self.path} is no corpus and not empty (it holds {stranger}): choose another folder")
        if not create:
            raise CorpusNotFound(f"no corpus at {self.path}: `glossator --corpus {self.path} add PATH…` makes one")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CorpusNotWritable(f"cannot make {self.path}: {error.strerror}") from error

    def draft(self) -> Path:
        """Where the state is made before it takes its name; what an interrupted creation left there is deleted."""
        draft = self.path / f"{_STATE}.new"
        for leftover in self.path.glob(f"{draft.name}*"):
            leftover.unlink()
        return draft

    def _stranger(self) -> str | None:
        names = sorted(entry.name for entry in self.path.iterdir()) if self.path.exists() else []
        return next((name for name in names if not name.startswith(_OURS)), None)
