"""`glossator restore`: a corpus from a backup."""

from __future__ import annotations

from pathlib import Path

import click

from .. import console
from ..configuration import Configuration
from ..options import configured, json_option


@click.command("restore", short_help="Make a corpus from a backup.")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@json_option
@configured
def command(configuration: Configuration, file: Path, as_json: bool) -> None:
    """Make a corpus from the backup FILE, in the corpus folder, which must be new or empty.

    All of it or nothing appears. Documents, passages and collections have the ids that they had.
    """
    import asyncio

    from ...corpus import Corpus

    done = asyncio.run(Corpus.restore(file, configuration.corpus))
    if as_json:
        told = {"folder": str(done.path), "generation": done.generation, "documents": done.documents}
        console.write_json(told | {"bytes": done.bytes})
    else:
        console.write(f"{done.documents} documents in {done.path}")
