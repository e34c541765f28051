"""Exports: what cells see, as plain files; whole or not at all, and nothing is overwritten."""

from __future__ import annotations

import asyncio
import os
from datetime import datetime
from pathlib import Path

import pytest

from glossator.corpus import FILE_KINDS, Corpus, ExportRefused, Scope

from .plain import add, corpus

pytestmark = pytest.mark.anyio


async def filled(folder: Path, names: str = "abc") -> Corpus:
    for name in names:
        (folder / f"{name}.txt").write_text(f"Text of {name}.\n\n\u2028 größe")
    opened = await corpus(folder / "corpus")
    await add(opened, *(folder / f"{name}.txt" for name in names))
    return opened


async def test_the_files_are_those_of_the_generation_byte_for_byte(tmp_path: Path) -> None:
    async with await filled(tmp_path) as opened, await opened.snapshot() as snapshot:
        told: list[tuple[int, int]] = []
        exported = await snapshot.export(tmp_path / "new" / "out", tell=lambda *counts: told.append(counts))
        out = exported.folder
        assert out == tmp_path / "new" / "out" and told == [(3, 3)]
        assert {path.name for path in out.iterdir()} == set(snapshot.documents)
        for kind in FILE_KINDS:
            ids = list(snapshot.documents)
            assert [(out / id / kind).read_bytes() for id in ids] == snapshot.read(kind, ids)
        files = [path for path in out.rglob("*") if path.is_file()]
        assert len(files) == 15 and exported.bytes == sum(path.stat().st_size for path in files)
        assert [path.name for path in out.parent.iterdir()] == ["out"]  # no draft is left


async def test_times_are_those_of_the_last_change(tmp_path: Path) -> None:
    async with await filled(tmp_path, "a") as opened, await opened.snapshot() as snapshot:
        (document,) = snapshot.documents.values()
        await snapshot.export(tmp_path / "out")
        changed = datetime.fromisoformat(document.updated_at).timestamp()
        for path in (tmp_path / "out" / document.id).rglob("*"):
            assert abs(path.stat().st_mtime - changed) < 1e-6


async def test_an_export_keeps_to_the_scope_and_to_the_kinds_asked_for(tmp_path: Path) -> None:
    async with await filled(tmp_path) as opened:
        async with await opened.snapshot(Scope(where={"title": "b.txt"})) as snapshot:
            await snapshot.export(tmp_path / "out", ["content.txt"])
            (id,) = snapshot.documents
        assert [str(path.relative_to(tmp_path / "out")) for path in sorted((tmp_path / "out").rglob("*"))] == [
            id,
            f"{id}/content.txt",
        ]


@pytest.mark.parametrize("there", ["a file", "a folder with something in it"])
async def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    out = tmp_path / "out"
    if there == "a file":
        out.write_text("mine")
    else:
        out.mkdir()
        (out / "mine").write_text("mine")
    async with await filled(tmp_path, "a") as opened, await opened.snapshot() as snapshot:
        with pytest.raises(ExportRefused, match="overwrites nothing"):
            await snapshot.export(out)
    assert [path.read_text() for path in (out, out / "mine") if path.is_file()] == ["mine"]


async def test_an_empty_folder_and_a_link_to_one_are_filled(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "link").symlink_to("out")
    async with await filled(tmp_path, "a") as opened, await opened.snapshot() as snapshot:
        exported = await snapshot.export(tmp_path / "link")
        assert exported.folder == tmp_path / "out"
        assert os.listdir(tmp_path / "link") == list(snapshot.documents)


async def test_what_fails_or_is_cancelled_leaves_nothing(tmp_path: Path) -> None:
    async with await filled(tmp_path) as opened, await opened.snapshot() as snapshot:

        def fail(done: int, total: int) -> None:
            raise OSError(28, "No space left on device")

        with pytest.raises(OSError, match="No space"):
            await snapshot.export(tmp_path / "out", tell=fail)
        export = asyncio.ensure_future(snapshot.export(tmp_path / "out"))
        await asyncio.sleep(0)
        export.cancel()
        with pytest.raises(asyncio.CancelledError):
            await export
        left = set(os.listdir(tmp_path))
        assert left <= {"a.txt", "b.txt", "c.txt", "corpus", "out"}
        written = os.listdir(tmp_path / "out") if "out" in left else []
        assert len(written) in (0, 3)  # 3 if it was faster than the cancellation


async def test_an_empty_corpus_is_an_empty_folder(tmp_path: Path) -> None:
    async with await corpus(tmp_path / "corpus") as opened, await opened.snapshot() as snapshot:
        assert (await snapshot.export(tmp_path / "out")).documents == 0
    assert os.listdir(tmp_path / "out") == []
