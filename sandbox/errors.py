"""What can go wrong in the sandbox itself. A cell's own errors are `CellError` values, never exceptions of the host.

    SandboxError
    ├── IsolationTooWeak      operator: this machine confines less than the minimum; the message says the way out
    ├── SandboxUnavailable    operator: no worker can be started (limits of the system, broken installation)
    ├── SandboxClosed         caller: used before `start` or after `close`
    ├── SessionBusy           caller: another process runs this session
    ├── PoolBusy              caller: every worker was busy for longer than one may wait
    ├── BadSessionName        caller: a name that cannot be that of a session
    ├── SessionUnreadable     operator: what is kept under this name is no journal, or that of another version
    ├── SessionNotKept        operator: the folder of the journals cannot be written
    └── ProtocolError         a worker sent what no worker sends: ends its session, is not raised to callers

`GuestError` in `contracts` is another thing: a host function raises it, and it goes back into the cell.
"""

from __future__ import annotations


class SandboxError(Exception):
    """Base of all below."""


class IsolationTooWeak(SandboxError):
    """The measured isolation is below the minimum: no code is run."""


class SandboxUnavailable(SandboxError):
    """No worker could be started."""


class SandboxClosed(SandboxError):
    """The sandbox or the session is not open."""


class SessionBusy(SandboxError):
    """Another process runs this session; the message names it."""

    def __init__(self, name: str, holder: str) -> None:
        super().__init__(
            f"session {name!r} is in use by {holder or 'another process'}: wait until that has ended, or name another"
        )


class PoolBusy(SandboxError):
    """Every worker was busy for too long."""


class BadSessionName(SandboxError):
    """A name that cannot be that of a session."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name!r:.80} cannot name a session: use up to 64 letters, digits, '-', '_' and '.'")


class SessionUnreadable(SandboxError):
    """What is kept of this session cannot be read, and is left as it is; the message says why."""


class SessionNotKept(SandboxError):
    """The session cannot be kept where journals are."""

    def __init__(self, place: object, error: OSError) -> None:
        super().__init__(f"sessions cannot be kept in {place}: {error.strerror}")


class ProtocolError(SandboxError):
    """A frame that is too long, malformed or out of place."""
