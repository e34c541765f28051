"""Scans and pictures: read by tesseract inside the jail, or named as what they are."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from glossator.corpus import Corpus, Outcome
from glossator.corpus.convert import Converter

from .writers import body, pdf

pytestmark = pytest.mark.anyio
installed = pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed")


def page(*lines: str, size: int = 40) -> Image.Image:
    """A white page with black lines of text."""
    image = Image.new("L", (1240, 1754), 255)
    for row, line in enumerate(lines):
        ImageDraw.Draw(image).text((120, 150 + 2 * size * row), line, fill=0, font=ImageFont.load_default(size))
    return image


def scan(*pages: Image.Image, format: str = "PDF") -> bytes:
    out = io.BytesIO()
    more = {"save_all": True, "append_images": pages[1:]} if format == "PDF" else {}
    pages[0].save(out, format, **more)
    return out.getvalue()


async def add(folder: Path, name: str, data: bytes) -> tuple[Outcome, bytes]:
    """What became of a file, and its content.txt."""
    (folder / name).write_bytes(data)
    async with await Corpus.open(folder / "corpus", create=True) as corpus:
        (outcome,) = [outcome async for outcome in corpus.add([folder / name])]
        async with await corpus.snapshot() as snapshot:
            (document,) = snapshot.documents.values()
            return outcome, snapshot.read("content.txt", [document.id])[0]


@installed
@pytest.mark.parametrize("format", ["PDF", "PNG", "JPEG"])
async def test_a_scan_is_read(tmp_path: Path, format: str) -> None:
    data = scan(page("The ferry leaves at noon", "from the western quay."), format=format)
    outcome, content = await add(tmp_path, f"scan.{format.lower()}", data)
    assert (outcome.status, outcome.reason) == ("added", None)
    assert b"The ferry leaves at noon" in content and b"western quay" in content


@installed
async def test_pictures_are_read_as_they_are_seen(tmp_path: Path) -> None:
    """Upright although they are stored lying, and on white although they are transparent."""
    lying = page("The ferry leaves at noon").rotate(90, expand=True)
    exif = Image.Exif()
    exif[0x0112] = 6  # stored a quarter turn to the left
    out = io.BytesIO()
    lying.save(out, "JPEG", exif=exif)
    _, content = await add(tmp_path, "lying.jpg", out.getvalue())
    assert b"The ferry leaves at noon" in content
    ink = page("The quay is closed")
    clear = Image.merge("RGBA", [Image.new("L", ink.size, 0)] * 3 + [ink.point(lambda shade: 255 - shade)])
    (tmp_path / "clear").mkdir()
    _, content = await add(tmp_path / "clear", "clear.png", scan(clear, format="PNG"))
    assert b"The quay is closed" in content


@installed
async def test_pages_of_text_and_of_pictures_stand_in_their_order(tmp_path: Path) -> None:
    """Only the picture is read from its looks, and it counts as the page that it is."""
    import pypdfium2

    book = pypdfium2.PdfDocument(pdf(body("The first page is written.")))
    book.import_pages(pypdfium2.PdfDocument(scan(page("The second page is a scan"))))
    book.import_pages(pypdfium2.PdfDocument(pdf(body("The third page is written."))))
    out = io.BytesIO()
    book.save(out)
    (tmp_path / "book.pdf").write_bytes(out.getvalue())
    async with Converter() as converter:
        result = await converter.convert(tmp_path / "book.pdf", document_id="abcdefghij")
    lines = [json.loads(line) for line in result.items.splitlines()]
    assert [line["page_numbers"] for line in lines] == [[1], [2], [3]]
    assert "second page is a scan" in lines[1]["text"]


@installed
async def test_the_jail_runs_tesseract_and_no_other_program(tmp_path: Path) -> None:
    (tmp_path / "scan.png").write_bytes(scan(page("Harbour"), format="PNG"))
    async with Converter() as converter:
        result = await converter.convert(tmp_path / "scan.png", document_id="abcdefghij")
    assert result.chunks and result.confinement.files and result.confinement.sockets and result.confinement.programs


@pytest.mark.parametrize(
    ("format", "reason"), [("PDF", "a scan: 2 pages are pictures; install tesseract"), ("PNG", "a picture; install")]
)
async def test_without_tesseract_a_scan_is_unreadable_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str, reason: str
) -> None:
    monkeypatch.setenv("PATH", "")
    outcome, content = await add(tmp_path, f"scan.{format.lower()}", scan(page("One"), page("Two"), format=format))
    assert outcome.status == "failed" and outcome.reason and outcome.reason.startswith(reason)
    assert content == b""


async def test_without_tesseract_pages_that_are_pictures_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pypdfium2

    monkeypatch.setenv("PATH", "")
    book = pypdfium2.PdfDocument(pdf(body("The first page is written.")))
    book.import_pages(pypdfium2.PdfDocument(scan(page("The second page is a scan"))))
    out = io.BytesIO()
    book.save(out)
    outcome, content = await add(tmp_path, "book.pdf", out.getvalue())
    assert outcome.status == "added" and content == b"The first page is written.\n"
    assert outcome.reason and outcome.reason.startswith("page 2 is a picture, not read; install tesseract")
