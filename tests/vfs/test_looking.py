"""A state machine that looks at paths in random ways and opens by number, in the guest and in a real directory."""

from __future__ import annotations

import copy
import glob as real_glob
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from glossator.corpus.documents import FILE_KINDS

from .fakes import MemorySnapshot, Mounted, random_files, write
from .test_machine import posix_depth

FILES = random_files(13, count=4)
PHASES = [Phase.explicit, Phase.reuse, Phase.generate]  # as in test_machine.py
parts = st.sampled_from([".", "..", "", "documents", *sorted(FILES)[:2], *FILE_KINDS[:3], "nope", "a b", "*"])
names = st.lists(parts, min_size=1, max_size=5).map("/".join).map(lambda path: path.lstrip("/") or ".")
patterns = st.lists(
    st.sampled_from(["*", "**", "*.json*", "[a-m]*", "?oc.json", "documents", *FILE_KINDS[:2], sorted(FILES)[0]]),
    min_size=1,
    max_size=3,
).map("/".join)

# What a path as a value can be asked: no file system is looked at.
VALUES: dict[str, Callable[[Any, Any], Any]] = {
    "parts": lambda a, b: (a.parts, a.name, a.stem, a.suffix, a.suffixes, a.anchor, a.is_absolute()),
    "parents": lambda a, b: [str(each) for each in a.parents],
    "joined": lambda a, b: (str(a / b), str(a.joinpath(b, "x")), a.as_posix(), bytes(a), os.fspath(a)),
    "compared": lambda a, b: (
        a == b,
        a < b,
        a <= b,
        a > b,
        hash(a) == hash(b),
        sorted([a, b]) == [min(a, b), max(a, b)],
    ),
    "relative": lambda a, b: (a.is_relative_to(b), str(a.relative_to(b))),
    "matched": lambda a, b: [a.match(pattern) for pattern in ("*", "*.json", "documents/*", "*/*", str(b) or "x")],
    "renamed": lambda a, b: (str(a.with_name("n.md")), str(a.with_suffix(".x")), str(a.with_stem("s"))),
    "copied": lambda a, b: (copy.copy(a) == a, copy.deepcopy([a, b]) == [a, b], len({a, b, copy.copy(a)})),
    "shown": lambda a, b: (repr(a), f"{a}", f"{a!s:>40}", str(b)),
}


