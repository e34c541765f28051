"""How models write the list of ids."""

from __future__ import annotations

import pytest

from glossator.analysis.citing import id_list


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (["3f9a1c2e"], ["3f9a1c2e"]),
        ("3f9a1c2e", ["3f9a1c2e"]),
        ("3f9a1c2e, 91ab77c0", ["3f9a1c2e", "91ab77c0"]),
        ('["3f9a1c2e", "91ab77c0"]', ["3f9a1c2e", "91ab77c0"]),
        ("['3f9a1c2e']", ["3f9a1c2e"]),
        ("3f9a1c2e\n91ab77c0\n", ["3f9a1c2e", "91ab77c0"]),
        ("#/texts/5", ["#/texts/5"]),
        ("[]", []),
        ("", [""]),  # no list: told to be empty, not taken for a refusal
        (" ", [" "]),
        (7, 7),  # for the schema to refuse
        (None, None),
    ],
)
def test_lists_of_ids(given: object, read: object) -> None:
    assert id_list(given) == read
