"""The jail: a forked process gives up, for good, all but computing and its one socket to the host.

Three steps. A pid namespace takes in only children, so `separate` runs in the process that the zygote forks, the other
two in the child of that, which is the worker (and pid 1 of its namespace): `renounce`, then `lock`. Each layer is
optional, as systems and containers forbid some of them; `lock` measures what holds, by `probes`, before the next one
hides it:

    namespaces   no network, an empty read-only root, no other processes
    user         an id that nobody else has, when the service runs as root
    capabilities none, no new privileges, not traceable
    rlimits      address space, no files, no processes, no core, no locked memory, no message queues
    Landlock     no path can be opened, no TCP, no signal to anyone outside
    seccomp      the calls in `ALLOWED`, nothing else
"""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import secrets
from dataclasses import dataclass
from pathlib import Path

from ..kernel import capabilities, landlock, namespaces, process, seccomp
from ..kernel.seccomp import ALLOW, Check, Rule, refuse
from . import probes
from .reserve import RESERVE_BYTES
from .results import Isolation

# Enough for the session's socket, an event loop and its self-pipe.
_OPEN_FILES = 16

_PROT_EXEC = 4
_MAP_HUGETLB = 0x40000
_MADV_FREE = 8
_CLOCK_TAI = 11
# FUTEX_WAIT 0, WAKE 1, WAIT_BITSET 9; FUTEX_PRIVATE_FLAG 128, FUTEX_CLOCK_REALTIME 256
_FUTEX_PLAIN = (0, 1, 9, 128, 129, 137, 265, 393)
_MSG_DONTWAIT, _MSG_NOSIGNAL = 0x40, 0x4000
_NO_OTHER_FLAG = 0xFFFFFFFF & ~(_MSG_DONTWAIT | _MSG_NOSIGNAL)
_AF_UNIX = 1
_NOT_STREAM = 0b110  # SOCK_STREAM 1, DGRAM 2, RAW 3, SEQPACKET 5
_F_SETFL = 4  # F_DUPFD 0, F_GETFD 1, F_SETFD 2, F_GETFL 3, F_SETFL 4
_FIONBIO = 0x5421

# Every call that a worker may make. What is not here fails with EPERM: a PermissionError in the cell, no dead worker.
ALLOWED: tuple[Rule, ...] = (
    # most frequent first: the filter is read from the top for each call
    # Futexes that inherit priorities, or move waiters, have been ways into the kernel; no thread of ours waits.
    Rule("futex", ALLOW, (Check(1, "among", _FUTEX_PLAIN),)),
    # The machine's clocks and our own. Other numbers are files, or processes: where there is no pid namespace they
    # would tell how busy anyone's is.
    *(
        Rule(name, ALLOW, (Check(0, "below", _CLOCK_TAI + 1),))
        for name in ("clock_gettime", "clock_getres", "clock_nanosleep")
    ),
    # memory, never executable: native code cannot be brought in; never of the pool of huge pages, which others need;
    # never offered for sharing with equal pages of others, which would tell what those hold
    *(Rule(name) for name in ("brk", "munmap", "mremap")),
    Rule("mmap", ALLOW, (Check(2, "lacks", _PROT_EXEC), Check(3, "lacks", _MAP_HUGETLB))),
    Rule("mprotect", ALLOW, (Check(2, "lacks", _PROT_EXEC),)),
    Rule("madvise", ALLOW, (Check(2, "below", _MADV_FREE + 1),)),
    # the socket to the host; out-of-band bytes of Unix sockets have been a way into the kernel
    *(Rule(name) for name in ("read", "write", "readv", "writev", "close", "lseek", "fstat")),
    Rule("recvfrom", ALLOW, (Check(3, "lacks", _NO_OTHER_FLAG),)),
    Rule("sendto", ALLOW, (Check(3, "lacks", _NO_OTHER_FLAG), Check(5, "equal", 0))),  # to its other end, no address
    *(Rule(name) for name in ("poll", "ppoll", "select", "pselect6")),
    # an event loop
    *(Rule(name) for name in ("epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2")),
    # no datagrams: those can be sent to the sockets of other programs
    Rule("socketpair", ALLOW, (Check(0, "equal", _AF_UNIX), Check(1, "lacks", _NOT_STREAM))),
    Rule("fcntl", ALLOW, (Check(1, "below", _F_SETFL + 1),)),
    Rule("ioctl", ALLOW, (Check(1, "equal", _FIONBIO),), otherwise=refuse(errno.ENOTTY)),
    # clocks and alarms
    *(Rule(name) for name in ("nanosleep", "gettimeofday", "time", "times")),
    *(Rule(name) for name in ("setitimer", "getitimer", "getrusage", "sched_yield")),
    # signals to itself that the interpreter handles
    *(Rule(name) for name in ("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall")),
    # who am I
    *(Rule(name) for name in ("getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid")),
    *(Rule(name) for name in ("getrandom", "exit", "exit_group")),
    # ordinary "Permission denied" for what programs commonly try; everything else is EPERM
    *(
        Rule(name, refuse(errno.EACCES))
        for name in (
            *("open", "openat", "openat2", "creat", "stat", "lstat", "newfstatat", "statx", "access", "faccessat"),
            *("faccessat2", "readlink", "readlinkat", "getcwd", "chdir", "getdents64"),
        )
    ),
)

