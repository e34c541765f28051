"""enum: the functional form makes classes, whose names must be as harmless as those of a class statement."""

from __future__ import annotations

import enum
from typing import Any, Final

from .. import classes, ownership


class _EnumType(enum.EnumType):
    def _create_(cls, class_name: str, names: Any, **options: Any) -> Any:
        members = _listed(names)
        for member in members:
            name = member if isinstance(member, str) else member[0]
            if type(name) is not str or name.startswith("_"):
                raise ValueError("the name of an enum member may not start with an underscore")
        classes.check_base(options.get("type") or object)
        options["module"] = ownership.MODULE
        made = super()._create_(class_name, members, **options)  # pyright: ignore[reportAttributeAccessIssue]
        classes.check_class(made)
        return made


def _listed(names: Any) -> list[Any]:
    """The members as they will be used: an iterable of the cell may answer differently the second time."""
    if isinstance(names, str):
        return str.__str__(names).replace(",", " ").split()
    pairs = names.items() if isinstance(names, dict) else names
    return [member if isinstance(member, str) else tuple(member) for member in pairs]


class Enum(enum.Enum, metaclass=_EnumType):
    pass


class IntEnum(enum.IntEnum, metaclass=_EnumType):
    pass


class StrEnum(enum.StrEnum, metaclass=_EnumType):
    pass


class Flag(enum.Flag, metaclass=_EnumType):
    pass


class IntFlag(enum.IntFlag, metaclass=_EnumType):
    pass


NAMES: Final = {"Enum": Enum, "IntEnum": IntEnum, "StrEnum": StrEnum, "Flag": Flag, "IntFlag": IntFlag}
