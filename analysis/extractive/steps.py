"""What a rule may do: call a tool and read its reply.

A rule is a generator that ends with an answer, or with None to leave the question to the next rule.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_PLACE = re.compile(r"\$([a-z]+)")


@dataclass(frozen=True, slots=True)
class Call:
    tool: str
    arguments: Mapping[str, Any]


Script = Generator[Call, str, str]
Rule = Generator[Call, str, str | None]


def search(query: str, limit: int = 8) -> Call:
    return Call("analysis_search", {"query": query, "limit": limit})


def code(program: str) -> Call:
    return Call("analysis_execute_code", {"code": program.strip()})


def fill(program: str, **values: str) -> str:
    """A program with its `$name` places filled by Python source, once: what is filled in stays as it is."""
    return _PLACE.sub(lambda place: values.get(place[1], place[0]), program)


def cite(chunk_ids: Sequence[str] = ()) -> Call:
    return Call("analysis_cite", {"chunk_ids": list(chunk_ids)})


def output(reply: str) -> list[str]:
    """The lines that a cell printed, without the frame around them."""
    return [line[2:] for line in reply.splitlines() if line.startswith("> ")]


def rows(reply: str) -> list[dict[str, Any]]:
    """The JSON objects that a cell printed, one per line."""
    found: list[dict[str, Any]] = []
    for line in output(reply):
        if line.startswith("{"):
            try:
                found.append(json.loads(line))
            except ValueError:  # a line cut by the output limit
                continue
    return found


def failed(reply: str) -> bool:
    """Whether the cell raised: its reply then carries no result to build on."""
    return not any(line.startswith("> ") for line in reply.splitlines())
