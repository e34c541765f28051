"""Which language a text is in: by its script, then by its commonest words; None when that is not clear."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from .lexicon import stop_words

_CODE = re.compile(r"\A\s*([a-z]{2})(?:[-_,]|\s|\Z)", re.IGNORECASE)
_SAMPLE_CHARS = 20_000  # from the beginning, and as many from the middle
_WORD = re.compile(r"[^\W\d_]+")
_CODE_BLOCK = re.compile(r"^(```|~~~~).*?^\1", re.DOTALL | re.MULTILINE)
_MIN_LETTERS = 12
_MIN_SHARE = 0.6  # of the letters that are in one script
_MIN_HITS = 0.08  # share of a text's words that are among the commonest of its language
_MIN_LEAD = 1.2  # times the hits of the next language

# Scripts that show a language by themselves; the first that matches a letter counts.
_SCRIPTS = {
    "ja": re.compile(r"[\u3040-\u30ff]"),
    "ko": re.compile(r"[\uac00-\ud7af\u1100-\u11ff]"),
    "zh": re.compile(r"[\u3400-\u9fff]"),
    "th": re.compile(r"[\u0e00-\u0e7f]"),
    "he": re.compile(r"[\u0590-\u05ff]"),
    "el": re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]"),
    "ka": re.compile(r"[\u10a0-\u10ff]"),
    "hy": re.compile(r"[\u0530-\u058f]"),
    "hi": re.compile(r"[\u0900-\u097f]"),
    "bn": re.compile(r"[\u0980-\u09ff]"),
    "pa": re.compile(r"[\u0a00-\u0a7f]"),
    "gu": re.compile(r"[\u0a80-\u0aff]"),
    "ta": re.compile(r"[\u0b80-\u0bff]"),
    "te": re.compile(r"[\u0c00-\u0c7f]"),
    "kn": re.compile(r"[\u0c80-\u0cff]"),
    "ml": re.compile(r"[\u0d00-\u0d7f]"),
    "arabic": re.compile(r"[\u0600-\u06ff]"),
    "cyrillic": re.compile(r"[\u0400-\u04ff]"),
    "latin": re.compile(r"[a-z\u00c0-\u024f\u1e00-\u1eff]", re.IGNORECASE),
}
# Letters that only one of the languages of a script has.
_LETTERS = {
    "arabic": (("ur", "ٹڈڑے"), ("fa", "پچژگ")),
    "cyrillic": (("uk", "їєґі"), ("be", "ў"), ("sr", "ћђј"), ("ru", "ыэ"), ("bg", "ъ")),
}
_DEFAULTS = {"arabic": "ar", "cyrillic": "ru"}


def code(declared: str | None) -> str | None:
    """ISO 639-1 of a declared language such as "de-AT"."""
    match = _CODE.match(declared) if declared else None
    return match[1].lower() if match else None


def detect(text: str) -> str | None:
    """ISO 639-1 of the language that most of a text is in."""
    middle = max(_SAMPLE_CHARS, len(text) // 2)
    sample = _CODE_BLOCK.sub("", text[:_SAMPLE_CHARS] + text[middle : middle + _SAMPLE_CHARS]).lower()
    counts = {name: len(pattern.findall(sample)) for name, pattern in _SCRIPTS.items()}
    if counts["ja"] > 0.1 * counts["zh"]:  # Japanese is written with Chinese characters too
        counts["ja"] += counts.pop("zh")
    script = max(counts, key=lambda name: _weight(name) * counts[name])
    total = sum(_weight(name) * count for name, count in counts.items())
    if sum(counts.values()) < _MIN_LETTERS or _weight(script) * counts[script] < _MIN_SHARE * total:
        return None
    if script == "latin":
        return _by_words(sample)
    return _by_letters(script, sample) if script in _LETTERS else script


@dataclass(frozen=True, slots=True)
class Familiar:
    language: str
    words: int  # of a text, that are among the commonest of the language


def familiar(text: str) -> Familiar:
    """The language of which a text has the most common words, however few."""
    words = _WORD.findall(text[:_SAMPLE_CHARS].lower())
    hits = {language: sum(word in stops for word in words) for language, stops in stop_words().items()}
    best = max(hits, key=lambda language: hits[language])
    return Familiar(best, hits[best])


def _weight(script: str) -> int:
    """A character of these is a syllable or a word; code and names in a text are Latin everywhere."""
    return 3 if script in ("ja", "ko", "zh") else 2 if script != "latin" else 1


def _by_letters(script: str, sample: str) -> str:
    letters = len(_SCRIPTS[script].findall(sample))
    for language, own in _LETTERS[script]:
        if sum(map(sample.count, own)) > 0.01 * letters:
            return language
    return _DEFAULTS[script]


def _by_words(sample: str) -> str | None:
    words = [word for word in _WORD.findall(sample) if len(word) > 1]
    hits = Counter({language: sum(word in stops for word in words) for language, stops in stop_words().items()})
    (first, most), (_, next_most) = hits.most_common(2)
    different = len(stop_words()[first].intersection(words))
    clear = most >= max(2, _MIN_HITS * len(words)) and most >= _MIN_LEAD * next_most
    return first if clear and different >= min(4, len(words) / 10) else None
