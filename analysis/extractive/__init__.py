"""The built-in answerer: no language model, the same three tools, driven by rule.

It looks facts up by their best passage, counts and lists with small programs, and refuses when the evidence does not
support an answer. `model.py` is its face towards pydantic-ai, `rules.py` what it does, the rest what that needs.
"""

from .model import ExtractiveModel

__all__ = ["ExtractiveModel"]
