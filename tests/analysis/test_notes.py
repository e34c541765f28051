"""The ledger's notes: a conversation that goes on in another process knows what the first one knew."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.analysis.ledger import CellRecord, Ledger
from glossator.analysis.notes import MOST_CHARS, NotedLedger, chunk_ids, remember
from glossator.sandbox import CellError, MemoryJournal

from .records import cell, chunk

CHUNKS = [
    chunk(f"{n}: a passage of some length about the rent of the year {1990 + n}", document_id=d * 10)
    for n in range(3)
    for d in "ab"
]
some = st.lists(st.sampled_from(CHUNKS), max_size=3)
texts = st.one_of(st.text(max_size=20), st.sampled_from([each.content for each in CHUNKS]))
errors = st.none() | st.builds(CellError, st.text(max_size=5), texts, traceback=st.just(""))
cells = st.builds(
    lambda code, printed, value, error, opened, found, listed: CellRecord(
        code, cell(printed, value=value, error=error), frozenset(opened), tuple(found), listed
    ),
    *(texts, texts, st.none() | texts, errors, st.lists(st.sampled_from(["a" * 10, "b" * 10])), some, st.booleans()),
)
EVENTS = st.one_of(
    st.tuples(st.just("begin"), texts),
    st.tuples(st.just("searched"), texts, some),
    st.tuples(st.just("ran"), cells),
    st.tuples(st.just("settle"), some),
)


def known(ledger: Ledger) -> dict[str, Any]:
    return {
        **{name: getattr(ledger, name) for name in "question cells found opened cited earlier settled cites".split()},
        "computed": ledger.computed,
        "evidence": {each.id: ledger.evidence(each) for each in CHUNKS},
    }


def remembered(journal: MemoryJournal) -> Ledger:
    notes = json.loads(json.dumps(journal.notes))
    chunks = {each.id: each for each in CHUNKS if each.id in chunk_ids(notes)}
    ledger = Ledger()
    remember(ledger, notes, chunks)
    return ledger


@given(st.lists(EVENTS, max_size=8))
def test_what_was_noted_is_remembered(events: list[tuple[Any, ...]]) -> None:
    journal = MemoryJournal()
    ledger = NotedLedger(journal)
    for name, *arguments in events:
        getattr(ledger, name)(*arguments)
    assert known(remembered(journal)) == known(ledger)


@given(st.lists(EVENTS.filter(lambda event: event[0] != "begin"), max_size=6), st.integers(0, 6))
def test_what_happens_before_it_is_remembered_comes_after(events: list[tuple[Any, ...]], at: int) -> None:
    before, after, whole = MemoryJournal(), NotedLedger(MemoryJournal()), Ledger()
    first = NotedLedger(before)
    for place, (name, *arguments) in enumerate(events):
        getattr(first if place < at else after, name)(*arguments)
        getattr(whole, name)(*arguments)
    # A cite call needs what was remembered: it never comes first.
    if at < len(events) and any(name == "settle" for name, *_ in events[at:]):
        return
    after.precede(remembered(before))
    assert known(after) == known(whole)


@pytest.mark.parametrize("note", [7, "x", {}, {"cell": 3}, {"found": 1, "shown": ""}, {"question": "", "earlier": 5}])
def test_what_nobody_noted_is_refused(note: Any) -> None:
    with pytest.raises((AttributeError, LookupError, TypeError)):
        chunk_ids([note])
        remember(Ledger(), [note], {})


def test_notes_of_one_question_are_bounded() -> None:
    journal = MemoryJournal()
    ledger = NotedLedger(journal)
    for _ in range(20):
        ledger.searched("x" * (MOST_CHARS // 10), [])
    assert 8 <= len(journal.notes) <= 10
    ledger.begin("next")
    ledger.searched("short", [])
    assert len(journal.notes) == 2


class FullDisk(MemoryJournal):
    full = False

    def note(self, *notes: Any, anew: bool = False) -> None:
        if self.full:
            self.notes = []
            raise OSError(28, "No space left on device")
        super().note(*notes, anew=anew)


def test_a_full_disk_forgets_the_question_and_not_half_of_it() -> None:
    journal = FullDisk()
    ledger = NotedLedger(journal)
    ledger.searched("one", [])
    journal.full = True
    ledger.searched("two", [])
    journal.full = False
    ledger.settle([], empty=True)
    assert journal.notes == [] and ledger.settled
    ledger.begin("next")
    assert len(journal.notes) == 1
