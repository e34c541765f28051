"""What a worker says of its cell, checked field by field: every type, every length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import ProtocolError
from .limits import Limits
from .results import CellError, CellResult, Isolation

# field: the types that it may have. What the host knows better is not taken from a worker.
_RESULT: Mapping[str, tuple[type, ...]] = {
    "stdout": (str,),
    "stderr": (str,),
    "value": (str, type(None)),
    "error": (dict, type(None)),
    "truncated": (bool,),
    "timed_out": (bool,),
    "new_names": (dict,),
    "kept_lines": (str,),
}
_ERROR: Mapping[str, tuple[type, ...]] = {
    "type": (str,),
    "message": (str,),
    "traceback": (str,),
    "hint": (str,),
    "line": (int, type(None)),
}
_NAMES = 1_000  # new names of one cell
_NAME_CHARS = 10_000  # of a name and the word for its value
_SPARE_CHARS = 100_000  # beside the output: markers, tracebacks


def longest_text(limits: Limits) -> int:
    """Characters that each text in a result may have."""
    return limits.output_chars + _SPARE_CHARS


def read_result(said: Mapping[str, Any], limits: Limits, known: Mapping[str, Any]) -> CellResult:
    """The result of a cell; `known` are the fields that the host measured. Raises `ProtocolError`."""
    longest = longest_text(limits)
    fields = _fields("result", said, _RESULT, longest)
    error = fields.pop("error", None)
    names = fields.get("new_names", {})
    shown = all(type(shape) is str and len(name) + len(shape) <= _NAME_CHARS for name, shape in names.items())
    if len(names) > _NAMES or not shown:
        raise ProtocolError("malformed result: new_names")
    return CellResult(
        **{"stdout": "", **fields, **known},
        error=None if error is None else CellError(**_complete(_fields("error", error, _ERROR, longest))),
    )


def read_isolation(said: Mapping[str, Any]) -> Isolation:
    """The isolation that a worker measured; it has run nobody's code yet."""
    return Isolation(said["level"], dict(said["layers"]), tuple(said["notes"]))


def _fields(what: str, said: Mapping[str, Any], table: Mapping[str, tuple[type, ...]], longest: int) -> dict[str, Any]:
    for name, value in said.items():
        # Exactly the type: JSON's true is an int to isinstance.
        if name not in table or type(value) not in table[name]:
            raise ProtocolError(f"malformed {what}: {name:.80}")
        if isinstance(value, str) and len(value) > longest:
            raise ProtocolError(f"{what}.{name} of {len(value):,} characters; at most {longest:,} are accepted")
    return dict(said)


def _complete(error: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Error", "message": "", "traceback": "", **error}
