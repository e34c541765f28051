"""The analysis of text for full-text search, the same for what is indexed and for what is asked.

A text becomes a stream of terms divided by spaces: NFKC, case-folded, stemmed by language, accents folded; Korean and
the scripts that do not divide words (Chinese, Japanese, Thai …) as character bigrams. Words joined by signs, such as
`art-32/b`, `12,000` or `R&D`, are in the stream as their parts, so that phrases run through them, and whole behind it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

from .lexicon import ENGLISH, stemmer_name

GAP = "¶"  # stands between texts that no phrase may span; never the term of a query
MAX_QUERY_TERMS = 128  # a pasted page is cut here; the rest would change the ranking little and cost much
_MAX_STEMMED = 40  # characters; longer "words" are data

# Combining marks are letters to us: Python's \w leaves out the vowel signs of Indic scripts.
_MARKS = "".join(chr(code) for code in range(0x300, 0x2000) if unicodedata.category(chr(code)).startswith("M"))
_LETTERS = rf"[^\W_](?:[^\W_]|[{_MARKS}])*"
_WORD = re.compile(_LETTERS)
# Signs that join words to one code, the plus and number signs of C++ and C#, and what makes a number a section, an
# amount or a share: § 12, € 5, #7, 3.5 %.
_CODE = re.compile(
    rf"(?:(?P<before>§{{1,2}}|[№$€£#])\s?(?=\d))?"
    rf"(?P<bare>{_LETTERS}(?:[-_./\\&@:+#,']{{1,2}}{_LETTERS})*(?:\+\+|#(?!\w))?)"
    rf"(?:(?<=\d)\s?(?P<after>[%‰]))?"
)
_UNDIVIDED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u3040-\u30ff\u31f0-\u31ff"  # kana
)
_RUNS = re.compile(rf"([{_UNDIVIDED}]+)|[^{_UNDIVIDED}]+")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u0640\u064b-\u065f\u0670\u0591-\u05bd\u05bf-\u05c7]")
_DIGIT = re.compile(r"\d")
_ACCENTS = re.compile("[\u0300-\u036f]")
_COMPOUND = re.compile(r"[^\W\d_]+(?:[-'/][^\W\d_]+)+")
_SHORT_PART = 3  # characters
_PLAIN = str.maketrans({"‐": "-", "‑": "-", "’": "'"})
_SIGNS = "§№$€£#%‰"  # before or behind a number
_GROUPED_NUMBER = re.compile(r"\d{1,3}(?:[,.']\d{3})+")
_QUOTED = re.compile(r'"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»|「([^」]*)」')


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One word, code or phrase of a query."""

    text: str  # as it was asked
    alternatives: tuple[tuple[str, ...], ...]  # sequences of terms, any of which means the same in some language
    phrase: bool = False  # it stood in quotes

    @property
    def is_code(self) -> bool:
        """Whether it has digits or signs: it means what is written, and nothing that is like it."""
        return not self.phrase and any(unicodedata.category(char)[0] in "NPS" for char in self.text)


def index_terms(text: str, language: str | None) -> str:
    """The terms of `text`, divided by spaces, analysed by its language (ISO 639-1, None = not known)."""
    stream: list[str] = []
    wholes: dict[str, None] = {}
    for code in _codes(_normal(text)):
        parts = _parts(code)
        stream.extend(term for part in parts for term in _terms_of(part, language))
        wholes.update(dict.fromkeys([*_wholes(code, parts), *_singles(parts)]))
    return " ".join([*stream, GAP, *wholes] if wholes else stream)


def query_terms(text: str, languages: Collection[str | None], stop_words: Collection[str] = ()) -> list[QueryTerm]:
    """The words and quoted phrases of a query, each in every one of `languages`, without stop words.

    Words that are all stop words are kept: `to be or not to be` is a query too.
    """
    phrases = [next(filter(None, match), "") for match in _QUOTED.findall(text)]
    result = [_phrase(phrase, languages) for phrase in phrases]
    rest = _normal(_QUOTED.sub(" ", text))
    asked = list(dict.fromkeys(word for code in _codes(rest) for word in _asked(code)))
    telling = [word for word in asked if word not in stop_words]
    if not telling and not any(phrase.alternatives for phrase in result):
        telling = asked
    result.extend(_word(word, languages) for word in telling[:MAX_QUERY_TERMS])
    return [term for term in result if term.alternatives]


