"""Marks stand where the support was found, and nothing of the model's own numbering or ids stays."""

from __future__ import annotations

import pytest

from glossator.analysis.marks import marked, unmarked
from glossator.analysis.results import Citation

from .records import chunk, document

CAP = "Aggregate liability shall not exceed EUR 2,000,000."
TERM = "Either party may terminate with notice of 90 days."


def citations(*texts: str) -> tuple[Citation, ...]:
    return tuple(Citation.of(chunk(text), document()) for text in texts)


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("The cap is EUR 2 million. Notice is 90 days.", "The cap is EUR 2 million [1]. Notice is 90 days [2]."),
        ('It is "liability shall not exceed".', 'It is "liability shall not exceed" [1].'),
        ("Either party may terminate the agreement.", "Either party may terminate the agreement [2]."),
        ("Nothing here is known.", "Nothing here is known."),
        ("- cap: 2,000,000\n- notice: 90", "- cap: 2,000,000 [1]\n- notice: 90 [2]"),
        ("| notice | 90 |", "| notice | 90 [2] |"),
        ("Both: 2,000,000 and 90!", "Both: 2,000,000 and 90 [1][2]!"),
        ("**It is 90 days.**", "**It is 90 days [2].**"),
        ("これは90日です。上限は2,000,000。", "これは90日です [2]。上限は2,000,000 [1]。"),
        ("See Art. 5: notice is 90 days. So it is.", "See Art. 5: notice is 90 days [2]. So it is."),
        ("Notice:\n90 days\n", "Notice:\n90 days [2]\n"),
        ("", ""),
    ],
)
def test_marks(draft: str, expected: str) -> None:
    assert marked(draft, citations(CAP, TERM)).text == expected


def test_no_mark_stands_inside_a_quotation() -> None:
    cited = citations("It takes 90 days. Not 80.")
    assert marked("It says “90 days. Not 80.” there.", cited).text == "It says “90 days. Not 80.” there [1]."


def test_supports_give_the_stretches() -> None:
    result = marked("The cap is EUR 2 million. Notice is 90 days.", citations(CAP, TERM))
    found = [
        (result.text[s.start : s.end], (CAP, TERM)[s.citation][s.passage_start : s.passage_end])
        for s in result.supports
    ]
    assert found == [("The cap is EUR 2 million", "2,000,000"), ("Notice is 90 days", "90")]


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("It is 5 [1].", "It is 5."),
        ("It is 5[1][2].", "It is 5."),
        ("It is 5 [^1]", "It is 5"),
        ("Take items[1] of it", "Take items[1] of it"),
        ("See [1](http://x)", "See [1](http://x)"),
        ("It is so [3f9a1c2e].", "It is so."),
        ("It is so (chunk 3f9a1c2e-0000-4000-8000-000000000000).", "It is so."),
        ("It is so `3f9a1c2e`", "It is so"),
        ("It is so (3F9A1C2E) and so.", "It is so and so."),
        ("On 20261130 it was so.", "On 20261130 it was so."),
        ("Ids 91ab77c0-0000-4000-8000-000000000000 too", "Ids too"),
    ],
)
def test_the_models_own_marks_and_ids_go(draft: str, expected: str) -> None:
    assert unmarked(draft, {"3f9a1c2e-0000-4000-8000-000000000000"}) == expected
