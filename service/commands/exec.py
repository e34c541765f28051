"""`glossator exec`: run Python in the sandbox, as the agent's code is run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import console
from ..configuration import Configuration
from ..failures import Failure, for_people
from ..options import configured, json_option

if TYPE_CHECKING:
    from ...sandbox import CellError, CellResult, Isolation

STDIN = "-"


@dataclass(frozen=True, slots=True)
class _Ran:
    """The cells that ran in one session; the first that raised was the last."""

    cells: tuple[CellResult, ...]
    session_id: str
    isolation: Isolation

    @property
    def error(self) -> CellError | None:
        return self.cells[-1].error


@click.command("exec", short_help="Run Python in the sandbox.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("-c", "code", multiple=True, metavar="CODE", help="Code to run; each -c is one more cell.")
@click.option(
    "--timeout",
    "wall_s",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Most time for a cell [default: 60].",
)
@click.option("--session", metavar="NAME", help="Continue this session, or begin it; its variables are kept.")
@json_option
@configured
def command(
    configuration: Configuration,
    files: Sequence[str],
    code: Sequence[str],
    wall_s: float | None,
    session: str | None,
    as_json: bool,
) -> int:
    """Run Python in the sandbox: -c CODE, FILEs, or what is piped in (also as the FILE "-").

    Several are successive cells of one session; the first that raises stops the rest. The code may read /documents, and
    await search(...) and list_documents(). With --session the variables are there again in the next call with the same
    NAME; one process at a time can run it. With --json, output is that of all cells joined, error that of the last.
    Exit code 1 when a cell raised.
    """
    import asyncio

    try:
        ran = asyncio.run(_run(configuration, _sources(files, code), wall_s, session))
    except Exception as error:  # with --json an error has its place in the object; anything else is told by `cli.run`
        told = for_people(error)
        if not as_json or told is None:
            raise
        console.write_json(_refused(error, told))
        return 1
    if as_json:
        # Of a session without a name nothing is ever rebuilt from before.
        notes = " ".join(result.note for result in ran.cells if result.note)
        console.write_json(_as_dict(ran) | ({"note": notes} if session is not None else {}))
    else:
        _print(ran)
    return int(ran.error is not None)


def _sources(files: Sequence[str], code: Sequence[str]) -> list[str]:
    """The source of each cell. Raises `UsageError` when there is none, or `Failure` for a file that cannot be read."""
    if files and code:
        raise click.UsageError("give code with -c or in files, not both")
    if code:
        return list(code)
    if not files and sys.stdin.isatty():
        raise click.UsageError("nothing to run: give -c CODE, files, or pipe code in")
    return [_source(file) for file in files or (STDIN,)]


def _source(file: str) -> str:
    data = sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure(f"{file}: not UTF-8 text (byte {error.start}): is it Python source?") from error


async def _run(configuration: Configuration, sources: Sequence[str], wall_s: float | None, name: str | None) -> _Ran:
    from ...sandbox import Limits
    from ..sandboxes import cells

    limits = Limits() if wall_s is None else Limits(wall_s=wall_s)
    results: list[CellResult] = []
    async with cells(configuration, limits, name) as session:
        for source in sources:
            results.append(await session.run(source))
            if results[-1].error is not None:
                break
        return _Ran(tuple(results), session.id, session.isolation)


def _output(result: CellResult) -> str:
    """What the cell printed, then the value of its last expression as a notebook shows it."""
    if result.value is None:
        return result.stdout
    gap = "\n" if result.stdout and not result.stdout.endswith("\n") else ""
    return f"{result.stdout}{gap}{result.value}\n"


def _print(ran: _Ran) -> None:
    for result in ran.cells:
        if result.note:
            console.message(result.note)
        console.write(_output(result), end="")
    if ran.error is not None:
        console.message("\n".join(part for part in (ran.error.traceback.rstrip(), ran.error.hint) if part))


def _as_dict(ran: _Ran) -> dict[str, Any]:
    return {
        "output": "".join(map(_output, ran.cells)),
        "error": _error(ran.error) if ran.error else None,
        "session_id": ran.session_id,
        "isolation_level": ran.isolation.level,
        "truncated": any(result.truncated for result in ran.cells),
        "timed_out": any(result.timed_out for result in ran.cells),
        "wall_s": sum(result.wall_s for result in ran.cells),
    }


def _error(error: CellError) -> dict[str, str]:
    return {"type": error.type, "message": error.message, "traceback": error.traceback}


def _refused(error: Exception, told: str) -> dict[str, Any]:
    """The object when no cell could run at all."""
    return {
        "output": "",
        "error": {"type": type(error).__name__, "message": told, "traceback": ""},
        "session_id": None,
        "isolation_level": None,
        "truncated": False,
        "timed_out": False,
        "wall_s": 0.0,
    }
