"""The Markdown that the model reads, and its loader."""

from .loader import load

__all__ = ["load"]
