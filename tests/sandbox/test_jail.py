"""Attacks on the operating system with the language policy off: whatever Python can try, none gets anywhere."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from glossator.kernel.syscalls import number
from glossator.sandbox import Limits, Sandbox

pytestmark = pytest.mark.anyio

# What cells could not import any more, as the jail has no files.
TOOLS = ("ctypes", "subprocess", "socket", "multiprocessing.shared_memory", "resource", "mmap", "fcntl", "threading")

PREAMBLE = """
import ctypes, errno, fcntl, mmap, os, resource, signal, socket, subprocess, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    if getattr(libc, name)(*arguments) < 0: raise OSError(ctypes.get_errno(), name)
"""


def raw(name: str, arguments: str) -> str:
    """A system call by its number on this machine."""
    return f"call('syscall', {number(name)}, {arguments})"


REFUSED = {
    "read a file": "open('/etc/passwd')",
    "read its own memory": "open('/proc/self/mem', 'rb')",
    "read the parent's environment": "open('/proc/1/environ')",
    "list the root": "os.listdir('/')",
    "stat": "os.stat('/')",
    "make a folder": "os.mkdir('/x')",
    "where am I": "os.getcwd()",
    "tcp": "socket.create_connection(('127.0.0.1', 80))",
    "udp": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "unix socket": "socket.socket(socket.AF_UNIX)",
    "netlink": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "raw packets": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "a pair of sockets that is no unix pair": "socket.socketpair(socket.AF_INET)",
    "datagrams, which could go to other programs": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "packets, likewise": "socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)",
    "send to an address": "socket.socketpair()[0].sendto(b'x', '\\0glossator')",
    "fork": "os.fork()",
    "run a program": "subprocess.run(['/bin/true'])",
    "become a program": "os.execv('/bin/true', ['true'])",
    "start a thread": raw("clone", "0x10f00, 0, 0, 0, 0"),
    "kill the parent": "os.kill(os.getppid(), 9)",
    "kill everything": "os.kill(-1, 9)",
    "kill itself": "os.kill(os.getpid(), 9)",
    "signal a thread": raw("tkill", "1, 0"),
    "trace": "call('ptrace', 16, 1, 0, 0)",
    "read another process": "call('process_vm_readv', 1, 0, 0, 0, 0, 0)",
    "memory file": "os.memfd_create('x')",
    "executable memory": "mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)",
    "memory made executable": "call('mprotect', ctypes.c_void_p(id(0) & ~4095), 4096, 7)",
    "new namespace": "call('unshare', 0x10000000)",
    "enter a namespace": "call('setns', 3, 0)",
    "mount": "call('mount', b't', b'/', b'tmpfs', 0, None)",
    "change the root": "os.chroot('/')",
    "become root": "os.setuid(0)",
    "regain privileges": "call('prctl', 4, 1, 0, 0, 0)",
    "more memory": "call('setrlimit', 9, bytes(16))",
    "duplicate the channel": "fcntl.fcntl(3, 1030, 5)",
    "watch the channel with signals": "fcntl.fcntl(3, fcntl.F_SETOWN, 1)",
    "keys": raw("keyctl", "0, -3, 0"),
    "io_uring": raw("io_uring_setup", "4, ctypes.create_string_buffer(120)"),
    "bpf": raw("bpf", "0, 0, 0"),
    "performance events": raw("perf_event_open", "0, 0, 0, 0, 0"),
    "user page faults": raw("userfaultfd", "0"),
    "another filter": raw("seccomp", "1, 0, 0"),
    "shared memory": "call('shmget', 0, 4096, 0o1600)",
    "pass descriptors": "call('sendmsg', 3, 0, 0)",
    "host name": "socket.sethostname('x')",
    "clock": raw("adjtimex", "0"),
    "the time that another process used": "time.clock_gettime(~os.getppid() << 3 | 2)",
    "out-of-band bytes": "socket.socketpair()[0].send(b'x', socket.MSG_OOB)",
    "peek": "socket.socketpair()[0].recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)",
    "a futex that inherits priority": raw("futex", "ctypes.create_string_buffer(64), 6, 0, 0, 0, 0"),
    "pages shared with equal ones": "mmap.mmap(-1, 4096).madvise(12)",
    "huge pages": "mmap.mmap(-1, 2 << 20, flags=0x40022)",
    "robust futexes of another": raw("get_robust_list", "1, 0, 0"),
    "interrupt every processor": raw("membarrier", "2, 0, 0"),
    "pidfd": "os.pidfd_open(1)",
}


async def test_what_the_kernel_refuses() -> None:
    attempts = "\n".join(
        f"try:\n    {code}\n    print({name!r}, 'WORKED')\nexcept OSError as e:\n"
        f"    print({name!r}, '' if e.errno in (1, 13) else errno.errorcode[e.errno])"
        for name, code in REFUSED.items()
    )
    async with Sandbox._without_policy(preload=TOOLS) as sandbox:
        session = await sandbox.session()
        result = await session.run(PREAMBLE + attempts)
        assert result.error is None
        assert result.stdout.splitlines() == [f"{name} " for name in REFUSED]


async def test_a_thread_cannot_be_started() -> None:
    async with Sandbox._without_policy(preload=TOOLS) as sandbox:
        session = await sandbox.session()
        error = (await session.run("import threading\nthreading.Thread(target=print).start()")).error
        assert error is not None and "can't start new thread" in error.message


async def test_a_worker_has_one_descriptor_no_environment_and_no_name() -> None:
    look = """
