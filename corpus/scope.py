"""Which documents a session may see: these ones, and those that meet a condition. All else does not exist for it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from hashlib import blake2b
from typing import Any

import orjson

from .documents import Document
from .errors import ConditionMalformed
from .listing import Listing

# `{"year": {">=": 2010}}`; what cannot be compared does not match.
COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
# What a condition may name beside the keys of the metadata, which go first.
_OWN = tuple(each.name for each in fields(Document) if each.name not in ("metadata", "files", "source_digest"))


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents of a session: those of `documents` (None: of the whole corpus) that meet `where`.

    `where` maps keys of the metadata, or fields of the document, to what they must be: a value, a list of values (any
    of them), or comparisons such as {">=": 2010, "<": 2020}. What is compared with a list is compared with any of it,
    or for "!=" with all of it. A stored list matches if one of its values does.
    """

    documents: frozenset[str] | None = None
    where: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        check(self.where or {})

    @property
    def mark(self) -> str:
        """A word for this scope, the same for equal ones: a session of one scope must not go on in another."""
        named = None if self.documents is None else sorted(self.documents)
        condition = orjson.dumps([named, self.where], option=orjson.OPT_SORT_KEYS, default=dict)
        return blake2b(condition, digest_size=4).hexdigest()

    def of(self, listing: Listing) -> Listing:
        """What of a generation is in scope."""
        within = listing if self.documents is None else listing.within(self.documents)
        return narrowed(within, self.where) if self.where else within


def narrowed(listing: Listing, where: Mapping[str, Any]) -> Listing:
    """The documents that meet a condition."""
    check(where)
    return listing.within({document.id for document in listing.values() if meets(document, where)})


def check(where: Mapping[str, Any]) -> None:
    """Raise `ConditionMalformed` unless `where` is a condition."""
    if not isinstance(where, Mapping):
        raise ConditionMalformed(f"where must be a dict such as {{'year': 2020}}, not {type(where).__name__}")
    for key, wanted in where.items():
        if not isinstance(key, str):
            raise ConditionMalformed(f"where: keys are names of metadata, not {type(key).__name__}")
        unknown = [sign for sign in wanted if sign not in COMPARISONS] if isinstance(wanted, Mapping) else []
        if unknown:
            signs = " ".join(COMPARISONS)
            raise ConditionMalformed(f"where: {key!r} is compared by {unknown[0]!r}; the comparisons are {signs}")


def meets(document: Document, where: Mapping[str, Any]) -> bool:
    """Whether the document meets every part of a condition."""
    return all(_matches(_values(document, key), wanted) for key, wanted in where.items())


def _values(document: Document, key: str) -> list[Any]:
    if key in document.metadata:
        found = document.metadata[key]
        return list(found) if isinstance(found, (list, tuple)) else [found]
    return [getattr(document, key)] if key in _OWN else []


def _matches(found: list[Any], wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        return any(all(_compares(sign, value, limit) for sign, limit in wanted.items()) for value in found)
    anything = wanted if isinstance(wanted, (list, tuple)) else [wanted]
    return any(_compares("=", value, each) for value in found for each in anything)


def _compares(sign: str, value: Any, limit: Any) -> bool:
    if isinstance(limit, (list, tuple)):
        return (all if sign == "!=" else any)(_compares(sign, value, each) for each in limit)
    if isinstance(value, bool) is not isinstance(limit, bool):  # True == 1 in Python, not in JSON
        return sign == "!="
    try:
        return COMPARISONS[sign](value, limit)
    except TypeError:
        return False
