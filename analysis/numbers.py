"""Numbers in prose: where they stand, and whether one says the same as another. Pure functions.

A number is compared by its value, never by its spelling: `1,000`, `1000`, `1 000` and `1.000` agree, as do `12 %` and
`12 percent`, `3rd` and `3`, `12` and `twelve`, `2.5 million` and `2,500,000`. Signs are not compared, since prose says
"fell by 5" for -5.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, getcontext

WORDS = {
    **{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10},
    **{"eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50},
    **{"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90},
}
ORDINALS = {
    **{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6},
    **{"seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12},
}
SCALES = {  # word -> power of ten
    "thousand": 3,
    "million": 6,
    "millions": 6,
    "millionen": 6,
    "mio": 6,
    "mn": 6,
    "m": 6,
    "billion": 9,
    "billions": 9,
    "bn": 9,
    "k": 3,
}

PRECISION = getcontext().prec  # digits that decimal arithmetic keeps

_SPACE = " \u00a0\u2009\u202f"  # thousands are also separated by spaces: plain, no-break, thin, narrow no-break
_NUMBER = re.compile(
    rf"""(?<![A-Za-z_\d])(?<!\d[.,])           # not inside a name such as B2B
    (?P<digits>(?>\d+(?:[,.'’]\d+|[{_SPACE}]\d{{3}}(?!\d))*))
    (?:(?:st|nd|rd|th|s)\b)?                   # 3rd, 1990s
    (?![A-Za-z]*\d)(?![A-Za-z_]{{5}})          # not the start of a name such as 3f9a1c2e
    (?:\s?(?P<percent>%|‰|percent\b|per\scent\b|Prozent\b)|[\s-]?(?P<scale>{"|".join(SCALES)})\b)?""",
    re.VERBOSE | re.IGNORECASE,
)
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
_WORD = re.compile(rf"\b(?:{'|'.join((*WORDS, *ORDINALS))})\b", re.IGNORECASE)
_WORD_VALUES = {word: Decimal(n) for word, n in (WORDS | ORDINALS).items()}


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text: its place in characters, how it is written, and the values that it may have."""

    start: int
    end: int
    written: str
    values: frozenset[Decimal]
    decimals: frozenset[Decimal] = frozenset()  # of `1.234`, when it may also be a little over one
    parts: tuple[frozenset[Decimal], ...] = ()  # of `12 200`, when it may also be two numbers, and of `14.3.2024`
    word: bool = False  # written as a word

    def agrees(self, values: Collection[Decimal], *, rounded: bool = False) -> bool:
        """Whether a source with these values says this number; `rounded` also takes one that rounds to it."""
        if any(_equal(value, values, rounded) for value in self.values):
            return True
        fine = [value for value in values if _exponent(value) <= -3]  # else "1.000" would agree with every 1
        if any(_equal(value, fine, rounded) for value in self.decimals):
            return True
        return bool(self.parts) and all(any(_equal(value, values, rounded) for value in part) for part in self.parts)

    def readings(self) -> Iterable[Decimal]:
        """Every value that this number may have in a source."""
        yield from self.values
        yield from self.decimals
        for part in self.parts:
            yield from part


def numbers(text: str) -> list[Number]:
    """Every number of a text in order, the small ones that are written as words among them."""
    text = _plain(text)
    found = [_number(match) for match in _NUMBER.finditer(text)]
    found += [
        Number(match.start(), match.end(), match[0], frozenset({_WORD_VALUES[match[0].lower()]}), word=True)
        for match in _WORD.finditer(text)
    ]
    return sorted(found, key=lambda number: number.start)


def values_of(text: str) -> frozenset[Decimal]:
    """The values of all the numbers of a text."""
    return frozenset(value for number in numbers(text) for value in number.readings())


def _equal(claimed: Decimal, values: Collection[Decimal], rounded: bool) -> bool:
    return claimed in values or (rounded and any(_rounds(value, claimed) for value in values))


def _rounds(value: Decimal, claimed: Decimal) -> bool:
    """Whether a finer value is `claimed` when rounded: 71.6667 is 71.67, and 2512345 is 2.5 million."""
    step = Decimal(1).scaleb(_exponent(claimed))
    if _exponent(value) >= _exponent(claimed) or abs(value - claimed) >= step:
        return False
    if len(value.as_tuple().digits) > PRECISION:
        return False  # `quantize` would refuse
    return claimed in (value.quantize(step, ROUND_HALF_EVEN), value.quantize(step, ROUND_HALF_UP))


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _number(match: re.Match[str]) -> Number:
    digits = match["digits"]
    values, decimals = _readings(digits)
    if match["scale"]:
        values |= {value.scaleb(SCALES[match["scale"].lower()]) for value in values | decimals}
    if match["percent"]:
        values |= {value.scaleb(-3 if match["percent"] == "‰" else -2) for value in values}
    split = re.split(rf"[{_SPACE}]" if values else r"\D", digits)
    parts = tuple(_readings(part)[0] for part in split) if len(split) > 1 else ()
    return Number(match.start(), match.end(), match[0].strip(), values, decimals, parts)


def _readings(digits: str) -> tuple[frozenset[Decimal], frozenset[Decimal]]:
    """What a spelling means, and what else it may mean: `1.234` is 1234 to some and 1.234 to others."""
    *marks, last = re.findall(r"\D", digits) or [""]
    pieces = re.split(r"\D", digits)
    if not last:
        return frozenset({Decimal(digits)}), frozenset()
    whole = {Decimal("".join(pieces))} if _grouped(pieces) and set(marks) <= {last} else set()
    decimal = set()
    if last in ",." and last not in marks and _grouped(pieces[:-1]):
        decimal = {Decimal("".join(pieces[:-1]) + "." + pieces[-1])}
    return (frozenset(whole), frozenset(decimal)) if whole else (frozenset(decimal), frozenset())


def _grouped(pieces: list[str]) -> bool:
    """Whether pieces are thousands: 1-3 digits, then threes (or twos, as in 1,00,000), the last a three."""
    first, *groups = pieces
    if not groups:
        return True
    *middle, last = groups
    return len(first) <= 3 and first[0] != "0" and len(last) == 3 and all(len(piece) in (2, 3) for piece in middle)


def _plain(text: str) -> str:
    """The text with digits of every script as ASCII digits; places stay the same."""
    return text if text.isascii() else _FOREIGN_DIGIT.sub(lambda match: str(unicodedata.digit(match[0])), text)
