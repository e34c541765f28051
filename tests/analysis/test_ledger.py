"""What was shown, what was only read, and what has been cited since."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.analysis.ledger import STRETCH, CellRecord, Ledger, flat, shows

from .records import cell, chunk

PASSAGE = "The tenant shall pay the rent in advance, on the third working day of each month, without deduction."


def ledger_after(printed: str, *, opened: bool = True, found: bool = False) -> Ledger:
    ledger = Ledger()
    passage = chunk(PASSAGE)
    opened_ids = frozenset({passage.document_id} if opened else ())
    ledger.ran(CellRecord("…", cell(printed), opened_ids, (passage,) if found else ()))
    return ledger


@pytest.mark.parametrize(
    "printed",
    [
        chunk(PASSAGE).id,
        f"[{chunk(PASSAGE).id[:8]}]",
        PASSAGE,
        PASSAGE[10:60].replace(" ", "\n  "),
        f"… {PASSAGE[-STRETCH:]}",
    ],
    ids=["id", "prefix", "text", "wrapped", "stretch"],
)
def test_printed_is_shown(printed: str) -> None:
    assert ledger_after(printed).evidence(chunk(PASSAGE)) == "shown"
    assert ledger_after(printed, opened=False, found=True).evidence(chunk(PASSAGE)) == "shown"


@pytest.mark.parametrize("printed", ["", "12", PASSAGE[: STRETCH - 1], chunk(PASSAGE).id[:7]])
def test_not_printed_is_read(printed: str) -> None:
    assert ledger_after(printed).evidence(chunk(PASSAGE)) == "read"


def test_printing_what_was_never_delivered_is_no_evidence() -> None:
    assert ledger_after(PASSAGE, opened=False).evidence(chunk(PASSAGE)) == "none"


def test_a_new_question_starts_anew_but_what_was_cited_stays_citable() -> None:
    ledger = ledger_after(PASSAGE)
    ledger.settle([chunk(PASSAGE)])
    ledger.begin("next?")
    assert ledger.evidence(chunk(PASSAGE)) == "shown" and not ledger.cited and not ledger.settled
    other = chunk("another passage of the same document")
    assert ledger.evidence(other) == "none"


def test_settled_means_cited_after_the_last_evidence() -> None:
    ledger = ledger_after(PASSAGE)
    assert not ledger.settled
    ledger.settle([chunk(PASSAGE)])
    assert ledger.settled
    ledger.show("more evidence")
    assert not ledger.settled
    ledger.settle([])  # every id was refused
    assert not ledger.settled
    ledger.settle([], empty=True)
    assert ledger.settled and not ledger.cited


def test_computed_means_that_a_cell_read_the_corpus_and_ended_well() -> None:
    assert ledger_after("12").computed
    assert not ledger_after("12", opened=False).computed
    ledger = Ledger()
    ledger.ran(CellRecord("len(await list_documents())", cell(value="7"), listed=True))
    assert ledger.computed


def test_a_very_short_chunk_is_shown_by_its_id_only() -> None:
    assert not shows("Yes of course", chunk("Yes"))
    assert shows(f"see {chunk('Yes').id}", chunk("Yes"))


@given(st.text(alphabet="ab \n", min_size=STRETCH, max_size=150), st.data(), st.text(max_size=20), st.text(max_size=20))
def test_any_stretch_of_40_characters_shows(content: str, data: st.DataObject, before: str, after: str) -> None:
    plain = flat(content)
    if len(plain) < STRETCH:
        return
    start = data.draw(st.integers(0, len(plain) - STRETCH))
    returned = flat(f"{before}|{plain[start : start + STRETCH]}|{after}")
    if plain[start] != " " and plain[start + STRETCH - 1] != " ":
        assert shows(returned, chunk(content))


@given(st.text(alphabet="abc ", max_size=120), st.text(alphabet="abc ", max_size=120))
def test_showing_agrees_with_the_plain_definition(content: str, returned: str) -> None:
    plain, text = flat(content), flat(returned)
    stretches = [plain[i : i + STRETCH] for i in range(len(plain) - STRETCH + 1)]
    expected = any(stretch in text for stretch in stretches) if stretches else len(plain) >= 8 and plain in text
    assert shows(text, chunk(content)) is expected
