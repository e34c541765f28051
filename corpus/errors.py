"""What can go wrong with a corpus, and whose doing it is.

CorpusError                 the operator's: the message names the problem and the way out
├── CorpusNotFound          no corpus at this path
├── NotACorpus              something else is at this path
├── FormatMismatch          written by another format of this program
├── CorpusNotWritable       the folder or the disk refuses writes
├── CorpusBusy              another process has been writing for too long
├── EmbedderMismatch        the corpus was embedded by another model
├── ConversionUnavailable   documents cannot be converted on this machine, whatever they are
├── EmbedderMissing         semantic search in a corpus without vectors
├── EmbedderUnavailable     a provider gives no vectors: no key, no connection, no such model
├── RerankerUnavailable     a reranker gives no order: the same, or one that is none
├── ConditionMalformed      a scope or a listing by a condition that is none
├── ExportRefused           there is something where an export is to be written
├── CollectionNotFound      no collection is called so
├── CollectionExists        one is called so already
├── CollectionMalformed     a name, description or option that is none
├── MetadataMalformed       metadata beside a file, or a table of it, that cannot be read
├── BackupRefused           a backup that cannot be written, or that is none
├── HookUnknown             a hook was named that is not installed
├── HookFailed              a hook is none, or does what hooks must not
├── SyncRefused             a folder that cannot be followed, or whose emptiness is no reason to remove everything
└── SnapshotExpired         a snapshot was used after it was closed, or after its lease had ended
ConversionFailed            the document's: the reason goes into its outcome and its metadata
DocumentNotFound            the caller's (operator or model): no document answers to this key
AmbiguousDocument           the caller's: several do
"""

from __future__ import annotations

from collections.abc import Sequence


class CorpusError(Exception):
    """An operator's mistake, in one line that says what to do about it."""


class CorpusNotFound(CorpusError):
    pass


class NotACorpus(CorpusError):
    pass


class FormatMismatch(CorpusError):
    pass


class CorpusNotWritable(CorpusError):
    pass


class CorpusBusy(CorpusError):
    pass


class EmbedderMismatch(CorpusError):
    pass


class EmbedderMissing(CorpusError):
    pass


class ConversionUnavailable(CorpusError):
    pass


class EmbedderUnavailable(CorpusError):
    pass


class RerankerUnavailable(CorpusError):
    pass


class ConditionMalformed(CorpusError):
    pass


class ExportRefused(CorpusError):
    pass


class CollectionNotFound(CorpusError):
    """No collection is called `name`; `candidates` are the nearest, or those that there are."""

    def __init__(self, name: str, candidates: Sequence[str] = ()):
        self.name = name
        self.candidates = tuple(candidates)
        near = f"; there is {', '.join(map(repr, self.candidates))}" if self.candidates else "; there are none"
        super().__init__(f"no collection {name!r} in this corpus{near}")


class CollectionExists(CorpusError):
    pass


class CollectionMalformed(CorpusError):
    pass


class MetadataMalformed(CorpusError):
    pass


class BackupRefused(CorpusError):
    pass


class HookUnknown(CorpusError):
    pass


class HookFailed(CorpusError):
    pass


class SyncRefused(CorpusError):
    pass


class SnapshotExpired(CorpusError):
    pass


class ConversionFailed(Exception):
    """A source that could not be read; its text is an honest one-line reason."""


class DocumentNotFound(LookupError):
    """No document answers to `key`; `candidates` are the nearest."""

    def __init__(self, key: str, candidates: Sequence[str] = ()):
        self.key = key
        self.candidates = tuple(candidates)
        near = f"; did you mean {', '.join(self.candidates)}?" if self.candidates else ""
        super().__init__(f"no document {key!r} in this corpus{near}")


class AmbiguousDocument(LookupError):
    """Several documents answer to `key`: `candidates`, each with its id."""

    def __init__(self, key: str, candidates: Sequence[str]):
        self.key = key
        self.candidates = tuple(candidates)
        super().__init__(f"{key!r} names {len(self.candidates)} documents: {', '.join(self.candidates)}; give an id")
