"""With the policy off, a cell is as good as native code: what it can reach of the machine, by every call there is."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import pytest

from glossator.kernel.syscalls import GROUPS, NUMBERS, number
from glossator.sandbox import Limits, Sandbox

from ..environments import PLACES, run_at
from .test_filter import ABSENT, BY_ARGUMENTS, FREE

TOOLS = ("ctypes", "fcntl", "gc", "socket", "signal")
SECRET = (
    "canary-7d1f0c93a4"  # in the host's environment, memory, command line and threads, in a file and a socket's name
)

# Runs in the host: a session that tries the cell's code, whatever place this is.
HOST = """
import asyncio, json, os, socket, sys, tempfile
from glossator.sandbox import Limits, Sandbox

async def main():
    secret = os.environ["CANARY"]
    listening = socket.socket(socket.AF_UNIX)
    listening.bind("\\0" + secret)
    listening.listen()
    file = tempfile.NamedTemporaryFile(prefix=secret)
    file.write(secret.encode()); file.flush()
    limits = Limits(wall_s=20, output_chars=100_000)
    async with Sandbox._without_policy(limits=limits, preload=json.loads(sys.argv[2])) as sandbox:
        session = await sandbox.session()
        code = sys.stdin.read().replace("HOST_PID", str(os.getpid()))
        result = await session.run(code)
        assert result.error is None, result.error
        assert (await session.run("1")).value == "1"
        listening.setblocking(False)
        try: listening.accept(); reached = True
        except BlockingIOError: reached = False
        print(json.dumps({"level": session.isolation.level, "reached": reached, "told": json.loads(result.stdout)}))

asyncio.run(main())
"""

PREAMBLE = """
import ctypes, errno, fcntl, gc, json, os, signal, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
room = ctypes.create_string_buffer(65536)
here = ctypes.addressof(room)

def call(number, *arguments):
    ctypes.set_errno(0)
    given = [ctypes.c_long(each) for each in arguments]
    if libc.syscall(ctypes.c_long(number), *given) != -1: return "ok"
    return errno.errorcode.get(ctypes.get_errno(), str(ctypes.get_errno()))

def attempt(function, *arguments):
    try: function(*arguments)
    except OSError as error: return errno.errorcode[error.errno]
    except ValueError as error: return "ValueError"
    return "ok"
"""

# Every number there is, and some that are still to come, with nothing, with everything, with an own buffer as whatever
# is read or written, and as if the first argument were a process, a descriptor or a path.
SWEEP = """
told = {}
given = [(0,) * 6, (-1,) * 6, (here,) * 6, (1, here, here, here, here, here), (HOST_PID, 0, here, here, 0, 0),
         (9, here, 16, 0, here, 16), (-100, here, 0, 0o600, 0, 0)]
for number in range(1024):
    if number not in ALLOWED:
        told[number] = sorted({call(number, *arguments) for arguments in given})
refused = {name: sorted({call(NUMBER[name], *each) for each in arguments}) for name, arguments in REFUSED.items()}
print(json.dumps([told, refused]))
"""

# What is allowed whatever the arguments, tried with hostile ones.
ALLOWED = """
told = {
    "write to descriptors that are not there": call(NUMBER["write"], 9, here, 8),
    "read into memory that is not there": call(NUMBER["read"], 0, 8, 8),
    "unmap what is not ours": call(NUMBER["munmap"], -4096, 4096),
    "move the kernel": call(NUMBER["mremap"], -4096, 4096, 4096, 1, 0),
    "grow for ever": call(NUMBER["mremap"], here & ~4095, 4096, 1 << 40, 1, 0),
    "other's usage": call(NUMBER["getrusage"], HOST_PID, here),
    "a signal that cannot be handled": call(NUMBER["rt_sigaction"], 9, here, 0, 8),
    "an alarm of no kind": call(NUMBER["setitimer"], 9, here, 0),
    "poll of a descriptor that is not there": call(NUMBER["epoll_ctl"], 0, 1, 9, here),
    "an event loop in itself": call(NUMBER["epoll_ctl"], 0, 1, 0, here),
}
print(json.dumps(told))
"""

AROUND = """
paths = ["/", ".", "..", "/proc", "/proc/self/environ", "/proc/self/mem", "/proc/self/maps", "/proc/1/root",
         "/proc/self/fd/3", f"/proc/{HOST_PID}/environ", "/proc/sys/kernel/core_pattern",
         "/proc/keys", "/sys", "/dev/null",
         "/dev/shm", "/tmp", "/etc/passwd", "/documents", "/run/docker.sock", "/dev/mem", "x" * 5000, "a/" * 2000]
modes = (os.O_RDONLY, os.O_RDWR, os.O_CREAT | os.O_WRONLY, os.O_PATH)
opened = {path[:40]: {attempt(os.open, path, mode) for mode in modes}
          | {attempt(os.stat, path), attempt(os.listdir, path), attempt(os.readlink, path), attempt(os.chdir, path)}
          for path in paths}
