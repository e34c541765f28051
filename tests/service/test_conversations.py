"""Sessions of an MCP server: named, found again, in turn, and never too many."""

from __future__ import annotations

import asyncio

import pytest

from glossator.analysis import Analysis
from glossator.corpus import Corpus
from glossator.service.conversations import Conversations, UnknownSession

pytestmark = pytest.mark.anyio


async def no_corpus() -> Corpus:
    raise AssertionError("nothing here looks at a document")


def begin() -> Analysis:
    return Analysis(no_corpus, None)


async def speak(conversations: Conversations, session_id: str | None = None) -> str:
    """One call; the id of its conversation."""
    async with conversations.turn(session_id) as conversation:
        return conversation.analysis.id


async def test_without_an_id_a_new_one_begins() -> None:
    async with Conversations(begin) as conversations:
        names = [await speak(conversations, omitted) for omitted in (None, None, "")]
        assert len(set(names)) == 3


async def test_an_id_finds_its_conversation() -> None:
    async with Conversations(begin) as conversations:
        async with conversations.turn(None) as one:
            pass
        async with conversations.turn(one.analysis.id) as again:
            assert again.analysis is one.analysis and not again.new


async def test_unknown_ids_are_refused() -> None:
    async with Conversations(begin) as conversations:
        with pytest.raises(UnknownSession, match="Leave session_id out"):
            await speak(conversations, "nope")


async def test_calls_of_one_conversation_take_turns() -> None:
    order: list[str] = []

    async with Conversations(begin) as conversations:
        name = await speak(conversations)

        async def call(what: str) -> None:
            async with conversations.turn(name):
                order.append(f"{what} begins")
                await asyncio.sleep(0)
                order.append(f"{what} ends")

        await asyncio.gather(call("first"), call("second"), call("third"))
    assert order == [f"{what} {when}" for what in ("first", "second", "third") for when in ("begins", "ends")]


async def test_the_one_that_was_silent_longest_makes_room() -> None:
    async with Conversations(begin, most=2) as conversations:
        first, second = await speak(conversations), await speak(conversations)
        await speak(conversations, first)  # the second is now silent longest
        await speak(conversations)
        assert await speak(conversations, first) == first
        with pytest.raises(UnknownSession):
            await speak(conversations, second)


async def test_one_that_is_busy_is_not_closed() -> None:
    async with Conversations(begin, most=1) as conversations:
        async with conversations.turn(None) as busy:
            await speak(conversations)
            await speak(conversations)
        assert await speak(conversations, busy.analysis.id) == busy.analysis.id


async def test_one_that_was_closed_is_resumed_when_its_session_is_kept() -> None:
    kept: set[str] = set()

    def resume(session_id: str) -> Analysis | None:
        return Analysis(no_corpus, None, session=session_id) if session_id in kept else None

    async with Conversations(begin, most=1, resume=resume) as conversations:
        first = await speak(conversations)
        kept.add(first)
        await speak(conversations)
        async with conversations.turn(first) as again:
            assert (again.analysis.id, again.new) == (first, False)
