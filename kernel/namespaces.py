"""Namespaces: a process leaves the machine's network, mounts, processes and names for empty ones of its own."""

from __future__ import annotations

import os
from pathlib import Path

from .libc import call, syscall

# name: flag of unshare(2). A pid namespace takes in only the children that are started afterwards.
FLAGS = {
    "user": 0x10000000,
    "network": 0x40000000,
    "mount": 0x00020000,
    "ipc": 0x08000000,
    "uts": 0x04000000,
    "cgroup": 0x02000000,
    "pid": 0x20000000,
}

_NOBODY = 65534  # what this user is called inside a user namespace
_PRIVATE, _RECURSIVE, _REMOUNT = 0x40000, 0x4000, 0x20
_READ_ONLY, _NO_SETUID, _NO_DEVICES, _NO_EXEC = 1, 2, 4, 8
_DETACH = 2  # umount2: MNT_DETACH


def leave(*names: str) -> None:
    """Move into new namespaces, all or none; raises OSError where the kernel or a container forbids it."""
    call("unshare", sum(FLAGS[name] for name in names))


def become_nobody() -> None:
    """Move into a user namespace in which this user is nobody and may make the other namespaces."""
    uid, gid = os.geteuid(), os.getegid()
    leave("user")
    # Without "deny" an unprivileged process may not map its group: it could drop a group that denies it something.
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{_NOBODY} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{_NOBODY} {gid} 1")


def empty_root() -> None:
    """In a mount namespace of its own: make the root an empty read-only folder, and let go of everything else."""
    call("mount", None, b"/", None, _RECURSIVE | _PRIVATE, None)  # nothing done here reaches the machine
    flags = _NO_SETUID | _NO_DEVICES | _NO_EXEC
    call("mount", b"none", b"/proc", b"tmpfs", flags, b"size=4k,nr_inodes=4,mode=555")  # any folder that surely exists
    os.chdir("/proc")
    syscall("pivot_root", b".", b".")  # the old root lies on top of the new one now …
    call("umount2", b".", _DETACH)  # … and goes
    os.chdir("/")
    call("mount", None, b"/", None, _REMOUNT | _READ_ONLY | flags, None)
