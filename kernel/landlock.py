"""Landlock: a process gives up the file system, all but the paths that it names, for good.

Handled beyond files, as far as the kernel's Landlock goes: TCP bind and connect (ABI 4), abstract Unix sockets and
signals to processes outside (ABI 6). Restricts the calling thread and what it starts later: call it before threads.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Sequence
from pathlib import Path

from .libc import syscall
from .process import no_new_privileges
from .syscalls import SyscallsUnknown

# Access rights in the order of their bits, each with the ABI that brought it.
_RIGHTS = {
    "execute": 1, "write_file": 1, "read_file": 1, "read_dir": 1, "remove_dir": 1, "remove_file": 1, "make_char": 1,
    "make_dir": 1, "make_reg": 1, "make_sock": 1, "make_fifo": 1, "make_block": 1, "make_sym": 1,
    "refer": 2, "truncate": 3, "ioctl_dev": 5,
}  # fmt: skip
_READ = ("read_file", "read_dir")
_WRITE = (*_READ, "write_file", "truncate", "remove_file", "remove_dir", "make_reg", "make_dir", "refer")
_RUN = ("read_file", "execute")
_OF_FILES = ("execute", "read_file", "write_file", "truncate")  # rights that mean something on a path that is no folder

_TCP = 0b11  # bind, connect
_SCOPES = 0b11  # abstract Unix sockets, signals
_VERSION = 1  # LANDLOCK_CREATE_RULESET_VERSION
_PATH_BENEATH = 1  # LANDLOCK_RULE_PATH_BENEATH


def abi() -> int:
    """The kernel's Landlock version; 0 where there is none."""
    try:
        return syscall("landlock_create_ruleset", None, 0, _VERSION)
    except (OSError, SyscallsUnknown):
        return 0


def restrict(read: Sequence[Path] = (), write: Sequence[Path] = (), run: Sequence[Path] = ()) -> int:
    """Deny this process every path but those beneath `read` (to read) and `write` (to read, make, change, remove).

    Answers the Landlock ABI that is now in force, 0 if the kernel has none: nothing is restricted then. Nothing can
    be executed but the files of `run` (a program, and the loader that starts it); symbolic links, devices and sockets
    cannot be made. Descriptors that are open already go on working. A path that does not exist is a FileNotFoundError.
    """
    version = abi()
    if version == 0:
        return 0
    no_new_privileges()
    ruleset = syscall("landlock_create_ruleset", *_attributes(version), 0)
    try:
        for paths, rights in ((read, _READ), (write, _WRITE), (run, _RUN)):
            for path in paths:
                _allow(ruleset, path, rights, version)
        syscall("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)
    return version


def _attributes(version: int) -> tuple[bytes, int]:
    """struct landlock_ruleset_attr and its size: everything that this kernel can deny is denied."""
    fields = [_mask(tuple(_RIGHTS), version)]
    if version >= 4:
        fields.append(_TCP)
    if version >= 6:
        fields.append(_SCOPES)
    return struct.pack(f"={len(fields)}Q", *fields), 8 * len(fields)


def _mask(rights: Sequence[str], version: int) -> int:
    return sum(1 << bit for bit, (name, since) in enumerate(_RIGHTS.items()) if since <= version and name in rights)


def _allow(ruleset: int, path: Path, rights: Sequence[str], version: int) -> None:
    anchor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        # The kernel refuses a rule that grants the rights of folders on anything else.
        if not stat.S_ISDIR(os.fstat(anchor).st_mode):
            rights = [right for right in rights if right in _OF_FILES]
        rule = struct.pack("=Qi", _mask(rights, version), anchor)  # struct landlock_path_beneath_attr is packed
        syscall("landlock_add_rule", ruleset, _PATH_BENEATH, rule, 0)
    finally:
        os.close(anchor)
