"""Arguments of `analysis_search` that say which documents, and how to search; one form for all who offer it."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ..corpus.documents import SearchMode


def condition(given: object) -> object:
    """What a model gave for a condition: also an object as JSON text, or nothing as an empty text."""
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given) if given.strip() else None
    except ValueError:
        return given  # which is no dict, and is told so


Where = Annotated[
    dict[str, Any] | None,
    BeforeValidator(condition),
    Field(
        description="Only documents that meet it: metadata, title, name, language, mime_type, created_at, collection;"
        ' {"year": 2020}, {"kind": ["lease", "deed"]}, {"year": {">=": 2010, "<": 2020}}'
    ),
]
Mode = Annotated[
    SearchMode, Field(description="hybrid: by words and meaning; fulltext: by words alone; semantic: by meaning alone")
]

__all__ = ["Mode", "Where", "condition"]
