"""Options that several commands share."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import click

from .configuration import configure

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON to stdout, and nothing else.")


pictures_option = click.option(
    "--no-pictures",
    "pictures",
    flag_value=False,
    default=True,
    help="Do not show the model the pictures that are found.",
)


def configured(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Add `--corpus` and hand the command its `Configuration`; the option may stand before or after the command."""

    @click.option("--corpus", metavar="FOLDER", help="Corpus folder (also GLOSSATOR_CORPUS).")
    @click.pass_context
    @functools.wraps(function)
    def command(context: click.Context, /, corpus: str | None, **arguments: Any) -> int | None:
        while not corpus and context.parent is not None:
            context = context.parent
            corpus = context.params.get("corpus")
        return function(configure(corpus), **arguments)

    return command


def pairs(_context: click.Context, _parameter: click.Parameter, values: Sequence[str]) -> list[tuple[str, str]]:
    """`key=value` options in their order; values stay the strings that they are (`version=1.10` is "1.10")."""
    found = [(key.strip(), equals, text) for key, equals, text in (value.partition("=") for value in values)]
    for value, (key, equals, _) in zip(values, found, strict=True):
        if not equals or not key:
            raise click.BadParameter(f"{value!r} is not key=value")
    return [(key, text) for key, _, text in found]


def named(_context: click.Context, _parameter: click.Parameter, values: Sequence[str]) -> Sequence[str]:
    """An empty path would be the folder that one is in: what an unset variable in a script must not mean."""
    if not all(values):
        raise click.BadParameter("it is empty; write . for the folder that you are in")
    return values
