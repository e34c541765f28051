"""The chunks table in LanceDB: full text over the column of terms, vectors, and lookups by id.

Every write makes a version of the table; which one readers see is decided elsewhere, by the generation that names it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import pyarrow as pa

from .documents import Chunk
from .errors import NotACorpus
from .lance import FTS, BTree, IvfSq, col, connect_async, lit
from .rank import Passage

if TYPE_CHECKING:
    import numpy as np
    from lancedb.table import AsyncTable
    from numpy.typing import NDArray

_TABLE = "chunks"
_UNINDEXED_ROWS = 2000  # more than this outside the full-text index, and queries feel it
_REWRITTEN_ROWS = 8192  # at a time, when all are written anew
_FRAGMENTS = 64  # of the table, before they are put together
_RESET_ROWS = 50_000  # rows that are written at once when all vectors are taken away
BY_EACH = 10_000  # vectors that a query is compared with one by one; an index serves more, and misses some
_VECTOR_INDEX = re.compile(r"vectors_(\d{1,18})")  # the name of an index, with the rows for which it was divided
_GROWTH = 4  # times as many rows, and the index is made anew: new ones go into its old parts, which become large
_VERSIONS = 100  # kept on disk before those that nobody reads are looked for
# LanceDB forgets by age, counted from when it gets to it: the margin keeps the oldest version that is still read.
_CLEANUP_MARGIN = timedelta(seconds=10)
# What has to be kept is known from the leases alone (`forget_before`): any age may be that of a version that is read.
_EVER = timedelta(days=36_500)

# The analysis is ours (terms.py): LanceDB only splits at spaces.
_FULL_TEXT = FTS(
    base_tokenizer="whitespace",
    stem=False,
    remove_stop_words=False,
    ascii_folding=False,
    lower_case=False,
    with_position=True,
    max_token_length=None,
)
_NEVER, _WAITS, _DONE = "never", "waits", "done"  # whether a chunk is to have a vector, and has it
_PENDING = f"embedding = '{_WAITS}'"
_CHUNK_COLUMNS = ["id", "document_id", "position", "content", "headings", "page_numbers", "refs", "labels", "metadata"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A chunk and what it is found by."""

    chunk: Chunk
    terms: str
    embed: bool  # whether it is to have a vector


@dataclass(frozen=True, slots=True)
class Pending:
    """A chunk that is still without its vector."""

    id: str
    document_id: str
    headings: tuple[str, ...]
    content: str


