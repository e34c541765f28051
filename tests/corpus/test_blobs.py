"""Blobs: bytes by their hash, with a bounded cache of hot files for all who read."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from glossator.corpus.blobs import Blobs


def digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    made = Blobs(tmp_path / "files.sqlite", hot_bytes=1000)
    made.create()
    return made


def test_bytes_come_in_the_order_asked_few_or_many(blobs: Blobs) -> None:
    contents = [bytes([n]) * (n + 1) for n in range(40)]
    blobs.put(contents)
    for asked in (contents[:3], contents[2::-1], contents, contents[::-1], [contents[5]] * 20, []):
        assert blobs.get([digest(data) for data in asked]) == asked
    with pytest.raises(KeyError):
        blobs.get([digest(contents[0]), digest(b"nowhere")])
    blobs.close()


def test_hot_files_are_shared_and_bounded(blobs: Blobs) -> None:
    contents = [bytes([n]) * 300 for n in range(10)]
    blobs.put(contents)

    def get(n: int) -> bytes:
        return blobs.get([digest(contents[n])])[0]

    first = get(0)
    assert get(0) is first  # the same object: nothing was read
    for n in (1, 2, 0, 3):  # 0 was used last but one: it stays, 1 goes
        get(n)
    assert get(0) is first
    blobs.get([digest(data) for data in contents])  # a walk, which is no sign of being hot
    assert get(0) is first
    for n in range(1, 8):
        get(n)
    assert get(0) is not first and get(0) == first
    blobs.close()


def test_a_file_larger_than_the_cache_is_read_all_the_same(blobs: Blobs) -> None:
    large = b"x" * 5000
    blobs.put([large])
    assert blobs.get([digest(large)]) == blobs.get([digest(large)]) == [large]
    blobs.close()
