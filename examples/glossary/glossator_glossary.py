"""Two hooks: one makes searches understand abbreviations, the other keeps a table of what documents define.

`python -m glossator_glossary FOLDER` fills the table from documents that were there before the hook.
"""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import replace

from glossator import Corpus
from glossator.corpus import DeleteEvent, Hook, IngestEvent, SearchRequest, SearchResult

GLOSSARY = {"VHF": "very high frequency radio", "LOA": "length overall"}
_DEFINITION = re.compile(r"^(?P<term>[A-Z][\w ]{1,40}) means (?P<meaning>.{1,200}?)\.?$", re.MULTILINE)
_TABLE = "CREATE TABLE IF NOT EXISTS hook_definitions (document TEXT, term TEXT, meaning TEXT)"


class Glossary(Hook):
    """Searches for an abbreviation find its words as well, and results that use one say what it means."""

    async def before_search(self, client: Corpus, request: SearchRequest) -> SearchRequest:
        meanings = [meaning for term, meaning in GLOSSARY.items() if term in request.query.split()]
        request.query = " ".join([request.query, *meanings])
        return request

    async def after_search(
        self, client: Corpus, request: SearchRequest, results: list[SearchResult]
    ) -> list[SearchResult]:
        return [replace(result, annotations=(*result.annotations, *_notes(result))) for result in results]


def _notes(result: SearchResult) -> list[str]:
    words = set(re.findall(r"\w+", result.chunk.content))
    return [f"{term}: {meaning}" for term, meaning in GLOSSARY.items() if term in words]


class Definitions(Hook):
    """Keeps what the documents define ("Cap means …") in a table, always that of the documents as they are."""

    async def after_ingest(self, client: Corpus, event: IngestEvent) -> None:
        ids = [document.id for document in event.documents]
        await self._forget(client, ids)
        async with await client.snapshot() as snapshot:
            there = [id for id in ids if id in snapshot.documents]  # somebody may have removed one by now
            texts = [data.decode() for data in snapshot.read("content.txt", there)]
        pairs = zip(there, texts, strict=True)
        rows = [(id, found["term"], found["meaning"]) for id, text in pairs for found in _DEFINITION.finditer(text)]
        await client.store.execute("INSERT INTO hook_definitions VALUES (?, ?, ?)", rows)

    async def after_delete(self, client: Corpus, event: DeleteEvent) -> None:
        await self._forget(client, [document.id for document in event.documents])

    async def _forget(self, client: Corpus, ids: list[str]) -> None:
        await client.store.execute(_TABLE)
        await client.store.execute("DELETE FROM hook_definitions WHERE document = ?", [(id,) for id in ids])

    async def backfill(self, client: Corpus) -> None:
        """What `after_ingest` would have done, for every document that is there; may be run again at any time."""
        async with await client.snapshot() as snapshot:
            documents = list(snapshot.documents.values())
        await self.after_ingest(client, IngestEvent(documents, "create"))


async def _main(folder: str) -> None:
    async with await Corpus.open(folder) as corpus:
        await Definitions().backfill(corpus)
        for term, meaning in await corpus.store.query("SELECT term, meaning FROM hook_definitions ORDER BY term"):
            print(f"{term}: {meaning}")


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1]))
