"""`glossator backup`: the corpus in one file."""

from __future__ import annotations

from pathlib import Path

import click

from .. import console
from ..configuration import Configuration
from ..options import configured, json_option


@click.command("backup", short_help="Write the corpus into one file.")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@json_option
@configured
def command(configuration: Configuration, file: Path, as_json: bool) -> None:
    """Write the corpus into FILE, which must not exist: a tar, compressed if its name ends in .gz or .tgz.

    Others may go on reading and writing. What was copied is read back and checked before FILE appears.
    """
    import asyncio

    told = asyncio.run(_backup(configuration, file))
    if as_json:
        console.write_json(told)
    else:
        console.write(f"{told['documents']} documents, {told['bytes']:,} bytes: {file}")


async def _backup(configuration: Configuration, file: Path) -> dict[str, object]:
    from ..corpora import existing

    async with existing(configuration) as corpus:
        done = await corpus.backup(file)
        return {"file": str(done.path), "generation": done.generation, "documents": done.documents, "bytes": done.bytes}
