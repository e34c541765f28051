"""Control groups (version 2): a bound on what a process and all that it starts take together, kept by the kernel.

Only in a part of the tree that was left to us: by systemd (`Delegate=yes`), to an ordinary user, or as the root of a
container that may write it. Elsewhere, and with version 1, there is no group.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import time
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

_CONTROLLERS = {"memory", "pids"}
_PREFIX = "glossator-"
_OURSELVES = f"{_PREFIX}service"  # where this process goes when the group that it is in shall have children
_EMPTY_S = 1.0  # how long a group may take to become empty after its processes were killed


@dataclass(frozen=True, slots=True)
class Group:
    folder: Path

    def remove(self) -> None:
        """End what is left in it, and the group; one that does not become empty is left to the next `hold`."""
        with contextlib.suppress(OSError):
            (self.folder / "cgroup.kill").write_text("1")  # since Linux 5.14
        with contextlib.suppress(OSError), (self.folder / "cgroup.events").open() as events:
            poll = select.poll()
            poll.register(events, select.POLLPRI)
            end = time.monotonic() + _EMPTY_S
            while "populated 1" in events.read() and (left := end - time.monotonic()) > 0:
                poll.poll(left * 1000)
                events.seek(0)
        with contextlib.suppress(OSError):
            self.folder.rmdir()


def hold(pid: int, memory_bytes: int, processes: int) -> Group | None:
    """Put a process, and what it will start, into a new group with these bounds; None where no group is left to us.

    Removes empty groups that others left when they were killed.
    """
    try:
        parent = _anchor({str(os.getpid()), str(pid)})
        if parent is None:
            return None
        _sweep(parent)
        return _made(parent, pid, memory_bytes, processes)
    except OSError:  # what looked writable is not, or the group that we are in has changed meanwhile
        return None


def _made(parent: Path, pid: int, memory_bytes: int, processes: int) -> Group:
    group = Group(parent / f"{_PREFIX}{secrets.token_hex(5)}")
    group.folder.mkdir()
    try:
        (group.folder / "memory.max").write_text(str(memory_bytes))
        (group.folder / "pids.max").write_text(str(processes))
        with contextlib.suppress(OSError):  # a kernel without swap
            (group.folder / "memory.swap.max").write_text("0")
        (group.folder / "cgroup.procs").write_text(str(pid))
    except OSError:
        group.remove()
        raise
    return group


def _sweep(parent: Path) -> None:
    for leftover in parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):  # in use
            leftover.rmdir()


def _anchor(processes: Set[str]) -> Path | None:
    """The nearest folder above this process that is ours and hands its controllers on.

    The own one can be made to, when no other than these processes are in it.
    """
    own, top = _own()
    if own is None:
        return None
    for folder in _upwards(own, top):
        if not _ours(folder, top):
            return None
        if _words(folder / "cgroup.subtree_control") >= _CONTROLLERS:
            return folder
        if folder == own and _words(folder / "cgroup.controllers") >= _CONTROLLERS:
            return _opened(folder) if _words(folder / "cgroup.procs") <= processes else None
    return None


def _own() -> tuple[Path | None, Path]:
    """Where this process is in the tree, and the top of what is mounted of it."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        mount, _, kind = line.partition(" - ")
        if kind.startswith("cgroup2 "):
            root, top = mount.split()[3:5]
            break
    else:
        return None, Path()
    path = next(line[3:] for line in Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::"))
    if not Path(path).is_relative_to(root) or ".." in Path(path).parts:  # another part of the tree is mounted
        return None, Path(top)
    return Path(top) / Path(path).relative_to(root), Path(top)


def _upwards(folder: Path, top: Path) -> Iterator[Path]:
    while folder != top:
        yield folder
        folder = folder.parent
    yield top


def _ours(folder: Path, top: Path) -> bool:
    """Whether it was left to us. To be root is not enough: the tree may be systemd's."""
    if not os.access(folder, os.W_OK) or not os.access(folder / "cgroup.procs", os.W_OK):
        return False
    if os.geteuid() != 0:
        return folder.stat().st_uid == os.geteuid()
    if folder == top and (folder / "cgroup.events").exists():  # which the machine's own root does not have
        return True
    return any(_mark(folder, name) == b"1" for name in ("user.delegate", "trusted.delegate"))


def _mark(folder: Path, name: str) -> bytes:
    try:
        return os.getxattr(folder, name)
    except OSError:
        return b""


def _opened(folder: Path) -> Path:
    """A group with children that have bounds may hold no process: ours go into one of their own."""
    ourselves = folder / _OURSELVES
    ourselves.mkdir(exist_ok=True)
    for process in _words(folder / "cgroup.procs"):
        (ourselves / "cgroup.procs").write_text(process)
    (folder / "cgroup.subtree_control").write_text(" ".join(f"+{each}" for each in sorted(_CONTROLLERS)))
    return folder


def _words(file: Path) -> set[str]:
    return set(file.read_text().split())
