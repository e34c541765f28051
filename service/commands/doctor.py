"""`glossator doctor`: is everything there, and how to put right what is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from .. import console
from ..configuration import Configuration
from ..options import configured, json_option

if TYPE_CHECKING:
    from ..doctor import Finding

_MARKS = {"ok": "ok", "note": "note", "broken": "BROKEN"}


@click.command("doctor", short_help="Check every part; say how to fix it.")
@json_option
@configured
def command(configuration: Configuration, as_json: bool) -> int:
    """Try out every part: corpus, embedder, sandbox, conversion; say how to fix what is broken.

    Exit code 1 when something that is needed is broken.
    """
    import asyncio

    findings = asyncio.run(_examine(configuration, quiet=as_json))
    whole = all(finding.status != "broken" for finding in findings)
    if as_json:
        console.write_json({"ok": whole, "checks": [finding.as_dict() for finding in findings]})
    return int(not whole)


async def _examine(configuration: Configuration, *, quiet: bool) -> Sequence[Finding]:
    from ..doctor import examine

    findings: list[Finding] = []
    async for finding in examine(configuration):
        findings.append(finding)
        if not quiet:  # each as soon as it is known: the checks take seconds
            _tell(finding)
    return findings


def _tell(finding: Finding) -> None:
    console.write(f"{_MARKS[finding.status]:<7} {finding.name}: {finding.detail}")
    if finding.fix:
        console.write(f"{'':<7} {'fix' if finding.status == 'broken' else 'next'}: {finding.fix}")
