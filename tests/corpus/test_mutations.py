"""Broken files of every format: each costs at most its limit, and is a document or fails with a reason."""

from __future__ import annotations

import asyncio
import os
import random
import resource
from pathlib import Path

import pytest

from glossator.corpus.convert import ConversionLimits, Converted, Converter
from glossator.corpus.errors import ConversionFailed

from .mutations import SEEDS, mutant

pytestmark = pytest.mark.anyio
SAMPLES = Path(__file__).parents[2] / "samples" / "documents"
LIMITS = ConversionLimits(wall_s=30, cpu_s=20, memory_mb=1024, output_mb=64)
TOLERANCE_S = 15  # of a busy machine
HOST_GROWTH_MB = 200


async def convert_mutants(folder: Path, first: int, count: int) -> dict[str, int]:
    """How many of the mutants became what; raises for one that is neither a document nor a named failure."""
    files = sorted((path.name, path.read_bytes()) for path in SAMPLES.iterdir()) + SEEDS
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    counts = {"ok": 0, "empty": 0, "failed": 0}
    todo = iter(range(first, first + count))
    async with Converter(LIMITS) as converter:

        async def work() -> None:
            for number in todo:
                name, data = mutant(random.Random(number), files)
                path = folder / f"{number}-{name}"
                path.write_bytes(data)
                counts[await _became(converter, path)] += 1
                path.unlink()

        await asyncio.gather(*(work() for _ in range(os.cpu_count() or 1)))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < HOST_GROWTH_MB * 1024
    return counts


async def _became(converter: Converter, path: Path) -> str:
    try:
        async with asyncio.timeout(LIMITS.wall_s + TOLERANCE_S):
            result = await converter.convert(path, document_id="abcdefghij")
    except ConversionFailed as failure:
        reason = str(failure)
        assert reason and "\n" not in reason and len(reason) < 300, (path.name, reason)
        assert "unusable result" not in reason and "server ended" not in reason, (path.name, reason)
        return "failed"
    _check(path, result)
    return result.status


def _check(path: Path, result: Converted) -> None:
    """A document is whole, whatever it was made of."""
    assert result.status == ("ok" if result.content else "empty"), path.name
    assert result.status == "empty" or result.chunks, path.name
    assert result.item_count == result.items.count(b"\n"), path.name
    assert len(result.chunks) == result.chunks_file.count(b"\n"), path.name


async def test_broken_files_are_documents_or_named_failures(tmp_path: Path) -> None:
    counts = await convert_mutants(tmp_path, 0, 80)
    assert counts["ok"] and counts["failed"]


@pytest.mark.slow
async def test_ten_thousand_broken_files(tmp_path: Path) -> None:
    counts = await convert_mutants(tmp_path, 1000, 10_000)
    assert sum(counts.values()) == 10_000
