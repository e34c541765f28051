"""Which claims an answer makes, and which evidence supports them."""

from __future__ import annotations

import pytest

from glossator.analysis.checks import Source, claims, describe, unsupported

LEASE = Source(
    "Aggregate **liability** shall not exceed EUR 2,000,000 – for 12 months.\nIt’s the tenant who\npays “at once”."
)


def missing(answer: str, *sources: Source, question: str = "") -> list[str]:
    return [claim.written for claim in unsupported(answer, sources or [LEASE], tolerated=question)]


@pytest.mark.parametrize(
    "answer",
    [
        "The cap is EUR 2 million for twelve months.",
        'It says: "liability shall not exceed EUR 2,000,000 - for 12 months".',
        "„Aggregate liability shall“ gilt.",
        "«Aggregate liability … for 12 months»",
        '"[a]ggregate liability [...] for 12 months."',
        'It is "the tenant who pays".',
        'It\'s "AT ONCE".',
        "1. The first point.\n2. The next.\n   3) And more.",
        "Clause one is the one.",
        "",
    ],
)
def test_supported(answer: str) -> None:
    assert missing(answer) == []


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The cap is EUR 2,100,000.", ["2,100,000"]),
        ('It says "gross negligence".', ["gross negligence"]),
        ("It lasts seven months, from 2024.", ["seven", "2024"]),
        ('"liability shall never exceed"', ["liability shall never exceed"]),
        ("A rise of 13 %.", ["13 %"]),
        ("„grobe Fahrlässigkeit“ und «faute lourde»", ["grobe Fahrlässigkeit", "faute lourde"]),
        ("「重大な過失」", ["重大な過失"]),
    ],
)
def test_unsupported(answer: str, expected: list[str]) -> None:
    assert missing(answer) == expected


def test_a_number_within_a_quotation_belongs_to_it() -> None:
    assert [claim.written for claim in claims('It says "12 months" and 7 days.')] == ["12 months", "7"]


def test_the_users_own_words_may_be_quoted_but_numbers_of_the_question_are_claims() -> None:
    assert missing('Nothing on "gross negligence" or 99.', question='What of "gross negligence" in 99 pages?') == ["99"]


def printed(output: str, code: str, *read: str) -> Source:
    return Source(output, code, lambda: [Source(text) for text in read])


def test_what_a_cell_computed_supports() -> None:
    assert missing("There are 42, on average 3.14.", printed("42 3.14159", "print(len(docs), mean(x))")) == []


def test_a_literal_of_the_cells_own_source_supports_nothing() -> None:
    assert missing("There are 42.", printed("42", "print(42)")) == ["42"]
    assert missing('It says "made up here".', printed("made up here", "print('made up here')")) == ["made up here"]


def test_unless_what_the_cell_read_contains_it() -> None:
    source = printed("2023: 5 of them", "print('2023:', n, 'of them')", "In 2023 there was rain.")
    assert missing("In 2023 there were 5.", source) == []


def test_a_literal_counts_when_another_source_has_it() -> None:
    assert missing("It is 12.", printed("12", "print(12)"), LEASE) == []


def test_claims_are_described_for_the_model() -> None:
    assert describe(claims('7 and "too late"')) == '"7" (number), "too late" (quotation)'
