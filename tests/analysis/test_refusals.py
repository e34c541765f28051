"""What tells a refusal from a computed answer."""

from __future__ import annotations

import pytest

from glossator.analysis.refusals import declines

OUTPUT = "Widget B: 46 units\n[]\n0 hits for the telephone number"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The corpus does not say.", True),
        ("Dazu steht nichts in den Dokumenten.", True),
        ("Les documents ne le disent pas.", True),
        ("文書にはありません", True),
        ("The best product is Widget B.", False),
        ("Nothing sold better than the Widget B units.", False),
        ("No more than 46 were sold.", False),
        ("No, they differ.", False),
        ("They are the same.", False),
        ("There is no telephone number in it.", True),  # these are the question's own words
    ],
)
def test_a_denial_that_uses_nothing_printed_is_a_refusal(text: str, expected: bool) -> None:
    assert declines(text, "Which telephone number is it?", [OUTPUT]) is expected
