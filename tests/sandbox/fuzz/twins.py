"""Runs programs twice in the jail: under the policy, and as plain Python that only the operating system holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from glossator.sandbox import Limits, Sandbox
from glossator.sandbox.results import CellResult
from glossator.sandbox.session import Session

_ADDRESS = re.compile(r"0x[0-9a-f]{6,}", re.IGNORECASE)
_LIMITS = Limits(wall_s=20)


# How a refusal reads that could be known only when the program ran.
_REFUSAL = re.compile(
    r"(?m)^.*(available here|belongs to the base class|may not read the attribute|of immutable type).*$"
)


@dataclass(frozen=True, slots=True)
class Twin:
    """What one program came to."""

    source: str
    policy: str
    plain: str
    refused: bool  # before anything of it ran

    @property
    def refused_late(self) -> bool:
        return not self.refused and _REFUSAL.search(self.policy) is not None

    @property
    def agrees(self) -> bool:
        return self.refused or self.refused_late or self.policy == self.plain


def told(result: CellResult) -> str:
    """Everything that a program says, without addresses."""
    error = f"{result.error.type}: {result.error.message}" if result.error else ""
    # The C type calls itself types.SimpleNamespace in some messages, which no class written in Python does.
    return _ADDRESS.sub("0x", f"{result.stdout}{result.value}\n{error}").replace(
        "types.SimpleNamespace", "SimpleNamespace"
    )


class Twins:
    """Two sandboxes; an async context manager."""

    def __init__(self) -> None:
        self._policy = Sandbox(limits=_LIMITS)
        self._plain = Sandbox._without_policy(limits=_LIMITS)

    async def __aenter__(self) -> Self:
        await self._policy.start()
        await self._plain.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._policy.close()
        await self._plain.close()

    async def run(self, sources: Sequence[str]) -> list[Twin]:
        """Run programs one after the other; those after one that was refused half-way in sessions of their own."""
        done: list[Twin] = []
        while len(done) < len(sources):
            done += await self._until_refusal(sources[len(done) :])
        return done

    async def _until_refusal(self, sources: Sequence[str]) -> list[Twin]:
        policy, plain = await self._policy.session(), await self._plain.session()
        done: list[Twin] = []
        try:
            for source in sources:
                done.append(await _both(policy, plain, source))
                if done[-1].refused_late:
                    break
        finally:
            await policy.close()
            await plain.close()
        return done


async def _both(policy: Session, plain: Session, source: str) -> Twin:
    under = await policy.run(source)
    if under.error is not None and under.error.type == "PolicyError":
        return Twin(source, told(under), "", refused=True)
    return Twin(source, told(under), told(await plain.run(source)), refused=False)
