"""Runs untrusted Python: language policy, jail, zygote, workers, sessions.

The public names load lazily: the zygote imports from here, and must stay small.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .contracts import Channel, FileSystem, Guest, GuestError, GuestModule, HostFunction
    from .errors import IsolationTooWeak, ProtocolError, SandboxClosed, SandboxError, SandboxUnavailable
    from .host import Sandbox
    from .limits import Limits
    from .results import CellError, CellResult, Isolation
    from .session import Session

_MODULES = {
    "CellError": "results",
    "CellResult": "results",
    "Channel": "contracts",
    "FileSystem": "contracts",
    "Guest": "contracts",
    "GuestError": "contracts",
    "GuestModule": "contracts",
    "HostFunction": "contracts",
    "Isolation": "results",
    "IsolationTooWeak": "errors",
    "Limits": "limits",
    "ProtocolError": "errors",
    "Sandbox": "host",
    "SandboxClosed": "errors",
    "SandboxError": "errors",
    "SandboxUnavailable": "errors",
    "Session": "session",
}

__all__ = [
    "CellError",
    "CellResult",
    "Channel",
    "FileSystem",
    "Guest",
    "GuestError",
    "GuestModule",
    "HostFunction",
    "Isolation",
    "IsolationTooWeak",
    "Limits",
    "ProtocolError",
    "Sandbox",
    "SandboxClosed",
    "SandboxError",
    "SandboxUnavailable",
    "Session",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
