"""`glossator sessions`: the sessions that are kept, and their deletion."""

from __future__ import annotations

import time
from collections.abc import Sequence

import click

from .. import console
from ..configuration import Configuration
from ..failures import Failure
from ..options import configured, json_option


@click.command("sessions", short_help="List or delete the sessions that are kept.")
@click.option("--delete", multiple=True, metavar="NAME", help="Delete this session; more than one may be given.")
@json_option
@configured
def command(configuration: Configuration, delete: Sequence[str], as_json: bool) -> None:
    """List the sessions that `exec --session` or an MCP client can continue, the one used last first.

    Those that were silent for longer than GLOSSATOR_SESSION_DAYS (default 30) are deleted.
    """
    from ...sandbox import FileJournals

    journals = FileJournals(configuration.sessions, expire_s=configuration.session_s)
    for name in delete:
        if not journals.delete(name):
            raise Failure(f"there is no session {name!r}; `glossator sessions` lists them")
    journals.expire()
    kept = [(name, journals.used_at(name), journals.size(name)) for name in journals.names()]
    if as_json:
        console.write_json([{"name": name, "used_at": _date(used), "bytes": size} for name, used, size in kept])
    elif kept:
        console.table(
            ("session", "last used", "bytes"), [(name, _date(used), f"{size:,}") for name, used, size in kept]
        )
    else:
        console.message("No sessions are kept. `glossator exec --session NAME` begins one.")


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
