from __future__ import annotations

import os
import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.kernel.seccomp import ALLOW, KILL, Check, Rule, assemble, refuse
from glossator.kernel.syscalls import ARCHITECTURES, NUMBERS, Architecture

from .bpf import judge
from .child import attempts, run

X86, ARM = ARCHITECTURES["x86_64"], ARCHITECTURES["aarch64"]


RULES = (
    Rule("read"),
    Rule("mmap", ALLOW, (Check(2, "lacks", 4),)),
    Rule("socketpair", ALLOW, (Check(0, "equal", 1), Check(1, "below", 6)), otherwise=refuse(1)),
    Rule("clone", ALLOW, (Check(0, "has", 0x10000),), otherwise=refuse(11)),
    Rule("open", refuse(13)),
    Rule("futex", ALLOW, (Check(0, "below", 9), Check(1, "among", (0, 9, 137)), Check(2, "equal", 2)), refuse(22)),
)
DEFAULT = refuse(38)


@pytest.mark.parametrize("on", [X86, ARM], ids=lambda each: each.name)
@pytest.mark.parametrize(
    ("call", "arguments", "answer"),
    [
        ("read", (), ALLOW),
        ("write", (), DEFAULT),
        ("mmap", (0, 4096, 3), ALLOW),
        ("mmap", (0, 4096, 7), refuse(1)),
        ("mmap", (0, 4096, 4 | 1 << 40), refuse(1)),
        ("socketpair", (1, 5), ALLOW),
        ("socketpair", (1, 6), refuse(1)),
        ("socketpair", (2, 5), refuse(1)),
        ("clone", (0x10000 | 17,), ALLOW),
        ("clone", (17,), refuse(11)),
        *(("futex", (0, value, 2), ALLOW) for value in (0, 9, 137)),
        *(("futex", (0, value, 2), refuse(22)) for value in (1, 8, 10, 136, 1 << 31)),
        ("futex", (9, 9, 2), refuse(22)),
        ("futex", (0, 137, 1), refuse(22)),
    ],
)
def test_rules(on: Architecture, call: str, arguments: tuple[int, ...], answer: int) -> None:
    number = NUMBERS[call][on.column]
    assert number is not None
    assert judge(assemble(RULES, DEFAULT, on), on.audit, number, arguments) == answer


def test_a_call_that_an_architecture_lacks_has_no_rule() -> None:
    assert NUMBERS["open"] == (2, None)
    assert judge(assemble(RULES, DEFAULT, X86), X86.audit, 2) == refuse(13)
    assert judge(assemble(RULES, DEFAULT, ARM), ARM.audit, 2) == DEFAULT


@given(number=st.integers(0, 2**32 - 1), audit=st.integers(0, 2**32 - 1))
def test_only_known_numbers_of_the_right_architecture_get_through(number: int, audit: int) -> None:
    answer = judge(assemble(RULES, DEFAULT, X86), audit, number, (1, 1, 1))
    if audit != X86.audit or number >= 0x40000000:  # another table: i386, x32
        assert answer == KILL
    elif answer == ALLOW:
        assert number in {NUMBERS[name][0] for name in ("read", "mmap", "socketpair")}


def test_an_allow_list() -> None:
    ended = attempts(
        """
        pair = socket.socketpair()
        names = ("read", "write", "close", "exit_group", "munmap", "brk", "rt_sigaction", "sendto", "recvfrom", "futex")
        rules = [Rule(name) for name in names]
        rules.append(Rule("mmap", ALLOW, (Check(2, "lacks", mmap.PROT_EXEC),)))
        seccomp.install(rules, default=refuse(errno.EPERM))
        attempt("talk", lambda: [pair[0].send(b"abc"), pair[1].recv(3).decode()])
        attempt("open", open, "/etc/passwd")
        attempt("socket", socket.socket)
        attempt("fork", os.fork)
        attempt("kill", os.kill, os.getppid(), 0)
        attempt("map", lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE).write(b"x"))
        attempt("map code", lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC))
        attempt("filter again", seccomp.install, [], ALLOW)
        """
    )
    assert ended == {
        "talk": [3, "abc"],
        "open": "EPERM",
        "socket": "EPERM",
        "fork": "EPERM",
        "kill": "EPERM",
        "map": 1,
        "map code": "EPERM",
        "filter again": "EPERM",
    }


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="x32 is a second table of x86_64")
def test_a_call_of_another_table_kills() -> None:
    finished = run(
        """
        seccomp.install([], default=ALLOW)
        libc.call("syscall", 0x40000000 + 39)  # getpid of x32
        attempt("never", int)
        """
    )
    assert finished.returncode == -signal.SIGSYS
    assert finished.stdout == ""


