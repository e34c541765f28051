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
from dataclasses import dataclass
from pathlib import Path

from glossator.corpus import Corpus, SearchMode, SearchResult, Snapshot

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


@dataclass(frozen=True, slots=True)
class Quotation:
    """Evidence of a question: a file, and the words that stand in it."""

    file: str
    words: str

    def stands_in(self, result: SearchResult) -> bool:
        """Whether it is in the passage or in its headings, whatever stands between its letters."""
        text = " ".join([*result.chunk.headings, result.chunk.content])
        letters = _letters(self.words)
        return result.document.name == self.file and (letters in _letters(text) if letters else self.words in text)


def _letters(text: str) -> str:
    return "".join(re.findall(r"[^\W_]", text.casefold()))


async def dev(shared: Path, work: Path) -> None:
    """Of the questions with a quote as evidence: are its document and its passage among the first results?"""
    lines = (shared / "data/dev_questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [(row, evidence) for row in map(json.loads, lines) if (evidence := _quoted(row))]
    async with await build(work / "dev", shared / "data/dev") as corpus:
        snapshot = await corpus.snapshot()
        for mode in MODES:
            await _evidence(snapshot, mode, asked)
        await snapshot.close()


def _quoted(row: dict) -> list[Quotation]:
    return [Quotation(entry["file"], entry["quote"]) for entry in row.get("evidence") or () if entry.get("quote")]


async def _evidence(snapshot: Snapshot, mode: SearchMode, asked: Sequence[tuple[dict, list[Quotation]]]) -> None:
    files, passages, took = [], [], []
    for row, evidence in asked:
        start = time.perf_counter()
        page = await snapshot.search(row["question"], limit=FIRST, mode=mode)
        took.append(time.perf_counter() - start)
        if not {quotation.file for quotation in evidence} & {result.document.name for result in page.results}:
            files.append(row["id"])
        if not any(quotation.stands_in(result) for quotation in evidence for result in page.results):
            passages.append(row["id"])
    shares = [f"{1 - len(missed) / len(asked):.1%}" for missed in (files, passages)]
    print(f"dev {mode}: document {shares[0]}, passage {shares[1]} of {len(asked)} in the first {FIRST}, {speed(took)}")
    print(f"    missed documents {' '.join(files)}; passages {' '.join(passages)}")


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
        ranked = list(dict.fromkeys(result.document.name.removesuffix(".txt") for result in page.results))[:CUT]
        gains.append(ndcg(ranked, relevant[number]))
        recalls.append(len(relevant[number].intersection(ranked)) / len(relevant[number]))
    count = len(gains)
    quality = f"nDCG@{CUT} {sum(gains) / count:.3f}, recall@{CUT} {sum(recalls) / count:.3f}"
    print(f"cranfield {mode}: {quality}, {speed(took)}")


def ndcg(ranked: Sequence[str], relevant: set[str]) -> float:
    gain = sum(1 / math.log2(rank + 1) for rank, document in enumerate(ranked, start=1) if document in relevant)
    return gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(len(relevant), CUT) + 1))


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
