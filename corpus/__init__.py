"""Documents at rest: convert, chunk, embed, store, search.

The public names load lazily, so that `import glossator.corpus` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .catalogue import Collection, Option
    from .client import Corpus
    from .collected import Collections
    from .documents import (
        FILE_KINDS,
        Chunk,
        Document,
        File,
        FileKind,
        Outcome,
        OutcomeStatus,
        Picture,
        Progress,
        SearchMode,
        SearchPage,
        SearchResult,
        Status,
    )
    from .embed import Embedder, Identity, MiniLM, NoEmbedder
    from .errors import (
        AmbiguousDocument,
        BackupRefused,
        CollectionExists,
        CollectionMalformed,
        CollectionNotFound,
        ConditionMalformed,
        ConversionFailed,
        ConversionUnavailable,
        CorpusBusy,
        CorpusError,
        CorpusNotFound,
        CorpusNotWritable,
        DocumentNotFound,
        EmbedderMismatch,
        EmbedderMissing,
        EmbedderUnavailable,
        ExportRefused,
        FormatMismatch,
        HookFailed,
        HookUnknown,
        NotACorpus,
        RerankerUnavailable,
        SnapshotExpired,
        SyncRefused,
    )
    from .export import Exported
    from .hooks import DeleteEvent, Hook, IngestEvent, SearchRequest
    from .listing import Listing
    from .reranking import ModelReranker, Reranker
    from .scope import Scope
    from .snapshot import Snapshot

_MODULES = {
    "catalogue": ("Collection", "Option"),
    "client": ("Corpus",),
    "collected": ("Collections",),
    "documents": (
        *("FILE_KINDS", "Chunk", "Document", "File", "FileKind", "Outcome", "OutcomeStatus", "Picture"),
        *("Progress", "SearchMode", "SearchPage", "SearchResult", "Status"),
    ),
    "embed": ("Embedder", "Identity", "MiniLM", "NoEmbedder"),
    "errors": (
        *("AmbiguousDocument", "BackupRefused", "CollectionExists", "CollectionMalformed", "CollectionNotFound"),
        *("ConditionMalformed", "ConversionFailed", "ConversionUnavailable", "CorpusBusy"),
        *("CorpusError", "CorpusNotFound", "CorpusNotWritable"),
        *(
            "DocumentNotFound",
            "EmbedderMismatch",
            "EmbedderMissing",
            "EmbedderUnavailable",
            "ExportRefused",
            "FormatMismatch",
            "NotACorpus",
        ),
        *("HookFailed", "HookUnknown"),
        "RerankerUnavailable",
        "SnapshotExpired",
        "SyncRefused",
    ),
    "export": ("Exported",),
    "hooks": ("DeleteEvent", "Hook", "IngestEvent", "SearchRequest"),
    "listing": ("Listing",),
    "reranking": ("ModelReranker", "Reranker"),
    "scope": ("Scope",),
    "snapshot": ("Snapshot",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "FILE_KINDS",
    "AmbiguousDocument",
    "BackupRefused",
    "Chunk",
    "Collection",
    "CollectionExists",
    "CollectionMalformed",
    "CollectionNotFound",
    "Collections",
    "ConditionMalformed",
    "ConversionFailed",
    "ConversionUnavailable",
    "Corpus",
    "CorpusBusy",
    "CorpusError",
    "CorpusNotFound",
    "CorpusNotWritable",
    "DeleteEvent",
    "Document",
    "DocumentNotFound",
    "Embedder",
    "EmbedderMismatch",
    "EmbedderMissing",
    "EmbedderUnavailable",
    "ExportRefused",
    "Exported",
    "File",
    "FileKind",
    "FormatMismatch",
    "Hook",
    "HookFailed",
    "HookUnknown",
    "Identity",
    "IngestEvent",
    "Listing",
    "MiniLM",
    "ModelReranker",
    "NoEmbedder",
    "NotACorpus",
    "Option",
    "Outcome",
    "OutcomeStatus",
    "Picture",
    "Progress",
    "Reranker",
    "RerankerUnavailable",
    "Scope",
    "SearchMode",
    "SearchPage",
    "SearchRequest",
    "SearchResult",
    "Snapshot",
    "SnapshotExpired",
    "Status",
    "SyncRefused",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return list(__all__)
