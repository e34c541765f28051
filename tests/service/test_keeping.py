"""`backup`, `restore` and `rm --purge`, with the sessions of the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Glossator, Ran


@pytest.fixture
def call(glossator_here: Glossator, own_corpus: Path):
    def call(*arguments: str) -> Ran:
        return glossator_here("--corpus", str(own_corpus), *arguments)

    return call


def everything(folder: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_session_goes_on_in_a_restored_corpus(call: Glossator, glossator_here: Glossator, tmp_path: Path) -> None:
    assert (
        call("exec", "--session", "kept", "-c", "found = [r['chunk_id'] for r in await search('lighthouse')]").code == 0
    )
    told = call("backup", str(tmp_path / "b.tar"), "--json")
    assert (told.code, told.json["documents"]) == (0, 3)
    assert "already" in call("backup", str(tmp_path / "b.tar")).err
    place = ("--corpus", str(tmp_path / "restored"))
    assert glossator_here("restore", str(tmp_path / "b.tar"), *place).out.startswith("3 documents in ")
    assert "not empty" in glossator_here("restore", str(tmp_path / "b.tar"), *place).err
    assert glossator_here("ls", "--json", *place).json == call("ls", "--json").json
    again = glossator_here("exec", "--session", "kept", "-c", "print(len(found) > 0)", *place)
    assert (again.code, again.out) == (0, "True\n"), again.err


def test_purging_reaches_sessions_and_leaves_the_others(call: Glossator, own_corpus: Path) -> None:
    for name, code in (
        ("saw", "found = await search('Ada Brandt')"),
        ("read", "text = [p.read_text() for p in Path('/documents').glob('*/content.txt')]"),
        ("typed", "note = 'The lighthouse on Gull Rock was lit in 1887. Its keeper was Ada Brandt.'"),
        ("other", "number = 1"),
    ):
        assert call("exec", "--session", name, "-c", code).code == 0
    before = everything(own_corpus)
    assert all(word in before for word in (b"Ada Brandt", b"lighthouse.txt", b"Gull Rock"))
    purged = call("rm", "--purge", "lighthouse.txt")
    assert purged.code == 0 and purged.out.startswith("purged "), purged.err
    assert sorted(call("sessions", "--json").json[n]["name"] for n in range(1)) == ["other"]
    after = everything(own_corpus)
    assert not [word for word in (b"Ada Brandt", b"lighthouse.txt", b"Gull Rock") if word.lower() in after.lower()]
    assert (
        "Harbour rules" in call("search", "berth").out
        and call("search", "Gull Rock", "--json", "--mode", "fulltext").json == []
    )


def test_a_running_session_is_named(call: Glossator, own_corpus: Path) -> None:
    from glossator.sandbox import FileJournals

    assert call("exec", "--session", "busy", "-c", "found = await search('Ada Brandt')").code == 0
    journal = FileJournals(own_corpus / "sessions").open("busy")
    told = call("rm", "--purge", "lighthouse.txt")
    assert (told.code, told.out) == (1, "") and "sessions/busy.journal" in told.err
    journal.close()
    assert call("ls", "--json").json and b"Ada Brandt" in everything(own_corpus)
    assert call("sessions", "--delete", "busy").code == 0 and b"Ada Brandt" not in everything(own_corpus)
