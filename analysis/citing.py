"""Reading the ids given to `analysis_cite`: which chunk each means, or what is wrong with it and what to do.

The kinds of mistakes are those that models make: a self_ref, a document, a prefix that is too short or fits several
chunks, an id copied with one wrong character, a passage that only code has read, one out of scope or deleted since.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .ledger import Ledger
from .text import PREFIX, one_line, short

if TYPE_CHECKING:
    from ..corpus import Snapshot
    from ..corpus.documents import Chunk

SELF_REF_DOCUMENTS = 200  # opened documents whose items are looked through for a self_ref
SUGGESTIONS = 5  # ids named in one message

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_PREFIX = re.compile(r"[0-9a-f]{8}(?:-?[0-9a-f-]*)")
_SELF_REF = re.compile(r"#/[a-z_]+/\d+")
_SHORT_HEX = re.compile(r"(?=.*\d)[0-9a-f-]{4,7}")


def id_list(given: object) -> object:
    """What a model gave for a list of ids: also one id, or a list as text, "3f9a1c2e, 91ab77c0" or '["3f9a1c2e"]'.

    Only "[]" is the empty list: an empty text must not pass for the declaration that no passage is cited.
    """
    if not isinstance(given, str):
        return given
    names = [name for name in re.split(r"[\s,;\[\]\"']+", given) if name]
    return names if names or "[" in given else [given]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one given id came to: a chunk, or a problem with ids to cite instead."""

    given: str
    chunk: Chunk | None = None
    problem: str = ""
    instead: tuple[str, ...] = ()  # chunk ids that were shown


