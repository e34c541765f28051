"""The MCP server: the three tools over stdio, for the agents of others.

Replies are text, and the pictures of search hits; nothing else: clients that see structured content hide the text.
Stdout carries the protocol; logs go to stderr.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError, ValidationError
from fastmcp.server.middleware import Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from fastmcp.utilities.types import Image
from mcp_types import TextContent, ToolAnnotations
from pydantic import BeforeValidator, Field
from pydantic import ValidationError as BadArguments

from .. import __version__
from ..analysis import Analysis, SearchReply
from ..analysis.citing import id_list
from ..analysis.conditions import Mode, Where
from ..analysis.sandboxes import session_name
from ..instructions.loader import load
from .configuration import Configuration
from .conversations import Conversations
from .corpora import LateCorpus, chosen
from .failures import for_people
from .sandboxes import journal_of, kept_sessions, usable_sandbox
from .scoping import Choice

# Nothing outside a session changes: documents are read-only and code has no way out of its jail.
_STDIO = {"transport": "stdio"}
_HARMLESS = ToolAnnotations(read_only_hint=True, open_world_hint=False)


SessionId = Annotated[
    str | None, Field(description="The conversation, as the first reply named it; leave out to begin a new one")
]
Query = Annotated[str, Field(description='What to find: words, a question, or a "quoted phrase"')]
Limit = Annotated[int, Field(ge=1, le=50, description="Most passages to return")]
Offset = Annotated[int, Field(ge=0, description="Passages to skip, to see more of the same search")]
Code = Annotated[str, Field(description="Python; variables stay for the session's next call; print() to see results")]
ChunkIds = Annotated[
    list[str],
    BeforeValidator(id_list),
    Field(description="Ids from search results or from what code printed; [] for a computation or a refusal"),
]
Draft = Annotated[
    str | None, Field(description="The answer you are about to give, to have its numbers and quotes checked")
]


class _PlainErrors(Middleware):
    """Wrong arguments come back as a sentence per argument, for the model to put right."""

    async def on_call_tool(self, context: MiddlewareContext[Any], call_next: Callable[..., Awaitable[Any]]) -> Any:
        try:
            return await call_next(context)
        except ValidationError as error:
            if isinstance(error.__cause__, BadArguments):
                raise ToolError(_wrong(context.message.name, error.__cause__)) from error
            raise


def _wrong(tool: str, error: BadArguments) -> str:
    said = (f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_url=False))
    return f"{tool} was not called: " + "; ".join(said)


def build(conversations: Conversations, *, code: bool, pictures: bool = True) -> FastMCP:
    """The server; without `code` (no safe sandbox here) `analysis_execute_code` is not offered.

    `pictures`: whether those of search hits are sent.
    """
    instructions = load("mcp", code=load("mcp_code" if code else "mcp_no_code"))
    server = FastMCP("glossator", version=__version__, instructions=instructions, mask_error_details=True)
    server.add_middleware(_PlainErrors())

    async def reply(session_id: str | None, act: Callable[[Analysis], Awaitable[str]]) -> str:
        return (await seen(session_id, lambda analysis: _alone(act(analysis)))).text

    async def seen(session_id: str | None, act: Callable[[Analysis], Awaitable[SearchReply]]) -> SearchReply:
        try:
            async with conversations.turn(session_id) as conversation:
                new = conversation.new
                found = await act(conversation.analysis)
        except Exception as error:  # boundary: what is written for people helps the model too; the rest is our bug
            told = for_people(error)
            if told is None:
                raise
            raise ToolError(told) from error
        return replace(found, text=f"{found.text}\n\n{_named(conversation.analysis.id)}") if new else found

    @server.tool(annotations=_HARMLESS, output_schema=None)
    async def analysis_search(
        query: Query,
        limit: Limit = 5,
        offset: Offset = 0,
        where: Where = None,
        mode: Mode = "hybrid",
        session_id: SessionId = None,
    ) -> ToolResult:
        """Find passages in the documents; each comes with the chunk id to cite."""

        async def act(analysis: Analysis) -> SearchReply:
            if pictures:
                return await analysis.search_and_see(query, limit, offset, where=where, mode=mode)
            return SearchReply(await analysis.search(query, limit, offset, where=where, mode=mode))

        return _with_images(await seen(session_id, act))

    @server.tool(annotations=_HARMLESS, output_schema=None)
    async def analysis_cite(chunk_ids: ChunkIds, answer: Draft = None, session_id: SessionId = None) -> str:
        """Register the passages that the answer rests on, after the last evidence and before every answer."""
        return await reply(session_id, lambda analysis: analysis.cite(chunk_ids, answer))

    if code:

        @server.tool(annotations=_HARMLESS, output_schema=None)
        async def analysis_execute_code(code: Code, session_id: SessionId = None) -> str:
            """Run Python over all documents (files in /documents, await search(...)): to count, list and compute."""

            async def act(analysis: Analysis) -> str:
                return (await analysis.execute_code(code)).text

            return await reply(session_id, act)

    return server


async def _alone(text: Awaitable[str]) -> SearchReply:
    return SearchReply(await text)


def _with_images(reply: SearchReply) -> ToolResult:
    """The text, then the pictures in the order in which it numbers them."""
    images = [Image(data=each.data, format=each.media_type.removeprefix("image/")) for each in reply.pictures]
    return ToolResult(content=[TextContent(text=reply.text), *(image.to_image_content() for image in images)])


def _named(session_id: str) -> str:
    return f'New session: pass session_id="{session_id}" in every further call of this conversation.'


async def serve(
    configuration: Configuration,
    choice: Choice,
    transport: Mapping[str, Any] | None = None,
    *,
    pictures: bool = True,
) -> None:
    """Serve the three tools on stdin and stdout until the client hangs up, or on another `transport` of FastMCP."""
    scope = await chosen(configuration, choice)
    sessions = kept_sessions(configuration)
    async with LateCorpus(configuration) as corpus, usable_sandbox(sessions) as sandbox:

        def resume(session_id: str) -> Analysis | None:
            if session_name(session_id, scope) not in sessions:
                return None
            return opened(session_id)

        def begin() -> Analysis:
            return opened(sessions.new_name())

        def opened(name: str) -> Analysis:
            journal = journal_of(sessions, session_name(name, scope))
            files = configuration.files
            return Analysis(corpus.open, sandbox, scope=scope, session=name, journal=journal, files=files)

        async with Conversations(begin, resume=resume) as conversations:
            server = build(conversations, code=sandbox is not None, pictures=pictures)
            # No warnings: a model's mistakes are its own.
            await server.run_async(**(transport or _STDIO), show_banner=False, log_level="ERROR")
