"""Runs a small program in a process of its own, which may give things up for good, and says how its attempts ended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

_PREAMBLE = """
import ctypes, errno, fcntl, json, mmap, os, resource, signal, socket, sys, threading
from pathlib import Path
from glossator.kernel import capabilities, landlock, libc, namespaces, process, seccomp
from glossator.kernel.seccomp import ALLOW, KILL, Check, Rule, refuse

ended = {}

def attempt(name, function, *arguments):
    try:
        result = function(*arguments)
        ended[name] = result if isinstance(result, (int, str, list)) and result is not True else "done"
    except OSError as error:
        ended[name] = errno.errorcode.get(error.errno, str(error))

"""


def attempts(program: str, *arguments: str | Path) -> dict[str, object]:
    """What `attempt(name, function, …)` saw: an errno's name, "done", or what the function answered."""
    finished = run(program, *arguments)
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


def run(program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    source = _PREAMBLE + dedent(program) + "\nos.write(1, json.dumps(ended).encode())\n"
    return subprocess.run(
        [sys.executable, "-c", source, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
