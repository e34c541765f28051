"""Blobs: bytes by their hash, with a bounded cache of hot files for all who read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from glossator.corpus.blobs import Blobs


@pytest.fixture
def blobs(tmp_path: Path) -> Iterator[Blobs]:
    made = Blobs(tmp_path / "files.sqlite", hot_bytes=1000)
    made.create()
    yield made
    made.close()


def put(blobs: Blobs, contents: Sequence[bytes]) -> list[int]:
    """Store them; their numbers in order."""
    numbers = blobs.put(contents)
    return [numbers[hashlib.sha256(data).hexdigest()] for data in contents]


def test_bytes_come_in_the_order_asked_few_or_many(blobs: Blobs) -> None:
    contents = [bytes([n]) * (n + 1) for n in range(40)]
    numbers = put(blobs, contents)
    for asked in ([0, 1, 2], [2, 1, 0], range(40), range(39, -1, -1), [5] * 20, []):
        assert blobs.get([numbers[n] for n in asked]) == [contents[n] for n in asked]
    with pytest.raises(KeyError):
        blobs.get([numbers[0], 1000])


def test_equal_bytes_are_stored_once(blobs: Blobs) -> None:
    first, second, third = put(blobs, [b"same", b"same", b"other"])
    assert first == second != third
    assert put(blobs, [b"same"]) == [first]


def test_what_is_swept_is_gone_and_its_number_is_not_used_again(blobs: Blobs) -> None:
    numbers = put(blobs, [b"one", b"two", b"three"])
    assert blobs.sweep([numbers[0], numbers[0]]) == 2
    assert blobs.get(numbers[:1]) == [b"one"]
    with pytest.raises(KeyError):
        blobs.get(numbers[2:])
    assert min(put(blobs, [b"three", b"four"])) > max(numbers)


def test_hot_files_are_shared_and_bounded(blobs: Blobs) -> None:
    contents = [bytes([n]) * 300 for n in range(10)]
    numbers = put(blobs, contents)

    def get(n: int) -> bytes:
        return blobs.get([numbers[n]])[0]

    first = get(0)
    assert get(0) is first  # the same object: nothing was read
    for n in (1, 2, 0, 3):  # 0 was used last but one: it stays, 1 goes
        get(n)
    assert get(0) is first
    blobs.get(numbers)  # a walk, which is no sign of being hot
    assert get(0) is first
    for n in range(1, 8):
        get(n)
    assert get(0) is not first and get(0) == first


def test_a_file_larger_than_the_cache_is_read_all_the_same(blobs: Blobs) -> None:
    numbers = put(blobs, [b"x" * 5000])
    assert blobs.get(numbers) == blobs.get(numbers) == [b"x" * 5000]
