"""Reads the instructions: Markdown files of this folder, with `{{name}}` places that the caller fills."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_PLACE = re.compile(r"\{\{(\w+)\}\}")


def load(name: str, **places: str) -> str:
    """The text of `name`.md with every `{{place}}` filled; one that is missing or unknown is a KeyError."""
    text = _read(name)
    wanted = set(_PLACE.findall(text))
    if wanted != places.keys():
        raise KeyError(f"{name}.md has the places {sorted(wanted)}, given were {sorted(places)}")
    return _PLACE.sub(lambda match: places[match[1]], text)


@cache
def _read(name: str) -> str:
    return Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8").strip()
