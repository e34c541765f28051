"""Long texts in bites: what cuts a text where it hurts least takes the square of its length in word pieces."""

from __future__ import annotations

from collections.abc import Iterator

from . import tokens
from .tidy import parts

MAX_TOKENS = 2_500  # of a text that is cut as it is: more than any paragraph of words has
_BITE_TOKENS = 1_000


def bites(text: str) -> Iterator[str]:
    """The text, or parts of it of about a thousand word pieces, cut at ends of lines and sentences where there are any.

    Text without spaces has a piece for every character or two: Chinese, and what is no language at all.
    """
    total = tokens.count(text)
    if total <= MAX_TOKENS:
        yield text
    else:
        yield from (part for part in parts(text, max(1, len(text) * _BITE_TOKENS // total)) if part.strip())
