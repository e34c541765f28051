"""seccomp: which system calls a process may still make, as a classic BPF program built from a table of rules.

A filter is a list of rules and a default. The first rule for the call's number decides; if its checks on arguments
fail, the rule's `otherwise` does. Calls of another architecture or ABI kill the process: their numbers mean others.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from .libc import syscall
from .process import no_new_privileges
from .syscalls import GROUPS, Architecture, SyscallsUnknown, architecture, number

ALLOW = 0x7FFF0000
KILL = 0x80000000  # the whole process


def refuse(code: int) -> int:
    """The action that makes a call fail with an errno."""
    return 0x00050000 | code


class Check(NamedTuple):
    """A condition on the low 32 bits of an argument, for arguments of which the kernel reads only those."""

    argument: int  # from 0
    test: Literal["equal", "below", "lacks", "has", "among"]  # lacks/has: none/any of the bits of `value`
    value: int | tuple[int, ...]  # several for "among" only


class Rule(NamedTuple):
    call: str
    action: int = ALLOW
    checks: tuple[Check, ...] = ()
    otherwise: int = refuse(errno.EPERM)


def available() -> bool:
    """Whether the kernel takes filters and we have a table for this processor."""
    try:
        action = struct.pack("=I", ALLOW)
        return syscall("seccomp", _GET_ACTION_AVAIL, 0, action) == 0
    except (OSError, SyscallsUnknown):
        return False


def install(rules: Iterable[Rule], default: int) -> None:
    """Put a filter on every thread of this process, for good; raises OSError where that is impossible."""
    no_new_privileges()
    program = b"".join(assemble(rules, default, architecture()))
    code = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: how many instructions, where they are
    header = struct.pack("@HP", len(program) // _SIZE, ctypes.addressof(code))
    stuck = syscall("seccomp", _SET_MODE_FILTER, _ALL_THREADS, header)
    if stuck:
        raise OSError(errno.EBUSY, f"seccomp: thread {stuck} could not take the filter")


def deny(*groups: str, processes: bool = False) -> bool:
    """Refuse groups of calls (all of `syscalls.GROUPS` if none is named) with EPERM, and new processes unless allowed.

    For a process that needs much of libc and threads. Threads can still be started; signals only reach the process
    itself. Answers False, with nothing refused, where the kernel has no seccomp.
    """
    if not available():
        return False
    denied = groups or tuple(GROUPS)
    rules = [Rule(call, refuse(errno.EPERM)) for group in denied for call in GROUPS[group]]
    if "network" in denied:
        rules.append(Rule("socketpair", ALLOW, (Check(1, "lacks", _NOT_STREAM),)))
    if "signals" in denied:
        rules.append(Rule("tgkill", ALLOW, (Check(0, "equal", os.getpid()),)))
        rules.append(Rule("fcntl", ALLOW, (Check(1, "lacks", _OWNERS),)))
    if "others" in denied:
        rules.append(Rule("prlimit64", ALLOW, (Check(0, "equal", 0),)))  # itself
    install(rules if processes else [*rules, *_NO_PROCESSES], default=ALLOW)
    return True


# F_SETOWN 8, F_SETSIG 10, F_SETOWN_EX 15: have the kernel signal another process. The bit is in F_ADD_SEALS and the
# sizes of pipes too, which nobody here needs.
_OWNERS = 0b1000
# Of the kinds of sockets, SOCK_STREAM 1, DGRAM 2, RAW 3, SEQPACKET 5: all but the first. Datagrams can be sent to the
# sockets of other programs, without connecting.
_NOT_STREAM = 0b110
_THREAD = 0x00010000  # CLONE_THREAD
_NO_PROCESSES = (
    Rule("fork", refuse(errno.EPERM)),
    Rule("vfork", refuse(errno.EPERM)),
    Rule("clone", ALLOW, (Check(0, "has", _THREAD),)),
    Rule("clone3", refuse(errno.ENOSYS)),  # its flags are out of a filter's reach; libc falls back to clone
)

# ---- the assembler: struct sock_filter {u16 code; u8 if_true; u8 if_false; u32 value} -------------------------------

_SET_MODE_FILTER, _GET_ACTION_AVAIL = 1, 2
_ALL_THREADS = 1  # SECCOMP_FILTER_FLAG_TSYNC
_SIZE = 8
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


# test: (instruction, whether it must come out true)
_TESTS = {
    "equal": (_EQUAL, True),
    "among": (_EQUAL, True),  # any of several
    "below": (_AT_LEAST, False),
    "lacks": (_ANY_BIT, False),
    "has": (_ANY_BIT, True),
}


def assemble(rules: Iterable[Rule], default: int, on: Architecture) -> list[bytes]:
    """The program for an architecture, one element per instruction; rules for calls that it lacks are left out."""
    program = [
        _instruction(_LOAD, _ARCHITECTURE),
        _instruction(_EQUAL, on.audit, if_true=1),
        _instruction(_RETURN, KILL),
        _instruction(_LOAD, _NUMBER),
    ]
    if on.second_table_from is not None:
        program += [_instruction(_AT_LEAST, on.second_table_from, if_false=1), _instruction(_RETURN, KILL)]
    for rule in rules:
        call = number(rule.call, on)
        if call is not None:
            program += _rule(call, rule)
    return [*program, _instruction(_RETURN, default)]


def _rule(call: int, rule: Rule) -> Sequence[bytes]:
    """Skip to the next rule unless the number is ours; every way through the rest returns."""
    body: list[bytes] = []
    for check in rule.checks:
        body += [*_condition(check), _instruction(_RETURN, rule.otherwise)]
    body.append(_instruction(_RETURN, rule.action))
    return [_instruction(_EQUAL, call, if_false=len(body)), *body]


def _condition(check: Check) -> list[bytes]:
    """Skip what stands right behind if the check holds."""
    code, wanted = _TESTS[check.test]
    values = check.value if isinstance(check.value, tuple) else (check.value,)
    body = [_instruction(_LOAD, _ARGUMENTS + 8 * check.argument)]  # both architectures are little-endian
    for left, value in zip(range(len(values), 0, -1), values, strict=True):
        body.append(_instruction(code, value, **{"if_true" if wanted else "if_false": left}))
    return body