def test_the_deny_list_leaves_threads_files_and_signals_to_oneself(tmp_path: object) -> None:
    ended = attempts(
        """
        attempt("deny", seccomp.deny)
        attempt("file", Path(sys.argv[1], "file").write_text, "x")
        thread = threading.Thread(target=lambda: attempt("thread", int))
        thread.start(); thread.join()
        attempt("own limits", lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        attempt("copied descriptor", lambda: os.close(fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 50)))
        attempt("pair", lambda: [each.close() for each in socket.socketpair()] and "done")
        signal.signal(signal.SIGUSR1, lambda *_: attempt("raised", int))
        attempt("raise", signal.raise_signal, signal.SIGUSR1)
        attempt("socket", socket.socket, socket.AF_UNIX)
        attempt("fork", os.fork)
        attempt("exec", os.execv, "/bin/true", ["true"])
        attempt("kill", os.kill, os.getppid(), 0)
        attempt("ptrace", libc.syscall, "ptrace", 16, os.getppid(), 0, 0)
        attempt("memory file", os.memfd_create, "x")
        attempt("unshare", namespaces.leave, "user")
        attempt("io_uring", libc.syscall, "io_uring_setup", 4, bytes(120))
        attempt("other's thread", libc.syscall, "tgkill", os.getppid(), os.getppid(), 0)
        path = str(Path(sys.argv[1], "file"))
        attempt("datagrams", socket.socketpair, socket.AF_UNIX, socket.SOCK_DGRAM)
        attempt("packets", socket.socketpair, socket.AF_UNIX, socket.SOCK_SEQPACKET)
        attempt("mode", os.chmod, path, 0o777)
        attempt("owner", os.chown, path, os.getuid(), os.getgid())
        attempt("times", os.utime, path, (0, 0))
        attempt("extended attribute", os.setxattr, path, "user.x", b"1")
        attempt("folder", os.mkdir, path + "s")
        attempt("other's limits", resource.prlimit, os.getppid(), resource.RLIMIT_CORE, (0, 0))
        attempt("other's priority", os.setpriority, os.PRIO_PROCESS, os.getppid(), 19)
        attempt("other's processors", os.sched_setaffinity, os.getppid(), {0})
        attempt("other's scheduling", os.sched_setscheduler, os.getppid(), os.SCHED_BATCH, os.sched_param(0))
        attempt("shared memory", libc.syscall, "shmget", 0x77, 4096, 0o1600)
        attempt("message queue", libc.syscall, "msgget", 0x77, 0o1600)
        attempt("semaphores", libc.syscall, "semget", 0x77, 1, 0o1600)
        attempt("whom a pipe signals", fcntl.fcntl, os.pipe()[0], fcntl.F_SETOWN, os.getppid())
        attempt("with what", fcntl.fcntl, os.pipe()[0], 10, signal.SIGKILL)
        """,
        str(tmp_path),
    )
    allowed = {
        "deny": "done",
        "file": 1,
        "thread": 0,
        "own limits": "done",
        "copied descriptor": "done",
        "pair": "done",
        "raised": 0,
        "raise": "done",
    }
    assert {name: ended[name] for name in allowed} == allowed
    denied = ended.keys() - allowed.keys()
    assert {ended[name] for name in denied} == {"EPERM"}
    assert len(denied) == 25


def test_groups_can_be_denied_alone_and_processes_allowed() -> None:
    ended = attempts(
        """
        seccomp.deny("network", processes=True)
        attempt("socket", socket.socket)
        child = os.fork()
        if child == 0:
            os._exit(0)
        attempt("fork", lambda: os.waitpid(child, 0)[1])
        attempt("kill", os.kill, os.getppid(), 0)
        """
    )
    assert ended == {"socket": "EPERM", "fork": 0, "kill": "done"}


def test_the_deny_list_says_when_there_is_no_seccomp() -> None:
    ended = attempts(
        """
        seccomp.install([Rule("seccomp", refuse(errno.ENOSYS))], default=ALLOW)
        attempt("available", lambda: int(seccomp.available()))
        attempt("deny", lambda: int(seccomp.deny()))
        attempt("socket", lambda: socket.socket().close() or "done")
        """
    )
    assert ended == {"available": 0, "deny": 0, "socket": "done"}
