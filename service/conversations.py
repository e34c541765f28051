"""The conversations of an MCP server, by the session id that every call names.

The modern protocol keeps no state between requests, so a conversation is what its `session_id` says and nothing else.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .failures import Failure

if TYPE_CHECKING:
    from ..analysis import Analysis

MOST_OPEN = 16  # conversations; each may hold a worker of the sandbox


class UnknownSession(Failure):
    """The model named a session that has ended, or that never was."""

    def __init__(self, session_id: str) -> None:
        super().__init__(
            f"No session {session_id!r}: it has ended, or it never was. Leave session_id out to begin a new one;"
            " variables and citations begin anew."
        )


@dataclass(slots=True)
class Conversation:
    analysis: Analysis
    new: bool = True  # no call has been answered yet: the reply must name the session
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)  # one call at a time, in the order of arrival
    waiting: int = 0  # calls that run or wait for their turn: closing it would pull the floor from under them


class Conversations:
    """Opens conversations, finds them again, and closes the one that was silent longest when there are too many."""

    def __init__(
        self,
        begin: Callable[[], Analysis],
        most: int = MOST_OPEN,
        resume: Callable[[str], Analysis | None] = lambda session_id: None,
    ) -> None:
        self._begin = begin
        self._resume = resume  # a conversation that this server has closed, or that an earlier one held
        self._most = most
        self._open: OrderedDict[str, Conversation] = OrderedDict()  # silent longest first

    @asynccontextmanager
    async def turn(self, session_id: str | None) -> AsyncIterator[Conversation]:
        """The conversation `session_id`, or a new one (also for ""), with nobody else speaking in it.

        Raises `UnknownSession`.
        """
        conversation = self._find(session_id) if session_id else self._new()
        conversation.waiting += 1
        try:
            await self._make_room()
            async with conversation.turn:
                yield conversation
                conversation.new = False
        finally:
            conversation.waiting -= 1

    async def __aenter__(self) -> Conversations:
        return self

    async def __aexit__(self, *_: object) -> None:
        while self._open:
            conversation = self._open.popitem()[1]
            await conversation.analysis.close()

    def _new(self) -> Conversation:
        conversation = Conversation(self._begin())
        self._open[conversation.analysis.id] = conversation
        return conversation

    def _find(self, session_id: str) -> Conversation:
        if session_id not in self._open:
            resumed = self._resume(session_id)
            if resumed is None:
                raise UnknownSession(session_id)
            self._open[session_id] = Conversation(resumed, new=False)
        self._open.move_to_end(session_id)
        return self._open[session_id]

    async def _make_room(self) -> None:
        silent = [key for key, conversation in self._open.items() if not conversation.waiting]
        for key in silent[: max(0, len(self._open) - self._most)]:
            await self._open.pop(key).analysis.close()
