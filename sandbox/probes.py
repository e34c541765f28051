"""What the jail really holds, measured inside the worker by trying: each layer before the next one hides it.

A layer counts when its probes failed to get through, not when its system call answered well.
"""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import socket
import struct
from collections.abc import Callable
from typing import Any

from ..kernel import capabilities, process
from .results import Isolation

_SIOCGIFFLAGS = 0x8913
_IFF_UP = 1

# layer: how to get it, for whoever runs the service
_REMEDIES = {
    "namespaces": "allow unprivileged user namespaces (kernel.unprivileged_userns_clone, user.max_user_namespaces, "
    "AppArmor's apparmor_restrict_unprivileged_userns), or in a container allow unshare and mount",
    "landlock": "needs Linux 5.13 or newer with landlock in the lsm= list, and a container that allows its calls",
    "seccomp": "needs CONFIG_SECCOMP_FILTER on x86_64 or aarch64",
    "rlimits": "the resource limits of the worker could not be set",
    "no_new_privs": "needs Linux 3.5 or newer",
    "capabilities": "the worker kept capabilities: run the service as an ordinary user",
}


def namespaces() -> bool:
    """Pid 1, in an empty root, without a network interface that is up: needs open paths and sockets."""
    return os.getpid() == 1 and _root_is_empty() and not any(map(_is_up, _interfaces()))


def landlock() -> bool:
    """The root cannot be opened: only Landlock stops a listing before seccomp stops the call."""
    return _errno(_open_root) == errno.EACCES


def seccomp() -> bool:
    """Opening, talking, multiplying, becoming another program and killing: each call is refused as such."""
    refusals = (
        _errno(_open_root) == errno.EACCES,
        _errno(socket.socket, socket.AF_INET, socket.SOCK_STREAM) == errno.EPERM,
        _fork() == errno.EPERM,  # EAGAIN would be the limit on processes
        _errno(os.execv, "/nonexistent", ["/nonexistent"]) == errno.EPERM,  # ENOENT would be the missing program
        _errno(os.kill, os.getpid(), 0) == errno.EPERM,
    )
    return all(refusals)


def rlimits() -> bool:
    """No files, no processes, no core, and a bound on memory."""
    nothing = (resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE)
    bound = resource.getrlimit(resource.RLIMIT_AS)[1] != resource.RLIM_INFINITY
    return bound and all(resource.getrlimit(kind) == (0, 0) for kind in nothing)


def privileges() -> dict[str, bool]:
    return {"no_new_privs": process.has_no_new_privileges(), "capabilities": capabilities.held() == 0}


def judge(layers: dict[str, bool], reasons: tuple[str, ...] = ()) -> Isolation:
    """The level that these layers make: 3 all three walls, 2 seccomp and one other, 1 the rest."""
    walls = layers["seccomp"] + layers["landlock"] + layers["namespaces"]
    level = walls if walls >= 2 and layers["seccomp"] else 1
    missing = (f"{layer} missing: {_REMEDIES[layer]}" for layer, holds in layers.items() if not holds)
    return Isolation(level, layers, (*reasons, *missing))


def _open_root() -> None:
    os.close(os.open("/", os.O_RDONLY | os.O_DIRECTORY))  # where it can be opened, no descriptor of it may stay


def _root_is_empty() -> bool:
    try:
        return os.listdir("/") == []
    except OSError:  # closed by something else: that says nothing about the root
        return False


def _interfaces() -> list[str]:
    return [name for _, name in socket.if_nameindex()]


def _is_up(interface: str) -> bool:
    """A fresh network namespace holds a loopback (and tunnels, with some modules) that is down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = struct.pack("16sH14x", interface.encode(), 0)  # struct ifreq
        flags = struct.unpack_from("H", fcntl.ioctl(probe, _SIOCGIFFLAGS, request), 16)[0]
    return bool(flags & _IFF_UP)


def _errno(function: Callable[..., Any], *arguments: Any) -> int:
    """The errno with which a call fails; 0 if it works."""
    try:
        function(*arguments)
    except OSError as error:
        return error.errno or 0
    return 0


def _fork() -> int:
    try:
        child = os.fork()
    except OSError as error:
        return error.errno or 0
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return 0
