"""Bytes to text: byte order marks, UTF-16 without one, UTF-8, then detection over the whole text."""

from __future__ import annotations

import codecs

from charset_normalizer import from_bytes

from .languages import familiar

_MARKS = (  # longest first: the mark of UTF-32 LE begins with that of UTF-16 LE
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DETECTABLE_BYTES = 2_000_000  # more than this is not needed to tell a legacy encoding; the whole file is decoded
_PUNCTUATION = "–—‘’“”„‚‹›«»…•·€£¥§°±×÷©®™†‡¿¡²³¹½¼¾ºª´¨¸\u00a0\u00ad"
_WEST = "àáâãäåæçèéêëìíîïñòóôõöøœùúûüýÿßšžðþ"
_CYRILLIC = "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґўјљњћђџ№"
# Legacy encodings and the letters beyond ASCII that text in them has, the likeliest first.
_CANDIDATES = (
    ("cp1252", _WEST),
    ("cp1250", "áäąăâčçćďđéëęěíîľĺłńňóôöőŕřśšşťţúůüűýźžż"),
    ("iso8859-2", "áäąăâčçćďđéëęěíîľĺłńňóôöőŕřśšşťţúůüűýźžż"),
    ("cp1254", "çğıİöşüâîû"),
    ("cp1257", "āčēģīķļņšūžąęėįųõäöü"),
    ("cp1251", _CYRILLIC),
    ("koi8-r", _CYRILLIC),
    ("cp866", _CYRILLIC),
    ("iso8859-5", _CYRILLIC),
    ("cp1253", "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ"),
    ("cp1255", "".join(map(chr, range(0x5D0, 0x5EB)))),
    ("cp1256", "".join(map(chr, (*range(0x621, 0x653), 0x67E, 0x686, 0x698, 0x6AF, 0x6CC)))),
    ("mac_roman", _WEST),
    ("cp850", _WEST),
)
_HOMES = {"tr": "cp1254"}  # written in the letters that cp1252 has for Icelandic
_MAX_MARKED = 0.45
_SURE = 0.9  # of the characters beyond ASCII that the alphabet explains


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of `data`, its byte order mark removed; `declared` is tried after UTF-8, before detection.

    Never fails: what no encoding explains is decoded as cp1252 with replacement characters.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    for encoding in (_wide(data), "utf-8", declared):
        if encoding and (text := _strict(data, encoding)) is not None:
            return text
    return _detect(data)


def is_text(data: bytes) -> bool:
    """Whether `data` is text in some encoding, not a binary format."""
    if not data or data.startswith(tuple(mark for mark, _ in _MARKS)) or _wide(data):
        return True
    sample = data[:65536]
    controls = sum(sample.count(byte) for byte in (*range(9), *range(14, 27), *range(28, 32)))
    return 0 not in sample and controls <= 4 + len(sample) // 100


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark shows as zeros at every second byte of Western text."""
    sample = data[:4096]
    if len(sample) < 4 or len(data) % 2:
        return None
    half = len(sample) // 2
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > half * 0.4 and even < half * 0.05:
        return "utf-16-le"
    if even > half * 0.4 and odd < half * 0.05:
        return "utf-16-be"
    return None


def _detect(data: bytes) -> str:
    sample = data[:_DETECTABLE_BYTES]
    scores = {encoding: _fit(text, letters) for encoding, letters in _CANDIDATES if (text := _strict(sample, encoding))}
    likeliest = max(scores.values(), default=0.0)
    alike = [encoding for encoding, score in scores.items() if score >= max(_SURE, likeliest - 0.02)]
    # Neighbours such as cp1252 and cp1254 explain the same bytes by letters of other languages: their words decide.
    best = max(alike, key=lambda encoding: _words_fit(sample.decode(encoding), encoding), default=None)
    if best is not None and (text := _strict(data, best)) is not None:
        return text
    guess = from_bytes(sample).best()
    if guess is not None and (text := _strict(data, guess.encoding)) is not None:
        return text
    return data.decode("cp1252", "replace")


def _words_fit(text: str, encoding: str) -> tuple[int, bool]:
    known = familiar(text)
    return known.words, _HOMES.get(known.language) == encoding


def _fit(text: str, letters: str) -> float:
    """How much of a text beyond ASCII is letters of its alphabet; capitals inside words speak against it."""
    foreign = [char for char in text if ord(char) > 127]
    if not foreign:
        return 1.0
    own = set(letters + letters.upper())
    known = sum(char in own or char in _PUNCTUATION for char in foreign)
    odd = sum(_is_odd(*three) for three in zip(text, text[1:], text[2:], strict=False))
    # No language written in Latin letters has this many with marks: it is another script, read wrongly.
    crowded = letters[0] < "\u0250" and len(foreign) > _MAX_MARKED * sum(map(str.isalpha, text))
    return (known - odd) / len(foreign) * (0.5 if crowded else 1.0)


def _is_odd(before: str, char: str, after: str) -> bool:
    """Beyond ASCII: a capital right after a small letter, or a symbol between letters."""
    if ord(char) < 128 and ord(before) < 128:
        return False
    if char.isupper():
        return before.islower()
    return not char.isalpha() and before.isalpha() and after.isalpha() and char not in "’·-'\u00ad\u00a0 "
