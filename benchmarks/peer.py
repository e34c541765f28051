"""haiku.rag-slim over the same documents, run by the Python of its own venv: see `benchmarks/documents.py --peer`.

    PEER_PYTHON benchmarks/peer.py import EXPORT DATABASE   (EXPORT: as `documents.py --export` keeps it)
    PEER_PYTHON benchmarks/peer.py run DATABASE PROGRAM     (a program in its sandbox, in a new process)

Documents are rebuilt item by item and stored through its own batch import, with the same chunks and constant vectors,
so that no embedder is asked. Its files are rendered by itself: a program's output need not be ours.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from docling_core.types.doc import DocItemLabel, DoclingDocument, TableCell, TableData
from haiku.rag.client import HaikuRAG
from haiku.rag.client.documents import DocumentImport
from haiku.rag.config.models import AppConfig
from haiku.rag.sandbox.dependencies import AnalysisContext
from haiku.rag.sandbox.sandbox import Sandbox
from haiku.rag.store.models.chunk import Chunk

BATCH = 500  # documents to an import
VECTOR = [0.5, 0.5, 0.5, 0.5]


def configuration() -> AppConfig:
    config = AppConfig()
    config.embeddings.model.vector_dim = len(VECTOR)
    return config


def converted(items: list[dict[str, Any]], name: str) -> DoclingDocument:
    """The document that these lines of items.jsonl were made of."""
    document, group = DoclingDocument(name=name), None
    for item in items:
        group = (group or document.add_list_group()) if item["label"] == "list_item" else None
        match item["label"]:
            case "title":
                document.add_title(item["text"])
            case "section_header":
                document.add_heading(item["text"], level=item["heading_level"])
            case "list_item":
                document.add_list_item(item["text"], parent=group)
            case "table":
                document.add_table(table([item["table"]["columns"], *item["table"]["rows"]]))
            case _:
                document.add_text(DocItemLabel.TEXT, item["text"])
    return document


def table(rows: list[list[str]]) -> TableData:
    cells = [
        TableCell(
            text=text,
            start_row_offset_idx=row,
            end_row_offset_idx=row + 1,
            start_col_offset_idx=column,
            end_col_offset_idx=column + 1,
            column_header=row == 0,
        )
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
    ]
    return TableData(table_cells=cells, num_rows=len(rows), num_cols=len(rows[0]))


def documents(export: Path) -> Iterator[DocumentImport]:
    for folder in export.iterdir():
        metadata = json.loads((folder / "metadata.json").read_text())
        items = [json.loads(line) for line in (folder / "items.jsonl").read_text().splitlines()]
        lines = (folder / "chunks.jsonl").read_text().splitlines()
        chunks = [
            Chunk(content=row["content"], metadata=row["metadata"], order=order, embedding=VECTOR)
            for order, row in enumerate(map(json.loads, lines))
        ]
        document = converted(items, metadata["title"])
        yield DocumentImport(document, chunks, metadata["uri"], metadata["title"], metadata["metadata"])


async def build(export: Path, database: Path) -> None:
    started, done, following = time.perf_counter(), 0, documents(export)
    async with HaikuRAG(database, configuration(), create=True) as client:
        while batch := list(islice(following, BATCH)):
            await client.import_documents(batch)
            done += len(batch)
            print(f"  {done:>7,} documents  {time.perf_counter() - started:6.1f} s", flush=True)


async def run(database: Path, program: str) -> dict[str, Any]:
    config = configuration()
    async with HaikuRAG(database, config, read_only=True) as client:  # else it opens the database for every read
        wall, cpu = time.perf_counter(), _cpu()
        sandbox = Sandbox(database, config, AnalysisContext(), client)
        result = await sandbox.execute(program)
        wall = time.perf_counter() - wall
        await sandbox.close()  # its workers have ended: their time is counted
    failed = "" if result.success else (result.stderr.strip() or "no success").splitlines()[-1]
    return {"wall": wall, "cpu": _cpu() - cpu, "printed": result.stdout, "failed": failed}


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> None:
    match sys.argv[1:]:
        case ["import", export, database]:
            asyncio.run(build(Path(export), Path(database)))
        case ["run", database, program]:
            print(json.dumps(asyncio.run(run(Path(database), program))))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
