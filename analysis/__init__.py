"""The three tools, the evidence ledger, the citation rule, answer checks and the agent.

The public names load lazily: `Analysis` needs neither a language model library nor the store.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .agent import ask
    from .capability import AnalysisCapability
    from .errors import AnalysisError, AnswerRejected, CitationMissing, ImageUnusable, ModelError
    from .results import Answer, CellReply, Citation, Computation, SearchReply
    from .sandboxes import analysis_sandbox
    from .tools import Analysis

_MODULES = {
    "Analysis": "tools",
    "AnalysisCapability": "capability",
    "AnalysisError": "errors",
    "Answer": "results",
    "AnswerRejected": "errors",
    "CellReply": "results",
    "Citation": "results",
    "CitationMissing": "errors",
    "Computation": "results",
    "ImageUnusable": "errors",
    "ModelError": "errors",
    "SearchReply": "results",
    "analysis_sandbox": "sandboxes",
    "ask": "agent",
}

__all__ = [
    "Analysis",
    "AnalysisCapability",
    "AnalysisError",
    "Answer",
    "AnswerRejected",
    "CellReply",
    "Citation",
    "CitationMissing",
    "Computation",
    "ImageUnusable",
    "ModelError",
    "SearchReply",
    "analysis_sandbox",
    "ask",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
