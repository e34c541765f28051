"""What a failure means to the person at the terminal.

Three kinds: the operator's mistake or the world's (one line with the way out), wrong usage (click's own message), and
our bug (a short line, and how to see the traceback).
"""

from __future__ import annotations

import os
import traceback

from .refusals import refusal

DEBUG_VARIABLE = "GLOSSATOR_DEBUG"

# The roots of the rooms' error trees whose messages are written for people. Named, not imported: a command that fails
# early has not paid for loading those rooms.
_FOR_PEOPLE = frozenset(
    {
        "glossator.analysis.errors.AnalysisError",
        "glossator.corpus.errors.AmbiguousDocument",
        "glossator.corpus.errors.ConversionFailed",
        "glossator.corpus.errors.CorpusError",
        "glossator.corpus.errors.DocumentNotFound",
        "glossator.sandbox.errors.SandboxError",
        "glossator.service.failures.Failure",
    }
)


class Failure(Exception):
    """Something that the person at the terminal can put right: one line that names it and the way out."""


def explain(error: BaseException) -> str:
    """The message for stderr, without "Traceback" unless GLOSSATOR_DEBUG asks for it."""
    if os.environ.get(DEBUG_VARIABLE):
        return "".join(traceback.format_exception(error)).rstrip()
    return f"Error: {_sentence(error)}"


def for_people(error: BaseException) -> str | None:
    """The error's own message where it is written for people, else None: then it is our bug."""
    families = {f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__}
    if families & _FOR_PEOPLE:
        return str(error)
    if told := refusal(error):
        return told
    if isinstance(error, OSError) and error.strerror and not isinstance(error, ConnectionError):
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return None


def _sentence(error: BaseException) -> str:
    bug = (
        f"{type(error).__name__}: {error}\nThis is a bug in Glossator; run the command again with"
        f" {DEBUG_VARIABLE}=1 to see where it happened."
    )
    return for_people(error) or bug
