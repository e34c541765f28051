"""Whose the files are: there is one user, who owns everything, and an environment that knows his home."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

HOME = "/"
OWNER = "root"


class User(NamedTuple):
    """An entry of the user database, as `pwd` has it."""

    pw_name: str = OWNER
    pw_passwd: str = "x"
    pw_uid: int = 0
    pw_gid: int = 0
    pw_gecos: str = OWNER
    pw_dir: str = HOME
    pw_shell: str = ""


class Group(NamedTuple):
    """An entry of the group database, as `grp` has it."""

    gr_name: str = OWNER
    gr_passwd: str = "x"
    gr_gid: int = 0
    gr_mem: tuple[str, ...] = ()


def _finder(call: str, entries: Mapping[Any, Any], kind: str) -> Any:
    def find(key: Any) -> Any:
        if key not in entries:
            raise KeyError(f"{call}(): {kind} not found: {key!r}")
        return entries[key]

    return find


# What the copies of `pathlib` and `posixpath` ask for owners and for "~name".
PWD = {
    "getpwnam": _finder("getpwnam", {OWNER: User()}, "name"),
    "getpwuid": _finder("getpwuid", {0: User()}, "uid"),
}
GRP = {"getgrgid": _finder("getgrgid", {0: Group()}, "gid")}


def environment() -> dict[str, Any]:
    """`environ` and `getenv` of `os`."""
    environ = {"HOME": HOME}

    def getenv(key: str, default: str | None = None) -> str | None:
        """A variable of the environment, or the default."""
        return environ.get(key, default)

    getenv.__qualname__ = "getenv"
    return {"environ": environ, "getenv": getenv}
