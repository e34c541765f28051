"""Places where the product may have to run, made on this machine: containers, kernels without this or that, bare users.

A command is started behind a filter and in namespaces that take away what such a place lacks. Most need root.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest

_PROJECT = Path(__file__).resolve().parent.parent
ORDINARY = 54321  # a user id that nobody has

# Runs as root, takes things away, becomes the command.
_ENTER = """
import errno, json, os, resource, sys
from glossator.kernel import capabilities, libc, namespaces, process, seccomp
from glossator.kernel.seccomp import ALLOW, Check, Rule, refuse

place, shown = json.loads(sys.argv[1]), json.loads(sys.argv[2])

# Root regains at an exec what is in its bounding set.
def keep(*wanted):
    for capability in set(range(41)) - set(wanted):
        libc.call("prctl", 24, capability, 0, 0, 0)

def mount(kind, where, flags, options=None, what=b"none"):
    libc.call("mount", what, os.fsencode(where), kind, flags, options)

# Lets other users reach folders below those of root: what closes them gives way to empty folders.
def uncover():
    for path in shown:
        above = [path[:end] for end, letter in enumerate(path) if letter == "/" and end]
        closed = [folder for folder in above if os.path.isdir(folder) and not os.stat(folder).st_mode & 1]
        if closed:
            kept = {each: os.open(each, os.O_PATH) for each in shown if each.startswith(closed[0] + "/")}
            mount(b"tmpfs", closed[0], 0, b"mode=755")
            for each, anchor in kept.items():
                os.makedirs(each, exist_ok=True)
                mount(None, each, 0x5000, what=b"/proc/self/fd/%d" % anchor)  # MS_BIND | MS_REC
                os.close(anchor)

if place["private"] or place["user"] is not None:
    namespaces.leave("mount")
    mount(None, "/", 0x44000)  # MS_PRIVATE | MS_REC: nothing of this reaches the machine
if place["user"] is not None:
    uncover()
exec(place["prepare"])
if place["user"] is not None:
    process.become(place["user"])
rules = [Rule(name, refuse(getattr(errno, code))) for name, code in place["refused"].items()]
if "unshare" in place["refused"]:
    rules += [Rule("clone", ALLOW, (Check(0, "lacks", 0x7E020000),)), Rule("clone3", refuse(errno.ENOSYS))]
if rules:
    seccomp.install(rules, default=ALLOW)
os.execv(sys.argv[3], sys.argv[3:])
"""


@dataclass(frozen=True, slots=True)
class Place:
    level: int  # of isolation that is reached there
    missing: tuple[str, ...] = ()  # layers
    refused: Mapping[str, str] = field(default_factory=dict)  # system call: errno
    prepare: str = ""  # Python, run as root
    private: bool = False  # whether `prepare` mounts things
    user: int | None = None


# What the usual default profile of a container refuses without CAP_SYS_ADMIN, as far as a sandbox would ask for it.
_CONTAINER: dict[str, str] = dict.fromkeys(
    (
        *(
            "unshare",
            "setns",
            "mount",
            "umount2",
            "pivot_root",
            "fsopen",
            "fsconfig",
            "fsmount",
            "fspick",
            "move_mount",
        ),
        *("open_tree", "mount_setattr", "keyctl", "add_key", "request_key", "bpf", "perf_event_open", "userfaultfd"),
        *("io_uring_setup", "io_uring_enter", "io_uring_register", "open_by_handle_at", "quotactl", "syslog"),
        *("reboot", "swapon", "swapoff", "init_module", "finit_module", "delete_module", "kexec_load", "personality"),
    ),
    "EPERM",
)
_NO_LANDLOCK: dict[str, str] = dict.fromkeys(
    ("landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"), "ENOSYS"
)
# CHOWN 0, DAC_OVERRIDE 1, FOWNER 3, FSETID 4, KILL 5, SETGID 6, SETUID 7, SETPCAP 8, NET_BIND_SERVICE 10, NET_RAW 13,
# SYS_CHROOT 18, MKNOD 27, AUDIT_WRITE 29, SETFCAP 31
_CONTAINER_CAPABILITIES = "keep(0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31)"

PLACES: Mapping[str, Place] = {
    "as it is": Place(3),
    "an ordinary user": Place(3, user=ORDINARY),
    "root of a container": Place(2, ("namespaces",), _CONTAINER, _CONTAINER_CAPABILITIES),
    "an ordinary user of a container": Place(2, ("namespaces",), _CONTAINER, user=ORDINARY),
    # Root may not map itself into a user namespace without CAP_SETFCAP.
    "root without capabilities": Place(2, ("namespaces",), prepare="keep()"),
    "root without a right to change users": Place(3, prepare="keep(5, 8, 21)"),
    "no user namespaces": Place(
        2,
        ("namespaces",),
        prepare='namespaces.leave("user"); open("/proc/self/uid_map", "w").write("0 0 1"); '
        'open("/proc/sys/user/max_user_namespaces", "w").write("0"); keep()',
    ),
    "user namespaces that cannot be used": Place(2, ("namespaces",), {"mount": "EACCES"}, user=ORDINARY),
    "no Landlock": Place(2, ("landlock",), _NO_LANDLOCK),
    "no Landlock, an ordinary user": Place(2, ("landlock",), _NO_LANDLOCK, user=ORDINARY),
    "no new privileges already": Place(3, prepare="process.no_new_privileges()", user=ORDINARY),
    "a filter already": Place(3, refused={"uselib": "EPERM"}, user=ORDINARY),
    "a read-only root": Place(3, private=True, prepare='mount(None, "/", 0x1021)', user=ORDINARY),
    "/proc that shows only one's own": Place(
        3, private=True, prepare='mount(b"proc", "/proc", 0, b"hidepid=invisible")', user=ORDINARY
    ),
    # Without /proc nobody can map a user into a namespace; root needs no such map.
    "no /proc": Place(3, private=True, prepare='mount(b"tmpfs", "/proc", 0)'),
    "no /proc, an ordinary user": Place(
        2, ("namespaces",), private=True, prepare='mount(b"tmpfs", "/proc", 0)', user=ORDINARY
    ),
    "no shared memory": Place(3, private=True, prepare='mount(b"tmpfs", "/dev/shm", 0, b"mode=000")', user=ORDINARY),
    "few descriptors": Place(3, prepare="process.limit({resource.RLIMIT_NOFILE: 64})", user=ORDINARY),
}
BARE = Place(1, ("namespaces", "landlock"), _CONTAINER | _NO_LANDLOCK, user=ORDINARY)


def run_at(place: Place, *command: str, shown: Sequence[Path] = (), **options: Any) -> subprocess.CompletedProcess[str]:
    """A command, by its path, in that place, to its end; `shown` are folders that its user needs."""
    told = {"text": True, "capture_output": True, "timeout": 120, "check": False}
    return subprocess.run(entering(place, command, shown), **told | options)


def entering(place: Place, command: Sequence[str], shown: Sequence[Path] = ()) -> list[str]:
    """The command line that runs another one in that place."""
    if place != Place(3) and os.geteuid() != 0:
        pytest.skip("takes root to make")
    folders = [sys.base_prefix, sys.prefix, str(_PROJECT), *map(str, shown)]
    return [sys.executable, "-c", _ENTER, json.dumps(asdict(place)), json.dumps(folders), *command]
