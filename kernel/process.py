"""What a process says about itself: prctl, resource limits, user ids, inherited descriptors."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from collections.abc import Mapping
from pathlib import Path

from .libc import call

_SET_PDEATHSIG, _SET_DUMPABLE, _SET_CHILD_SUBREAPER = 1, 4, 36
_SET_NO_NEW_PRIVS, _GET_NO_NEW_PRIVS = 38, 39

# The kernel's own ceiling. The limit of this process would not do: it may have been lowered below what is open.
_MOST_DESCRIPTORS = 1 << 20


def no_new_privileges() -> None:
    """From now on no exec can gain rights; seccomp and Landlock ask for this of processes without privileges."""
    call("prctl", _SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def has_no_new_privileges() -> bool:
    return call("prctl", _GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1


def undumpable() -> None:
    """No core file, and no other process of the same user may trace this one or read its /proc entries."""
    call("prctl", _SET_DUMPABLE, 0, 0, 0, 0)


def die_with_parent() -> None:
    """Ask for SIGKILL when the parent's thread ends.

    A change of user id clears this: ask again after one. If the parent died before, nothing happens: look after asking.
    """
    call("prctl", _SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def first_to_go() -> None:
    """When memory runs out, the kernel ends this process, and what it starts, before any other."""
    with contextlib.suppress(OSError):  # no /proc
        Path("/proc/self/oom_score_adj").write_text("1000")


def adopt_orphans() -> None:
    """Become the parent of grandchildren whose parent ends."""
    call("prctl", _SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def close_all_but(*descriptors: int) -> None:
    """Close every descriptor of this process that is not named, whoever opened it."""
    start = 0
    for descriptor in sorted(descriptors):
        os.closerange(start, descriptor)
        start = descriptor + 1
    os.closerange(start, _MOST_DESCRIPTORS)


def limit(limits: Mapping[int, int]) -> None:
    """Set resource limits, soft and hard alike, lowering what is already lower no further."""
    for kind, value in limits.items():
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


def become(uid: int) -> None:
    """Change to another user and the group of the same number, with no other groups, for good (needs root)."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
