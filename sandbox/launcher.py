"""The zygote seen from the host: started when needed, asked for workers, started again when it has died."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import orjson

from ..kernel import cgroups
from .errors import SandboxUnavailable

_ZYGOTE = "glossator.sandbox.zygote"
_MESSAGE_BYTES = 4096
_ZYGOTE_BYTES = 128 << 20  # what the zygote and the pages that all workers share take, at most
_PROCESSES = 4096  # zygote and workers together, at most
# Of answers on their way to a worker, as far as the system allows: a batch of files goes out at once, while the worker
# is busy with the last one.
_ANSWER_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class Process:
    """A worker: `pidfd` names this process and never another that gets its number later. Close it when done."""

    pid: int
    pidfd: int
    stream: socket.socket  # the host's end

    def kill(self) -> None:
        """End the worker, and as it is pid 1 of its namespace everything in there."""
        self.signal(signal.SIGKILL)

    def signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, number)


class Launcher:
    """Owns one zygote process. `launch` is safe to call from several tasks of one event loop."""

    def __init__(self, modules: Sequence[str], hash_seed: int, memory_bytes: int) -> None:
        self._modules = tuple(modules)  # imported before anything is forked
        self._memory_bytes = memory_bytes  # of all workers together, where the kernel can hold them to it
        self._hash_seed = hash_seed
        self.group: cgroups.Group | None = None  # which zygote and workers are in
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._ids = count(1)
        self._one_at_a_time = asyncio.Lock()  # as the zygote works: more orders would only fill its socket
        self._waiting: dict[int, asyncio.Future[tuple[int, int]]] = {}

    @property
    def running(self) -> bool:
        return self._control is not None

    def start(self) -> None:
        """Start the zygote; it takes orders at once and works on them when it has loaded."""
        ours, theirs = _pair(socket.SOCK_SEQPACKET)
        with theirs:
            try:
                os.close(os.pidfd_open(os.getpid()))
                self._process = self._spawn(theirs.fileno())
            except OSError as error:
                ours.close()
                raise _unavailable(None if error.filename else error.errno, error) from error
        # Before any worker is there: they are born into the group, which costs them nothing.
        self.group = cgroups.hold(self._process.pid, self._memory_bytes + _ZYGOTE_BYTES, _PROCESSES)
        ours.setblocking(False)
        self._control = ours
        asyncio.get_running_loop().add_reader(ours, self._answered)

    def _spawn(self, control: int) -> subprocess.Popen[bytes]:
        # -P: no import from the working folder; -s: none from the user's own packages
        command = [sys.executable, "-P", "-s", "-m", _ZYGOTE, str(control), str(os.getpid()), *self._modules]
        return subprocess.Popen(
            command,
            env={"PYTHONHASHSEED": str(self._hash_seed)},
            pass_fds=[control],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # a terminal's Ctrl-C is for the host
        )

    async def launch(self, memory_bytes: int, within_s: float) -> Process:
        """A new worker, forked and about to jail itself; raises `SandboxUnavailable` if there can be none."""
        async with self._one_at_a_time:
            return await self._launch(memory_bytes, within_s)

    async def _launch(self, memory_bytes: int, within_s: float) -> Process:
        if self._process is not None and self._control is not None and self._process.poll() is not None:
            self._gone("its server process was killed")  # and has not hung up yet
        if self._control is None:
            self.start()
        assert self._control is not None
        ours, theirs = _pair(socket.SOCK_STREAM)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _ANSWER_BYTES)
        identity = next(self._ids)
        answer = self._waiting[identity] = asyncio.get_running_loop().create_future()
        order = orjson.dumps({"id": identity, "memory_bytes": memory_bytes})
        try:
            with theirs:
                socket.send_fds(self._control, [order], [theirs.fileno()])
            async with asyncio.timeout(within_s):
                pid, pidfd = await answer
        except TimeoutError:
            ours.close()
            raise SandboxUnavailable(f"no worker could be started within {within_s:g} s") from None
        except OSError as error:
            ours.close()
            self._waiting.pop(identity, None)  # the error below is its answer: nobody would look at another
            if self._control is not None:  # it is ending: whoever asks next shall get another
                self._gone("its server process ended")
            raise _unavailable(error.errno, error) from error
        except BaseException:
            ours.close()
            raise
        finally:
            self._waiting.pop(identity, None)
        ours.setblocking(False)
        return Process(pid, pidfd, ours)

    def close(self) -> None:
        """End the zygote, and with it every worker."""
        if self._control is not None:
            self._gone("the sandbox was closed")

    def _answered(self) -> None:
        assert self._control is not None
        try:
            message, descriptors, _, _ = socket.recv_fds(self._control, _MESSAGE_BYTES, 1)
        except BlockingIOError:
            return
        except ConnectionError:
            message, descriptors = b"", []
        if not message:
            self._gone("its server process ended; what it said is on standard error")
            return
        answer = orjson.loads(message)
        waiting = self._waiting.pop(answer["id"], None)
        if waiting is None or waiting.done():
            # Whoever asked has given up: nobody else would end this worker.
            for descriptor in descriptors:
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
                os.close(descriptor)
        elif "error" in answer:
            waiting.set_exception(_unavailable(answer["errno"], answer["error"]))
        else:
            waiting.set_result((answer["pid"], descriptors[0]))

    def _gone(self, reason: str) -> None:
        assert self._control is not None
        assert self._process is not None
        asyncio.get_running_loop().remove_reader(self._control)
        self._control.close()
        self._control = None
        self._process.kill()  # dead already, or about to be
        self._process.wait()
        if self.group is not None:
            self.group.remove()
            self.group = None
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(SandboxUnavailable(f"no worker could be started: {reason}"))
        self._waiting.clear()


def _pair(kind: socket.SocketKind) -> tuple[socket.socket, socket.socket]:
    try:
        return socket.socketpair(socket.AF_UNIX, kind)
    except OSError as error:
        raise _unavailable(error.errno, error) from error


# What an errno means for whoever runs the service.
_REASONS = {
    errno.ENOSYS: "the sandbox needs Linux 5.3 or newer, with pidfd_open",
    errno.EPERM: "pidfd_open is forbidden here: it needs Linux 5.3 or newer, and a container that allows its calls",
    errno.EAGAIN: "no more processes are allowed: raise `ulimit -u`, or pids.max of the control group",
    errno.EMFILE: "this process may open no more files: raise `ulimit -n`",
    errno.ENFILE: "the machine has no more files to open: raise fs.file-max",
    errno.ENOMEM: "the machine has no memory left",
}


def _unavailable(code: int | None, told: object) -> SandboxUnavailable:
    return SandboxUnavailable(f"no worker could be started: {_REASONS.get(code or 0, told)}")
