"""logging: levels, loggers and formats, to stderr. No handler opens files, no "{" style walks attributes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final

from . import clocks

LEVELS: Final = {"DEBUG": 10, "INFO": 20, "WARNING": 30, "ERROR": 40, "CRITICAL": 50}
_NAMES: Final = {number: name for name, number in LEVELS.items()}
_FORMAT: Final = "%(levelname)s:%(name)s:%(message)s"


def _level(given: int | str) -> int:
    return LEVELS[given.upper()] if isinstance(given, str) else int(given)


def get_level_name(level: int | str) -> int | str:
    return LEVELS.get(level, f"Level {level}") if isinstance(level, str) else _NAMES.get(level, f"Level {level}")


class Formatter:
    def __init__(self, fmt: str | None = None, datefmt: str | None = None, style: str = "%") -> None:
        if style != "%":
            raise ValueError("only the % style is available here")
        self.template = fmt or "%(message)s"
        self.datefmt = datefmt or "%Y-%m-%d %H:%M:%S"

    def format(self, record: dict[str, Any]) -> str:
        return self.template % {**record, "asctime": clocks.strftime(self.datefmt)}


class StreamHandler:
    def __init__(self, stream: Any = None) -> None:
        self.stream, self.level, self.formatter = stream, 0, Formatter()

    def setLevel(self, level: int | str) -> None:
        self.level = _level(level)

    def setFormatter(self, formatter: Formatter) -> None:
        self.formatter = formatter

    def handle(self, record: dict[str, Any]) -> None:
        if record["levelno"] >= self.level:
            print(self.formatter.format(record), file=self.stream or sys.stderr)

    def flush(self) -> None:
        """Nothing waits to be written."""


class NullHandler(StreamHandler):
    def handle(self, record: dict[str, Any]) -> None:
        """Says nothing."""


class Logger:
    def __init__(self, name: str, parent: Logger | None = None) -> None:
        self.name, self.parent, self.level, self.propagate = name, parent, 0, True
        self.handlers: list[Any] = []
        self.disabled = False

    def setLevel(self, level: int | str) -> None:
        self.level = _level(level)

    def getEffectiveLevel(self) -> int:
        return self.level or (self.parent.getEffectiveLevel() if self.parent else LEVELS["WARNING"])

    def isEnabledFor(self, level: int) -> bool:
        return not self.disabled and level >= self.getEffectiveLevel()

    def addHandler(self, handler: Any) -> None:
        if handler not in self.handlers:
            self.handlers.append(handler)

    def removeHandler(self, handler: Any) -> None:
        if handler in self.handlers:
            self.handlers.remove(handler)

    def hasHandlers(self) -> bool:
        return bool(self._all_handlers())

    def _all_handlers(self) -> list[Any]:
        return [*self.handlers, *(self.parent._all_handlers() if self.parent and self.propagate else [])]

    def log(
        self, level: int, msg: object, *args: Any, exc_info: Any = None, extra: Any = None, stacklevel: int = 1
    ) -> None:
        if not self.isEnabledFor(level):
            return
        text = str(msg)
        if args:
            text %= args[0] if len(args) == 1 and isinstance(args[0], dict) else args
        if exc_info:
            error = exc_info if isinstance(exc_info, BaseException) else sys.exception()
            text += f"\n{type(error).__name__}: {error}"
        record = {
            "name": self.name,
            "levelno": level,
            "levelname": _NAMES.get(level, f"Level {level}"),
            "message": text,
        }
        record |= {
            "module": "cell",
            "funcName": "",
            "filename": "cell",
            "lineno": 0,
            "process": 0,
            "threadName": "MainThread",
        }
        for handler in self._all_handlers() or [_LAST_RESORT]:
            handler.handle({**record, **(extra or {})})

    def debug(self, msg: object, *args: Any, **kwargs: Any) -> None:
        self.log(10, msg, *args, **kwargs)

    def info(self, msg: object, *args: Any, **kwargs: Any) -> None:
        self.log(20, msg, *args, **kwargs)

    def warning(self, msg: object, *args: Any, **kwargs: Any) -> None:
        self.log(30, msg, *args, **kwargs)

    def error(self, msg: object, *args: Any, **kwargs: Any) -> None:
        self.log(40, msg, *args, **kwargs)

    def critical(self, msg: object, *args: Any, **kwargs: Any) -> None:
        self.log(50, msg, *args, **kwargs)

    def exception(self, msg: object, *args: Any, **kwargs: Any) -> None:
        self.log(40, msg, *args, exc_info=True, **kwargs)


_LAST_RESORT: Final = StreamHandler()


class Loggers:
    """The loggers of one session."""

    def __init__(self) -> None:
        self._root = Logger("root")
        self._named: dict[str, Logger] = {}

    def get(self, name: str | None = None) -> Logger:
        if not name or name == "root":
            return self._root
        if name not in self._named:
            self._named[name] = Logger(name, self.get(name.rpartition(".")[0]))
        return self._named[name]

    def configure(
        self,
        *,
        level: int | str | None = None,
        format: str = _FORMAT,
        datefmt: str | None = None,
        stream: Any = None,
        handlers: Any = None,
        force: bool = False,
        style: str = "%",
    ) -> None:
        if level is not None:
            self._root.setLevel(level)
        if self._root.handlers and not force:
            return
        self._root.handlers = list(handlers or [StreamHandler(stream)])
        for handler in self._root.handlers:
            handler.setFormatter(Formatter(format, datefmt, style))

    def disable(self, level: int = 50) -> None:
        self._root.setLevel(level + 1)

    def state(self) -> dict[str, list[Any]]:
        """What `resume` takes; plain data unless there are handlers."""
        every = {"": self._root, **self._named}
        return {name: [each.level, each.propagate, each.disabled, each.handlers] for name, each in every.items()}

    def resume(self, state: dict[str, list[Any]]) -> None:
        for name, values in state.items():
            logger = self.get(name)
            logger.level, logger.propagate, logger.disabled, logger.handlers = values

    def names(self) -> dict[str, Any]:
        own = {"basicConfig": self.configure, "disable": self.disable, "getLogger": self.get}
        return {**own, **{method: self._of_root(method) for method in _METHODS}}

    def _of_root(self, method: str) -> Callable[..., None]:
        def call(*args: Any, **kwargs: Any) -> None:
            self.configure()  # as logging does: unless there are handlers already
            getattr(self._root, method)(*args, **kwargs)

        return call


_METHODS: Final = ("debug", "info", "warning", "error", "critical", "exception", "log")
NAMES: Final = {
    **LEVELS,
    "NOTSET": 0,
    "WARN": LEVELS["WARNING"],
    "FATAL": LEVELS["CRITICAL"],
    "Formatter": Formatter,
    "Logger": Logger,
    "NullHandler": NullHandler,
    "StreamHandler": StreamHandler,
    "getLevelName": get_level_name,
}
