"""The jail of the conversion child, tried from inside: what code that took over a parser could still do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from glossator.corpus.conversion.job import OUTPUT, SOURCE

ATTEMPTS = """
import errno, fcntl, json, os, resource, signal, socket, sys
from pathlib import Path
from glossator.corpus.conversion import child
from glossator.corpus.conversion.job import Job
from glossator.kernel import capabilities, libc

folder, other = sys.argv[1:]
job = Job(1, folder, "a.txt", "id", None, 20.0, 20, 2048, 512)
parent, report = os.getppid(), os.dup(1)
child.process.close_all_but = lambda *kept: None  # keeps the way to report
child._jail(job)
attempts = {
    "read another file": lambda: open(other),
    "change its mode": lambda: os.chmod(other, 0o777),
    "change its owner": lambda: os.chown(other, os.getuid(), os.getgid()),
    "change its times": lambda: os.utime(other, (0, 0)),
    "shorten it": lambda: os.truncate(other, 0),
    "remove it": lambda: os.unlink(other),
    "link to it": lambda: os.symlink(other, job.output / "link"),
    "write the document": lambda: open(job.source, "w"),
    "a socket": lambda: socket.socket(socket.AF_UNIX),
    "datagrams": lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM),
    "signal the service": lambda: os.kill(parent, 0),
    "signal it by a pipe": lambda: fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, parent),
    "limit it": lambda: resource.prlimit(parent, resource.RLIMIT_CORE, (0, 0)),
    "slow it down": lambda: os.setpriority(os.PRIO_PROCESS, parent, 19),
    "share memory": lambda: libc.syscall("shmget", 0x77, 4096, 0o1600),
    "a program": lambda: os.execv("/bin/true", ["true"]),
    "a process": lambda: os.fork(),
    "folders without an end": lambda: os.mkdir(job.output / "x"),
}
worked = []
for name, attempt in attempts.items():
    try:
        attempt()
        worked.append(name)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EACCES):
            worked.append(f"{name}: {error}")
(job.output / "content.txt").write_text("x")
powers = capabilities.held() & ~(1 << capabilities.DAC_READ_SEARCH)
os.write(report, json.dumps({"worked": worked, "powers": powers}).encode())
"""


def test_only_its_own_folder_can_be_changed(tmp_path: Path) -> None:
    (tmp_path / SOURCE).write_text("x")
    (tmp_path / OUTPUT).mkdir()
    other = tmp_path / "other"
    other.write_text("x")
    done = subprocess.run(
        [sys.executable, "-c", ATTEMPTS, str(tmp_path), str(other)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"worked": [], "powers": 0}
    assert (tmp_path / OUTPUT / "content.txt").read_text() == "x"
