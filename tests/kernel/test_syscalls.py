from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from glossator.kernel import syscalls
from glossator.kernel.libc import syscall
from glossator.kernel.syscalls import ARCHITECTURES, GROUPS, NUMBERS, SyscallsUnknown, number

# Where distributions put the kernel's own tables; aarch64 uses the generic one.
HEADERS = {
    "x86_64": ("x86_64-linux-gnu/asm/unistd_64.h", "asm/unistd_64.h"),
    "aarch64": ("asm-generic/unistd.h",),
}
DEFINITION = re.compile(r"#define\s+(__NR(?:3264)?_\w+)\s+(\w+)")


def header(name: str) -> Mapping[str, int]:
    """The kernel's numbers of an architecture by name, from the headers of this machine."""
    found = [path for each in HEADERS[name] if (path := Path("/usr/include", each)).exists()]
    if not found:
        pytest.skip(f"no kernel headers for {name} here (Debian: linux-libc-dev)")
    defined = dict(DEFINITION.findall(found[0].read_text()))
    numbers = {}
    for name, value in defined.items():
        while value in defined:  # the generic table gives some by way of a second name
            value = defined[value]
        if name.startswith("__NR_") and value.isdecimal():
            numbers[name.removeprefix("__NR_")] = int(value)
    numbers.pop("syscalls", None)  # how many there are
    return numbers


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_numbers_are_those_of_the_kernel(name: str) -> None:
    kernel = header(name)
    assert len(kernel) > 300
    newest = max(kernel.values())
    ours = {call: number(call, ARCHITECTURES[name]) for call in NUMBERS}
    known = {call: value for call, value in ours.items() if value is None or value <= newest}
    assert known == {call: kernel.get(call) for call in known}


def test_calls_that_are_newer_than_headers_have_one_number_everywhere() -> None:
    # From pidfd_send_signal on the kernel gives all architectures the same number.
    for row in NUMBERS.values():
        assert row[0] == row[1] or min(row[0] or 0, row[1] or 0) < 424


def test_numbers_of_an_architecture_are_different_calls() -> None:
    for column in (0, 1):
        numbers = [row[column] for row in NUMBERS.values() if row[column] is not None]
        assert len(numbers) == len(set(numbers))


def test_groups_name_calls_that_exist() -> None:
    for group in GROUPS.values():
        for name in group:
            assert any(number(name, on) is not None for on in ARCHITECTURES.values())


def test_the_architecture_of_this_machine_is_known_by_its_calls() -> None:
    import os

    assert syscall("getpid") == os.getpid()


def test_a_call_that_is_not_in_the_table_is_a_bug() -> None:
    with pytest.raises(KeyError):
        number("no_such_call")


def test_other_systems_have_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(SyscallsUnknown, match="darwin"):
        syscalls.architecture()