import fcntl, os, sys
opened = []
for descriptor in range(64):
    try: fcntl.fcntl(descriptor, fcntl.F_GETFD)
    except OSError: pass
    else: opened.append(descriptor)
print(opened, dict(os.environ), os.getpid(), os.getppid(), sys.stdin)
"""
    async with Sandbox._without_policy(preload=TOOLS) as sandbox:
        result = await (await sandbox.session()).run(look)
        opened, rest = result.stdout.split("] ")
        # The socket to the host is the only one that was inherited; the event loop's three were made in the jail.
        assert json.loads(opened + "]") == [0, 1, 2, 3]
        assert rest == "{} 1 0 None\n"


CRASHES = ["ctypes.string_at(0)", "os._exit(0)", "os.abort()", "sys.exit = os._exit(1)"]
if os.uname().machine == "x86_64":
    CRASHES.append("call('syscall', 0x40000000 + 39)")  # getpid of x32


@pytest.mark.parametrize("code", CRASHES)
async def test_a_crash_ends_the_session_at_once_and_is_told(code: str) -> None:
    async with Sandbox._without_policy(preload=TOOLS) as sandbox:
        session = await sandbox.session()
        result = await session.run(PREAMBLE + code)
        assert result.error is not None
        assert (result.error.type, result.timed_out, session.alive) == ("WorkerEnded", False, False)
        assert (await session.run("1")).value == "1"


async def test_signals_that_are_ignored_do_not_outlive_the_deadline() -> None:
    code = "for n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n    except (OSError, ValueError): pass\n"
    async with Sandbox._without_policy(limits=Limits(wall_s=0.3), preload=TOOLS) as sandbox:
        session = await sandbox.session()
        result = await session.run(PREAMBLE + code + "while True: pass")
        assert (result.timed_out, session.alive) == (True, False)


SYSTEM = ("os-", "cpu", "memory", "output", "parser", "host-call")


@pytest.mark.slow
async def test_recorded_attacks(shared: Path) -> None:
    lines = (shared / "sandbox" / "attacks.jsonl").read_text().splitlines()
    attacks = [attack for attack in map(json.loads, lines) if attack["category"].startswith(SYSTEM)]
    assert len(attacks) > 40

    async def search(query: str, limit: int = 10) -> list[str]:
        return [query]

    async with Sandbox._without_policy(limits=Limits(wall_s=1), preload=(*TOOLS, "difflib")) as sandbox:
        for attack in attacks:
            session = await sandbox.session()
            result = await session.run(attack["code"])
            assert "PWNED" not in result.stdout, attack
            assert result.wall_s < 1 + 1 + 1, attack  # the limit, its grace, a busy machine
            assert (await session.run("x = 0\n1")).value == "1", attack
            await session.close()