def words(text: str) -> list[str]:
    """The words of `text`, folded but not stemmed."""
    return _WORD.findall(_normal(text))


def _codes(text: str) -> Iterator[str]:
    """The words and codes of a normal text, signs close to their numbers."""
    for match in _CODE.finditer(text):
        yield f"{(match['before'] or '')[:1]}{match['bare']}{match['after'] or ''}"


def _phrase(text: str, languages: Collection[str | None]) -> QueryTerm:
    parts = [part for code in _codes(_normal(text)) for part in _parts(code)]
    return QueryTerm(f'"{text}"', _alternatives(parts, languages), phrase=True)


def _asked(code: str) -> list[str]:
    """What a code of the query asks for: itself, or the words of which it is only a compound."""
    parts = _parts(code)
    return parts if _COMPOUND.fullmatch(code) and not _closed(code) else [code]


def _word(code: str, languages: Collection[str | None]) -> QueryTerm:
    parts = _parts(code)
    single = _singles(parts) if len(code) == 1 else ()
    wholes = [(whole,) for whole in [*_wholes(code, parts), *single]]
    return QueryTerm(code, tuple(dict.fromkeys([*wholes, *_alternatives(parts, languages)])))


def _alternatives(parts: list[str], languages: Collection[str | None]) -> tuple[tuple[str, ...], ...]:
    if not parts:
        return ()
    ordered = sorted(languages or [None], key=str)
    readings = (tuple(term for part in parts for term in _terms_of(part, language)) for language in ordered)
    return tuple(dict.fromkeys(readings))


def _normal(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_PLAIN)
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", folded))


def _parts(code: str) -> list[str]:
    """The words of a code, cut where a script without spaces begins or ends."""
    return [run.group() for word in _WORD.findall(code) for run in _RUNS.finditer(word)]


def _wholes(code: str, parts: list[str]) -> Iterator[str]:
    """A code as one term, and spellings that mean the same: 12,000 and 12000, e-mail and email.

    Compounds of words are only their words: counted once more as a whole they would outweigh everything else.
    """
    if code == parts[0]:
        return
    if (bare := code.strip(_SIGNS)) != code and bare[0].isdigit():
        yield from (code, *_wholes(bare, parts))
        return
    if _COMPOUND.fullmatch(code):
        if closed := _closed(code):
            yield closed
        return
    yield code
    if _GROUPED_NUMBER.fullmatch(code):
        yield re.sub(r"\D", "", code)


def _closed(code: str) -> str | None:
    """The spelling without hyphen of a word with a short first or second part: email, reentry, coop."""
    parts = code.split("-")
    return "".join(parts) if len(parts) == 2 and min(map(len, parts)) <= _SHORT_PART else None


def _singles(parts: Collection[str]) -> Iterator[str]:
    """Each character of the parts that the stream holds as pairs: one character is a word in Chinese."""
    yield from (GAP + character for part in parts if is_undivided(part) for character in part)


def _terms_of(word: str, language: str | None) -> Iterator[str]:
    if not is_undivided(word):
        yield _stem(word, stemmer_name(word, language))
    elif len(word) == 1:
        yield word
    else:
        yield from (word[index : index + 2] for index in range(len(word) - 1))


def is_undivided(word: str) -> bool:
    """Whether the script of `word` puts no spaces between words, or is indexed as if it did not."""
    match = _RUNS.match(word)
    return bool(match and match.group(1))


_stemming = Lock()  # a Snowball stemmer keeps its word in itself


@lru_cache(maxsize=200_000)
def _stem(word: str, algorithm: str | None) -> str:
    if algorithm and len(word) <= _MAX_STEMMED and not _DIGIT.search(word):
        with _stemming:
            word = _stemmer(algorithm).stemWord(word)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", word)))


@lru_cache(maxsize=64)
def _stemmer(algorithm: str):  # the package has no public name for the type
    import snowballstemmer

    return snowballstemmer.stemmer(algorithm)


__all__ = ["ENGLISH", "GAP", "QueryTerm", "index_terms", "is_undivided", "query_terms", "words"]
