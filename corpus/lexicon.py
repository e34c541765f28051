"""The lexicon of full-text search: stemmers, scripts and stop words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

ENGLISH = "en"

# ISO 639-1 to Snowball's algorithms, by script. The first of a script reads words whose language is not known.
_STEMMERS = {
    "latin": {
        "en": "english", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "eo": "esperanto",
        "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish",
        "hu": "hungarian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian",
        "nl": "dutch", "nn": "norwegian", "no": "norwegian", "pl": "polish", "pt": "portuguese",
        "ro": "romanian", "sr": "serbian", "sv": "swedish", "tr": "turkish",
    },
    "cyrillic": {"ru": "russian", "sr": "serbian"},
    "greek": {"el": "greek"},
    "armenian": {"hy": "armenian"},
    "hebrew": {"yi": "yiddish"},
    "arabic": {"ar": "arabic", "fa": "persian"},
    "devanagari": {"hi": "hindi", "ne": "nepali"},
    "tamil": {"ta": "tamil"},
}  # fmt: skip
# Languages of these scripts that no algorithm above reads; their words are left as they are.
_UNSTEMMED = {
    "cyrillic": {"uk", "be", "bg", "mk", "kk", "ky", "mn", "tg"},
    "arabic": {"ur", "ps", "ku"},
    "hebrew": {"he"},
}

_STOP_WORDS = Path(__file__).parent / "data" / "stopwords.txt"

# First and last code point of a script's letters.
_SCRIPTS = (
    (0x0041, 0x024F, "latin"),
    (0x1E00, 0x1EFF, "latin"),
    (0x0370, 0x03FF, "greek"),
    (0x1F00, 0x1FFF, "greek"),
    (0x0400, 0x052F, "cyrillic"),
    (0x0530, 0x058F, "armenian"),
    (0x0590, 0x05FF, "hebrew"),
    (0x0600, 0x06FF, "arabic"),
    (0x0750, 0x077F, "arabic"),
    (0x0900, 0x097F, "devanagari"),
    (0x0B80, 0x0BFF, "tamil"),
)


def script(word: str) -> str | None:
    """The script of the first letter of `word`, None for one that has no stemmer."""
    code = ord(word[0])
    return next((name for first, last, name in _SCRIPTS if first <= code <= last), None)


def stemmer_name(word: str, language: str | None) -> str | None:
    """Snowball's algorithm for a word in a text of `language`; a foreign script is read by its own default."""
    found = script(word)
    if found is None or language in _UNSTEMMED.get(found, ()):
        return None
    algorithms = _STEMMERS[found]
    if language in algorithms:
        return algorithms[language]
    if found == "hebrew":  # Yiddish rules do not fit Hebrew
        return None
    return next(iter(algorithms.values()))


@lru_cache(maxsize=1)
def stop_words() -> dict[str, frozenset[str]]:
    """Words that say nothing about a text's subject, by language."""
    lines = _STOP_WORDS.read_text(encoding="utf-8").splitlines()
    return {line[:2]: frozenset(line[3:].split()) for line in lines if line[2:3] == ":"}


def guess(words: Iterable[str]) -> str | None:
    """The language whose stop words the most of `words` are, None if none is; English wins a draw."""
    words = list(words)
    hits = Counter({language: sum(word in stops for word in words) for language, stops in stop_words().items()})
    best = max(hits, key=lambda language: (hits[language], language == ENGLISH))
    return best if hits[best] else None
