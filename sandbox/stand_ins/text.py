"""string and collections: formatters and texts whose templates read no attribute that code could not."""

from __future__ import annotations

import collections
from collections.abc import Mapping
from typing import Any, Final

from ..formats import GuardedFormatter
from ..guards import get_attribute


class Formatter(GuardedFormatter):
    def __init__(self) -> None:
        super().__init__(get_attribute)


class UserString(collections.UserString):
    def format(self, /, *args: Any, **kwargs: Any) -> str:
        return Formatter().vformat(self.data, args, kwargs)

    def format_map(self, mapping: Mapping[str, Any]) -> str:
        return Formatter().vformat(self.data, (), mapping)


STRING: Final = {"Formatter": Formatter}
COLLECTIONS: Final = {"UserString": UserString}
