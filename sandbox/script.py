"""The host's part in a cell: kept when the cell runs, played again when the session is rebuilt."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import orjson

from .contracts import GuestError
from .journal import Cell, Reply, ReplyKind

# What is kept of one cell; a cell that gets more cannot be run again.
MOST_BYTES = 32 << 20
# Longer answers are kept once per session: lists of all documents, which cell after cell asks for.
_LONG_BYTES = 16 << 10


class Diverged(Exception):
    """A cell that is run again asks for, or would get, something else than the first time."""


class Recording:
    """The answers of the host to the cell that runs, after the cells `earlier`, in the order in which they went out."""

    def __init__(self, earlier: Sequence[Cell] = ()) -> None:
        self._earlier = earlier
        self.replies: list[Reply] = []
        self.questions = 0
        self.files: dict[str, str] = {}  # what the file system told, in a digest for each thing
        self.bytes = 0

    @property
    def too_long(self) -> bool:
        return self.bytes > MOST_BYTES

    def add(self, question: int, asked: str, kind: ReplyKind, content: bytes) -> None:
        reply = Reply(question, asked, kind, content)
        if len(content) >= _LONG_BYTES:
            reply = self._same(reply) or reply
        self.bytes += len(content) if reply.same is None else 0
        if not self.too_long:
            self.replies.append(reply)

    def _same(self, reply: Reply) -> Reply | None:
        """The reply, as that one of before that holds the same."""
        for number, replies in ((0, self.replies), *((cell.number, cell.replies) for cell in self._earlier)):
            for place, each in enumerate(replies):
                if each.same is None and each.content == reply.content:
                    return reply._replace(content=each.content, same=(number, place))
        return None


class Script:
    """The answers of an earlier run of the same cell, given in the same order: what follows may depend on it."""

    def __init__(self, cell: Cell) -> None:
        self.diverged: str = ""  # why this is not the same run; the first reason stays
        self._replies = cell.replies
        self._questions = cell.questions
        self._places = {each.question: place for place, each in enumerate(cell.replies)}
        self._turns = [asyncio.Event() for _ in range(len(cell.replies) + 1)]
        self._turns[0].set()

    async def turn(self, question: int, asked: str) -> Reply:
        """The answer to the cell's n-th question, when all earlier ones have gone out; raises `Diverged`."""
        if question > self._questions:
            raise Diverged("it asked the host for more than before")
        place = self._places.get(question)
        if place is None:  # nobody answered before the cell ended
            return await asyncio.get_running_loop().create_future()
        reply = self._replies[place]
        if reply.asked != asked:
            raise Diverged("it asked the host for something else than before")
        await self._turns[place].wait()
        return reply

    def answered(self, question: int) -> None:
        """The answer to this question has gone out."""
        self._turns[self._places[question] + 1].set()

    def fail(self, reason: str) -> None:
        self.diverged = self.diverged or reason


def spoken(reply: Reply) -> bytes:
    """The value of a reply as JSON; raises the `GuestError` that the cell got instead."""
    if reply.kind == "error":
        kind, message = orjson.loads(reply.content)
        raise GuestError(kind, message)
    return reply.content
