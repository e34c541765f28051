"""The converter: real server, real jailed children."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from glossator.corpus.conversion.job import Ended
from glossator.corpus.convert import ConversionLimits, Converted, Converter, _Copy
from glossator.corpus.documents import Document
from glossator.corpus.errors import ConversionFailed
from glossator.corpus.render import metadata_file

from .writers import body, pdf

pytestmark = pytest.mark.anyio
ID = "abcdefghij"


@pytest.fixture(scope="module")
def anyio_backend() -> str:  # one event loop for the module, so that its tests share a server
    return "asyncio"


@pytest.fixture(scope="module")
async def converter() -> AsyncIterator[Converter]:
    async with Converter() as converter:
        yield converter


async def convert(converter: Converter, folder: Path, name: str, data: bytes | str) -> Converted:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return await converter.convert(path, document_id=ID)


async def test_a_document_and_its_files(converter: Converter, tmp_path: Path) -> None:
    result = await convert(
        converter, tmp_path, "mill.md", "---\ntitle: Mill\nowner: Ines\n---\n# Wheel\n\nIt turns and it is old.\n"
    )
    assert (result.status, result.title, result.mime_type, result.language) == ("ok", "Mill", "text/markdown", "en")
    assert result.metadata == {"title": "Mill", "owner": "Ines"}
    assert result.content == b"# Wheel\n\nIt turns and it is old.\n"
    assert result.item_count == len(result.items.splitlines()) == 2
    (chunk,) = result.chunks
    assert (chunk.document_id, chunk.position, chunk.headings) == (ID, 0, ("Wheel",))
    assert (
        chunk.id.encode() in result.chunks_file
        and chunk.id.encode() in result.items
        and chunk.id.encode() in result.toc
    )
    assert result.source_size == (tmp_path / "mill.md").stat().st_size


async def test_children_are_confined(converter: Converter, tmp_path: Path) -> None:
    result = await convert(converter, tmp_path, "a.txt", "x")
    confined = result.confinement
    assert (confined.files, confined.sockets, confined.programs) == (True, True, True)


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.xml", "a.pdf"])
async def test_documents_without_text_are_empty(converter: Converter, tmp_path: Path, name: str) -> None:
    data = pdf([]) if name.endswith("pdf") else b" \n\t\n"
    result = await convert(converter, tmp_path, name, data)
    assert (result.status, result.reason, result.chunks, result.content) == ("empty", "no text", [], b"")


async def test_a_hostile_file_costs_itself_only(converter: Converter, tmp_path: Path) -> None:
    bomb = "<?xml version='1.0'?><!DOCTYPE l [<!ENTITY a 'lol'>" + "".join(
        f"<!ENTITY {new} '{f'&{old};' * 20}'>" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    files = {
        "bomb.xml": (bomb + "]><l>&i;</l>", "XML bomb|broken XML|nested"),
        "broken.pdf": (b"%PDF-1.4", "broken PDF"),
        "broken.docx": (b"PK\x03\x04" + bytes(50), "broken or truncated archive"),
        "noise.bin": (bytes(range(256)), "unknown binary"),
        "picture.png": (b"\x89PNG\r\n\x1a\n" + bytes(40), "a broken picture"),
    }
    for name, (data, reason) in files.items():
        with pytest.raises(ConversionFailed, match=reason):
            await convert(converter, tmp_path, name, data)
    assert (await convert(converter, tmp_path, "good.txt", "good")).status == "ok"


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (ConversionLimits(source_mb=1), "larger than 1 MB"),
        (ConversionLimits(wall_s=0.05), r"took longer than 0\.05 s"),
        (ConversionLimits(memory_mb=2), "more than 2 MB"),
    ],
    ids=["source", "time", "memory"],
)
async def test_limits_are_named(tmp_path: Path, limits: ConversionLimits, reason: str) -> None:
    async with Converter(limits) as limited:
        with pytest.raises(ConversionFailed, match=reason):
            await convert(limited, tmp_path, "a.txt", b"word " * 20_000_000)


@pytest.mark.parametrize(
    ("ended", "reason"),
    [
        (Ended(1, signal.SIGABRT), "needs more than 2048 MB of memory"),
        (Ended(1, signal.SIGKILL), "needs more than 2048 MB of memory"),
        (Ended(1, signal.SIGSEGV, peak_mb=1500), "needs more than 2048 MB of memory"),
        (Ended(1, signal.SIGSEGV, peak_mb=150), r"broken: its reader crashed on it \(SIGSEGV\)"),
        (Ended(1, signal.SIGKILL, late=True), "took longer than 120 s"),
        (Ended(1, signal.SIGXCPU), "took longer than 120 s"),
    ],
    ids=["abort", "out of memory", "much memory", "crash", "late", "processor"],
)
def test_a_crash_says_whether_it_was_memory(tmp_path: Path, ended: Ended, reason: str) -> None:
    with pytest.raises(ConversionFailed, match=reason):
        converter = Converter()
        converter._collect(converter._job(tmp_path, "a.txt", ID, None), ended, _Copy("", 0))


async def test_a_server_that_dies_is_replaced(converter: Converter, tmp_path: Path) -> None:
    await convert(converter, tmp_path, "a.txt", "one")
    first = converter.process_id
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert (await convert(converter, tmp_path, "b.txt", "two")).content == b"two\n"
    assert converter.process_id not in (None, first)


async def test_what_is_no_file_is_named(converter: Converter, tmp_path: Path) -> None:
    with pytest.raises(ConversionFailed, match="cannot be opened"):
        await converter.convert(tmp_path / "absent.txt", document_id=ID)
    with pytest.raises(ConversionFailed, match="not a regular file"):
        await converter.convert(Path("/dev/null"), document_id=ID)


async def test_chunks_of_pdfs_have_pages(converter: Converter, tmp_path: Path) -> None:
    result = await convert(converter, tmp_path, "a.pdf", pdf(body("One farm."), [], body("The bridge opens at four.")))
    assert result.page_count == 3
    assert {page for chunk in result.chunks for page in chunk.page_numbers} == {1, 3}
    assert all(chunk.page_numbers for chunk in result.chunks)


def test_metadata_file_has_the_fields_in_order() -> None:
    document = Document(
        ID,
        "T",
        "file:///t",
        "2031",
        "2032",
        {"k": "\u2028"},
        "text/plain",
        3,
        None,
        None,
        0,
        0,
        "empty",
        "no text",
        "00",
        {},
    )
    line = metadata_file(document).decode()
    assert line.startswith(
        f'{{"id":"{ID}","title":"T","uri":"file:///t","created_at":"2031","metadata":{{"k":"\\u2028"}},"updated_at"'
    )
    assert len(line.splitlines()) == 1
