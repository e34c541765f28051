"""What is kept of a session: the same whatever process reads it, and whatever became of the one that wrote it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.sandbox import (
    BadSessionName,
    Cell,
    CellError,
    CellResult,
    Checkpoint,
    FileJournals,
    HostFunction,
    Limits,
    Reply,
    Sandbox,
    SessionBusy,
    SessionNotKept,
    SessionUnreadable,
)
from glossator.sandbox.journal import digest, from_json

replies = st.builds(
    Reply,
    st.integers(1, 9),
    st.text(max_size=9),
    st.sampled_from(["value", "error"]),
    st.just(b'[1,{"a":"\xc3\xa9"}]'),
    st.none(),
)
cells = st.builds(
    Cell,
    number=st.integers(1, 1000),
    code=st.text(st.characters(), max_size=30),  # lone surrogates too
    entropy=st.text("0123456789abcdef", max_size=8),
    clock=st.lists(st.integers(-(2**63), 2**63 - 1), max_size=3).map(tuple),
    turns=st.lists(st.integers(0, 2**63 - 1), max_size=3).map(tuple),
    files=st.dictionaries(st.text(max_size=3), st.text("0123456789abcdef"), max_size=2),
    questions=st.integers(0, 5),
    replies=st.lists(replies, max_size=3).map(tuple),
    digest=st.text("0123456789abcdef", max_size=8),
    cpu_s=st.floats(0, 100),
    made_by=st.just("CPython"),
    stop=st.sampled_from(["", "it was ended by its time limit"]),
)


@given(st.lists(cells, max_size=4), st.data())
def test_a_torn_tail_costs_only_the_record_that_it_cuts(
    tmp_path_factory: pytest.TempPathFactory, kept: list[Cell], data: st.DataObject
) -> None:
    journals = FileJournals(tmp_path_factory.mktemp("journals"))
    journal = journals.open("s")
    for cell in kept:
        journal.append(cell)
    journal.close()
    path = journals.folder / "s.journal"
    written = path.read_bytes()
    cut = data.draw(st.integers(0, len(written)))
    garbage = [b"\0" * 20, b"garbage\n", b"00000000 {}\n", b"a3a6bf43 {}\n", b'aa3d71ab {"number":1,"colour":2}\n']
    tail = data.draw(st.sampled_from([b"", *garbage]))
    path.write_bytes(written[:cut] + tail)
    if tail.endswith(b"\n") and not written[:cut].count(b"\n"):
        with pytest.raises(SessionUnreadable, match="not a journal"):
            journals.open("s")
        return
    journal = journals.open("s")
    whole = max(0, written[:cut].count(b"\n") - 1)
    assert list(journal.cells) == kept[:whole]
    lost = written[:cut].rpartition(b"\n")[2] + tail
    assert bool(journal.damage) == bool(lost) and (not lost or path.with_suffix(".damaged").read_bytes() == lost)
    more = Cell(1001, "x")
    journal.append(more)
    journal.close()
    again = journals.open("s")
    assert list(again.cells) == [*kept[:whole], more]
    again.close()


def test_what_was_forgotten_stays_forgotten(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open("s")
    for number in (1, 2, 3):
        journal.append(Cell(number, f"x = {number}"))
    journal.keep(Checkpoint(3, ("f",), b"\n data \n"))
    journal.forget_after(1)
    journal.append(Cell(4, "x = 4"))
    journal.close()
    journal = journals.open("s")
    assert [cell.number for cell in journal.cells] == [1, 4]
    assert (journal.last_number, journal.checkpoint) == (4, None)
    journal.close()


def test_a_checkpoint_is_whole_or_it_is_none(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open("s")
    journal.append(Cell(1, "x"))
    kept = Checkpoint(1, ("f", "g"), b"\n data \n" * 100)
    journal.keep(kept)
    journal.close()
    journal = journals.open("s")
    assert journal.checkpoint == kept
    journal.close()
    path = tmp_path / "s.checkpoint"
    path.write_bytes(path.read_bytes()[:-1])
    journal = journals.open("s")
    assert journal.checkpoint is None
    journal.close()


def test_one_process_at_a_time_and_the_other_is_told_who_it_is(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open("s")
    with pytest.raises(SessionBusy, match=rf"'s' is in use by .*process {os.getpid()} "):
        journals.open("s")
    journals.open("other").close()
    journal.close()
    journals.open("s").close()


HOLDER = """
import sys, time
from glossator.sandbox import FileJournals
journal = FileJournals(sys.argv[1]).open("s")
print("held", flush=True)
time.sleep(60)
"""


def test_a_lease_ends_with_its_process_however_that_ends(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, tmp_path], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
        with pytest.raises(SessionBusy, match=f"process {holder.pid} "):
            FileJournals(tmp_path).open("s")
        holder.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, holder.pid, os.WSTOPPED)
        with pytest.raises(SessionBusy, match=f"process {holder.pid} .* stopped: `kill -CONT {holder.pid}`"):
            FileJournals(tmp_path).open("s")
        holder.kill()
        holder.wait()
        FileJournals(tmp_path).open("s").close()


def test_sessions_are_listed_deleted_and_expire(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path / "made", expire_s=1000)
    assert journals.names() == []
    held = journals.open("held")
    for name in ("old", "new"):
        journals.open(name).close()
    long_ago = time.time() - 2000
    for name in ("old", "held"):
        os.utime(journals.folder / f"{name}.journal", (long_ago, long_ago))
    assert "new" in journals and journals.names()[0] == "new"
    assert journals.expire() == ["old"]
    with pytest.raises(SessionBusy):
        journals.delete("held")
    held.close()
    assert journals.delete("held") and not journals.delete("held")
    assert journals.names() == ["new"]
    assert "../new" not in journals


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "a\0", "a\n", "x" * 65, "é"])
def test_a_name_that_is_no_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadSessionName):
        FileJournals(tmp_path).open(name)


def test_the_hash_seed_is_the_same_for_ever(tmp_path: Path) -> None:
    seed = FileJournals(tmp_path).hash_seed
    assert 0 < seed < 2**32
    assert FileJournals(tmp_path).hash_seed == seed


def test_addresses_make_no_difference_to_the_digest() -> None:
    def outcome(text: str) -> str:
        return digest(CellResult(1, text, error=CellError("E", text, "")), "")

    assert outcome("<object at 0x7f00aa12>") == outcome("<object at 0x7fbbbb34>")
    assert outcome("a") != outcome("b")


def test_a_full_disk_leaves_no_half_record(tmp_path: Path) -> None:
    code = """
