"""`glossator mcp`: the three tools for an MCP client, over stdio."""

from __future__ import annotations

import click

from ..configuration import Configuration
from ..options import configured, pictures_option
from ..scoping import Choice, scoped


@click.command("mcp", short_help="Serve the three tools to an MCP client.")
@scoped
@pictures_option
@configured
def command(configuration: Configuration, choice: Choice, pictures: bool) -> None:
    """Serve the three tools to an MCP client on stdin and stdout.

    For example: claude mcp add glossator -- glossator mcp --corpus FOLDER

    With --document or --where nothing else exists for any client of this server.
    """
    import asyncio

    from ..mcp import serve

    asyncio.run(serve(configuration, choice, pictures=pictures))