@dataclass(frozen=True, slots=True)
class Reader:
    """Resolves ids against one generation, one scope and one ledger."""

    snapshot: Snapshot
    ledger: Ledger
    document_ids: frozenset[str] | None = None  # the scope; None is the whole corpus

    async def read(self, given: str) -> Verdict:
        """The verdict on one id."""
        key = given.strip().strip("[]()<>\"'` ").lower()
        if not key:
            return Verdict(given, problem="empty; copy a chunk id, or pass [] when no passage grounds the answer")
        if _UUID.fullmatch(key):
            return await self._known(given, key, list((await self.snapshot.chunks([key])).values()))
        if _PREFIX.fullmatch(key):
            return await self._known(given, key, await self.snapshot.chunks_by_prefix(key))
        if _SELF_REF.fullmatch(key):
            return await self._self_ref(given, key)
        return await self._nearest(given, key) or self._other(given, key)

    async def _known(self, given: str, key: str, chunks: list[Chunk]) -> Verdict:
        if len(chunks) > 1:
            longer = ", ".join(chunk.id for chunk in chunks[:SUGGESTIONS])
            return Verdict(given, problem=f"fits several chunks; give the whole id: {longer}")
        if chunks:
            return await self._judge(given, chunks[0])
        return await self._nearest(given, key) or Verdict(given, problem=self._gone(key))

    async def _judge(self, given: str, chunk: Chunk) -> Verdict:
        if self.document_ids is not None and chunk.document_id not in self.document_ids:
            return Verdict(given, problem="out of scope: its document is not among those of this session")
        match self.ledger.evidence(chunk):
            case "shown":
                return Verdict(given, chunk)
            case "read":
                return Verdict(given, problem="read by code but never shown; print the passage first")
            case "none":
                problem = (
                    "never delivered for this question; find it with analysis_search, or print it from its document"
                )
                return await self._nearest(given, chunk.id) or Verdict(given, problem=problem)

    def _gone(self, key: str) -> str:
        known = {*self.ledger.found, *self.ledger.cited, *self.ledger.earlier}
        if any(chunk_id.startswith(key) for chunk_id in known):
            return "deleted or changed since it was shown; search again"
        return "unknown; copy an id from analysis_search or from chunk_ids of items.jsonl"

    async def _self_ref(self, given: str, key: str) -> Verdict:
        chunks = await self._holding(key)
        if not chunks:
            problem = "a self_ref, not a chunk id; pass the chunk_ids of its row in items.jsonl"
            return Verdict(given, problem=problem)
        shown = self._shown(chunks)
        many = "its chunk is" if len(chunks) == 1 else "it is in the chunks"
        names = ", ".join(short(chunk.id) for chunk in (shown or chunks)[:SUGGESTIONS])
        hint = "" if shown else " (never shown; print the passage first)"
        return Verdict(given, problem=f"a self_ref; {many} {names}{hint}", instead=_ids(shown))

    async def _holding(self, self_ref: str) -> list[Chunk]:
        """The chunks that hold an item, in the documents that this question has met."""
        found = {chunk.id: chunk for chunk in self.ledger.found.values() if self_ref in chunk.doc_item_refs}
        opened = [doc for doc in sorted(self.ledger.opened) if doc in self.snapshot.documents][:SELF_REF_DOCUMENTS]
        named = [
            chunk_id
            for body in self.snapshot.read("items.jsonl", opened)
            if self_ref.encode() in body
            for chunk_id in _row_chunks(body, self_ref)
        ]
        return list({**found, **await self.snapshot.chunks(named)}.values())

    async def _nearest(self, given: str, key: str) -> Verdict | None:
        """The id that was shown and differs a little from the given one, if there is exactly one."""
        near = sorted({shown for shown in self.ledger.ids() if _one_off(key, shown) or _same_start(key, shown)})
        chunks = {chunk.id: chunk for prefix in near for chunk in await self.snapshot.chunks_by_prefix(prefix)}
        shown = self._shown(chunks.values())
        if len(shown) != 1:
            return None
        problem = f"no such chunk was shown; {short(shown[0].id)} was, which differs a little"
        return Verdict(given, problem=problem, instead=_ids(shown))

    def _other(self, given: str, key: str) -> Verdict:
        document = self._document(given.strip())
        if document is not None:
            shown = self._shown(chunk for chunk in self.ledger.found.values() if chunk.document_id == document)
            ask = "" if shown else "; find one with analysis_search, or print it from the document's files"
            problem = f"a document; cite passages of it{ask}"
            return Verdict(given, problem=problem, instead=_ids(shown))
        if key.isdigit() and len(key) < PREFIX:
            return Verdict(given, problem="a position or number, not a chunk id; pass chunk_ids")
        if _SHORT_HEX.fullmatch(key):
            return Verdict(given, problem=f"too short; give at least the first {PREFIX} characters")
        return Verdict(given, problem=self._gone(key))

    def _document(self, key: str) -> str | None:
        name = one_line(key)
        for document in self.snapshot.documents.values():
            if key in (document.id, document.title, document.uri) or name == one_line(document.title):
                return document.id
        return None

    def _shown(self, chunks: Iterable[Chunk]) -> list[Chunk]:
        in_scope = (c for c in chunks if self.document_ids is None or c.document_id in self.document_ids)
        return [chunk for chunk in in_scope if self.ledger.evidence(chunk) == "shown"][:SUGGESTIONS]


def _ids(chunks: Iterable[Chunk]) -> tuple[str, ...]:
    return tuple(chunk.id for chunk in chunks)


def _row_chunks(items: bytes, self_ref: str) -> list[str]:
    rows = (json.loads(line) for line in items.split(b"\n") if self_ref.encode() in line)
    return [chunk_id for row in rows if row["self_ref"] == self_ref for chunk_id in row["chunk_ids"]]


def _same_start(given: str, shown: str) -> bool:
    """Whether a whole id begins like one that was shown, and goes on differently."""
    return len(given) > PREFIX and given[:PREFIX] == shown[:PREFIX] and given != shown


def _one_off(given: str, whole: str) -> bool:
    """Whether `given` is a prefix of `whole` but for one character: wrong, missing, added, or swapped with the next."""
    at = next((i for i, (a, b) in enumerate(zip(given, whole, strict=False)) if a != b), None)
    if at is None or len(given) < PREFIX - 1:
        return False
    rest = given[at:]
    readings = (
        rest[1:] == whole[at + 1 :][: len(rest) - 1],  # wrong
        rest == whole[at + 1 :][: len(rest)],  # missing
        rest[1:] == whole[at:][: len(rest) - 1],  # added
        rest[:2] == whole[at : at + 2][::-1] and rest[2:] == whole[at + 2 :][: len(rest) - 2],  # swapped
    )
    return any(readings)
