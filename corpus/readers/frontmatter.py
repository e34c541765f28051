"""YAML front matter: what stands between two lines of dashes at the head of a text."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, field
from typing import Any

import yaml

_FRONT = re.compile(r"\A\ufeff?---[^\S\n]*\n(.*?)^(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


class _Loader(yaml.SafeLoader):
    """Safe, and without aliases: a few lines of them unfold to gigabytes ("billion laughs")."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    body: str
    metadata: dict[str, Any] = field(default_factory=dict)


def split(text: str) -> FrontMatter:
    """Front matter that is no YAML mapping stays in the body: nothing is lost."""
    match = _FRONT.match(text)
    if match is None:
        return FrontMatter(text)
    try:
        values = yaml.load(match[1], _Loader)
    except (yaml.YAMLError, ValueError, RecursionError):  # ValueError: a date such as 2031-02-31
        return FrontMatter(text)
    if not isinstance(values, dict):
        return FrontMatter(text)
    return FrontMatter(text[match.end() :], {str(key): jsonable(value) for key, value in values.items()})


def jsonable(value: Any) -> Any:
    """The value in JSON's types; dates and times as ISO 8601."""
    match value:
        case dict():
            return {str(key): jsonable(inner) for key, inner in value.items()}
        case list() | tuple() | set():
            return [jsonable(inner) for inner in value]
        case datetime.date() | datetime.time():
            return value.isoformat()
        case None | bool() | int() | float() | str():
            return value
    return str(value)