import resource, signal, sys
from glossator.sandbox import Cell, FileJournals
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
journal = FileJournals(sys.argv[1]).open("s")
journal.append(Cell(1, "x"))
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
for act in (lambda: journal.append(Cell(2, "y" * 4000)), lambda: journal.note("n" * 4000)):
    try:
        act()
    except OSError as error:
        print(type(error).__name__)
journal.append(Cell(3, "z"))
journal.note("later")
print([(cell.number, cell.stop) for cell in journal.cells], journal.notes)
"""
    done = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True)
    gap = (2, "it could not be kept (File too large)")
    assert done.stdout == f"OSError\nOSError\n{[(1, ''), gap, (3, '')]} ['later']\n"
    journal = FileJournals(tmp_path).open("s")
    assert [(cell.number, cell.stop) for cell in journal.cells] == [(1, ""), gap, (3, "")]  # the gap is known for ever
    assert (journal.notes, journal.damage) == (["later"], "")
    journal.close()


def test_notes_are_kept_and_begun_anew(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open("s")
    journal.note({"a": 1})
    journal.note(2, "é", anew=True)
    journal.append(Cell(1, "x"))
    journal.note([3])
    journal.close()
    journal = journals.open("s")
    assert (journal.notes, [cell.number for cell in journal.cells]) == ([2, "é", [3]], [1])
    journal.close()


def test_notes_that_count_no_more_do_not_pile_up(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open("s")
    for number in (1, 2, 3):
        journal.append(Cell(number, f"x = {number}"))
    journal.forget_after(2)
    for _ in range(30):
        journal.note("x" * 1_000_000, anew=True)
        assert journals.size("s") < 11_000_000
    journal.append(Cell(4, "y"))
    assert not journal.damage and [path.name for path in tmp_path.iterdir() if "draft" in path.name] == []
    with pytest.raises(SessionBusy):
        journals.open("s")
    journal.close()
    journal = journals.open("s")
    assert ([cell.number for cell in journal.cells], journal.last_number, len(journal.notes)) == ([1, 2, 4], 4, 1)
    journal.close()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"PK\3\4 whatever\nthis is\n", "not a journal .* begin a session of another name, or delete it"),
        (b'5d6cf8a3 {"number":1,"code":"x"}\n', "not a journal"),  # before there were formats
        (b'a11a4d2c {"journal":99}\n', "not a journal .* use the newer version that wrote it"),
    ],
    ids=["foreign", "older", "newer"],
)
def test_what_is_no_journal_of_ours_is_left_as_it_is(tmp_path: Path, content: bytes, told: str) -> None:
    record = content.split(b" ", 1)[1].rstrip(b"\n")
    content = content if content[:1] == b"P" else b"%08x %b\n" % (zlib.crc32(record), record)
    (tmp_path / "s.journal").write_bytes(content)
    journals = FileJournals(tmp_path)
    with pytest.raises(SessionUnreadable, match=told):
        journals.open("s")
    assert (tmp_path / "s.journal").read_bytes() == content
    assert journals.delete("s")
    journals.open("s").close()


def test_damage_in_the_middle_is_told_and_put_aside(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open("s")
    for number in (1, 2, 3):
        journal.append(Cell(number, f"x = {number}"))
    journal.close()
    path = tmp_path / "s.journal"
    path.write_bytes(path.read_bytes().replace(b"x = 2", b"x = 9"))
    journal = journals.open("s")
    assert [cell.number for cell in journal.cells] == [1]
    assert "whatever came after cell 1 is gone" in journal.damage
    assert b"x = 9" in (tmp_path / "s.damaged").read_bytes()
    journal.close()
    journals.open("s").close()  # whole again


def test_files_are_the_users_own_and_links_are_not_followed(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path / "sessions")
    assert journals.hash_seed
    journal = journals.open("s")
    journal.append(Cell(1, "x"))
    journal.keep(Checkpoint(1, (), b"data"))
    journal.close()
    assert {path.stat().st_mode & 0o777 for path in journals.folder.iterdir()} == {0o600}
    assert journals.folder.stat().st_mode & 0o777 == 0o700
    (tmp_path / "precious").write_text("mine")
    for kind in ("journal", "lock", "draft"):
        link = journals.folder / f"trap.{kind}"
        link.symlink_to(tmp_path / "precious")
        if kind != "draft":
            with pytest.raises(SessionNotKept):
                journals.open("trap")
            link.unlink()
            (journals.folder / "trap.lock").unlink(missing_ok=True)
    journal = journals.open("trap")
    journal.append(Cell(1, "x"))
    journal.keep(Checkpoint(1, (), b"data"))
    journal.close()
    assert (tmp_path / "precious").read_text() == "mine"


def test_a_damaged_hash_seed_is_told(tmp_path: Path) -> None:
    (tmp_path / "hash-seed").write_text("")
    with pytest.raises(SessionUnreadable, match="hash-seed holds no number: delete it"):
        _ = FileJournals(tmp_path).hash_seed


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    journals = FileJournals(tmp_path / "file" / "sessions")
    for act in (lambda: journals.open("s"), lambda: journals.hash_seed):
        with pytest.raises(SessionNotKept, match=r"cannot be kept in .*: Not a directory"):
            act()
    assert (journals.names(), journals.expire()) == ([], [])


@pytest.mark.anyio
async def test_long_answers_are_kept_once_however_often_they_come(tmp_path: Path) -> None:
    """Cell after cell lists all documents; what they get fills the journal's limit once, not each time."""
    asked = 0

    async def listing(changed: bool = False) -> list[str]:
        nonlocal asked
        asked += 1
        return [f"document {number} {'changed' * changed}" for number in range(30_000)]

    async def value(code: str) -> str | None:
        async with Sandbox(journals=FileJournals(tmp_path), limits=Limits(journal_mb=2)) as sandbox:
            session = await sandbox.session(name="s", functions=[HostFunction("listing", listing)])
            return (await session.run(code)).value

    for _ in range(3):
        await value("rows = [await listing(), await listing()]")
    await value("other = await listing(True)")
    await value("rows.append(await listing())")
    size, calls = FileJournals(tmp_path).size("s"), asked
    assert size < 2 << 20
    assert await value("[len(set(map(str, rows))), len(rows), other[-1]]") == "[1, 3, 'document 29999 changed']"
    assert asked == calls


def test_what_no_version_of_this_format_wrote_is_no_cell() -> None:
    assert from_json({"number": 3, "code": "x"}) == Cell(3, "x")
    nowhere = {"number": 3, "code": "x", "replies": [[1, "f", "value", None, [2, 0]]]}
    for strange in ({"number": 3, "code": "x", "from_the_future": 1}, {"code": "x"}, {"number": 3, "code": 5}, nowhere):
        with pytest.raises((TypeError, ValueError, LookupError, AttributeError)):
            from_json(strange)