# Ids for workers of a service that runs as root: far above what systems hand out, far below the sign bit.
_FIRST_UID, _UIDS = 0x6A000000, 1 << 24


@dataclass(frozen=True, slots=True)
class Separation:
    """What `separate` could do; `reasons` says why not, one line per missing layer."""

    uid: int | None  # for `renounce` to change to; None if it may not
    reasons: tuple[str, ...] = ()


def separate() -> Separation:
    """Leave the machine's network, mounts and processes; the next child is pid 1 of its own namespace."""
    # Without CAP_KILL neither the host nor a parent's death could end a worker of another user.
    uid = _unused_uid() if os.geteuid() == 0 and capabilities.has(capabilities.KILL) else None
    try:
        # A user namespace is needed by ordinary users; root needs none, and none may be there.
        if os.geteuid() != 0 or not capabilities.has(capabilities.SYS_ADMIN):
            namespaces.become_nobody()
        namespaces.leave("network", "mount", "ipc", "uts", "pid")
    except OSError as error:
        return Separation(uid, (f"namespaces: {error.strerror}",))
    # Namespaces of control groups are newer than the others and hide only names.
    with contextlib.suppress(OSError):
        namespaces.leave("cgroup")
    try:
        namespaces.empty_root()
    except OSError as error:
        return Separation(uid, (f"empty root: {error.strerror}",))
    return Separation(uid)


def renounce(uid: int | None, memory_bytes: int) -> None:
    """Give up user, capabilities and resources."""
    os.environ.clear()
    capabilities.limit()
    if uid is not None and os.geteuid() == 0:
        # A container may have taken root's right to change its user; the layers below do not depend on it.
        with contextlib.suppress(PermissionError):
            process.become(uid)
    capabilities.drop()
    process.no_new_privileges()
    process.undumpable()
    process.limit(
        {
            resource.RLIMIT_AS: memory_bytes + RESERVE_BYTES,
            resource.RLIMIT_NOFILE: _OPEN_FILES,
            resource.RLIMIT_NPROC: 0,
            resource.RLIMIT_FSIZE: 0,
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_MEMLOCK: 0,
            resource.RLIMIT_MSGQUEUE: 0,
        }
    )


def lock(reasons: tuple[str, ...]) -> Isolation:
    """Give up paths, then system calls; answers what every layer was measured to hold. `reasons` are of `separate`."""
    layers = {"namespaces": probes.namespaces(), "rlimits": probes.rlimits(), **probes.privileges()}
    landlock.restrict()
    layers["landlock"] = probes.landlock()
    if seccomp.available():
        seccomp.install(ALLOWED, default=refuse(errno.EPERM))
        layers["seccomp"] = probes.seccomp()
    else:
        layers["seccomp"] = False  # probing would be harmless too, but for the child that it forks
    return probes.judge(layers, reasons)


def _unused_uid() -> int:
    """A random id of our range, or of the top of what this user namespace maps (containers map few)."""
    uid = _FIRST_UID + secrets.randbelow(_UIDS)
    try:
        lines = Path("/proc/self/uid_map").read_text().splitlines()
    except OSError:  # no /proc: take it for the machine's own user namespace, which maps all ids
        return uid
    extents = [tuple(map(int, line.split())) for line in lines]
    if any(first <= uid < first + count for first, _, count in extents):
        return uid
    first, _, count = max(extents)
    return first + count - 1 - secrets.randbelow(min(count - 1, 1000) or 1)
