"""What the sandbox is handed by the rooms above it. It knows nothing about documents.

`FileSystem` and `HostFunction` live in the service's process; `GuestModule`, `Guest` and `Channel` live in the jailed
worker. Whatever a worker sends is hostile: both ends speak JSON objects and raw bytes, never pickles.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

Header = dict[str, Any]  # a JSON object; its meaning is agreed between a file system and its guest module


class FileSystem(Protocol):
    """The host half of a read-only file system, one instance per session."""

    async def request(self, header: Header) -> tuple[Header, Sequence[bytes]]:
        """Answer one request of the guest half: a JSON object and any number of raw bodies.

        Raise `GuestError` for what the cell did wrong. `header` comes from the jail: check everything.
        """
        ...

    def finish(self, report: Header) -> None:
        """A cell has ended; `report` is what the guest half says of it (hostile: believe only what was delivered)."""
        ...

    # Optional, for journals: `def told(self) -> Mapping[str, str]`, what the cell that finished last learnt, as a
    # digest for each kind of thing. It is kept instead of the answers: a session that is rebuilt reads again, and
    # knows whether it read the same. It must not depend on what earlier cells have left in the guest's caches.
    # Without it every request and its answer are hashed.


class GuestError(Exception):
    """A mistake of the cell, raised in it again as the built-in exception `kind` (such as "ValueError")."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


@dataclass(frozen=True, slots=True)
class HostFunction:
    """An async function of the host that cells may await; arguments and result are JSON values.

    The worker binds arguments to the signature of `call` before anything is sent, so that wrong ones are a TypeError
    in the cell. `result` is what the cell gets; for a long list it may be an async iterator of lists, which are sent
    one by one as the worker takes them and are one list in the cell. Raise `GuestError` for what the cell did wrong.
    """

    name: str
    call: Callable[..., Awaitable[Any]]
    doc: str = ""  # one line, shown by help(); parameters are read from the signature of `call`


class Channel(Protocol):
    """The worker's line to the host, as the guest half of a file system sees it."""

    def request(self, header: Header) -> tuple[Header, list[bytes]]:
        """Ask the host half and wait (blocking, also inside a running event loop)."""
        ...

    def ask(self, header: Header) -> int:
        """Ask and do not wait: the host works meanwhile. The number is for `answer`, in the same cell."""
        ...

    def answer(self, number: int) -> tuple[Header, list[bytes]]:
        """The answer to what was asked; waits for it."""
        ...

    def forget(self, number: int) -> None:
        """The answer is not wanted any more."""
        ...


@dataclass(slots=True)
class Guest:
    """What a guest module adds to the worker."""

    # Usable in every cell without import: open, Path, grep …
    names: Mapping[str, object] = field(default_factory=dict)
    # Names added to the module facades: {"os": {"listdir": …}}
    modules: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    begin: Callable[[], None] = lambda: None  # a cell starts
    finish: Callable[[], Header] = dict  # a cell ended: close what it left open; the report for `FileSystem.finish`
    # What to do about an error that a cell did not catch, one line; "" when the guest has nothing to say.
    hint: Callable[[BaseException], str] = lambda error: ""
    # What cells can set beside their variables, by a name for people: how to get it as plain data, and to set it.
    settings: Mapping[str, tuple[Callable[[], Any], Callable[[Any], None]]] = field(default_factory=dict)


class GuestModule(Protocol):
    """A module named by `Sandbox(guest_modules=[…])`: imported once in the zygote, installed in each worker."""

    def install(self, channel: Channel) -> Guest: ...
