"""Options that several commands share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from .configuration import configure

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON to stdout, and nothing else.")


def configured(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Add `--corpus` and hand the command its `Configuration`; the option may stand before or after the command."""

    @click.option("--corpus", metavar="FOLDER", help="Corpus folder (also GLOSSATOR_CORPUS).")
    @click.pass_context
    @functools.wraps(function)
    def command(context: click.Context, /, corpus: str | None, **arguments: Any) -> int | None:
        before = context.find_root().params.get("corpus")
        return function(configure(corpus or before), **arguments)

    return command
