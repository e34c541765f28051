"""What cells can set in the library beside their own variables, as plain data: kept with checkpoints."""

from __future__ import annotations

import calendar
import csv
import decimal
from typing import Any, Final

from .stand_ins.chance import SHARED

_CONTEXTS: Final = (decimal.DefaultContext, decimal.BasicContext, decimal.ExtendedContext)
_NUMBERS: Final = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")
_DIALECT: Final = "delimiter quotechar escapechar doublequote skipinitialspace lineterminator quoting strict".split()


def settings() -> dict[str, Any]:
    """The state of random, the contexts of decimal, the dialects of csv, the first day of calendar's weeks."""
    dialects = {name: csv.get_dialect(name) for name in csv.list_dialects()}
    return {
        "random": SHARED.getstate(),
        "decimal": [_context(each) for each in (decimal.getcontext(), *_CONTEXTS)],
        "dialects": {name: [getattr(each, field) for field in _DIALECT] for name, each in dialects.items()},
        "field_size_limit": csv.field_size_limit(),
        "firstweekday": calendar.firstweekday(),
    }


def restore(kept: dict[str, Any]) -> None:
    """Set what `settings` gave."""
    SHARED.setstate(kept["random"])
    for context, values in zip((decimal.getcontext(), *_CONTEXTS), kept["decimal"], strict=True):
        _set_context(context, values)
    for name in csv.list_dialects():
        csv.unregister_dialect(name)
    for name, fields in kept["dialects"].items():
        csv.register_dialect(name, **dict(zip(_DIALECT, fields, strict=True)))
    csv.field_size_limit(kept["field_size_limit"])
    calendar.setfirstweekday(kept["firstweekday"])


def _context(context: decimal.Context) -> list[Any]:
    signals = [[signal.__name__ for signal, on in each.items() if on] for each in (context.traps, context.flags)]
    return [[getattr(context, name) for name in _NUMBERS], *signals]


def _set_context(context: decimal.Context, values: list[Any]) -> None:
    for name, value in zip(_NUMBERS, values[0], strict=True):
        setattr(context, name, value)
    for signals, on in zip((context.traps, context.flags), values[1:], strict=True):
        for signal in signals:
            signals[signal] = signal.__name__ in on