class Looking(RuleBasedStateMachine):
    """Both sides stand in the same directory, and see the same from there."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.root = os.path.realpath(self.folder.name)
        write(FILES, Path(self.root))
        self.mounted = Mounted(MemorySnapshot(FILES))
        self.before = os.getcwd()
        self.depth = 0  # of the working directory below the root

    @initialize()
    def start(self) -> None:
        os.chdir(self.root)

    def teardown(self) -> None:
        os.chdir(self.before)
        for home in Path(self.root).rglob("*/"):
            home.chmod(0o755)
        self.folder.cleanup()

    def outside(self, path: str) -> bool:
        """Above the root there is nothing in the guest, and the rest of the disk beyond it."""
        return self.depth + posix_depth(path) < 0 or (posix_depth(path) < 1 and self.depth == 0)

    def same(self, guest: Callable[[], Any], real: Callable[[], Any]) -> None:
        assert self.outcome(guest) == self.outcome(real)

    def outcome(self, call: Callable[[], Any]) -> Any:
        try:
            return self.cut(call())
        except Exception as error:  # whatever it is, it must be the same on both sides
            return self.cut(f"{type(error).__name__}: {error}")

    def cut(self, value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(self.root, "") or "/"
        if isinstance(value, bytes):
            return value.replace(os.fsencode(self.root), b"") or b"/"
        if isinstance(value, (list, tuple)):
            return [self.cut(each) for each in value]
        return value

    def both(self, path: str, call: Callable[[Any, Any], Any]) -> None:
        """`call` gets `os` and the path as it is named on its side."""
        if not self.outside(path):
            self.same(lambda: call(self.mounted.os, path), lambda: call(os, path))

    @rule(path=names)
    def change_directory(self, path: str) -> None:
        if self.outside(path):
            return
        self.both(path, lambda system, name: system.chdir(name))
        self.both(".", lambda system, name: (system.getcwd(), system.getcwdb()))
        here = os.getcwd().removeprefix(self.root)
        self.depth = here.count("/")

    @rule(path=names, kind=st.sampled_from([str, os.fsencode]))
    def list_and_scan(self, path: str, kind: Any) -> None:
        self.both(path, lambda system, name: sorted(system.listdir(kind(name))))

        def scanned(system: Any, name: str) -> Any:
            with system.scandir(kind(name)) as entries:
                found = [(e.name, e.path, e.is_dir(), e.is_file(), e.is_symlink(), os.fspath(e)) for e in entries]
            return sorted(found)

        self.both(path, scanned)

    @rule(path=names, topdown=st.booleans())
    def walk(self, path: str, topdown: bool) -> None:
        def walked(system: Any, name: str) -> Any:
            return sorted((home, sorted(dirs), sorted(files)) for home, dirs, files in system.walk(name, topdown))

        self.both(path, walked)

    @rule(path=names)
    def stat(self, path: str) -> None:
        def told(system: Any, name: str) -> Any:
            found = system.stat(name)
            size = 0 if system.path.isdir(name) else found.st_size
            return size, found.st_mode & 0o170000, system.lstat(name).st_mode & 0o170000

        self.both(path, told)

    @rule(path=names, mode=st.sampled_from([os.F_OK, os.R_OK]))
    def access(self, path: str, mode: int) -> None:
        self.both(path, lambda system, name: system.access(name, mode))
        self.both(path, lambda system, name: system.readlink(name))

    @rule(path=names, other=names)
    def path_functions(self, path: str, other: str) -> None:
        pure = "normpath basename dirname split splitext isabs"
        self.both(path, lambda system, name: [getattr(system.path, each)(name) for each in pure.split()])
        looking = "exists isfile isdir islink lexists abspath realpath"
        self.both(path, lambda system, name: [getattr(system.path, each)(name) for each in looking.split()])
        self.both(path, lambda system, name: (system.path.join(name, other), system.path.commonprefix([name, other])))
        if not self.outside(other):
            self.both(path, lambda system, name: system.path.samefile(name, other))
            self.both(path, lambda system, name: system.path.relpath(name, other))

    @rule(pattern=patterns, path=names)
    def glob(self, pattern: str, path: str) -> None:
        guest = self.mounted
        for recursive in (True, False):
            self.same(
                lambda recursive=recursive: sorted(guest.glob.glob(pattern, recursive=recursive)),
                lambda recursive=recursive: sorted(real_glob.glob(pattern, recursive=recursive)),
            )
        if self.outside(path):
            return
        self.same(
            lambda: sorted(guest.glob.iglob(pattern, root_dir=path, recursive=True)),
            lambda: sorted(real_glob.iglob(pattern, root_dir=path, recursive=True)),
        )
        for method in ("glob", "rglob"):
            self.same(
                lambda method=method: sorted(map(str, getattr(guest.Path(path), method)(pattern))),
                lambda method=method: sorted(map(str, getattr(Path(path), method)(pattern))),
            )

    @rule(path=names)
    def path_methods(self, path: str) -> None:
        if self.outside(path):
            return

        def asked(kind: Any) -> Any:
            found = kind(path)
            methods = "exists is_dir is_file is_symlink is_fifo is_socket resolve absolute"
            return [str(getattr(found, each)()) for each in methods.split()]

        self.same(lambda: asked(self.mounted.Path), lambda: asked(Path))
        self.same(
            lambda: sorted(map(str, self.mounted.Path(path).iterdir())), lambda: sorted(map(str, Path(path).iterdir()))
        )
        self.same(
            lambda: str(self.mounted.Path(path).resolve(strict=True)), lambda: str(Path(path).resolve(strict=True))
        )

    @rule(first=names, second=names, what=st.sampled_from(sorted(VALUES)))
    def values(self, first: str, second: str, what: str) -> None:
        guest, call = self.mounted.Path, VALUES[what]
        self.same(lambda: call(guest(first), guest(second)), lambda: call(Path(first), Path(second)))

    @rule(path=names, flags=st.sampled_from([os.O_RDONLY, os.O_RDONLY | os.O_CLOEXEC]), size=st.integers(0, 30))
    def descriptors(self, path: str, flags: int, size: int) -> None:
        if self.outside(path) or os.path.isdir(path):  # a directory can be opened by number on a disk
            return

        def read(system: Any, name: str) -> Any:
            number = system.open(name, flags)
            try:
                told = [system.read(number, size), system.lseek(number, 3, os.SEEK_SET), system.pread(number, size, 2)]
                return [*told, system.fstat(number).st_size, system.read(number, size)]
            finally:
                system.close(number)

        self.both(path, read)


TestLooking = Looking.TestCase
TestLooking.settings = settings(max_examples=40, stateful_step_count=25, deadline=None, phases=PHASES)
