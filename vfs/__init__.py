"""`/documents`: the host half. The half that cells see is `glossator.vfs.guest`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .files import Coverage, DocumentFiles
    from .limits import FileLimits

__all__ = ["Coverage", "DocumentFiles", "FileLimits"]


def __getattr__(name: str) -> object:
    # Lazy: the guest half is imported through this package, and must not bring the corpus along.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(".limits" if name == "FileLimits" else ".files", __name__), name)
