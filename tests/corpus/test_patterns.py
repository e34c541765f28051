"""Patterns that choose files."""

from __future__ import annotations

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.corpus.patterns import Selection, names


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("*.pdf", ["a.pdf", "deep/b.pdf", ".pdf"], ["a.pdf.txt", "a.PDF", "pdf"]),
        ("a?.txt", ["ab.txt", "x/ab.txt"], ["a.txt", "a/b.txt", "abc.txt"]),
        ("[ab]*.md", ["a.md", "b1.md"], ["c.md"]),
        ("[!ab].md", ["c.md"], ["a.md"]),
        ("[]x].md", ["].md", "x.md"], ["a.md"]),
        ("[.md", ["[.md"], ["a.md"]),
        ("[z-a].md", [], ["a.md", "z.md"]),
        ("/a.txt", ["a.txt"], ["x/a.txt"]),
        ("x/*.txt", ["x/a.txt"], ["a.txt", "x/y/a.txt", "w/x/a.txt"]),
        ("x/**", ["x/a.txt", "x/y/a.txt"], ["x", "a/x/b"]),
        ("**/x/*.txt", ["x/a.txt", "w/x/a.txt"], ["x/y/a.txt"]),
        ("2024/**/*.pdf", ["2024/a.pdf", "2024/x/y/a.pdf"], ["2023/a.pdf", "x/2024/a.pdf"]),
        ("a+b(1).txt", ["a+b(1).txt"], ["aab1.txt"]),
        ("new\nline*", ["new\nline.txt"], ["newline.txt"]),
    ],
)
def test_what_a_pattern_names(pattern: str, matching: list[str], others: list[str]) -> None:
    assert [path for path in [*matching, *others] if names(pattern, path)] == matching


def test_selection() -> None:
    selection = Selection(include=("*.md", "notes/"), exclude=("drafts/", "*.tmp.md"))
    taken = ["a.md", "x/a.md", "notes/a.txt", "x/notes/a.txt"]
    assert [selection.refusal(path) for path in taken] == [None] * 4
    assert selection.refusal("a.txt") == "not among what is included"
    assert selection.refusal("a.tmp.md") == "excluded by *.tmp.md"
    assert selection.refusal("x/drafts", is_folder=True) == "excluded by drafts/"
    assert selection.refusal("drafts") == "not among what is included"  # a file of that name is no folder
    assert Selection().refusal("anything") is None


@given(st.text("ab*?[]!-.^\\&~|", max_size=8), st.text("ab[]!-.^\\&~|", min_size=1, max_size=6))
def test_without_a_slash_it_is_what_fnmatch_says(pattern: str, name: str) -> None:
    if "/" not in pattern and "**" not in pattern and not pattern.endswith("/"):
        assert names(pattern, name) == fnmatch.fnmatchcase(name, pattern)
