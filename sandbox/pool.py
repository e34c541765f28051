"""Workers under a budget: how many cells run at once, who waits, and which sessions give their memory back."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from .errors import PoolBusy


@dataclass(frozen=True, slots=True)
class PoolLimits:
    memory_mb: int = 4096  # of all workers together, MiB; idle sessions give theirs back to keep it
    running: int = 32  # cells that run at the same time
    wait_s: float = 60.0  # seconds that a cell may wait for its turn


class Cost(NamedTuple):
    """What it costs to evict a session; the smallest goes first (False before True)."""

    lossy: bool  # it could not be rebuilt as it is: goes last
    seconds: float  # rebuilding it takes
    used_at: float  # by time.monotonic


class Member(Protocol):
    """A session as the pool sees it."""

    @property
    def memory(self) -> int:
        """Bytes of its worker, 0 without one."""
        ...

    def cost(self) -> Cost: ...

    def evict(self) -> None:
        """End the worker; the session is rebuilt when it is needed."""
        ...


class Pool:
    """Turns are given in the order of asking, and a session has one cell at a time: nobody can crowd out the others."""

    def __init__(self, limits: PoolLimits) -> None:
        self._limits = limits
        self._turns = asyncio.Semaphore(limits.running)
        self._members: dict[Member, int] = {}  # bytes of each, as last seen
        self._used = 0  # the sum of them: not counted anew for each cell
        self._running: set[Member] = set()
        self._changed = asyncio.Event()  # set when memory may have become free

    def add(self, member: Member) -> None:
        self._members[member] = 0

    def remove(self, member: Member) -> None:
        self._used -= self._members.pop(member, 0)
        self._changed.set()

    async def enter(self, member: Member) -> None:
        """A cell of `member` may run until `leave`; raises `PoolBusy` when it waited for too long."""
        end = time.monotonic() + self._limits.wait_s
        if self._turns.locked():
            await self._wait_for_turn()
        else:
            await self._turns.acquire()  # at once
        try:
            await self._room(member, end)
        except BaseException:
            self._turns.release()
            raise
        self._running.add(member)

    def leave(self, member: Member) -> None:
        self._running.discard(member)
        self._look_at(member)
        self._turns.release()
        self._changed.set()

    async def _wait_for_turn(self) -> None:
        try:
            async with asyncio.timeout(self._limits.wait_s):
                await self._turns.acquire()
        except TimeoutError:
            raise PoolBusy(self._busy(f"{self._limits.running} cells are running")) from None

    async def _room(self, member: Member, end: float) -> None:
        """Idle sessions give way; when there are none left, wait for those that run."""
        while not self.trim(member):
            if not self._running:
                return  # it is alone: its own limit holds
            self._changed.clear()
            try:
                async with asyncio.timeout(end - time.monotonic()):
                    await self._changed.wait()
            except TimeoutError:
                raise PoolBusy(self._busy(f"the workers' {self._limits.memory_mb} MiB are used")) from None

    def trim(self, member: Member) -> bool:
        """Evict idle sessions, never `member`, as long as too much memory is used; whether that was enough."""
        self._look_at(member)
        while self._over():
            if not self._evict_one(member):
                return False
        return True

    def _over(self) -> bool:
        for member in self._running:  # what is idle stays as it is
            self._look_at(member)
        if self._used <= self._limits.memory_mb << 20:
            return False
        for member in self._members:  # but for what has ended unnoticed
            self._look_at(member)
        return self._used > self._limits.memory_mb << 20

    def _look_at(self, member: Member) -> None:
        if member in self._members:
            now = member.memory
            self._used += now - self._members[member]
            self._members[member] = now

    def _evict_one(self, member: Member) -> bool:
        idle = [each for each in self._members if each is not member and each not in self._running and each.memory]
        if not idle:
            return False
        cheapest = min(idle, key=lambda each: each.cost())
        cheapest.evict()
        self._look_at(cheapest)
        return True

    def _busy(self, why: str) -> str:
        return f"the code sandbox is busy: {why}, and this cell waited {self._limits.wait_s:g} s; try again later"
