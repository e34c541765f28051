"""The sandbox as this room uses it: with the documents' guest half preloaded, and its modules named for the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..corpus import Scope
    from ..sandbox import Journals, Limits, PoolLimits, Sandbox

GUEST_MODULES = ("glossator.vfs.guest",)
FILE_MODULES = ("os", "os.path", "pathlib", "glob", "io", "fnmatch", "shutil", "linecache", "fileinput", "codecs")


def analysis_sandbox(
    limits: Limits | None = None,
    *,
    minimum_level: int = 2,
    journals: Journals | None = None,
    pool: PoolLimits | None = None,
) -> Sandbox:
    """A sandbox, not yet started, whose cells see `/documents`; with `journals` its sessions outlive the process."""
    from ..sandbox import Limits, PoolLimits, Sandbox

    return Sandbox(
        limits=limits or Limits(),
        guest_modules=GUEST_MODULES,
        minimum_level=minimum_level,
        journals=journals,
        pool=pool or PoolLimits(),
    )


def session_name(name: str, scope: Scope | None) -> str:
    """What a session is called where it is kept.

    What its variables hold was in its scope: in another one it does not exist.
    """
    return name if scope is None else f"{name}.{scope.mark}"


def module_table() -> str:
    """The modules that cells may import, one comma-separated line."""
    from ..sandbox.modules import ALLOWED

    return ", ".join(dict.fromkeys([*ALLOWED, *FILE_MODULES]))
