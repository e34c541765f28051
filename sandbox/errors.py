"""What can go wrong in the sandbox itself. A cell's own errors are `CellError` values, never exceptions of the host.

    SandboxError
    ├── IsolationTooWeak      operator: this machine confines less than the minimum; the message says the way out
    ├── SandboxUnavailable    operator: no worker can be started (limits of the system, broken installation)
    ├── SandboxClosed         caller: used before `start` or after `close`
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


class ProtocolError(SandboxError):
    """A frame that is too long, malformed or out of place."""
