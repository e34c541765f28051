"""warnings: filters of cells may not hide that a call was never awaited."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Final


def never_awaited() -> None:
    """Have the warning of a forgotten `await` come through, whatever other filters say."""
    warnings.filterwarnings("always", "coroutine .* was never awaited", RuntimeWarning)


def _filtering(real: Callable[..., None]) -> Callable[..., None]:
    def change(*args: Any, **options: Any) -> None:
        real(*args, **options)
        never_awaited()

    change.__name__ = change.__qualname__ = real.__name__
    return change


class catch_warnings(warnings.catch_warnings):
    def __init__(
        self,
        *,
        record: bool = False,
        action: Any = None,
        category: type[Warning] = Warning,
        lineno: int = 0,
        append: bool = False,
    ) -> None:
        # The real one takes any object for the module whose attributes it sets.
        super().__init__(record=record)
        self._wanted = (action, category, lineno, append)

    def __enter__(self) -> Any:
        log = super().__enter__()
        if self._wanted[0] is not None:
            warnings.simplefilter(*self._wanted)
        return log


NAMES: Final = {
    "catch_warnings": catch_warnings,
    **{
        each.__name__: _filtering(each)
        for each in (warnings.filterwarnings, warnings.simplefilter, warnings.resetwarnings)
    },
}
