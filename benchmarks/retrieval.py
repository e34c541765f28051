"""How well search finds: the evidence of real questions, and Cranfield's relevant abstracts.

    python benchmarks/retrieval.py SHARED [--work FOLDER] [--only dev|cranfield]

SHARED holds data/dev, data/dev_questions.jsonl and data/retrieval. The corpora are kept in --work, so that a second run
measures the search alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from glossator.corpus import Corpus, SearchMode, Snapshot

MODES: tuple[SearchMode, ...] = ("hybrid", "fulltext", "semantic")
FIRST = 5  # results among which the evidence has to be
CUT = 10  # of nDCG and recall
DEPTH = 60  # chunks asked for, so that ten documents are among them


async def build(folder: Path, sources: Path) -> Corpus:
    corpus = await Corpus.open(folder, create=True)
    start = time.perf_counter()
    counts: dict[str, int] = defaultdict(int)
    async for outcome in corpus.add([sources]):
        counts[outcome.status] += 1
    print(f"{sources.name}: {dict(counts)} in {time.perf_counter() - start:.1f} s")
    return corpus


async def dev(shared: Path, work: Path) -> None:
    """Of the questions with a quote as evidence: is a document of that evidence among the first results?"""
    lines = (shared / "data/dev_questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [(row, evidence) for row in map(json.loads, lines) if (evidence := _quoted(row))]
    async with await build(work / "dev", shared / "data/dev") as corpus:
        snapshot = await corpus.snapshot()
        for mode in MODES:
            await _evidence(snapshot, mode, asked)
        await snapshot.close()


def _quoted(row: dict) -> set[str]:
    return {entry["file"] for entry in row.get("evidence") or () if entry.get("quote")}


async def _evidence(snapshot: Snapshot, mode: SearchMode, asked: Sequence[tuple[dict, set[str]]]) -> None:
    missed, took = [], []
    for row, evidence in asked:
        start = time.perf_counter()
        page = await snapshot.search(row["question"], limit=FIRST, mode=mode)
        took.append(time.perf_counter() - start)
        if not evidence & {name(result.document.uri) for result in page.results}:
            missed.append(row["id"])
    share = 1 - len(missed) / len(asked)
    print(f"dev {mode}: {share:.1%} of {len(asked)} in the first {FIRST}, {speed(took)}; missed {' '.join(missed)}")


async def cranfield(shared: Path, work: Path) -> None:
    """nDCG and recall at ten with binary gains, abstracts ranked by their best chunk."""
    folder = shared / "data/retrieval"
    sources = work / "abstracts"
    _write_abstracts((folder / "cran.all.1400").read_text(), sources)
    queries = [body for _, body in _records((folder / "cran.qry").read_text())]
    relevant: dict[int, set[str]] = defaultdict(set)
    for line in (folder / "cranqrel").read_text().splitlines():
        query, document, degree = map(int, line.split())
        if degree > 0:
            relevant[query].add(str(document))
    async with await build(work / "cranfield", sources) as corpus:
        snapshot = await corpus.snapshot()
        for mode in MODES:
            await _ranking(snapshot, mode, queries, relevant)
        await snapshot.close()


def _write_abstracts(text: str, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for number, body in _records(text):
        path = folder / f"{number}.txt"
        if not path.exists():
            path.write_text(body + "\n", encoding="utf-8")


def _records(text: str) -> list[tuple[int, str]]:
    """Number and text (field W) of each record; queries count by their place, as the judgements do."""
    records = re.split(r"^\.I (\d+)\s*$", text, flags=re.MULTILINE)[1:]
    numbers, bodies = records[::2], records[1::2]
    return [(int(number), body.split("\n.W\n", 1)[1].strip()) for number, body in zip(numbers, bodies, strict=True)]


async def _ranking(snapshot: Snapshot, mode: SearchMode, queries: Sequence[str], relevant: dict[int, set[str]]) -> None:
    gains, recalls, took = [], [], []
    for number, query in enumerate(queries, start=1):
        if not relevant[number]:
            continue
        start = time.perf_counter()
        page = await snapshot.search(query, limit=DEPTH, mode=mode)
        took.append(time.perf_counter() - start)
        ranked = list(dict.fromkeys(name(result.document.uri).removesuffix(".txt") for result in page.results))[:CUT]
        gains.append(ndcg(ranked, relevant[number]))
        recalls.append(len(relevant[number].intersection(ranked)) / len(relevant[number]))
    count = len(gains)
    quality = f"nDCG@{CUT} {sum(gains) / count:.3f}, recall@{CUT} {sum(recalls) / count:.3f}"
    print(f"cranfield {mode}: {quality}, {speed(took)}")


def ndcg(ranked: Sequence[str], relevant: set[str]) -> float:
    gain = sum(1 / math.log2(rank + 1) for rank, document in enumerate(ranked, start=1) if document in relevant)
    return gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(len(relevant), CUT) + 1))


def name(uri: str) -> str:
    return unquote(uri.rsplit("/", 1)[-1])


def speed(seconds: Sequence[float]) -> str:
    ordered = sorted(seconds)
    return f"p50 {ordered[len(ordered) // 2] * 1e3:.0f} ms, p95 {ordered[int(len(ordered) * 0.95)] * 1e3:.0f} ms"


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--work", type=Path, help="where the corpora are kept (default: a temporary folder)")
    parser.add_argument("--only", choices=["dev", "cranfield"])
    arguments = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="glossator-retrieval-") as temporary:
        work = arguments.work or Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        if arguments.only != "cranfield":
            await dev(arguments.shared, work)
        if arguments.only != "dev":
            await cranfield(arguments.shared, work)


if __name__ == "__main__":
    asyncio.run(main())
