"""The host half: hostile requests, evidence, generations, batches."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.corpus.documents import FILE_KINDS
from glossator.vfs import Coverage, DocumentFiles, FileLimits, files
from glossator.vfs.guest import marks

from .fakes import Line, MemorySnapshot, Mounted, corpus, identifier, readable

FIRST, SECOND, THIRD = (identifier(number) for number in range(3))


def listed(snapshot: MemorySnapshot, scope: frozenset[str] | None = None) -> Line:
    """A line whose host has answered a list request."""

    async def newest() -> MemorySnapshot:
        return snapshot

    line = Line(DocumentFiles(newest, scope))
    line.request({"op": "list", "generation": None})
    return line


@pytest.mark.parametrize(
    "header",
    [
        {},
        {"op": "write"},
        {"op": ["list"]},
        {"op": "read"},
        {"op": "read", "generation": 1, "kind": "secret.txt", "at": [0]},
        {"op": "read", "generation": 1, "kind": "../metadata.json", "at": [0]},
        {"op": "read", "generation": 1, "kind": ["toc.json"], "at": [0]},
        {"op": "read", "generation": 1, "kind": "toc.json", "at": [2]},
        {"op": "read", "generation": 1, "kind": "toc.json", "at": [0, "../" + SECOND]},
        {"op": "read", "generation": 1, "kind": "toc.json", "at": []},
        {"op": "read", "generation": 1, "kind": "toc.json", "at": FIRST},
        {"op": "read", "generation": 1, "kind": "toc.json", "at": {FIRST: 1}},
        {"op": "read", "generation": 1, "kind": "toc.json", "at": [[0]]},
        {"op": "read", "generation": 1, "kind": "toc.json", "at": [-1]},
        {"op": "read", "generation": 1, "kind": "toc.json", "at": [0.0]},
        {"op": "read", "generation": 1, "kind": "toc.json", "at": [1 << 40]},
        {"op": "read", "generation": 1, "kind": "toc.json", "at": [0] * (files.MOST_AT_ONCE + 1)},
        {"op": "read", "generation": 2, "kind": "toc.json", "at": [0]},
        {"op": "read", "generation": None, "kind": "toc.json", "at": [0]},
        {"op": "stat", "generation": 1, "at": [None]},
        {"op": "stat", "generation": 1},
    ],
    ids=str,
)
def test_hostile_requests_are_refused(header: dict[str, Any]) -> None:
    snapshot = corpus(3)
    reply, bodies = listed(snapshot, frozenset({FIRST, SECOND})).request(header)
    assert list(reply) == ["error"]
    assert bodies == []
    assert snapshot.reads == []


def test_read_before_list_is_refused() -> None:
    async def newest() -> MemorySnapshot:
        return corpus(1)

    line = Line(DocumentFiles(newest))
    reply, _ = line.request({"op": "read", "generation": 1, "kind": "toc.json", "at": [0]})
    assert "error" in reply


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from([FIRST, THIRD, "toc.json", "read", "list"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["op", "kind", "at", "generation", "x"]), inner),
    max_leaves=8,
)


@given(header=st.dictionaries(st.sampled_from(["op", "kind", "at", "generation"]), json_values), report=json_values)
def test_no_header_reaches_beyond_the_scope(header: dict[str, Any], report: Any) -> None:
    snapshot = corpus(3)
    line = listed(snapshot, frozenset({FIRST}))
    line.request(header)
    line.host.finish(report)
    line.host.finish({"opened": report})
    assert {document for _, ids in snapshot.reads for document in ids} <= {FIRST}
    assert line.host.last <= {FIRST}


def test_evidence_is_what_was_opened_and_delivered() -> None:
    mounted = Mounted(corpus(10))
    walked = mounted.os.listdir("/documents")[:4]
    for name in walked:
        mounted.Path("/documents", name, "toc.json").read_text()
    mounted.items(THIRD)
    delivered = {document for kind, ids in mounted.waiting[0].reads for document in ids}
    mounted.cell_ends()
    assert mounted.host.opened == {"toc.json": {*walked}, "items.jsonl": {THIRD}}
    assert mounted.host.last == set(walked)
    assert mounted.host.coverage() == Coverage(documents=10, opened=4, unreadable=0)
    assert len(delivered) > 4  # what was read ahead is no evidence


def test_evidence_is_per_cell_also_from_the_cache() -> None:
    mounted = Mounted(corpus(4))
    mounted.toc(FIRST)
    mounted.cell_ends()
    reads = len(mounted.line.requests("read"))
    mounted.toc(FIRST)
    assert len(mounted.line.requests("read")) == reads
    mounted.cell_ends()
    assert mounted.host.last == {FIRST}
    assert mounted.host.opened == {"toc.json": {FIRST}}
    mounted.cell_ends()
    assert mounted.host.last == frozenset()


@pytest.mark.parametrize(
    "report",
    [
        {"opened": {"toc.json": "1"}},
        {"opened": {"items.jsonl": "6"}},
        {"opened": {"items.jsonl": "f" * 100_000 + "6"}},
        {"opened": {"items.jsonl": [FIRST]}},
        {"opened": {"items.jsonl": 1}},
        {"opened": {"nonsense": "1"}},
        {"opened": [FIRST]},
        {"opened": "1"},
        {},
    ],
    ids=lambda report: str(report)[:60],
)
def test_reports_of_what_was_never_delivered_count_for_nothing(report: dict[str, Any]) -> None:
    line = listed(corpus(3))
    line.request({"op": "read", "generation": 1, "kind": "items.jsonl", "at": [0]})
    line.host.finish(report)
    assert line.host.last == frozenset()


@given(st.lists(st.booleans()))
def test_marks_come_back_as_they_were_packed(flags: list[bool]) -> None:
    assert marks.unpacked(marks.packed(bytearray(flags)), len(flags)) == bytes(flags)


@given(st.text() | st.text("0123456789abcdef"), st.integers(0, 40))
def test_whatever_comes_as_marks_is_a_flag_for_each_document(digits: str, size: int) -> None:
    assert len(marks.unpacked(digits, size)) == size


def test_stat_and_listing_are_no_evidence() -> None:
    mounted = Mounted(corpus(3))
    assert [path.stat().st_size for path in mounted.Path("/documents").rglob("*.*")]
    mounted.cell_ends()
    assert mounted.host.last == frozenset()
    assert mounted.waiting[0].reads == []
    assert mounted.host.coverage() == Coverage(documents=3, opened=0, unreadable=0)


def test_coverage_counts_what_is_unreadable() -> None:
    contents = {key: readable(key) for key in (FIRST, SECOND, THIRD)}
    mounted = Mounted(MemorySnapshot(contents, status={SECOND: "unreadable", THIRD: "empty"}))
    mounted.items(FIRST)
    mounted.cell_ends()
    assert mounted.host.coverage() == Coverage(documents=3, opened=1, unreadable=1)


def test_a_cell_sees_one_generation() -> None:
    old, new = corpus(2, text="old\n"), corpus(3, generation=2, text="new\n")
    mounted = Mounted(old, new)
    path = mounted.Path("/documents", FIRST, "content.txt")
    later = mounted.Path("/documents", SECOND, "content.txt")
    assert path.read_text() == "old\n"
    assert (later.read_text(), later.stat().st_size, len(mounted.os.listdir("/documents"))) == ("old\n", 4, 2)
    mounted.cell_ends()
    assert (path.read_text(), later.stat().st_size, len(mounted.os.listdir("/documents"))) == ("new\n", 4, 3)
    mounted.cell_ends()
    assert path.read_text() == "new\n"


def test_what_an_old_generation_delivered_is_no_evidence_of_the_new_one() -> None:
    mounted = Mounted(corpus(2), corpus(2, generation=2))
    mounted.toc(FIRST)
    mounted.cell_ends()
    mounted.os.listdir("/documents")
    mounted.host.finish({"opened": {"toc.json": "1"}})
    assert mounted.host.last == frozenset()


def test_unchanged_generation_is_not_listed_again() -> None:
    mounted = Mounted(corpus(50))
    mounted.os.listdir("/documents")
    mounted.cell_ends()
    mounted.os.listdir("/documents")
    mounted.os.listdir("/documents")
    assert [header["generation"] for header in mounted.line.requests("list")] == [None, 1]


def test_removed_documents_are_gone() -> None:
    mounted = Mounted(corpus(2), MemorySnapshot({SECOND: readable(SECOND)}, generation=2))
    kept = mounted.open(f"/documents/{FIRST}/content.txt")
    mounted.cell_ends()
    assert mounted.os.listdir("/documents") == [SECOND]
    with pytest.raises(FileNotFoundError):
        mounted.open(f"/documents/{FIRST}/content.txt")
    assert kept.read() == "some text\nmore text\n"  # an open file stays readable, as on disk


# ---- readahead ------------------------------------------------------------------------------------------------------


def batches(mounted: Mounted) -> list[int]:
    return [len(header["at"]) for header in mounted.line.requests("read")]


@pytest.mark.parametrize("order", [list, sorted], ids=["corpus", "sorted"])
def test_reading_in_order_asks_for_growing_batches(order: Any) -> None:
    mounted = Mounted(corpus(1000))
    for path in order(mounted.Path("/documents").iterdir()):
        assert (path / "content.txt").read_text()
    assert len(batches(mounted)) <= 15
    assert sum(batches(mounted)) <= 1100


def test_reading_two_kinds_at_once_is_read_ahead_too() -> None:
    mounted = Mounted(corpus(300))
    for path in mounted.Path("/documents").iterdir():
        assert (path / "metadata.json").read_text()
        assert (path / "content.txt").read_bytes()
    assert len(batches(mounted)) <= 22


def test_skipping_documents_keeps_reading_ahead() -> None:
    mounted = Mounted(corpus(1000))
    for number, path in enumerate(mounted.Path("/documents").iterdir()):
        if number % 7 != 3:
            (path / "content.txt").read_text()
    assert len(batches(mounted)) <= 14


def test_single_reads_ask_for_single_documents() -> None:
    mounted = Mounted(corpus(100))
    for number in (50, 20, 80, 3):
        mounted.items(identifier(number))
    assert batches(mounted) == [1, 1, 1, 1]


def test_sizes_come_in_batches() -> None:
    mounted = Mounted(corpus(1500))
    assert all(path.stat().st_size for path in mounted.Path("/documents").glob("*/toc.json"))
    assert len(mounted.line.requests("stat")) == 2


def test_batches_and_cache_are_bounded_in_bytes() -> None:
    limits = FileLimits(batch_bytes=10_000, cache_bytes=20_000)
    mounted = Mounted(corpus(60, text="x" * 3000), limits=limits)
    for _ in range(2):
        for path in mounted.Path("/documents").iterdir():
            assert (path / "content.txt").stat().st_size == len((path / "content.txt").read_bytes()) == 3000
    assert max(len(ids) for _, ids in mounted.waiting[0].reads) == 3
    assert len(mounted.waiting[0].reads) >= 40  # nothing was left of the first walk


def test_a_file_larger_than_the_cache_is_read_all_the_same() -> None:
    mounted = Mounted(corpus(3, text="y" * 5000), limits=FileLimits(batch_bytes=100, cache_bytes=1000))
    assert [len((path / "content.txt").read_text()) for path in mounted.Path("/documents").iterdir()] == [5000] * 3


def test_a_file_larger_than_a_batch_comes_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "INLINE_BYTES", 1000)  # and from a thread
    mounted = Mounted(corpus(3, text="y" * 5000), limits=FileLimits(batch_bytes=100))
    assert [len((path / "content.txt").read_text()) for path in mounted.Path("/documents").iterdir()] == [5000] * 3


def test_kinds_of_both_halves_are_the_same() -> None:
    from glossator.vfs.guest.documents import KINDS

    assert KINDS == FILE_KINDS


def test_what_exists_is_known_without_asking() -> None:
    mounted = Mounted(corpus(300))
    paths = list(mounted.Path("/documents").glob("*/toc.json"))
    assert all(path.is_file() and path.exists() and path.parent.is_dir() for path in paths)
    assert len(paths) == 300 and not (paths[0] / "x").exists() and not paths[0].with_name("nope").is_file()
    assert [header["op"] for header in mounted.line.headers] == ["list"]


def test_the_next_batch_is_asked_for_before_it_is_needed() -> None:
    mounted = Mounted(corpus(200))
    for path in list(mounted.Path("/documents").iterdir())[:64]:
        (path / "content.txt").read_text()
    ends = [sum(batches(mounted)[: n + 1]) for n in range(len(batches(mounted)))]
    assert ends[-1] > ends[-2] >= 63  # the last one is on its way, and nobody has waited for it
    mounted.cell_ends()
    assert len(mounted.host.last) == 64
    for path in mounted.Path("/documents").iterdir():
        (path / "content.txt").read_text()
    mounted.cell_ends()
    assert len(mounted.host.last) == 200


def test_leaving_the_order_gives_up_what_was_asked_for() -> None:
    mounted = Mounted(corpus(2000))
    folders = list(mounted.Path("/documents").iterdir())
    for path in (*folders[:80], *folders[1500:1400:-1], *folders[80:400]):
        assert (path / "content.txt").read_text()
    assert len(mounted.line.answers) <= 1
    mounted.cell_ends()
    assert len(mounted.host.last) == 500
