"""Runs untrusted Python: language policy, jail, zygote, workers, sessions.

The public names load lazily: the zygote imports from here, and must stay small.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .contracts import Channel, FileSystem, Guest, GuestError, GuestModule, HostFunction
    from .errors import (
        BadSessionName,
        IsolationTooWeak,
        PoolBusy,
        ProtocolError,
        SandboxClosed,
        SandboxError,
        SandboxUnavailable,
        SessionBusy,
        SessionNotKept,
        SessionUnreadable,
    )
    from .host import Sandbox
    from .journal import Cell, Checkpoint, Journal, Journals, MemoryJournal, Reply
    from .journal_files import FileJournal, FileJournals
    from .limits import Limits
    from .pool import PoolLimits
    from .results import CellError, CellResult, Isolation
    from .session import Session

_MODULES = {
    "BadSessionName": "errors",
    "Cell": "journal",
    "CellError": "results",
    "CellResult": "results",
    "Channel": "contracts",
    "Checkpoint": "journal",
    "FileJournal": "journal_files",
    "FileJournals": "journal_files",
    "FileSystem": "contracts",
    "Guest": "contracts",
    "GuestError": "contracts",
    "GuestModule": "contracts",
    "HostFunction": "contracts",
    "Isolation": "results",
    "IsolationTooWeak": "errors",
    "Journal": "journal",
    "Journals": "journal",
    "Limits": "limits",
    "MemoryJournal": "journal",
    "PoolBusy": "errors",
    "PoolLimits": "pool",
    "ProtocolError": "errors",
    "Reply": "journal",
    "Sandbox": "host",
    "SandboxClosed": "errors",
    "SandboxError": "errors",
    "SandboxUnavailable": "errors",
    "Session": "session",
    "SessionBusy": "errors",
    "SessionNotKept": "errors",
    "SessionUnreadable": "errors",
}

__all__ = [
    "BadSessionName",
    "Cell",
    "CellError",
    "CellResult",
    "Channel",
    "Checkpoint",
    "FileJournal",
    "FileJournals",
    "FileSystem",
    "Guest",
    "GuestError",
    "GuestModule",
    "HostFunction",
    "Isolation",
    "IsolationTooWeak",
    "Journal",
    "Journals",
    "Limits",
    "MemoryJournal",
    "PoolBusy",
    "PoolLimits",
    "ProtocolError",
    "Reply",
    "Sandbox",
    "SandboxClosed",
    "SandboxError",
    "SandboxUnavailable",
    "Session",
    "SessionBusy",
    "SessionNotKept",
    "SessionUnreadable",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
