"""`Sandbox`: where sessions come from. Owns the zygote."""

from __future__ import annotations

import contextlib
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from .contracts import FileSystem, HostFunction
from .errors import IsolationTooWeak, SandboxClosed, SandboxUnavailable
from .journal import Journal, Journals
from .launcher import Launcher, Process
from .limits import Limits
from .pool import Pool, PoolLimits
from .results import Isolation
from .session import Session

_DEFAULTS = Limits()
_POOL = PoolLimits()
_NOT_LINUX = Isolation(
    1, {}, ("code runs on Linux only: use the container image, or on Windows WSL 2; search and cite work everywhere",)
)


class Sandbox:
    """Starts jailed workers for sessions. Use it as an async context manager, within one event loop.

    `guest_modules` are imported in the zygote and installed in each worker (`contracts.GuestModule`). Code is only run
    at `minimum_level` of measured isolation or above. With `journals` a session outlives this process: the same name
    continues it. Without, it outlives its workers.
    """

    def __init__(
        self,
        *,
        limits: Limits = _DEFAULTS,
        guest_modules: Sequence[str] = (),
        minimum_level: int = 2,
        journals: Journals | None = None,
        pool: PoolLimits = _POOL,
    ) -> None:
        self.limits = limits
        self._minimum_level = minimum_level
        self._guests = tuple(guest_modules)
        self._policy = True
        self._journals = journals
        # 0 would switch randomisation off.
        seed = journals.hash_seed if journals is not None else 1 + secrets.randbelow(2**32 - 1)
        # One running cell may take its limit when idle sessions fill the budget: `Pool.turn`.
        self._launcher = Launcher(guest_modules, seed, pool.memory_mb + limits.memory_mb << 20)
        self._pool = Pool(pool)
        self._sessions: set[Session] = set()
        self._open = False

    @classmethod
    def _without_policy(cls, *, limits: Limits = _DEFAULTS, preload: Sequence[str] = ()) -> Self:
        """For tests of the jail: cells may do all that CPython can, only the operating system holds them.

        `preload` are modules that cells could not open any more.
        """
        sandbox = cls(limits=limits, guest_modules=preload)
        sandbox._guests = ()
        sandbox._policy = False
        return sandbox

    async def start(self) -> None:
        """Start the zygote, without waiting for it. Needed once, before anything else."""
        self._open = True
        if sys.platform == "linux" and not self._launcher.running:
            with contextlib.suppress(SandboxUnavailable):  # told to whoever asks for a session: all else goes on
                self._launcher.start()

    async def close(self) -> None:
        """End the zygote and every session."""
        self._open = False
        for session in tuple(self._sessions):
            await session.close()
        self._sessions.clear()
        self._launcher.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def control_group(self) -> Path | None:
        """Where the kernel holds all workers together to their memory and number; None where no group is left to us."""
        return self._launcher.group.folder if self._launcher.group is not None else None

    async def isolation(self) -> Isolation:
        """What the layers of a throwaway worker held, whatever the minimum."""
        if sys.platform != "linux":
            return _NOT_LINUX
        session = Session("probe", self._launch, limits=self.limits, minimum_level=0)
        await session.open()
        await session.close()
        return session.isolation

    async def session(
        self,
        *,
        functions: Sequence[HostFunction] = (),
        filesystem: FileSystem | None = None,
        name: str | None = None,
        journal: Journal | None = None,
    ) -> Session:
        """A session with a worker of its own, continued if `name` is that of a journal.

        A `journal` that the caller has opened stays the caller's to close.
        Raises `IsolationTooWeak`, `SandboxUnavailable`, `SessionBusy` or `BadSessionName`.
        """
        if sys.platform != "linux":
            raise IsolationTooWeak(_NOT_LINUX.notes[0])
        name = name or f"s{secrets.token_hex(5)}"
        session = Session(
            name,
            self._launch,
            limits=self.limits,
            minimum_level=self._minimum_level,
            guests=self._guests,
            functions=functions,
            filesystem=filesystem,
            policy=self._policy,
            journal=journal or (self._journals.open(name) if self._journals is not None else None),
            journal_is_lent=journal is not None,
            pool=self._pool,
        )
        await session.open()
        self._sessions = {other for other in self._sessions if not other.closed} | {session}
        return session

    async def _launch(self) -> Process:
        if not self._open:
            raise SandboxClosed("the sandbox is not started, or closed")
        return await self._launcher.launch(self.limits.memory_mb << 20, self.limits.start_s)
