"""Patterns that choose files of a folder, as in .gitignore: `*.tmp`, `drafts/`, `2024/**/*.pdf`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_TOKENS = re.compile(r"\*\*/|\*\*|\*|\?|\[!?+\]?+[^\]]*\]|.", re.DOTALL)
_MEANINGS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


@dataclass(frozen=True, slots=True)
class Selection:
    """Which files below a folder are meant. Paths are relative to it, with `/`; patterns distinguish case.

    A pattern without `/` is compared with the name of the file and of each folder above it, one with `/` with the path
    from the folder on; `**` stands for any folders. What `exclude` names is left out, with all that is in it; when
    there is an `include`, only files that it names, or that lie in a folder that it names, are taken.
    """

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()

    def refusal(self, path: str, *, is_folder: bool = False) -> str | None:
        """Why a path is left out, None if it is not."""
        for pattern in self.exclude:
            if names(pattern, path, is_folder=is_folder):
                return f"excluded by {pattern}"
        if is_folder or not self.include or any(_leads_to(pattern, path) for pattern in self.include):
            return None
        return "not among what is included"


def names(pattern: str, path: str, *, is_folder: bool = False) -> bool:
    """Whether a pattern names this very path."""
    if pattern.endswith("/") and not is_folder:
        return False
    pattern = pattern.rstrip("/")
    anchored = "/" in pattern
    return _compiled(pattern.lstrip("/")).fullmatch(path if anchored else path.rsplit("/", 1)[-1]) is not None


def _leads_to(pattern: str, path: str) -> bool:
    """Whether a pattern names a file or one of the folders above it."""
    parts = path.split("/")
    above = ("/".join(parts[:depth]) for depth in range(1, len(parts)))
    return names(pattern, path) or any(names(pattern, folder, is_folder=True) for folder in above)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile("".join(map(_meaning, _TOKENS.findall(pattern))), re.DOTALL)


def _meaning(token: str) -> str:
    if token in _MEANINGS:
        return _MEANINGS[token]
    if len(token) < 3:  # a character, or a bracket that nothing closes
        return re.escape(token)
    inverted = token[1] == "!"
    members = token[2 if inverted else 1 : -1]
    # Inside a class only these mean something; the hyphen keeps its meaning.
    escaped = re.sub(r"([\\\[\]^&~|])", r"\\\1", members)
    try:
        re.compile(found := f"(?!/)[{'^' if inverted else ''}{escaped}]")
    except re.error:  # a range that runs backwards holds nothing
        return "(?!)"
    return found
