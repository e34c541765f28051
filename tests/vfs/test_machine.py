"""A state machine that reads in random ways, in the guest and in a real directory, and compares every outcome."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, multiple, precondition, rule

from glossator.corpus.documents import FILE_KINDS

from .fakes import MemorySnapshot, Mounted, random_files, write

FILES = random_files(11, count=5)
PHASES = [Phase.explicit, Phase.reuse, Phase.generate]  # shrinking a program of many steps takes minutes
sizes = st.integers(-1, 50) | st.just(9000)
encodings = st.sampled_from([None, "utf-8", "latin-1", "ascii", "utf-16", "cp1252", "utf-8-sig"])
names = (
    st.lists(st.sampled_from([".", "..", "", "documents", *FILES, *FILE_KINDS, "nope"]), max_size=5)
    .map("/".join)
    .map(lambda path: path.lstrip("/"))
)
files = st.builds("documents/{}/{}".format, st.sampled_from(sorted(FILES)), st.sampled_from(FILE_KINDS))


class Reading(RuleBasedStateMachine):
    """`pairs` holds a guest's file and the real one, opened alike."""

    pairs = Bundle("pairs")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.root = self.folder.name
        write(FILES, Path(self.root))
        self.mounted = Mounted(MemorySnapshot(FILES))
        self.opened: list[Any] = []

    def teardown(self) -> None:
        for file in self.opened:
            file.close()
        for home in Path(self.root).rglob("*/"):
            home.chmod(0o755)
        self.folder.cleanup()

    def same(self, guest: Callable[[], Any], real: Callable[[], Any]) -> None:
        assert self.outcome(guest) == self.outcome(real)

    def outcome(self, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Exception as error:  # whatever it is, it must be the same on both sides
            return f"{type(error).__name__}: {error}".replace(self.root, "")

    @rule(
        target=pairs,
        path=files,
        encoding=encodings,
        errors=st.sampled_from([None, "strict", "replace", "surrogateescape"]),
        newline=st.sampled_from([None, "", "\n", "\r", "\r\n"]),
        buffering=st.sampled_from([-1, 1, 2, 100]),
    )
    def open_text(self, path: str, encoding: Any, errors: Any, newline: Any, buffering: int) -> Any:
        options = {"encoding": encoding, "errors": errors, "newline": newline, "buffering": buffering}
        return self.open(path, "r", **options)

    @rule(target=pairs, path=files, buffering=st.sampled_from([-1, 0, 2, 100]))
    def open_binary(self, path: str, buffering: int) -> Any:
        return self.open(path, "rb", buffering=buffering)

    def open(self, path: str, mode: str, **options: Any) -> Any:
        guest = self.mounted.open("/" + path, mode, **options)
        real = open(f"{self.root}/{path}", mode, **options)  # noqa: SIM115  (closed at the end)
        self.opened.append(real)
        return (guest, real)

    @rule(pair=pairs, method=st.sampled_from(["read", "readline"]), size=sizes)
    def read(self, pair: Any, method: str, size: int) -> None:
        self.same(lambda: getattr(pair[0], method)(size), lambda: getattr(pair[1], method)(size))

    @rule(pair=pairs, hint=sizes)
    def read_lines(self, pair: Any, hint: int) -> None:
        self.same(lambda: pair[0].readlines(hint), lambda: pair[1].readlines(hint))

    @rule(pair=pairs)
    def next_line(self, pair: Any) -> None:
        self.same(lambda: next(pair[0], "end"), lambda: next(pair[1], "end"))

    @rule(pair=pairs)
    def tell(self, pair: Any) -> None:
        self.same(pair[0].tell, pair[1].tell)

    @rule(pair=pairs)
    def return_to_where_it_is(self, pair: Any) -> None:
        self.same(lambda: pair[0].seek(pair[0].tell()), lambda: pair[1].seek(pair[1].tell()))

    @rule(pair=pairs, offset=st.integers(-5, 100), whence=st.integers(0, 2))
    def seek(self, pair: Any, offset: int, whence: int) -> None:
        if "b" not in pair[0].mode:  # in text, other offsets than those of tell() are undefined
            offset = 0
        self.same(lambda: pair[0].seek(offset, whence), lambda: pair[1].seek(offset, whence))

    @rule(pair=pairs, size=st.integers(0, 40))
    def read_into(self, pair: Any, size: int) -> None:
        def filled(file: Any) -> Any:
            buffer = bytearray(size)
            return file.readinto(buffer), buffer

        if "b" in pair[0].mode:
            self.same(lambda: filled(pair[0]), lambda: filled(pair[1]))

    @rule(pair=consumes(pairs))
    def close(self, pair: Any) -> None:
        self.same(pair[0].close, pair[1].close)
        assert pair[0].closed
        self.same(lambda: kind_of(pair[0].read), lambda: kind_of(pair[1].read))

    @rule(path=names)
    def look(self, path: str) -> None:
        guest, real = self.mounted, f"{self.root}/{path}"
        if posix_depth(path) < 1:
            return  # above the root there is nothing in the guest, and the rest of the disk outside
        for test in ("exists", "isdir", "isfile", "islink"):
            assert getattr(guest.os.path, test)("/" + path) == getattr(os.path, test)(real)
        self.same(lambda: sorted(guest.os.listdir("/" + path)), lambda: sorted(os.listdir(real)))
        self.same(lambda: guest.Path("/" + path).read_bytes(), lambda: Path(real).read_bytes())
        self.same(lambda: guest.Path("/" + path).read_text(), lambda: Path(real).read_text())

    @rule(path=names, pattern=st.sampled_from(["*", "**/*", "*/*.json", "**", "[a-m]*", "t?c.json", "../*"]))
    def glob(self, path: str, pattern: str) -> None:
        if posix_depth(path) < 1:
            return
        guest = self.mounted.Path("/" + path)
        real = Path(self.root) / path
        self.same(
            lambda: sorted(map(str, guest.glob(pattern))),
            lambda: sorted(str(found).removeprefix(self.root) for found in real.glob(pattern)),
        )

    @precondition(lambda self: not self.opened)
    @rule(target=pairs)
    def cell_ends(self) -> Any:
        self.mounted.cell_ends()
        return multiple()


def kind_of(call: Callable[[], Any]) -> str:
    with pytest.raises(ValueError) as caught:
        call()
    return type(caught.value).__name__


def posix_depth(path: str) -> int:
    """The least depth below the root that a walk along `path` comes to; negative when it leaves the root."""
    depth = least = 0
    for part in path.split("/"):
        depth += {"": 0, ".": 0, "..": -1}.get(part, 1)
        least = min(least, depth)
    return depth if least == 0 else least


TestReading = Reading.TestCase
TestReading.settings = settings(max_examples=60, stateful_step_count=30, deadline=None, phases=PHASES)
