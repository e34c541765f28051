"""contextlib: the real redirections read and write whatever attribute of `sys` an object's `_stream` names."""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Final


class redirect_stdout(contextlib.AbstractContextManager[Any]):
    def __init__(self, new_target: Any) -> None:
        self._new_target = new_target
        self._old_targets: list[Any] = []

    def __enter__(self) -> Any:
        self._old_targets.append(sys.stdout)
        sys.stdout = self._new_target
        return self._new_target

    def __exit__(self, *error: object) -> None:
        sys.stdout = self._old_targets.pop()


class redirect_stderr(contextlib.AbstractContextManager[Any]):
    def __init__(self, new_target: Any) -> None:
        self._new_target = new_target
        self._old_targets: list[Any] = []

    def __enter__(self) -> Any:
        self._old_targets.append(sys.stderr)
        sys.stderr = self._new_target
        return self._new_target

    def __exit__(self, *error: object) -> None:
        sys.stderr = self._old_targets.pop()


NAMES: Final = {"redirect_stdout": redirect_stdout, "redirect_stderr": redirect_stderr}
