"""`glossator exec`: run Python in the sandbox, as the agent's code is run."""

from __future__ import annotations

import io
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tokenize import detect_encoding
from typing import TYPE_CHECKING, Any

import click

from .. import console
from ..configuration import Configuration
from ..failures import Failure, for_people
from ..options import configured, json_option
from ..scoping import Choice, scoped

if TYPE_CHECKING:
    from ...sandbox import CellError, CellResult, Isolation
    from ...vfs import Coverage

    Tell = Callable[[CellResult, Coverage | None], None]  # a cell has ended, and how much of the corpus it has read

STDIN = "-"
LONGEST_S = 24 * 3600.0  # that a cell can be given


@dataclass(frozen=True, slots=True)
class _Ran:
    """The cells that ran in one session; the first that raised was the last."""

    cells: tuple[CellResult, ...]
    session_id: str
    isolation: Isolation

    @property
    def error(self) -> CellError | None:
        return self.cells[-1].error


def _seconds(_context: click.Context, _parameter: click.Parameter, value: float | None) -> float | None:
    """A range alone lets nan through, which is neither too small nor too large."""
    if value is None or 0 < value <= LONGEST_S:
        return value
    told = "not a number" if math.isnan(value) else f"{value:g} is not more than 0 and at most {LONGEST_S:g}"
    raise click.BadParameter(told)


@click.command("exec", short_help="Run Python in the sandbox.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("-c", "code", multiple=True, metavar="CODE", help="Code to run; each -c is one more cell.")
@click.option(
    "--timeout",
    "wall_s",
    type=float,
    callback=_seconds,
    metavar="SECONDS",
    help="Most time for a cell, up to 86400 [default: 60].",
)
@click.option("--session", metavar="NAME", help="Continue this session, or begin it; its variables are kept.")
@scoped
@json_option
@configured
def command(
    configuration: Configuration,
    files: Sequence[str],
    code: Sequence[str],
    wall_s: float | None,
    session: str | None,
    choice: Choice,
    as_json: bool,
) -> int:
    """Run Python in the sandbox: -c CODE, FILEs, or what is piped in (also as the FILE "-").

    Several are successive cells of one session; the first that raises stops the rest. The code may read /documents, and
    await search(...) and list_documents(). With --session the variables are there again in the next call with the same
    NAME; one process at a time can run it. What a cell writes to sys.stderr goes to stderr. With --json, output is what
    all cells printed and their values, joined; error is that of the last. Exit code 1 when a cell raised.
    """
    import asyncio

    tell = _ignore if as_json else _print
    try:
        ran = asyncio.run(_run(configuration, choice, _sources(files, code), wall_s, session, tell))
    except (
        Exception
    ) as error:  # with --json an error has its place in the object; anything else is told by `program.run`
        told = for_people(error)
        if not as_json or told is None:
            raise
        console.write_json(_refused(error, told))
        return 1
    if as_json:
        # Of a session without a name nothing is ever rebuilt from before.
        notes = " ".join(result.note for result in ran.cells if result.note)
        console.write_json(_as_dict(ran) | ({"note": notes} if session is not None else {}))
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
    """The text of a file in the encoding that Python would read it in: UTF-8, or what its first lines declare."""
    data = sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
    try:
        encoding, _ = detect_encoding(io.BytesIO(data).readline)
    except SyntaxError:  # they are not UTF-8, or declare what nobody knows
        encoding = "utf-8"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise Failure(f"{file}: not {encoding.upper()} text (byte {error.start}): is it Python source?") from error


async def _run(
    configuration: Configuration,
    choice: Choice,
    sources: Sequence[str],
    wall_s: float | None,
    name: str | None,
    tell: Tell,
) -> _Ran:
    from ...sandbox import Limits
    from ..corpora import chosen
    from ..sandboxes import cells

    limits = Limits() if wall_s is None else Limits(wall_s=wall_s)
    results: list[CellResult] = []
    async with cells(configuration, limits, name, await chosen(configuration, choice)) as running:
        session = running.session
        for source in sources:
            results.append(await session.run(source))
            tell(results[-1], running.files.coverage())
            if results[-1].error is not None:
                break
        return _Ran(tuple(results), session.id, session.isolation)


def _output(result: CellResult) -> str:
    """What the cell printed, then the value of its last expression as a notebook shows it."""
    if result.value is None:
        return result.stdout
    gap = "\n" if result.stdout and not result.stdout.endswith("\n") else ""
    return f"{result.stdout}{gap}{result.value}\n"


def _print(result: CellResult, coverage: Coverage | None) -> None:
    """Each cell as soon as it has ended: the next may take a minute."""
    if result.note:
        console.message(result.note)
    console.write(_output(result), end="")
    if result.stderr:
        console.message(result.stderr.removesuffix("\n"))
    if result.error is not None:
        console.message("\n".join(part for part in (result.error.traceback.rstrip(), result.error.hint) if part))
    if coverage is not None and not result.worker_ended and console.watched():
        console.message(f"[{_told(coverage)}]")


def _told(coverage: Coverage) -> str:
    from ...analysis.results import Reach
    from ...analysis.text import coverage_text

    return coverage_text(coverage.opened, Reach(coverage.documents, coverage.unreadable))


def _ignore(_result: CellResult, _coverage: Coverage | None) -> None:
    """With --json there is one object at the end."""


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
