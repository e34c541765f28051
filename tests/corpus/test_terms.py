"""The analysis of text for full-text search: what means the same becomes the same terms."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.corpus.lexicon import guess, stop_words
from glossator.corpus.terms import GAP, index_terms, query_terms


def matches(text: str, language: str | None, query: str, languages: set[str | None]) -> bool:
    """Whether every word and phrase of the query stands in the text, as the index would see it."""
    stream = index_terms(text, language).split()
    return all(any(_stands(run, stream) for run in term.alternatives) for term in query_terms(query, languages))


def _stands(run: tuple[str, ...], stream: list[str]) -> bool:
    return any(tuple(stream[start : start + len(run)]) == run for start in range(len(stream)))


@pytest.mark.parametrize(
    ("text", "language", "query"),
    [
        ("Two dams were built", "en", "dam"),
        ("Das Haus steht", "de", "Häuser"),
        ("Die Häuser stehen", "de", "haus"),
        ("il genitore", "it", "genitori"),
        ("строительство плотины", "ru", "плотина"),
        ("Склады на проспекте", "ru", "СКЛАДЫ"),
        ("我们的退款政策如下", "zh", "退款政策"),
        ("返金のご案内", "ja", "返金"),
        ("ご返金について", "ja", "返金"),
        ("猫が好き", "ja", "猫"),
        ("빅포인트의 유효기간은 5년", "ko", "유효기간"),
        ("ภาษาไทยง่าย", "th", "ไทย"),
        ("हिन्दी भाषा की किताबें", "hi", "किताब"),
        ("أزل صلاحية التنفيذ", "ar", "صلاحية"),
        ("مُحَمَّد", "ar", "محمد"),
        ("שָׁלוֹם", "he", "שלום"),
        ("Στην Αθήνα", "el", "αθηνα"),
        ("cafe\u0301 au lait", "fr", "café"),
        ("café au lait", "fr", "CAFE\u0301"),
        ("Café Müller", None, "cafe muller"),
        ("see art. 32 GDPR for it", "en", "art. 32 GDPR"),
        ("under art-32/b of it", "en", "art-32/b"),
        ("under art-32/b of it", "en", '"art 32"'),
        ("R&D costs", "en", "r&d"),
        ("part X-17/b fits", "en", "X-17"),
        ("don't use it", "en", "don’t"),
        ("EUR 2,000,000 in all", "en", "2000000"),
        ("EUR 2,000,000 in all", "en", "2,000,000"),
        ("send an e-mail", "en", "email"),
        ("C++ and C#", "en", "c# c++"),
        ("version v2.0.1 of health.base", "en", "health.base v2.0.1"),
        ("the ﬁrst oﬃce", "en", "first office"),
        ("Ｆｕｌｌ ｗｉｄｔｈ", "en", "full width"),
        ("co\u00adoperate", "en", "cooperate"),
        ("PyUnicode_AsUTF8 is gone", "en", "pyunicode_asutf8"),
        ("第32条GDPR", "zh", "gdpr"),
        ("the cap shall not exceed", "en", '"shall not exceed"'),
        ("ein Haus, zwei Häuser", "de", "„zwei Haus“"),
    ],
)
def test_the_same(text: str, language: str | None, query: str) -> None:
    for languages in ({language}, {language, "en", "ru", "zh", None}):
        assert matches(text, language, query, languages)


@pytest.mark.parametrize(
    ("text", "language", "query"),
    [
        ("the cap shall not exceed", "en", '"not shall exceed"'),
        ("under art-33/b of it", "en", "art-32/b"),
        ("one GAP two", "en", GAP),
        ("政策退款", "zh", '"退款政策"'),
        ("Haus", "de", "Maus"),
    ],
)
def test_not_the_same(text: str, language: str | None, query: str) -> None:
    assert not query_terms(query, {language}) or not matches(text, language, query, {language})


@pytest.mark.parametrize("query", ["", " ", "??", "*", '""', '"', "¶", "\x00\n", "-+/", "«»", "🦆"])
def test_queries_without_words(query: str) -> None:
    assert query_terms(query, {"en"}) == []


def test_stop_words_go_unless_they_are_all() -> None:
    stops = stop_words()["en"]
    assert [term.text for term in query_terms("to be or not to be a dam", {"en"}, stops)] == ["dam"]
    assert [term.text for term in query_terms("to be or not to be", {"en"}, stops)] == ["to", "be", "or", "not"]
    assert [term.text for term in query_terms('"to be" or not', {"en"}, stops)] == ['"to be"']


def test_an_open_quote_is_no_phrase() -> None:
    assert [(term.text, term.phrase) for term in query_terms('"open quote', {"en"})] == [
        ("open", False),
        ("quote", False),
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("what is the cap of liability", "en"),
        ("Was ist nach Artikel 1 unantastbar", "de"),
        ("Qui sont les auteurs de l’article", "fr"),
        ("Каково назначение этой плотины", "ru"),
        ("GDPR 32", None),
    ],
)
def test_guess(text: str, language: str | None) -> None:
    from glossator.corpus.terms import words

    assert guess(words(text)) == language


_LANGUAGES = st.sampled_from([None, "en", "de", "ru", "ja", "ar", "xx"])


@given(st.text(), _LANGUAGES)
def test_terms_are_words_of_the_index(text: str, language: str | None) -> None:
    terms = index_terms(text, language)
    assert terms == " ".join(terms.split())
    assert not any(unicodedata.category(character).startswith("C") for character in terms if character != "\u200c")


@given(st.text(), _LANGUAGES)
def test_decomposed_and_composed_are_the_same(text: str, language: str | None) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert index_terms(composed, language) == index_terms(decomposed, language)


@given(
    st.lists(st.text(alphabet=st.characters(categories=["L", "N"]), min_size=1, max_size=12), min_size=1), _LANGUAGES
)
def test_every_text_is_found_by_its_own_words(words: list[str], language: str | None) -> None:
    text = " ".join(words)
    assert all(matches(text, language, word, {language, "en"}) for word in words)
    assert matches(text, language, f'"{text}"', {language})


@given(st.text(max_size=400), st.sets(_LANGUAGES))
def test_any_text_is_a_query(text: str, languages: set[str | None]) -> None:
    for term in query_terms(text, languages):
        assert term.alternatives and all(run and all(run) for run in term.alternatives)
        assert all(" " not in token for run in term.alternatives for token in run)