class ChunkIndex:
    """The table as its one writer sees it; readers get a handle of their own from `at`."""

    def __init__(self, connection: Any, table: AsyncTable):
        self._connection = connection
        self._table = table

    @classmethod
    async def create(cls, folder: Path, dimension: int) -> ChunkIndex:
        """Make an empty table with its indices; one left by an interrupted creation is replaced."""
        connection = await _connect(folder)
        await connection.drop_table(_TABLE, ignore_missing=True)
        table = await connection.create_table(_TABLE, schema=_schema(dimension))
        await _make_indices(table)
        return cls(connection, table)

    @classmethod
    async def open(cls, folder: Path) -> ChunkIndex:
        connection = await _connect(folder)
        with _damage(folder):
            return cls(connection, await connection.open_table(_TABLE))

    async def at(self, version: int) -> AsyncTable:
        """A read-only handle on one version."""
        with _damage(Path(self._connection.uri)):
            table = await self._connection.open_table(_TABLE)
            await table.checkout(version)
        return table

    async def version(self) -> int:
        return await self._table.version()

    async def recover(self, version: int) -> int:
        """Go back to the published version if a writer died behind it; the version that now has its content."""
        await self._table.checkout_latest()
        if await self._table.version() != version:
            await self._table.checkout(version)
            await self._table.restore()
        return await self._table.version()

    async def replace(
        self, document_ids: Collection[str], entries: Sequence[Entry], *, keep_vectors: Collection[str] = ()
    ) -> int:
        """Delete all chunks of these documents and add `entries`; the new version.

        A chunk that is added again to a document of `keep_vectors` keeps its vector.
        """
        schema = await self._table.schema()
        vectors = await self._vectors(keep_vectors) if "vector" in schema.names else {}
        if document_ids:
            await self._table.delete(col("document_id").isin(list(document_ids)))
        if entries:
            await self._table.add(_rows(entries, vectors, schema))
        return await self._table.version()

    async def _vectors(self, document_ids: Collection[str]) -> dict[str, Any]:
        if not document_ids:
            return {}
        rows = self._table.query().where(col("document_id").isin(list(document_ids))).select(["id", "vector"])
        return {row["id"]: row["vector"] for row in await rows.to_list() if row["vector"] is not None}

    async def set_vectors(self, ids: Sequence[str], vectors: NDArray[np.float32]) -> int:
        """Give chunks their vectors; the new version. The column of terms is not written: its index stays valid."""
        schema = await self._table.schema()
        columns = {"id": ids, "vector": _vectors(vectors, vectors.shape[1]), "embedding": [_DONE] * len(ids)}
        rows = pa.table(columns, schema=pa.schema([schema.field(name) for name in columns]))
        await self._table.merge_insert("id").when_matched_update_all().execute(rows)
        return await self._table.version()

    async def reset_vectors(self, dimension: int, is_wanted: Callable[[str, str], bool]) -> int:
        """Take all vectors away, for ones of another dimension to follow; the new version.

        `is_wanted` tells from a document's id and a chunk's content whether the chunk is to have one.
        """
        if "vector" in (await self._table.schema()).names:
            await self._table.drop_columns(["vector"])
        if dimension:
            await self._table.add_columns(pa.field("vector", pa.list_(pa.float32(), dimension)))
        states: list[tuple[str, str]] = []
        async for batch in await self._table.query().select(["id", "document_id", "content"]).to_batches():
            columns = (batch[name].to_pylist() for name in ("id", "document_id", "content"))
            states += [
                (id, _WAITS if is_wanted(document, text) else _NEVER)
                for id, document, text in zip(*columns, strict=True)
            ]
        schema = await self._table.schema()
        for start in range(0, len(states), _RESET_ROWS):
            ids, values = zip(*states[start : start + _RESET_ROWS], strict=True)
            rows = pa.table(
                {"id": ids, "embedding": values}, schema=pa.schema([schema.field(n) for n in ("id", "embedding")])
            )
            await self._table.merge_insert("id").when_matched_update_all().execute(rows)
        return await self._table.version()

    async def maintain(self) -> int:
        """Bring the indices up to date when enough rows are outside them; the version, new or not."""
        await self._index_vectors()
        if await self._is_behind():
            await self._table.optimize(cleanup_older_than=_EVER)
        return await self._table.version()

    async def is_littered(self) -> bool:
        return len(await self._table.list_versions()) > _VERSIONS

    async def forget_before(self, version: int) -> int:
        """Delete the versions older than `version` from the disk; the newest version, new or not."""
        versions = await self._table.list_versions()
        # Where the clock was set back, a later version bears an earlier time.
        since = min(entry["timestamp"] for entry in versions if entry["version"] >= version)
        age = datetime.now(UTC) - since.astimezone(UTC) + _CLEANUP_MARGIN
        # Nobody else writes while we hold the lock, so what no version names is the litter of a killed writer.
        await self._table.optimize(cleanup_older_than=age, delete_unverified=True)
        return await self._table.version()

    async def rewrite(self) -> int:
        """Write all rows and indices anew, as files that hold nothing of what was deleted; the new version.

        The old files are there until `forget_all_but_newest`.
        """
        schema = await self._table.schema()
        old = await self.at(await self._table.version())
        empty = pa.Table.from_batches([], schema)
        await self._table.add(empty, mode="overwrite")
        async for batch in await old.query().to_batches(max_batch_length=_REWRITTEN_ROWS):
            await self._table.add(pa.Table.from_batches([batch]).cast(schema))
        await _make_indices(self._table)
        await self.maintain()
        return await self._table.version()

    async def forget_all_but_newest(self) -> int:
        """Delete every older version, whoever reads it, and what no version names; the newest version, new or not."""
        # Not nought, which LanceDB warns of: that readers lose what they read is meant here.
        await self._table.optimize(cleanup_older_than=timedelta(milliseconds=1), delete_unverified=True)
        return await self._table.version()

    async def _index_vectors(self) -> None:
        """Make the index over vectors when there are enough, and again when there are many more."""
        if "vector" not in (await self._table.schema()).names:
            return
        old = [each.name for each in await self._table.list_indices() if each.columns == ["vector"]]
        made = [int(name[1]) for name in map(_VECTOR_INDEX.fullmatch, old) if name]
        count = await self._table.count_rows(f"embedding = '{_DONE}'")
        if count <= BY_EACH or count < _GROWTH * max(made, default=0):
            return
        # Bytes in place of floats: a quarter of what has to be read, and the ranking looks at the vectors themselves.
        await self._table.create_index("vector", config=IvfSq(distance_type="cosine"), name=f"vectors_{count}")
        for name in old:
            await self._table.drop_index(name)

    async def _is_behind(self) -> bool:
        unindexed = max((i.num_unindexed_rows or 0 for i in await self._table.list_indices()), default=0)
        statistics: Any = await self._table.stats()  # a plain dict, whatever its annotation says
        return unindexed > _UNINDEXED_ROWS or statistics["fragment_stats"]["num_fragments"] > _FRAGMENTS


async def pending(table: AsyncTable, limit: int) -> list[Pending]:
    """Some of the chunks that are to have a vector and have none."""
    rows = table.query().where(_PENDING).select(["id", "document_id", "headings", "content"])
    found = await rows.limit(limit).to_list()
    return [Pending(row["id"], row["document_id"], tuple(row["headings"]), row["content"]) for row in found]


async def count_pending(table: AsyncTable) -> int:
    return await table.count_rows(_PENDING)


async def chunks(table: AsyncTable, ids: Sequence[str]) -> dict[str, Chunk]:
    """Those of `ids` that exist, in the order asked."""
    if not ids:
        return {}
    rows = await table.query().where(col("id").isin(list(ids))).select(_CHUNK_COLUMNS).to_list()
    found = {row["id"]: _chunk(row) for row in rows}
    return {id: found[id] for id in ids if id in found}


