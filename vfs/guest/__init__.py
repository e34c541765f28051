"""`/documents` as cells see it. Standard library only: this runs inside the jail.

What cells are handed: `open`, `Path`, the file side of `os`, `os.path`, `glob`, `pathlib`, `io`, `shutil`, the modules
of lines.py, and the shortcuts `grep`, `items`, `toc`, `_unreadable`. No public attribute of it leads to a module or to
the host.
"""

from __future__ import annotations

import errno
import fnmatch
import io
import os
import shutil
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from . import lines, refusals, users
from .copies import Copies, Names, public, rebound
from .descriptors import Descriptors
from .documents import Channel, Documents, Header
from .hints import Hints
from .paths import pathlib
from .shortcuts import shortcuts
from .streams import fdopen_of, file_opener
from .system import DirEntry, System
from .tree import Tree

__all__ = ["Guest", "install"]

# Of the real `os`: constants, and functions that touch no file.
_OS_NAMES = (
    "F_OK R_OK W_OK X_OK SEEK_SET SEEK_CUR SEEK_END PathLike altsep curdir devnull error extsep fsdecode fsencode "
    "fspath linesep name pardir pathsep sep stat_result strerror"
).split()
_OS_REBOUND = ("_walk", "_walk_symlinks_as_files", "walk", "makedirs")  # private ones first: the others call them
_IO_NAMES = (
    "BufferedIOBase BufferedReader BytesIO DEFAULT_BUFFER_SIZE IOBase RawIOBase SEEK_CUR SEEK_END SEEK_SET StringIO "
    "TextIOBase TextIOWrapper UnsupportedOperation"
).split()
_GLOB_NAMES = ("escape", "glob", "has_magic", "iglob", "translate")


@dataclass(slots=True)
class Guest:
    """What is added to a worker; the sandbox's contract of the same name, met structurally."""

    names: Mapping[str, object] = field(default_factory=dict)
    modules: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    begin: Callable[[], None] = lambda: None
    finish: Callable[[], Header] = dict
    hint: Callable[[BaseException], str] = lambda error: ""
    settings: Mapping[str, tuple[Callable[[], Any], Callable[[Any], None]]] = field(default_factory=dict)


def install(channel: Channel) -> Guest:
    """The file system over a line to its host half."""
    documents = Documents(channel)
    tree = Tree(documents)
    descriptors, cached = Descriptors(tree, System(documents, tree)), {}
    modules = _modules(documents, tree, descriptors, cached)
    names = {
        "open": modules["io"]["open"],
        "Path": modules["pathlib"]["Path"],
        **shortcuts(documents),
        "_unreadable": documents.unreadable,
    }
    settings = {
        "the working directory": (tree.here, tree.resume),
        "open files": (descriptors.state, lambda state: None),
        "what linecache holds": (lambda: cached, cached.update),
    }
    return Guest(names, modules, documents.begin, documents.finish, Hints(documents, tree).of, settings)


def _modules(
    documents: Documents, tree: Tree, descriptors: Descriptors, cached: dict[str, list[str]]
) -> dict[str, Mapping[str, object]]:
    looking = System(documents, tree)
    open = file_opener(tree, descriptors)
    real = {name: getattr(os, name) for name in dir(os) if name in _OS_NAMES or name.startswith("O_")}
    system = real | refusals.of_os() | looking.calls() | descriptors.calls()
    system |= {"DirEntry": DirEntry, "fdopen": fdopen_of(open), **users.environment()}
    streams = {name: getattr(io, name) for name in _IO_NAMES} | {"open": open}
    copies, system["path"] = _copies(system, streams, open)
    system |= rebound(_OS_REBOUND, system)
    vars(copies.modules["os"]).update(system)  # complete now: pathlib calls os.walk
    globs = copies.load("glob")
    return lines.modules(copies, open, cached) | {
        "os": {name: value for name, value in system.items() if name[0] != "_" and name != "path"},
        "os.path": vars(system["path"]),
        "pathlib": pathlib(copies, tree),
        "glob": {name: getattr(globs, name) for name in _GLOB_NAMES if hasattr(globs, name)},
        "io": streams,
        "fnmatch": vars(public(fnmatch)),
        "shutil": refusals.of_shutil() | {"Error": shutil.Error, "copyfileobj": shutil.copyfileobj, "which": which},
        "stat": {name: value for name, value in vars(stat).items() if name.startswith(("S_", "ST_", "filemode"))},
        "errno": {name: value for name, value in vars(errno).items() if not name.startswith("_")},
    }


def _copies(system: dict[str, Any], streams: dict[str, Any], open: Callable[..., Any]) -> tuple[Copies, Names]:
    """Copies that see our `os` and `io`, and the `os.path` among them."""
    known = {"os": Names(**system), "io": Names(**streams, text_encoding=io.text_encoding)}
    copies = Copies(known | {"pwd": Names(**users.PWD), "grp": Names(**users.GRP)}, open)
    paths = public(copies.load("posixpath"))
    copies.modules |= {"os.path": paths, "posixpath": paths}  # 3.13: Path.parser must lead to no module
    return copies, paths


def which(cmd: str, mode: int = os.F_OK | os.X_OK, path: str | None = None) -> None:
    """Finds a program: there is none here."""
