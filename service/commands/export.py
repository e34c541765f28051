"""`glossator export`: the documents' files as plain files, in a new folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import console
from ..configuration import Configuration
from ..options import configured, json_option
from ..scoping import Choice, scoped
from .show import FILES

if TYPE_CHECKING:
    from ...corpus import Exported, FileKind


def _folder(_context: click.Context, _parameter: click.Parameter, value: str) -> Path:
    """An empty path would be the folder one is in: what an unset variable in a script must not write to."""
    if not value:
        raise click.BadParameter("the path is empty; write . for the folder that you are in")
    return Path(value).expanduser()


@click.command("export", short_help="Write the documents' files into a new folder.")
@click.argument("folder", metavar="FOLDER", callback=_folder)
@click.option(
    "--only",
    "files",
    multiple=True,
    type=click.Choice(FILES),
    metavar="FILE",
    help="Only this one of the five files, such as content.txt; may be repeated.",
)
@scoped
@json_option
@configured
def command(
    configuration: Configuration, folder: Path, files: Sequence[FileKind], choice: Choice, as_json: bool
) -> None:
    """Write the documents' files into FOLDER, which must be new or empty: FOLDER/{id}/metadata.json, content.txt ...

    FOLDER then holds what cells see in /documents, byte for byte, and programs written for one run on the other.
    Nothing is overwritten; the files appear together, when all are written.
    """
    import asyncio

    exported = asyncio.run(_export(configuration, choice, folder, files or FILES))
    if as_json:
        console.write_json(_as_dict(exported))
    else:
        count = f"{exported.documents} {'document' if exported.documents == 1 else 'documents'}"
        console.write(f"exported {count}, {exported.bytes:,} bytes, to {exported.folder}")


async def _export(configuration: Configuration, choice: Choice, folder: Path, files: Sequence[FileKind]) -> Exported:
    from ..corpora import newest

    with console.progress() as advance:
        async with newest(configuration, choice) as snapshot:
            return await snapshot.export(folder, files, tell=lambda done, total: advance("Exporting", done, total, ""))


def _as_dict(exported: Exported) -> dict[str, str | int]:
    return {
        "folder": str(exported.folder),
        "documents": exported.documents,
        "bytes": exported.bytes,
        "generation": exported.generation,
    }
