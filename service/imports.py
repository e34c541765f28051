"""Libraries that this program has no use for, and that others import when they find them installed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _Hidden(MetaPathFinder):
    def __init__(self, package: str):
        self._package = package

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == self._package:
            raise ModuleNotFoundError(f"{fullname} is hidden from this program", name=fullname)
        return None


def hide(package: str) -> None:
    """Let `package` look uninstalled to this whole process: for programs only, never for a library's users."""
    sys.meta_path.insert(0, _Hidden(package))
