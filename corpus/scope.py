"""Which documents a session may see: of these collections, these ones, and those that meet a condition.

All else does not exist for it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, fields
from hashlib import blake2b
from typing import Any

import orjson

from .documents import Document
from .errors import ConditionMalformed
from .finding import named
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
_OWN = ("name", *(each.name for each in fields(Document) if each.name not in ("metadata", "files", "source_digest")))
_TOLD = 40  # keys that are named when one is unknown


COLLECTION = "collection"  # the key of a condition that names collections
_COLLECTION_COMPARISONS = ("=", "!=")


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents of a session: those of `documents` and in one of `collections` (None: all) that meet `where`.

    `where` maps keys of the metadata, or fields of the document, to what they must be: a value, a list of values (any
    of them), or comparisons such as {">=": 2010, "<": 2020}. What is compared with a list is compared with any of it,
    or for "!=" with all of it. A stored list matches if one of its values does. The key
    "collection" names collections.
    """

    documents: frozenset[str] | None = None
    where: Mapping[str, Any] | None = None
    collections: frozenset[str] | None = None  # names

    def __post_init__(self) -> None:
        check(self.where or {})

    @property
    def mark(self) -> str:
        """A word for this scope, the same for equal ones: a session of one scope must not go on in another."""
        documents = None if self.documents is None else sorted(self.documents)
        collections = None if self.collections is None else sorted(self.collections)
        condition = orjson.dumps([documents, collections, self.where], option=orjson.OPT_SORT_KEYS, default=dict)
        return blake2b(condition, digest_size=4).hexdigest()

    def of(self, listing: Listing) -> Listing:
        """What of a generation is in scope. CollectionNotFound names a collection that it does not have."""
        if self.collections is not None:
            listing = listing.within(_members(listing, sorted(self.collections)))
        within = listing if self.documents is None else listing.within(self.documents)
        return narrowed(within, self.where) if self.where else within


def narrowed(listing: Listing, where: Mapping[str, Any], *, strict: bool = False) -> Listing:
    """The documents that meet a condition. CollectionNotFound names a collection that none of them is in.

    `strict`: ConditionMalformed for a key that no document has, with those that there are.
    """
    check(where)
    if COLLECTION in where:
        listing = listing.within(_collected(listing, where[COLLECTION]))
        where = {key: wanted for key, wanted in where.items() if key != COLLECTION}
    if not where:
        return listing
    met: set[str] = set()
    keys: set[str] = set()
    for document in listing.values():
        keys.update(document.metadata)
        if meets(document, where):
            met.add(document.id)
    unknown = [key for key in where if key not in keys and key not in _OWN]
    if strict and unknown and listing:
        raise ConditionMalformed(_unknown(unknown[0], keys))
    return listing.within(met)


def _unknown(key: str, keys: Set[str]) -> str:
    named = ", ".join(sorted(keys)[:_TOLD]) or "none"
    more = f" and {len(keys) - _TOLD} more" if len(keys) > _TOLD else ""
    return f"where: no document has {key!r}; keys of the metadata: {named}{more}; of every document: {', '.join(_OWN)}"


def _collected(listing: Listing, wanted: Any) -> Set[str]:
    if not isinstance(wanted, Mapping):
        return _members(listing, _names(wanted))
    found: Set[str] = listing.keys()
    for sign, names in wanted.items():
        members = _members(listing, _names(names))
        found = found & members if sign == "=" else found - members
    return found


def _members(listing: Listing, names: Iterable[str]) -> Set[str]:
    known = listing.collections
    return frozenset().union(*(known[named(name, known)] for name in names))


def _names(wanted: Any) -> list[str]:
    return list(wanted) if isinstance(wanted, (list, tuple)) else [wanted]


def check(where: Mapping[str, Any]) -> None:
    """Raise `ConditionMalformed` unless `where` is a condition."""
    if not isinstance(where, Mapping):
        raise ConditionMalformed(f"where must be a dict such as {{'year': 2020}}, not {type(where).__name__}")
    for key, wanted in where.items():
        if not isinstance(key, str):
            raise ConditionMalformed(f"where: keys are names of metadata, not {type(key).__name__}")
        known = _COLLECTION_COMPARISONS if key == COLLECTION else tuple(COMPARISONS)
        unknown = [sign for sign in wanted if sign not in known] if isinstance(wanted, Mapping) else []
        if unknown:
            signs = " ".join(known)
            raise ConditionMalformed(f"where: {key!r} is compared by {unknown[0]!r}; the comparisons are {signs}")
    if COLLECTION in where:
        _check_names(where[COLLECTION])


def _check_names(wanted: Any) -> None:
    values = list(wanted.values()) if isinstance(wanted, Mapping) else [wanted]
    if not all(isinstance(name, str) for value in values for name in _names(value)):
        raise ConditionMalformed(f"where: {COLLECTION!r} is a name or a list of names")


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
