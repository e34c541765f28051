"""The worker's filter, call by call and on both architectures, as the kernel would read it."""

from __future__ import annotations

import errno

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glossator.kernel.seccomp import ALLOW, KILL, assemble, refuse
from glossator.kernel.syscalls import ARCHITECTURES, NUMBERS, Architecture, number
from glossator.sandbox.jail import ALLOWED

from ..kernel.bpf import judge

EPERM, EACCES, ENOTTY = refuse(errno.EPERM), refuse(errno.EACCES), refuse(errno.ENOTTY)
PROGRAMS = {name: assemble(ALLOWED, EPERM, on) for name, on in ARCHITECTURES.items()}
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a machine that is busy
BOTH = pytest.mark.parametrize("on", ARCHITECTURES.values(), ids=ARCHITECTURES.keys())

# Allowed whatever the arguments: they act on the process itself or on descriptors that it has.
FREE = {
    *("read", "write", "readv", "writev", "close", "lseek", "fstat", "brk", "munmap", "mremap"),
    *("poll", "ppoll", "select", "pselect6", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2"),
    *("nanosleep", "gettimeofday", "time", "times", "setitimer", "getitimer", "getrusage", "sched_yield"),
    *("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall"),
    *("getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid", "getrandom", "exit", "exit_group"),
}
ABSENT = {
    *("open", "openat", "openat2", "creat", "stat", "lstat", "newfstatat", "statx", "access", "faccessat"),
    *("faccessat2", "readlink", "readlinkat", "getcwd", "chdir", "getdents64"),
}
# call: arguments that pass, arguments that do not
BY_ARGUMENTS: dict[str, tuple[list[tuple[int, ...]], list[tuple[int, ...]]]] = {
    # private or not, plain waiting and waking; not REQUEUE, WAKE_OP, LOCK_PI, TRYLOCK_PI, WAIT_REQUEUE_PI, LOCK_PI2
    "futex": ([(0, 0), (0, 129), (0, 137), (0, 393)], [(0, each | 128) for each in (3, 4, 5, 6, 7, 8, 11, 12, 13)]),
    # CLOCK_TAI is the last; the CPU clock of process 1, and of a descriptor
    "clock_gettime": ([(0,), (1,), (2,), (11,)], [(12,), (~1 << 3 | 2,), (~3 << 3 | 3,), (1 << 31,)]),
    "clock_getres": ([(1,)], [(~1 << 3 | 2,)]),
    "clock_nanosleep": ([(1,)], [(~1 << 3 | 2,)]),
    "mmap": ([(0, 1, 3, 0x22), (0, 1, 0, 0x21)], [(0, 1, 4, 0x22), (0, 1, 7, 0x22), (0, 1, 3, 0x40022)]),
    "mprotect": ([(0, 1, 3)], [(0, 1, 4), (0, 1, 7), (0, 1, 5)]),
    "madvise": (
        [(0, 1, 4), (0, 1, 8)],
        [(0, 1, 9), (0, 1, 12), (0, 1, 100), (0, 1, -1)],
    ),  # REMOVE, MERGEABLE, HWPOISON
    # DONTWAIT and NOSIGNAL; not OOB, DONTROUTE, MORE, ZEROCOPY, nor an address
    "sendto": (
        [(3, 0, 1, 0), (3, 0, 1, 0x4040)],
        [(3, 0, 1, 1), (3, 0, 1, 4), (3, 0, 1, 0x8000), (3, 0, 1, 0x4000000), (3, 0, 1, 0, 0, 16)],
    ),
    "recvfrom": ([(3, 0, 1, 0x40)], [(3, 0, 1, 1), (3, 0, 1, 2), (3, 0, 1, 0x2000)]),  # not OOB, PEEK, ERRQUEUE
    # Unix streams; not datagrams, packets, other families
    "socketpair": ([(1, 1), (1, 0x80801)], [(1, 2), (1, 3), (1, 5), (2, 1), (16, 1), (40, 1)]),
    "fcntl": ([(3, 0), (3, 4)], [(3, each) for each in (5, 8, 10, 15, 1024, 1026, 1031, 1033, -1)]),
    "ioctl": ([(3, 0x5421)], [(3, 0x5401), (3, 0x8913), (3, 0x5412), (3, 0x5411)]),
}


def verdict(on: Architecture, call: str, *arguments: int) -> int:
    where = number(call, on)
    assert where is not None
    return judge(PROGRAMS[on.name], on.audit, where, arguments)


@BOTH
def test_every_number_that_is_not_allowed_is_refused(on: Architecture) -> None:
    names = {number(name, on): name for name in NUMBERS}
    outcome = {each: judge(PROGRAMS[on.name], on.audit, each, (-1, -1, -1, -1, -1, -1)) for each in range(1024)}
    assert {names.get(each) for each, answer in outcome.items() if answer == ALLOW} == _here(FREE, on)
    assert {names.get(each) for each, answer in outcome.items() if answer == EACCES} == _here(ABSENT, on)
    assert {names.get(each) for each, answer in outcome.items() if answer == ENOTTY} == {"ioctl"}
    assert set(outcome.values()) == {ALLOW, EACCES, ENOTTY, EPERM}


def _here(names: set[str], on: Architecture) -> set[str]:
    return {name for name in names if number(name, on) is not None}


@BOTH
@pytest.mark.parametrize("call", BY_ARGUMENTS)
def test_what_arguments_decide(on: Architecture, call: str) -> None:
    passing, refused = BY_ARGUMENTS[call]
    assert {verdict(on, call, *arguments) for arguments in passing} == {ALLOW}
    assert {verdict(on, call, *arguments) for arguments in refused} == {ENOTTY if call == "ioctl" else EPERM}


@BOTH
def test_no_call_is_forgotten_here(on: Architecture) -> None:
    assert {rule.call for rule in ALLOWED} == FREE | ABSENT | BY_ARGUMENTS.keys()


@BOTH
@PATIENT
@given(call=st.integers(0, 2**32 - 1), audit=st.integers(0, 2**32 - 1), first=st.integers(0, 2**64 - 1))
def test_another_architecture_is_killed(on: Architecture, call: int, audit: int, first: int) -> None:
    if audit != on.audit:
        assert judge(PROGRAMS[on.name], audit, call, (first,)) == KILL


@PATIENT
@given(call=st.integers(0x40000000, 2**32 - 1), first=st.integers(0, 2**64 - 1))
def test_the_second_table_of_x86_is_killed(call: int, first: int) -> None:
    on = ARCHITECTURES["x86_64"]
    assert judge(PROGRAMS[on.name], on.audit, call, (first,)) == KILL


@BOTH
@PATIENT
@given(arguments=st.lists(st.integers(0, 2**64 - 1), min_size=6, max_size=6), call=st.integers(0, 1023))
def test_the_upper_half_of_an_argument_changes_nothing(on: Architecture, arguments: list[int], call: int) -> None:
    """The kernel reads 32 bits of each argument that is looked at; so does the filter."""
    low = [each & 0xFFFFFFFF for each in arguments]
    assert judge(PROGRAMS[on.name], on.audit, call, arguments) == judge(PROGRAMS[on.name], on.audit, call, low)