descriptors = [each for each in range(4096) if attempt(fcntl.fcntl, each, fcntl.F_GETFD) == "ok"]
texts = [each for each in gc.get_objects() if isinstance(each, dict)]
texts = [str(value) for each in texts for value in each.values() if isinstance(value, (str, bytes))]
environment = ctypes.c_void_p.in_dll(libc, "environ").value
told = {
    "opened": {path: sorted(outcomes) for path, outcomes in opened.items()},
    "descriptors": descriptors,
    "environment": sorted(os.environ),
    "environ": environment and ctypes.cast(environment, ctypes.POINTER(ctypes.c_char_p))[0],
    "secret": [each for each in (*texts, *sys.argv, *sys.orig_argv) if "canary" + "-7d1f" in each],
    "abstract socket": attempt(socket.socket, socket.AF_UNIX),
    "clocks": [attempt(__import__("time").clock_gettime, ~HOST_PID << 3 | 2)],
    "priority": attempt(os.getpriority, os.PRIO_PROCESS, HOST_PID),
    "session": attempt(os.getsid, HOST_PID),
    "group": attempt(os.getpgid, HOST_PID),
    "scheduler": attempt(os.sched_getaffinity, 0),
    "who is there": sorted({attempt(os.kill, each, 0) for each in (1, 2, HOST_PID, os.getppid(), -1)}),
}
print(json.dumps(told, default=str))
"""

# uretprobe and uprobe: the kernel lets them past every filter, and refuses them, or kills, when they are called from
# elsewhere than its own code. See `test_a_call_past_the_filter_ends_the_worker`.
PAST_FILTERS = {335, 336} if os.uname().machine == "x86_64" else set()

REACHES = ("as it is", "an ordinary user", "root of a container", "no Landlock")  # level 3 twice, and either level 2


def tried(place: str, code: str) -> Any:
    numbers = {name: number(name) for name in NUMBERS}
    allowed = {numbers[name] for name in (*FREE, *BY_ARGUMENTS)} - {None} | PAST_FILTERS
    refused = {name: by_arguments[1] for name, by_arguments in BY_ARGUMENTS.items()}
    code = f"ALLOWED, NUMBER, REFUSED = {allowed!r}, {numbers!r}, {refused!r}\n{PREAMBLE}{code}"
    environment = {**os.environ, "CANARY": SECRET, "TMPDIR": "/tmp"}
    command = [sys.executable, "-c", HOST, SECRET, json.dumps(TOOLS)]
    ran = run_at(PLACES[place], *command, input=code, env=environment)
    assert ran.returncode == 0, ran.stderr
    said = json.loads(ran.stdout)
    assert (said["level"], said["reached"]) == (PLACES[place].level, False)
    return said["told"]


@pytest.mark.parametrize("place", REACHES)
def test_no_system_call_reaches_anything(place: str) -> None:
    names = {str(number(name)): name for name in NUMBERS}
    told, refused = tried(place, SWEEP)
    outcomes = {names.get(each, each): tuple(found) for each, found in told.items()}
    absent = {name for name in ABSENT if number(name) is not None}
    assert {outcomes.pop(name) for name in absent} == {("EACCES",)}
    assert set(outcomes.values()) == {("EPERM",)}
    assert len(outcomes) > 900
    # Named one by one, whatever else the sweep did: nothing of any family is left.
    for family, calls in GROUPS.items():
        here = {call for call in calls if number(call) is not None} - BY_ARGUMENTS.keys()
        assert {outcomes[call] for call in here} == {("EPERM",)}, family
    assert refused == {name: ["ENOTTY" if name == "ioctl" else "EPERM"] for name in BY_ARGUMENTS}


@pytest.mark.parametrize("place", REACHES[:1])
def test_allowed_calls_with_hostile_arguments_fail(place: str) -> None:
    told = tried(place, ALLOWED)
    assert set(told.values()) <= {"EBADF", "EFAULT", "EINVAL", "ENOMEM", "EPERM"}, told


@pytest.mark.parametrize("place", REACHES)
def test_nothing_is_found_around(place: str) -> None:
    told = tried(place, AROUND)
    opened = told.pop("opened")
    assert {outcome for outcomes in opened.values() for outcome in outcomes} == {"EACCES"}
    assert told == {
        "descriptors": [0, 1, 2, 3],  # the event loop's, made in the jail, and the socket to the host
        "environment": [],
        "environ": None,
        "secret": [],
        "abstract socket": "EPERM",
        "clocks": ["EPERM"],
        "priority": "EPERM",
        "session": "EPERM",
        "group": "EPERM",
        "scheduler": "EPERM",
        "who is there": ["EPERM"],
    }


@pytest.mark.anyio
async def test_a_fresh_filter_cannot_be_put_over_the_first() -> None:
    """Nor can the first be taken off, weakened by a second thread, or left by another personality."""
    code = PREAMBLE + (
        f"[call({number('seccomp')}, each, 0, here) for each in range(4)]"
        f" + [call({number('prctl')}, each, 2, here, 0, 0) for each in (4, 8, 22, 38, 53, 0x59616D61)]"
        f" + [call({number('personality')}, 0x0400000)]"
    )
    async with Sandbox._without_policy(limits=Limits(wall_s=20), preload=TOOLS) as sandbox:
        result = await (await sandbox.session()).run(code)
        assert result.value == str(["EPERM"] * 11)


@pytest.mark.anyio
@pytest.mark.parametrize("call", sorted(PAST_FILTERS))
async def test_a_call_past_the_filter_ends_the_worker(call: int) -> None:
    async with Sandbox._without_policy(limits=Limits(wall_s=20), preload=TOOLS) as sandbox:
        result = await (await sandbox.session()).run(f"{PREAMBLE}call({call}, 0, 0, 0, 0, 0, 0)")
        # Older kernels know no such call, and the filter refuses the number; ENXIO is the call's own refusal.
        assert result.value in ("'EPERM'", "'ENXIO'") or (result.error and result.error.type == "WorkerEnded")
