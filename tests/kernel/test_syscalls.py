from __future__ import annotations

import sys

import pytest

from glossator.kernel import syscalls
from glossator.kernel.libc import syscall
from glossator.kernel.syscalls import ARCHITECTURES, GROUPS, NUMBERS, SyscallsUnknown, number


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
