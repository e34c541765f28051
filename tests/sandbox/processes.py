"""Processes as the kernel lists them: who is whose child, and waiting for an end."""

from __future__ import annotations

import os
import select
from pathlib import Path


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def children(pid: int) -> list[int]:
    return [each for each in map(int, filter(str.isdigit, os.listdir("/proc"))) if _is_child(each, pid)]


def zygotes(pid: int) -> list[int]:
    """The zygotes of a process, which may have other children."""
    return [each for each in children(pid) if b"sandbox.zygote" in Path(f"/proc/{each}/cmdline").read_bytes()]


def _is_child(pid: int, of: int) -> bool:
    try:
        return parent(pid) == of
    except OSError:  # it has just ended
        return False


def gone(pidfd: int) -> None:
    """Wait until the process has ended."""
    assert select.select([pidfd], [], [], 30)[0], "still there"
    os.close(pidfd)
