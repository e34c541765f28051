"""The ledger over restarts: what happens to it is noted with the session's journal, and taken from there again.

Chunks are noted by id. An id stands for its content, so a chunk that is fetched again is the one that was delivered;
one that is not there any more cannot be cited either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ..sandbox.results import CellError, CellResult
from .ledger import CellRecord, Ledger

if TYPE_CHECKING:
    from ..corpus.documents import Chunk
    from ..sandbox.journal import Journal

MOST_CHARS: Final = 16 << 20  # noted of one question; what comes after has to be read again after a restart

Note = dict[str, Any]


class NotedLedger(Ledger):
    """A ledger that notes everything that changes it."""

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self._journal = journal
        self._room = MOST_CHARS

    def begin(self, question: str) -> None:
        super().begin(question)
        self._room = MOST_CHARS
        self._note({"question": question, "earlier": sorted(self.earlier)}, anew=True)

    def searched(self, text: str, chunks: Sequence[Chunk]) -> None:
        super().searched(text, chunks)
        self._note({"found": _ids(chunks), "shown": text})

    def ran(self, cell: CellRecord) -> None:
        super().ran(cell)
        self._note({"cell": _of_cell(cell)})

    def settle(self, chunks: Sequence[Chunk], *, empty: bool = False) -> None:
        super().settle(chunks, empty=empty)
        self._note({"cited": _ids(chunks), "empty": empty})

    def _note(self, note: Note, *, anew: bool = False) -> None:
        self._room -= _chars(note)
        if self._room < 0:
            return
        try:
            self._journal.note(note, anew=anew)
        except OSError:  # a full disk: what was noted of this question is gone, and its rest would mislead
            self._room = 0


def chunk_ids(notes: Sequence[Note]) -> list[str]:
    """The chunks that notes speak of. Raises AttributeError, TypeError for what are no notes."""
    parts = [part for note in notes for part in (note, note.get("cell", {}))]
    return list(dict.fromkeys(str(id) for part in parts for name in ("found", "cited") for id in part.get(name, ())))


def remember(ledger: Ledger, notes: Sequence[Note], chunks: Mapping[str, Chunk]) -> None:
    """Have everything happen to a fresh ledger that was noted, as far as its chunks are still there.

    Raises AttributeError, LookupError, TypeError for what are no notes.
    """

    def known(ids: Sequence[str]) -> list[Chunk]:
        return [chunks[id] for id in ids if id in chunks]

    for note in notes:
        match note:
            case {"question": question, "earlier": earlier}:
                Ledger.begin(ledger, question)
                ledger.earlier.update(earlier)
            case {"found": found, "shown": shown}:
                Ledger.searched(ledger, shown, known(found))
            case {"cell": cell}:
                Ledger.ran(ledger, _cell(cell, tuple(known(cell["found"]))))
            case {"cited": cited, "empty": empty}:
                Ledger.settle(ledger, known(cited), empty=empty)
            case _:
                raise LookupError("no note")


def _of_cell(cell: CellRecord) -> Note:
    result = cell.result
    return {
        "code": cell.code,
        "number": result.number,
        "output": [result.stdout, result.stderr, result.value],
        "error": result.error and [result.error.type, result.error.message],
        "opened": sorted(cell.opened),
        "found": _ids(cell.found),
        "listed": cell.listed,
    }


def _cell(note: Note, found: tuple[Chunk, ...]) -> CellRecord:
    stdout, stderr, value = note["output"]
    error = CellError(*note["error"], traceback="") if note["error"] else None
    result = CellResult(note["number"], stdout, stderr, value, error)
    return CellRecord(note["code"], result, frozenset(note["opened"]), found, note["listed"])


def _ids(chunks: Sequence[Chunk]) -> list[str]:
    return [chunk.id for chunk in chunks]


def _chars(value: Any) -> int:
    """About what it takes to keep."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        value = list(value.values())
    return sum(map(_chars, value)) + len(value) if isinstance(value, list) else 1
