"""Glossator: an analysis sandbox for LLM agents over document corpora.

The public names load lazily, so that `import glossator` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .analysis import Analysis, AnalysisCapability, Answer
    from .corpus import Corpus, Scope
    from .sandbox import Limits, Sandbox

__version__ = "0.1.0"

_ROOMS = {
    "Analysis": "analysis",
    "AnalysisCapability": "analysis",
    "Answer": "analysis",
    "Corpus": "corpus",
    "Limits": "sandbox",
    "Sandbox": "sandbox",
    "Scope": "corpus",
}


def _check_links() -> None:
    """The rooms are links; git writes them as text files when `core.symlinks` is off (tests/test_packaging.py)."""
    for room in sorted({*_ROOMS.values(), "service"}):
        if not (folder := Path(__file__).parent / room).is_dir():
            cure = "run 'git config core.symlinks true && git checkout -- glossator'"
            raise ImportError(f"{folder} is not a link to a folder: {cure}", name=f"{__name__}.{room}")


_check_links()

__all__ = ["Analysis", "AnalysisCapability", "Answer", "Corpus", "Limits", "Sandbox", "Scope"]


def __getattr__(name: str) -> object:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_ROOMS[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
