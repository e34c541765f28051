"""The command line as click sees it: a group whose commands load when they are needed; here every failure ends.

Exit codes: 0 done, 1 something failed (named), 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module

import click

from . import console
from .failures import explain

# In the order of a first visit. Each is a module of `commands` that holds a click command of the same name.
COMMANDS = (
    *("add", "sync", "ls", "show", "rm", "export", "collections", "rebuild", "backup", "restore"),
    *("search", "ask", "exec", "sessions", "mcp", "doctor"),
)

INTERRUPTED = 130  # what shells use for a program that SIGINT ended


class _Commands(click.Group):
    """Imports a command's module when it is looked up: `exec` pays nothing for what `ask` needs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return import_module(f".commands.{cmd_name}", __package__).command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and (near := get_close_matches(args[0], COMMANDS, n=2)):
            ctx.fail(f"No such command {args[0]!r}. Did you mean {' or '.join(near)}?")
        return super().resolve_command(ctx, args)


def _version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from .. import __version__

        console.write(f"glossator {__version__}")
        context.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--corpus", metavar="FOLDER", help="Corpus folder, for every command (also GLOSSATOR_CORPUS).")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def cli(corpus: str | None) -> None:
    """Ask questions of your documents: search, code in a sandbox, and answers that are cited.

    Begin with `glossator add FOLDER`, then `glossator ask "a question"`. `glossator doctor` tells what is missing.
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; every failure has been told on stderr by then."""
    try:
        code = cli.main(args=arguments, prog_name="glossator", standalone_mode=False) or 0
        console.finish()
        return code
    except click.ClickException as error:  # wrong usage: click's own message names the option and how to get help
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        console.message("Interrupted.")
        return INTERRUPTED
    except Exception as error:  # outermost boundary: nothing a user does may end in a traceback
        console.message(explain(error))
        return 1
