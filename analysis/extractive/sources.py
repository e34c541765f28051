"""Which document a question names: by its file name, or by the telling words of its title."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from .question import Question
from .steps import Call, code, fill, rows

# A word of a title tells the more the fewer titles hold it; one document must stand out to be meant.
NAMED = """
def telling(text):
    found = re.findall(r"[^\\W_]+", text.casefold())
    return {word.lstrip("0")[:7] for word in found if len(word) > 2 or word.isdigit()}
asked = telling($terms)
titles = {d["id"]: (d["title"], d["uri"].rsplit("/", 1)[-1]) for d in await list_documents()}
words = {id: telling(" ".join(names)) for id, names in titles.items()}
holders = Counter(word for held in words.values() for word in held)
scores = {}
for id, held in words.items():
    said = held & asked
    rare = sum((1 + word.isdigit()) / holders[word] + math.log(len(titles) / holders[word]) / 4 for word in said)
    scores[id] = $certain if titles[id][1].casefold() in $files else rare * (1 + len(said) / 4)
for id in sorted(scores, key=scores.get, reverse=True)[:4]:
    if scores[id]:
        title, file = titles[id]
        print(json.dumps({"document": id, "title": title, "file": file, "score": round(scores[id], 3)}))
"""

_CLEAR = 1.25  # how far the best must lead the second
_LEAST = 0.8  # and what it must reach
_CERTAIN = 1000  # the score of a document whose file name stands in the question


@dataclass(frozen=True, slots=True)
class Source:
    id: str
    title: str
    file: str


def named(question: Question, silent: re.Pattern[str] | None = None) -> Generator[Call, str, list[Source]]:
    """The documents that the question names, best first; empty when none stands out.

    `silent` are words that say what is asked of a document, not which.
    """
    terms = " ".join(term for term in question.terms if not (silent and silent.fullmatch(term)))
    files = [file.casefold() for file in question.files]
    found = rows((yield code(fill(NAMED, terms=repr(terms), files=repr(files), certain=str(_CERTAIN)))))
    if not found or found[0]["score"] < _LEAST:
        return []
    certain = [row for row in found if row["score"] >= _CERTAIN]
    return [Source(row["document"], row["title"], row["file"]) for row in certain or _leader(found)]


def _leader(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The best, if it leads the others by far; copies of one document do not compete."""
    others = [row for row in found if row["title"] != found[0]["title"]]
    clear = not others or found[0]["score"] >= _CLEAR * others[0]["score"]
    return found[:1] if clear else []
