"""The order of passages: what each part of the score does, on passages that differ in nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.corpus.documents import Chunk
from glossator.corpus.rank import Hit, Origin, Pair, Passage, nearness, ranked
from glossator.corpus.terms import index_terms, query_terms

LONG = " ".join(["filler"] * 60)


def hit(row: int, score: float, document: str = "") -> Hit:
    return Hit(row, f"chunk-{row:03d}", document or f"document-{row}", score)


def passage(hit: Hit, text: str, cosine: float | None = None, headings: Sequence[str] = ()) -> Passage:
    chunk = Chunk(hit.chunk_id, hit.document_id, 0, text, tuple(headings), (), (), ("text",))
    return Passage(chunk, index_terms(text, "en").split(), cosine)


def order(
    query: str, by_words: Sequence[Hit], texts: dict[int, Passage], by_meaning: Sequence[Hit] = (), **names: str
) -> list[int]:
    return [found.row for found in _ranked(query, by_words, texts, by_meaning, **names)]


def _ranked(
    query: str, by_words: Sequence[Hit], texts: dict[int, Passage], by_meaning: Sequence[Hit] = (), **names: str
) -> list[Hit]:
    documents = {found.document_id for found in [*by_words, *by_meaning]}
    origins = {
        id: Origin(1, f"file:///{id}", frozenset(index_terms(names.get(id.replace("-", "_"), ""), "en").split()))
        for id in documents
    }
    return ranked(by_words, by_meaning, texts, query_terms(query, ["en"]), origins)


@pytest.mark.parametrize(
    ("query", "apart", "together"),
    [
        ("ISO 9001", "9001 reasons why the ISO of a film matters", "certified to ISO 9001 since"),
        ("v2.0.1", "v2 has 0 faults and 1 warning", "fixed in v2.0.1 of"),
        ("X-17", "17 of the X ray pictures", "the valve X-17 is"),
        ("cap of liability", "liability is without any cap here", "the cap of liability is"),
        ("退款政策", "政策和退款", "我们的退款政策如下"),
    ],
    ids=lambda value: value,
)
def test_words_that_stand_together_go_before_the_same_words_apart(query: str, apart: str, together: str) -> None:
    hits = [hit(1, 10.0), hit(2, 10.0)]
    texts = {1: passage(hits[0], f"{apart} {LONG}"), 2: passage(hits[1], f"{together} {LONG}")}
    assert order(query, hits, texts) == [2, 1]


def test_meaning_and_words_count_the_same() -> None:
    hits = [hit(1, 10.0), hit(2, 5.0), hit(3, 1.0)]
    texts = {h.row: passage(h, f"{h.row} {LONG}", cosine) for h, cosine in zip(hits, (0.1, 0.8, 0.4), strict=True)}
    assert order("word", hits, texts) == [1, 2, 3]
    assert order("word", hits, texts, by_meaning=[hits[1]]) == [2, 1, 3]


def test_a_passage_without_a_vector_does_not_lose_by_it() -> None:
    hits = [hit(1, 10.0), hit(2, 9.0)]
    texts = {1: passage(hits[0], f"one {LONG}", None), 2: passage(hits[1], f"two {LONG}", 0.5)}
    assert order("word", hits, texts, by_meaning=[hits[1]]) == [1, 2]


def test_a_caption_does_not_win_by_the_title_of_its_document() -> None:
    hits = [hit(1, 10.0), hit(2, 9.0)]
    texts = {1: passage(hits[0], "Table 1"), 2: passage(hits[1], f"The whole table. {LONG}")}
    assert order("table", hits, texts) == [2, 1]


def test_a_question_that_names_a_document_means_it() -> None:
    hits = [hit(n, 10.0 - n / 2) for n in range(1, 6)]
    texts = {h.row: passage(h, f"{h.row} {LONG}") for h in hits}
    assert order("status of pep 8", hits, texts) == [1, 2, 3, 4, 5]
    assert order("status of pep 8", hits, texts, document_5="pep 8")[0] == 5
    everywhere = {f"document_{n}": "pep 8" for n in range(1, 6)}
    assert order("status of pep 8", hits, texts, (), **everywhere) == [1, 2, 3, 4, 5]


def test_one_document_does_not_fill_the_page_with_passages_that_are_hardly_better() -> None:
    hits = [hit(n, 10.0 - n / 20, "a" if n < 5 else f"b{n}") for n in range(1, 7)]
    texts = {h.row: passage(h, f"{h.row} {LONG}") for h in hits}
    assert order("word", hits, texts)[:3] == [1, 5, 6]


def test_copies_are_told_once_with_the_documents_that_have_them() -> None:
    hits = [hit(1, 10.0, "b"), hit(2, 9.9, "a"), hit(3, 9.8, "c"), hit(4, 9.7, "c"), hit(5, 1.0, "d")]
    texts = {h.row: passage(h, f"The same text. {LONG}", headings=["Same"]) for h in hits[:4]}
    texts[5] = passage(hits[4], f"Another. {LONG}")
    first, second = _ranked("word", hits, texts)
    assert (first.document_id, [copy.document_id for copy in first.copies]) == ("a", ["b", "c"])
    assert (second.row, first.score) == (5, 1.0)
    assert _ranked("the c file", hits, texts, c="c file")[0].document_id == "c"


def test_equal_words_in_other_sections_and_short_texts_are_no_copies() -> None:
    hits = [hit(n, 10.0) for n in range(1, 5)]
    texts = {n: passage(hits[n - 1], f"Status: Final. {LONG}", headings=[f"PEP {n}"]) for n in (1, 2)}
    texts |= {n: passage(hits[n - 1], "Status: Final.") for n in (3, 4)}
    assert sorted(order("status", hits, texts)) == [1, 2, 3, 4]


@given(st.lists(st.tuples(st.floats(0.01, 50), st.sampled_from("abc"), st.sampled_from([None, 0.2, 0.9]))))
def test_every_hit_is_in_the_order_once_and_scores_fall(found: list[tuple[float, str, float | None]]) -> None:
    hits = [hit(row, score, document) for row, (score, document, _) in enumerate(found)]
    texts = {h.row: passage(h, f"{h.row} {LONG}", cosine) for h, (_, _, cosine) in zip(hits, found, strict=True)}
    near = [h for h in hits if texts[h.row].cosine is not None]
    result = _ranked("word other", hits, texts, near)
    assert sorted(each.row for each in result) == [each.row for each in hits]
    scores = [each.score for each in result]
    assert scores == sorted(scores, reverse=True) and all(0 <= score <= 1 for score in scores)


@pytest.mark.parametrize(
    ("text", "share"), [("a b c", 1.0), ("a x b c", 0.75), ("b a", 0.0), ("a b x c", 0.5), ("", 0.0)]
)
def test_nearness_is_the_share_of_neighbours(text: str, share: float) -> None:
    pairs = [Pair(frozenset("a"), frozenset("b")), Pair(frozenset("b"), frozenset("c"), reach=1)]
    assert nearness(text.split(), pairs) == share
