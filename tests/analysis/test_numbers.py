"""Numbers are compared by value, not by spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.analysis.numbers import Number, numbers, values_of


def only(text: str) -> Number:
    (number,) = numbers(text)
    return number


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("1,000", "1000"),
        ("1000", "1,000"),
        ("1 000", "1,000"),
        ("1\u202f000", "1000"),
        ("1.000", "1,000"),
        ("1'000'000", "1000000"),
        ("1,00,000", "100000"),
        ("2.5 million", "EUR 2,500,000"),
        ("2,500,000", "2.5 million"),
        ("3 bn", "3,000,000,000"),
        ("12 %", "12 percent"),
        ("12%", "0.12"),
        ("12 percent", "12"),
        ("3rd", "3"),
        ("1990s", "1990"),
        ("12", "twelve"),
        ("twelve", "12"),
        ("3", "the third one"),
        ("2024", "2024-03-14"),
        ("14 ", "2024-03-14"),
        ("3 ", "2024-03-14"),
        ("1.234,56", "1,234.56"),
        ("10,5", "10.5"),
        ("0.250", "0.25"),
        ("5", "fell by -5"),
        ("3", "共3件"),
        ("123", "١٢٣"),
        ("12", "１２"),
        ("5", "No.5"),
        ("5 ", "5kg"),
        ("1,2,3", "3 and 2 and 1"),
        ("12 200", "12 and 200"),
        ("14.3.2024", "2024-03-14"),
    ],
)
def test_agree(claim: str, source: str) -> None:
    assert only(claim).agrees(values_of(source))


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("1,000", "1"),
        ("1.000", "1"),
        ("2,100", "2,000"),
        ("2.5 million", "25,000,000"),
        ("12", "112 121 1.2"),
        ("4.9", "5"),
        ("5", "4.9"),
        ("1,2,3", "3 and 2"),
        ("7", "B7 and x7y"),
        ("seven", "12"),
        ("9", "3f9a1c2e"),
    ],
)
def test_disagree(claim: str, source: str) -> None:
    assert not only(claim).agrees(values_of(source))


@pytest.mark.parametrize(
    ("claim", "source", "agrees"),
    [
        ("71.67", "71.666666", True),
        ("72", "71.666666", True),
        ("71", "71.666666", False),
        ("71.6", "71.666666", False),
        ("2.5 million", "2512345", True),
        ("2.6 million", "2512345", False),
        ("12.3 %", "0.12345", True),
        ("71.667", "71.67", False),
    ],
)
def test_computed_values_may_be_rounded(claim: str, source: str, agrees: bool) -> None:
    assert only(claim).agrees(values_of(source), rounded=True) is agrees


@given(st.integers(0, 10**15))
def test_every_way_of_writing_a_whole_number_agrees_with_every_other(n: int) -> None:
    spellings = [str(n), f"{n:,}", f"{n:,}".replace(",", "."), f"{n:,}".replace(",", " "), f"{n:,}".replace(",", "'")]
    for written in spellings:
        for other in spellings:
            assert only(written).agrees(values_of(f"about {other} of them"))


@given(
    st.from_regex(r"\d{1,60}(\.\d{1,60})?", fullmatch=True), st.from_regex(r"\d{1,60}(\.\d{1,60})? ?%?", fullmatch=True)
)
def test_numbers_of_any_length_can_be_compared(claim: str, source: str) -> None:
    assert only(claim).agrees(values_of(claim), rounded=True)
    assert only(claim).agrees(values_of(source), rounded=True) in (True, False)
    assert only(claim).agrees(values_of(claim + "1"), rounded=True) in (True, False)


@given(st.text())
def test_any_text_can_be_read_and_places_are_right(text: str) -> None:
    for number in numbers(text):
        assert number.agrees(values_of(text))
        assert 0 <= number.start < number.end <= len(text)