async def chunks_of(table: AsyncTable, document_id: str) -> list[Chunk]:
    """All chunks of a document, in order."""
    rows = await table.query().where(col("document_id") == lit(document_id)).select(_CHUNK_COLUMNS).to_list()
    return sorted(map(_chunk, rows), key=lambda chunk: chunk.position)


async def passages(
    table: AsyncTable, rows: Sequence[int], near: NDArray[np.float32] | None = None
) -> dict[int, Passage]:
    """The chunks in these rows of the table, by row; with a vector, how near they are to it."""
    if not rows:
        return {}
    columns = [*_CHUNK_COLUMNS, "terms", *([] if near is None else ["vector"])]
    found = await table.take_row_ids(list(rows)).select(columns).with_row_id().to_arrow()
    cosines = _cosines(found, near)
    return {
        row["_rowid"]: Passage(_chunk(row), row["terms"].split(), cosine)
        for row, cosine in zip(found.select([*_CHUNK_COLUMNS, "terms", "_rowid"]).to_pylist(), cosines, strict=True)
    }


def _cosines(found: pa.Table, near: NDArray[np.float32] | None) -> list[float | None]:
    """Of the stored vectors, which have length one, to `near`; None for a row without."""
    if near is None:
        return [None] * found.num_rows
    vectors = found["vector"].combine_chunks()
    known = vectors.drop_null().flatten().to_numpy().reshape(-1, near.shape[0]) @ near
    cosines = iter(known.tolist())
    return [next(cosines) if present else None for present in vectors.is_valid().to_pylist()]


async def chunks_from(table: AsyncTable, prefix: str, limit: int) -> list[Chunk]:
    """The first chunks by id whose id begins with `prefix`."""
    within = (col("id") >= lit(prefix)) & (col("id") < lit(prefix + "~"))
    rows = await table.query().where(within).select(_CHUNK_COLUMNS).limit(limit).to_list()
    return sorted(map(_chunk, rows), key=lambda chunk: chunk.id)


@contextmanager
def _damage(folder: Path) -> Iterator[None]:
    """What LanceDB raises when files are missing or broken, in our words."""
    try:
        yield
    except (ValueError, RuntimeError) as error:
        told = str(error).strip().split("\n")[0]
        raise NotACorpus(
            f"{folder.parent} is damaged: {folder.name} cannot be read ({told}); restore it or make a new corpus"
        ) from error


async def _make_indices(table: AsyncTable) -> None:
    await table.create_index("terms", config=_FULL_TEXT)
    await table.create_index("id", config=BTree())
    await table.create_index("document_id", config=BTree())


async def _connect(folder: Path) -> Any:
    # connect_async takes a relative path that begins with "db" for LanceDB Cloud.
    if not folder.is_absolute():
        raise ValueError(folder)
    return await connect_async(str(folder))


def _schema(dimension: int) -> pa.Schema:
    strings = pa.list_(pa.string())
    fields = [
        pa.field("id", pa.string(), nullable=False),
        pa.field("document_id", pa.string(), nullable=False),
        pa.field("position", pa.int32()),
        pa.field("content", pa.string()),
        pa.field("headings", strings),
        pa.field("page_numbers", pa.list_(pa.int32())),
        pa.field("refs", strings),
        pa.field("labels", strings),
        pa.field("metadata", pa.string()),
        pa.field("terms", pa.string()),
        pa.field("embedding", pa.string()),
    ]
    if dimension:
        fields.append(pa.field("vector", pa.list_(pa.float32(), dimension)))
    return pa.schema(fields)


def _rows(entries: Sequence[Entry], vectors: Mapping[str, Any], schema: pa.Schema) -> pa.Table:
    rows = [
        {
            "id": entry.chunk.id,
            "document_id": entry.chunk.document_id,
            "position": entry.chunk.position,
            "content": entry.chunk.content,
            "headings": list(entry.chunk.headings),
            "page_numbers": list(entry.chunk.page_numbers),
            "refs": list(entry.chunk.doc_item_refs),
            "labels": list(entry.chunk.labels),
            "metadata": orjson.dumps(dict(entry.chunk.metadata)).decode(),
            "terms": entry.terms,
            "embedding": (_DONE if entry.chunk.id in vectors else _WAITS) if entry.embed else _NEVER,
            "vector": vectors.get(entry.chunk.id),
        }
        for entry in entries
    ]
    return pa.Table.from_pylist(rows, schema=schema)


def _vectors(vectors: NDArray[np.float32], dimension: int) -> pa.FixedSizeListArray:
    return pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1), pa.float32()), dimension)


def _chunk(row: dict[str, Any]) -> Chunk:
    return Chunk(
        id=row["id"],
        document_id=row["document_id"],
        position=row["position"],
        content=row["content"],
        headings=tuple(row["headings"]),
        page_numbers=tuple(row["page_numbers"]),
        doc_item_refs=tuple(row["refs"]),
        labels=tuple(row["labels"]),
        metadata=orjson.loads(row["metadata"]),
    )
