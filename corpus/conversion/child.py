"""The forked child: jails itself, converts one document, writes the result into its folder.

Attacks: a parser that is made to run code, to read other files, to call home, to eat memory, time or disk. What it can
reach: the interpreter's files and the document, to read; one folder, to write; no sockets, no other process.
"""

from __future__ import annotations

import os
import resource
import socket
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from ...kernel import capabilities, landlock, process, seccomp, syscalls
from .. import formats, ocr
from . import work
from .job import Confinement, Job

_MIB = 1 << 20
_MAX_FRAMES = 3000  # nested documents need more than the default; too much overflows the stack in C
_SHARED = (
    "/usr/lib",
    "/usr/lib64",
    "/lib",
    "/lib64",
    "/usr/share/zoneinfo",
    "/usr/share/mime",
    "/etc/mime.types",
)
_DEVICES = ("/dev/null", "/dev/urandom", "/dev/zero")


def preload() -> None:
    """Import every reader and what the work needs, so that children start with it."""
    for reader in formats.READERS:
        import_module(f"..readers.{reader}", __package__)
    work.preload()


def run(job: Job) -> None:
    """Convert in jail; the outcome, good or bad, is in the job's folder."""
    _jail(job)
    work.convert(job, confinement())


def confinement() -> Confinement:
    """Measured, not assumed: a kernel may lack Landlock or seccomp."""
    return Confinement(
        files=_is_refused(lambda: os.close(os.open("/etc", os.O_RDONLY))),
        sockets=_is_refused(lambda: socket.socket().close()),
        programs=_is_refused(lambda: os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)),
    )


def _is_refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except PermissionError:
        return True
    except OSError:  # not there, or not possible for another reason: nothing is known to be refused
        return False
    return False


def _jail(job: Job) -> None:
    sys.setrecursionlimit(_MAX_FRAMES)
    process.die_with_parent()
    process.undumpable()
    capabilities.limit()
    # A service that runs as root keeps its powers to itself, but for reading libraries that are another user's.
    capabilities.drop(capabilities.DAC_READ_SEARCH)
    _silence(job)
    process.limit(
        {
            resource.RLIMIT_AS: _address_space() + job.memory_mb * _MIB,
            resource.RLIMIT_CPU: job.cpu_s,
            resource.RLIMIT_FSIZE: job.file_mb * _MIB,
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_NOFILE: 256,
        }
    )
    os.environ["TMPDIR"] = tempfile.tempdir = str(job.output)
    os.chdir(job.output)
    readable = [*_readable(), job.source, *([job.pictures] if job.beside else ())]
    if job.ocr:
        landlock.restrict([*readable, *ocr.data()], [job.output], run=[Path(job.ocr), *ocr.loaders()])
        seccomp.deny(*(group for group in syscalls.GROUPS if group != "execution"), processes=True)
    else:
        landlock.restrict(readable, [job.output])
        seccomp.deny()


def _silence(job: Job) -> None:
    """Libraries may print; nothing of it is for the person at the terminal. Also lets go of the host's socket."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    process.close_all_but(0, 1, 2)


def _address_space() -> int:
    """Bytes of address space that the preloaded libraries take before any work."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def _readable() -> list[Path]:
    here = Path(__file__).resolve().parent
    wanted = [
        *sys.path,
        sys.prefix,
        sys.base_prefix,
        *_SHARED,
        *_DEVICES,
        here.parent,
        here.parent.parent / "kernel",
    ]
    return sorted({path for entry in wanted if entry and (path := Path(entry)).exists()})
