"""The conversion server: imports the heavy libraries once, then forks a child per job and reaps it.

Started by the host with one end of a socket as standard input; it never touches a document itself. It ends when the
host closes its end, and takes its children with it.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import socket
import sys
import time
from dataclasses import dataclass, field

import orjson

from .job import Ended, Job


@dataclass(slots=True)
class _Running:
    job: Job
    pid: int
    deadline: float
    late: bool = False


@dataclass(slots=True)
class _Server:
    host: socket.socket
    selector: selectors.DefaultSelector = field(default_factory=selectors.DefaultSelector)
    running: dict[int, _Running] = field(default_factory=dict)  # by pid file descriptor
    buffer: bytearray = field(default_factory=bytearray)

    def serve(self) -> None:
        self.selector.register(self.host, selectors.EVENT_READ)
        while True:
            for key, _ in self.selector.select(self._wait_s()):
                if key.fileobj is self.host:
                    if not self._receive():
                        return self._end()
                else:
                    self._reap(key.fd)
            self._kill_late()

    def _wait_s(self) -> float | None:
        deadlines = [child.deadline for child in self.running.values() if not child.late]
        return max(0.0, min(deadlines) - time.monotonic()) if deadlines else None

    def _receive(self) -> bool:
        data = self.host.recv(65536)
        self.buffer += data
        *lines, rest = bytes(self.buffer).split(b"\n")
        self.buffer[:] = rest
        for line in lines:
            self._start(Job(**orjson.loads(line)))
        return bool(data)

    def _start(self, job: Job) -> None:
        pid = os.fork()
        if pid == 0:
            _child(job)
        descriptor = os.pidfd_open(pid)
        self.running[descriptor] = _Running(job, pid, time.monotonic() + job.wall_s)
        self.selector.register(descriptor, selectors.EVENT_READ)

    def _reap(self, descriptor: int) -> None:
        self.selector.unregister(descriptor)
        child = self.running.pop(descriptor)
        _, status, used = os.wait4(child.pid, 0)
        os.close(descriptor)
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        self.host.sendall(Ended(child.job.number, number, child.late, used.ru_maxrss >> 10).line())

    def _kill_late(self) -> None:
        for child in self.running.values():
            if not child.late and time.monotonic() >= child.deadline:
                child.late = True
                os.kill(child.pid, signal.SIGKILL)

    def _end(self) -> None:
        for child in self.running.values():
            os.kill(child.pid, signal.SIGKILL)


def _child(job: Job) -> None:
    """Runs in the forked child; never returns."""
    status = 1
    try:
        from .child import run

        run(job)
        status = 0
    finally:
        os._exit(status)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group: the host decides
    from .child import preload

    preload()
    # Children share these objects for as long as nobody writes to them, and the collector marks what it visits.
    gc.collect()
    gc.freeze()
    host = socket.socket(fileno=os.dup(sys.stdin.fileno()))
    host.sendall(b"ready\n")
    _Server(host).serve()


if __name__ == "__main__":
    main()
