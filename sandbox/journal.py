"""What is kept of a session so that its cells can be run again: the `Journal` protocol, and one that is in memory.

A session is its journal. A worker can die at any time, by a limit, by eviction, with the service: the next cell finds
the variables as they were before the cell that died, because the cells before it are run again with the same answers,
clocks and chance (`rebuild`).
"""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from typing import Any, Literal, NamedTuple, Protocol

import orjson

from .results import CellResult

_ADDRESS = re.compile(r"0x[0-9a-f]{4,16}\b")

ReplyKind = Literal["value", "error"]


class Reply(NamedTuple):
    """One answer of a host function to a cell, in the order in which the answers went out."""

    question: int  # which of the cell's questions it answers, from 1
    asked: str  # the function's name and a digest of its arguments
    kind: ReplyKind  # its result, or what it raised
    content: bytes  # JSON
    same: tuple[int, int] | None = None  # number of a cell (0: this one) and place of its reply that holds the same


@dataclass(frozen=True, slots=True)
class Cell:
    """A finished cell."""

    number: int
    code: str
    entropy: str = ""  # hexadecimal: all chance in the cell follows from it
    clock: tuple[int, ...] = ()  # its readings of clocks, in nanoseconds
    turns: tuple[int, ...] = ()  # of its event loop, as `inputs.Turns.record`
    questions: int = 0  # that it asked host functions, answered or not
    replies: tuple[Reply, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)  # what it learnt from the file system, in digests
    digest: str = ""  # of its outcome, addresses masked
    cpu_s: float = 0.0  # seconds that it computed: to run it again takes no waiting
    made_by: str = ""  # versions of the interpreter and of the policy
    stop: str = ""  # why it cannot be run again; then only number and code are kept

    @property
    def bytes(self) -> int:
        """About what it takes to keep."""
        replies = sum(100 + (len(each.content) if each.same is None else 0) for each in self.replies)
        files = sum(len(name) + len(digest) + 6 for name, digest in self.files.items())
        return len(self.code) + 20 * (len(self.clock) + len(self.turns)) + replies + files + 200


class Checkpoint(NamedTuple):
    """Plain data after a cell, opaque: only workers write and read it."""

    number: int  # of the cell
    left: tuple[str, ...]  # variables that are not in it
    data: bytes
    reordered: tuple[str, ...] = ()  # variables whose sets it brings back in another order

    @property
    def whole(self) -> bool:
        return not self.left and not self.reordered


class Journal(Protocol):
    """The record of one session, which one process holds at a time."""

    @property
    def cells(self) -> Sequence[Cell]:
        """Every cell whose effect is in the session's variables, in order."""
        ...

    @property
    def last_number(self) -> int:
        """Of the last cell that was kept, also if it was forgotten since; 0 for a new session."""
        ...

    @property
    def checkpoint(self) -> Checkpoint | None: ...

    @property
    def damage(self) -> str:
        """What could not be read of it, in a sentence for the agent; "" usually."""
        ...

    @property
    def notes(self) -> Sequence[Any]:
        """What the rooms above keep with the session: JSON values, opaque here."""
        ...

    def append(self, cell: Cell) -> None:
        """Keep a cell. When this returns, the death of any process does not lose it.

        Raises OSError when it cannot be kept; `cells` then holds it as one that cannot be run again.
        """
        ...

    def note(self, *notes: Any, anew: bool = False) -> None:
        """Keep notes, `anew` instead of those before. Raises OSError; then there are none before the next `anew`."""
        ...

    def forget_after(self, number: int) -> None:
        """The session was rebuilt up to this cell only: what came after it is no part of it any more."""
        ...

    def keep(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint instead of the one before."""
        ...

    def close(self) -> None:
        """Let another process have the session."""
        ...


class Journals(Protocol):
    """Where sessions are kept. Opening one that another process holds raises `SessionBusy`."""

    @property
    def hash_seed(self) -> int:
        """PYTHONHASHSEED of every worker: with another one sets would have another order."""
        ...

    def open(self, name: str) -> Journal: ...


class MemoryJournal:
    """Lives as long as its session does."""

    def __init__(self) -> None:
        self._cells: list[Cell] = []
        self.last_number = 0
        self.checkpoint: Checkpoint | None = None
        self.damage = ""
        self.notes: list[Any] = []

    @property
    def cells(self) -> Sequence[Cell]:
        return self._cells

    def note(self, *notes: Any, anew: bool = False) -> None:
        self.notes = [*([] if anew else self.notes), *notes]

    def append(self, cell: Cell) -> None:
        self._cells.append(cell)
        self.last_number = cell.number

    def forget_after(self, number: int) -> None:
        self._cells = [cell for cell in self._cells if cell.number <= number]
        if self.checkpoint is not None and self.checkpoint.number > number:
            self.checkpoint = None

    def keep(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint

    def close(self) -> None:
        """Nobody else can have it."""


def digest(result: CellResult, state: str) -> str:
    """Of what a cell came to, for comparison with the same cell run again; addresses count for nothing.

    `state` is a fingerprint of the variables that it made or changed.
    """
    said = result.error and {"type": result.error.type, "message": result.error.message, "line": result.error.line}
    outcome = [result.stdout, result.stderr, result.value, said, dict(result.new_names), result.kept_lines, state]
    return blake2b(_ADDRESS.sub("0x", orjson.dumps(outcome).decode()).encode(), digest_size=16).hexdigest()


def question(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """A call of a host function in a word, the same for the same call."""
    arguments = orjson.dumps([args, kwargs], option=orjson.OPT_SORT_KEYS)
    return f"{name}:{blake2b(arguments, digest_size=8).hexdigest()}"


@cache
def made_by() -> str:
    """What cells are run by here."""
    return f"CPython {platform.python_version()}, glossator {version('glossator')}"


def as_json(cell: Cell) -> bytes:
    """A cell as JSON in one line; `from_json` reads it."""
    found = {name: getattr(cell, name) for name in _FIELDS}
    # Lone surrogates are no JSON text: code is kept as its bytes, one character for each.
    found["code"] = cell.code.encode("utf-8", "surrogatepass").decode("latin-1")
    found["replies"] = [
        [*each[:3], orjson.Fragment(each.content)] if each.same is None else [*each[:3], None, each.same]
        for each in cell.replies
    ]
    return orjson.dumps({name: value for name, value in found.items() if value})


def unkept(cell: Cell, why: str) -> Cell:
    """What is left of a cell that cannot be kept."""
    return Cell(cell.number, "", made_by=cell.made_by, stop=why)


def from_json(given: Mapping[str, Any], earlier: Sequence[Cell] = ()) -> Cell:
    """The cell of an object that `as_json` wrote, after the cells `earlier`.

    Raises TypeError, ValueError, LookupError or AttributeError for any other.
    """
    known = dict(given)
    known["code"] = known.get("code", "").encode("latin-1").decode("utf-8", "surrogatepass")
    known |= {name: tuple(known.get(name, ())) for name in ("clock", "turns")}
    replies: list[Reply] = []
    before: dict[int, Sequence[Reply]] = {0: replies, **{cell.number: cell.replies for cell in earlier}}
    for number, asked, kind, content, *same in known.get("replies", ()):
        if same:
            cell, place = same[0]
            replies.append(Reply(number, asked, kind, before[cell][place].content, (cell, place)))
        else:
            replies.append(Reply(number, asked, kind, orjson.dumps(content)))
    return Cell(**(known | {"replies": tuple(replies)}))


_FIELDS = tuple(field.name for field in fields(Cell))
