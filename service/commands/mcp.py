"""`glossator mcp`: the three tools for an MCP client, over stdio."""

from __future__ import annotations

import click

from ..configuration import Configuration
from ..options import configured


@click.command("mcp", short_help="Serve the three tools to an MCP client.")
@configured
def command(configuration: Configuration) -> None:
    """Serve the three tools to an MCP client on stdin and stdout.

    For example: claude mcp add glossator -- glossator mcp --corpus FOLDER
    """
    import asyncio

    from ..mcp import serve

    asyncio.run(serve(configuration))
