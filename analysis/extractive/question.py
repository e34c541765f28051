"""What a question asks for, read from its words alone. Pure: no documents, no tools."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from ...corpus.languages import detect
from ...corpus.lexicon import stop_words

# Words that ask, per intent: regular expressions over the folded question, matched as whole words.
_COUNT = r"how many|how often|number of|wie ?viele|anzahl|combien|nombre d\w*|quant[ie]|cuant[oa]s|сколько|多少|几个"
_LIST = r"list|enumerate|name all|which|what are|welche[rsn]?|liste|nenne|quel(?:le)?s?|quali|cuales|какие|哪些"
_SUM = r"totals?|sum|altogether|overall|combined|in all|insgesamt|summe|gesamt\w*|somme|totale|suma"
_MEAN = r"averages?|mean|durchschnitt\w*|moyenne?|media|promedio"
_MOST = (
    r"most|largest|highest|biggest|greatest|maximum|longest|latest|newest|hochste\w*|gro(?:ss|ß)te\w*|meisten"
    r"|plus grande?|plus eleve\w*|maggiore?|mayor"
)
_LEAST = (
    r"least|smallest|lowest|fewest|minimum|shortest|oldest|earliest|niedrigste\w*|kleinste\w*|wenigsten|alteste\w*"
    r"|plus petite?|minore?|menor"
)
_EACH = r"each|per|by type|jede[rsnm]?|pro|chaque|ogni|cada"
_NUMBER = (
    r"when|year|date|version|price|cost|percent\w*|age|telephone|phone|how (?:long|tall|deep|far|much|old|high|large)"
    r"|wann|jahr|datum|preis|kostet\w*|wie (?:lang\w*|tief|hoch|alt|weit)|quand|annee|prix|quando|anno|cuando|ano"
)
_NAME = r"who|whom|whose|author|wer|wem|wen|qui|chi|quien"

# Words of asking, beside the stop words of the question's language: they carry no evidence.
_ASKING = frozenset(
    """how what when where which who whom whose why many much name named list mention mentions
    mentioned describe state say says document documents file files corpus page pages long tall deep
    far old high hoch lang weit tief alt lange text according give tell called exactly first second
    dokument laut wie viel viele wer was wann wo welche welcher welches warum nenne combien comment
    quand quel quelle quels quelles qui selon quanto quanti quale quali chi dove cuando cuanto cual
    quien segun 문서에서 몇 什么 多少""".split()
)

_WORD = re.compile(r"[^\W_]+(?:[-–.'’_][^\W_]+)*")
# What is asked of something: "the salary of", "le prix du". Its last word must stand in an answer's passage, unless it
# only says of what type the answer is.
_ATTRIBUTE = re.compile(
    r"\b(?:what|which) (?:is|was|are|were) the (?P<en>[^?,]{3,40}?) (?:of|for|in|at)\b"
    r"|\b(?:wie (?:hoch|gross|lang) |was )?(?:ist|war) (?:der|die|das) (?P<de>[^?,]{3,40}?) (?:der|des|von|vom|im|in)\b"
    r"|\bquel(?:le)? (?:est|etait) (?:le |la |l['’])(?P<fr>[^?,]{3,40}?) (?:de|du|des|d['’])",
    re.IGNORECASE,
)
_TYPES = frozenset(
    "date year number name title value amount word answer datum jahr zahl nombre annee nom titre".split()
)
_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]{2,120})[\"“”„«»]")
_FULL_NAME = re.compile(r"\b[^\W\d_a-z][^\W\d_]+ (?:[^\W\d_]\. )?[^\W\d_a-z][^\W\d_]+")
_FILE = re.compile(r"[\w\-]+(?:\.[\w\-]+)*\.[A-Za-z][A-Za-z0-9]{1,5}\b")


def fold(text: str) -> str:
    """Compatibility form, lower case, no accents on Latin letters."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not ("\u0300" <= c <= "\u036f")))


def words(text: str) -> list[str]:
    return _WORD.findall(text)


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    language: str | None
    terms: tuple[str, ...]  # content words as written, in order, without repeats
    names: frozenset[str]  # those of them that an answer cannot do without: names, codes, numbers
    quoted: tuple[str, ...]
    files: tuple[str, ...]  # file names written out in it
    counts: bool
    lists: bool
    sums: bool
    means: bool
    most: bool
    least: bool
    each: bool
    number: bool  # a number, date or amount is asked for
    name: bool  # a person is

    @classmethod
    def parse(cls, text: str) -> Question:
        folded = " ".join(fold(text).split())
        files = tuple(dict.fromkeys(_FILE.findall(text)))
        language = detect(text)
        terms = tuple(_terms(_FILE.sub(" ", text), language))  # a file's name says where to look, not what to find
        return cls(
            text=text,
            language=language,
            terms=terms,
            names=frozenset(_names(text, terms, language)),
            quoted=tuple(dict.fromkeys(q.strip() for q in _QUOTED.findall(text) if q.strip())),
            files=files,
            counts=_asks(_COUNT, folded),
            lists=_asks(_LIST, folded),
            sums=_asks(_SUM, folded),
            means=_asks(_MEAN, folded),
            most=_asks(_MOST, folded),
            least=_asks(_LEAST, folded),
            each=_asks(_EACH, folded),
            number=_asks(f"{_COUNT}|{_NUMBER}", folded),
            name=_asks(_NAME, folded),
        )

    @property
    def folded(self) -> str:
        return fold(self.text)

    def wants(self, text: str) -> bool:
        """Whether a text has what is asked for: a number, or a name that the question does not give itself."""
        if self.number:
            return bool(re.search(r"\d", text))
        return self.name and any(not self.says(name) for name in _FULL_NAME.findall(text))

    def says(self, phrase: str) -> bool:
        """Whether the phrase stands in the question as whole words, whatever its case."""
        target = " ".join(fold(phrase).split())
        return bool(target) and bool(re.search(rf"(?<![^\W_]){re.escape(target)}(?![^\W_])", self.folded))


def _asks(pattern: str, folded: str) -> bool:
    return bool(re.search(rf"(?<!\w)(?:{pattern})(?!\w)", folded))


def _terms(text: str, language: str | None) -> Iterable[str]:
    silent = _ASKING | stop_words().get(language or "en", frozenset())
    seen: set[str] = set()
    for word in words(text):
        key = fold(word)
        if key in seen or key in silent or word.casefold() in silent:
            continue
        if len(key) > 1 or not key.isascii() or key.isdigit():
            seen.add(key)
            yield word


def _names(text: str, terms: tuple[str, ...], language: str | None) -> Iterable[str]:
    """Words with digits, what is asked of something, and capitalised words inside a sentence, except in German."""
    inside = {w for w in re.findall(r"(?<=[^\s.?!:;] )[\"“„«(]?([^\W\d_]\w*)", text) if w[0].isupper()}
    asked = _attribute(text)
    for term in terms:
        if any(c.isdigit() for c in term) or (term in inside and language != "de") or fold(term) == asked:
            yield term


def _attribute(text: str) -> str | None:
    """The last word of what is asked of something, if it is more than a type of answers."""
    found = _ATTRIBUTE.search(fold(text))
    last = words(next(filter(None, found.groups()), ""))[-1:] if found else []
    return last[0] if last and last[0] not in _TYPES else None
