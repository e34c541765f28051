"""Telling a refusal from a computed answer, when neither cites a passage but code has read the corpus. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

# Words that deny, in the languages that models answer in most. "No, …" at the start answers a yes-or-no question.
_DENIES = re.compile(
    r"""\b(?:not|n['’]t|no|none|nothing|nowhere|cannot|unable|without|nicht|kein\w*|nichts|ohne|pas|aucune?|rien|sans|non|nessun\w*
    |nulla|ning[uú]n\w*|nada|nie|nem|geen|niet)\b|n['’]t\b|没有|无法|ない|ません|없""",
    re.VERBOSE | re.IGNORECASE,
)
_ANSWERS_NO = re.compile(r"\s*(?:no|nein|non|nee|não)[,.:;!]", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_TELLING = 5  # letters of a word that, with its neighbour, shows that text was taken from an output


def declines(text: str, question: str, outputs: Iterable[str]) -> bool:
    """Whether an answer denies something and says nothing that the cells printed and the question had not said."""
    if not _DENIES.search(text) or _ANSWERS_NO.match(text):
        return False
    asked = set(_words(question))
    printed = _words("\n".join(outputs))
    pairs = set(pairwise(printed))
    said = _words(text)
    numbers = {word for word in said if word.isdigit()} - asked
    taken = [pair for pair in pairwise(said) if pair in pairs and _tells(pair, asked)]
    return not taken and not numbers & set(printed)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _tells(pair: tuple[str, str], asked: set[str]) -> bool:
    return any(len(word) >= _TELLING and word not in asked for word in pair)
