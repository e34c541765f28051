"""Options that limit a command to some of the documents: what is outside their scope does not exist for it."""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from . import console
from .failures import Failure
from .options import named

if TYPE_CHECKING:
    from ..corpus import Corpus, Scope

SCOPE_VARIABLE = "GLOSSATOR_SCOPE"
_EXAMPLE = '{"collections": ["leases"], "documents": ["msa.pdf"], "where": {"year": {">=": 2020}}}'

_CONDITION = re.compile(r"\s*(?P<key>[^=!<>]+?)\s*(?P<sign>!=|<=|>=|=|<|>)\s*(?P<value>.*?)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Choice:
    """The documents that were chosen on the command line, as people name them; by default the whole corpus."""

    documents: tuple[str, ...] = ()  # ids, paths, file names or titles; none: all of them
    where: Mapping[str, Any] | None = None
    collections: tuple[str, ...] = ()  # names; none: whether in a collection or not

    def __bool__(self) -> bool:
        return bool(self.documents or self.where or self.collections)

    async def scope(self, corpus: Corpus) -> Scope | None:
        """The scope in this corpus, None for all of it; a name that no document has is an error."""
        if not self:
            return None
        from ..corpus import Scope

        found = [(await corpus.find(name)).id for name in self.documents]
        names = [(await corpus.collections.get(name)).name for name in self.collections]
        scope = Scope(frozenset(found) if found else None, self.where, frozenset(names) if names else None)
        async with await corpus.snapshot(scope) as snapshot:
            if not snapshot.documents:
                console.message("No document meets the conditions: nothing is in scope.")
        return scope


WHOLE = Choice()


def scoped(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Add `--collection`, `--document` and `--where`, and hand the command its `choice`."""

    @click.option(
        "--collection",
        "collections",
        multiple=True,
        metavar="NAME",
        callback=named,
        help="Only documents of this collection; may be repeated.",
    )
    @click.option(
        "--document",
        "documents",
        multiple=True,
        metavar="DOC",
        help="Only this document; may be repeated. An id, a path, a file name or a title.",
    )
    @click.option(
        "--where",
        "conditions",
        multiple=True,
        metavar="CONDITION",
        callback=_conditions,
        help="Only documents whose metadata meet it, such as year=2020 or 'year>=2010'; may be repeated.",
    )
    @functools.wraps(function)
    def command(
        *arguments: Any,
        collections: Sequence[str],
        documents: Sequence[str],
        conditions: dict[str, Any],
        **options: Any,
    ) -> int | None:
        choice = Choice(tuple(documents), conditions or None, tuple(collections)) or of_environment()
        return function(*arguments, choice=choice, **options)

    return command


def of_environment(environ: Mapping[str, str] = os.environ) -> Choice:
    """What is chosen where no option says anything: a JSON object in GLOSSATOR_SCOPE, or all of the corpus."""
    given = environ.get(SCOPE_VARIABLE)
    if not given:
        return WHOLE
    try:
        return _choice(json.loads(given))
    except ValueError as error:
        raise Failure(f"{SCOPE_VARIABLE} is {given!r}: {error}; write JSON such as {_EXAMPLE}") from error


def _choice(value: Any) -> Choice:
    """The choice that a JSON object makes; ValueError for anything else: a scope that is misread would be too wide."""
    from ..corpus.errors import ConditionMalformed
    from ..corpus.scope import check

    if not isinstance(value, dict) or not value:
        raise ValueError("it must be an object that is not empty")
    if unknown := value.keys() - {"collections", "documents", "where"}:
        raise ValueError(f"unknown key {min(unknown)!r}")
    for key in ("collections", "documents"):
        names = value.get(key, [""])
        if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
            raise ValueError(f"{key} must be a list of names")
    try:
        check(value.get("where", {}))
    except ConditionMalformed as error:
        raise ValueError(str(error)) from error
    return Choice(tuple(value.get("documents", ())), value.get("where"), tuple(value.get("collections", ())))


def _conditions(_context: click.Context, _parameter: click.Parameter, values: Sequence[str]) -> dict[str, Any]:
    """One condition that says what all of `values` say."""
    where: dict[str, Any] = {}
    for text in values:
        for key, wanted in _condition(text).items():
            where[key] = _both(key, where[key], wanted) if key in where else wanted
    return where


def _both(key: str, first: Any, second: Any) -> dict[str, Any]:
    """The comparisons of two conditions on one key; twice "=" is either value, twice "!=" neither."""
    joined = dict(first) if isinstance(first, Mapping) else {"=": first}
    for sign, limit in (second if isinstance(second, Mapping) else {"=": second}).items():
        if sign in joined and sign not in ("=", "!="):
            raise click.BadParameter(f"{key!r} is compared by {sign} twice")
        joined[sign] = [*_listed(joined[sign]), *_listed(limit)] if sign in joined else limit
    return joined


def _listed(limit: Any) -> list[Any]:
    return limit if isinstance(limit, list) else [limit]


def _condition(text: str) -> dict[str, Any]:
    if text.lstrip().startswith("{"):
        return _json(text)
    match = _CONDITION.fullmatch(text)
    if match is None:
        raise click.BadParameter(f"{text!r} is no condition: write KEY=VALUE, or one of != < <= > >=")
    key, value = match["key"], match["value"]
    where = {key: {match["sign"]: [value] if key == "collection" else _readings(value)}}
    return _checked(text, where)


def _json(text: str) -> dict[str, Any]:
    try:
        return _checked(text, json.loads(text))
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is no condition: {error}") from error


def _checked(text: str, where: Any) -> dict[str, Any]:
    from ..corpus.errors import ConditionMalformed
    from ..corpus.scope import check

    try:
        check(where)
    except ConditionMalformed as error:
        raise click.BadParameter(f"{text!r} is no condition: {error}") from error
    return where


def _readings(value: str) -> list[Any]:
    """What a value may be as it is stored: text always, and the number, true or false that it reads as."""
    try:
        read = json.loads(value)
    except ValueError:
        return [value]
    return [value] if isinstance(read, (list, dict)) else [value, read]
