"""What a cell returns to the host."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Isolation:
    """How well the worker is confined, as measured by probes inside it, not as configured."""

    level: int  # 3 = namespaces + Landlock + seccomp, 2 = seccomp + one other, 1 = rlimits and policy only
    layers: Mapping[str, bool]  # namespaces, landlock, seccomp, rlimits, no_new_privs, capabilities
    notes: tuple[str, ...] = ()  # why a layer is missing and how to get it


@dataclass(frozen=True, slots=True)
class CellError:
    type: str  # the class's name: NameError, PolicyError, TimeLimit, MemoryError …
    message: str
    traceback: str  # the user's own lines only, with cell and line numbers, ready to show
    hint: str = ""  # the nearest fix, one line
    line: int | None = None  # of the cell, from 1


@dataclass(frozen=True, slots=True)
class CellResult:
    number: int  # of the cell in its session, from 1
    stdout: str  # what the cell printed, cut at `Limits.output_chars` with a marker that says how to see the rest
    stderr: str = ""  # what it printed there, and its warnings, cut likewise
    value: str | None = None  # repr of a last expression that is not None, cut likewise
    error: CellError | None = None
    truncated: bool = False
    timed_out: bool = False  # stopped by the wall clock or the CPU limit
    worker_ended: bool = False  # the cell's worker is gone; the error's hint says what the next cell will find
    session_lost: bool = False  # the session could not be rebuilt as it was: variables are gone, `note` says which
    note: str = ""  # what was rebuilt before this cell, or where rebuilding stopped and why
    wall_s: float = 0.0
    # Variables made or changed by this cell: {"caps": "dict(212)"}
    new_names: Mapping[str, str] = field(default_factory=dict)
    kept_lines: str = ""  # on error: which lines ran, such as "1-2"
    host_calls: int = 0
    read_bytes: int = 0
