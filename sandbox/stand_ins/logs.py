"""logging: the real module, loaded once more for each session, without what opens files.

A copy of its own keeps its loggers apart, and can be changed where it would serve a cell too well.
"""

from __future__ import annotations

import importlib.util
import logging
import types
from collections.abc import Sequence
from typing import Any, Final

from .. import seal
from ..formats import GuardedFormatter
from ..guards import get_attribute
from . import clocks

_SPEC: Final = importlib.util.find_spec("logging")
assert _SPEC is not None and _SPEC.loader is not None
_CODE: Final = _SPEC.loader.get_code("logging")  # type: ignore[attr-defined]  # a jailed worker has no files


class Loggers:
    """The logging of one session, loaded when a cell imports it."""

    def __init__(self) -> None:
        self._module: Any = None

    def names(self, wanted: Sequence[str]) -> dict[str, Any]:
        """The listed names of the session's copy."""
        module = self._load()
        return {name: getattr(module, name) for name in wanted if hasattr(module, name)}

    def state(self) -> dict[str, list[Any]]:
        """What `resume` takes; plain data unless there are handlers."""
        return {
            logger.name: [logger.level, logger.propagate, logger.disabled, logger.handlers] for logger in self._all()
        }

    def resume(self, state: dict[str, list[Any]]) -> None:
        for name, values in state.items():
            logger = self._load().getLogger(name)
            logger.level, logger.propagate, logger.disabled, logger.handlers = values

    def _all(self) -> list[Any]:
        if self._module is None:
            return []
        root = self._module.root
        return [root, *(each for each in root.manager.loggerDict.values() if isinstance(each, self._module.Logger))]

    def _load(self) -> Any:
        if self._module is None:
            copy: Any = types.ModuleType("logging")
            copy.__file__ = logging.__file__
            exec(_CODE, vars(copy))
            copy.time = types.SimpleNamespace(**clocks.TIME)
            copy.StrFormatStyle._format = _format_guarded
            copy.basicConfig = _without_files(copy.basicConfig)
            seal.seal_too(each for each in vars(copy).values() if isinstance(each, type))
            self._module = copy
        return self._module


def _format_guarded(self: Any, record: Any) -> str:
    """ "{" templates walk attributes of whatever stands in a record."""
    values = {**(self._defaults or {}), **vars(record)}
    return GuardedFormatter(get_attribute).vformat(self._fmt, (), values)


def _without_files(configure: Any) -> Any:
    def basicConfig(**options: Any) -> None:
        if options.get("filename") is not None:
            raise PermissionError("there is no file to write to; log to sys.stderr, or to an io.StringIO by stream=")
        configure(**options)

    return basicConfig
