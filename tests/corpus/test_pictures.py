"""Pictures in documents: found, kept in bounds and once, told by their captions, gone with their documents."""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import struct
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image

from glossator.corpus import Corpus, NoEmbedder, Outcome, Snapshot
from glossator.corpus.captions import label_of, mentions
from glossator.corpus.convert import Converter, _pictures
from glossator.corpus.documents import PICTURE_TYPES
from glossator.corpus.pictures import MAX_PICTURES, MAX_SIDE, picture_of
from glossator.corpus.purge import found as traced

from .drawings import AFTER, BEFORE, CAPTION, MAKERS, drawn, file, in_html, in_markdown, in_pdf, in_word, uri
from .writers import body, pdf, word

pytestmark = pytest.mark.anyio
ID = "abcdefghij"


@pytest.fixture(scope="module")
def anyio_backend() -> str:  # one event loop for the module, so that its tests share a server
    return "asyncio"


@pytest.fixture(scope="module")
async def converter() -> AsyncIterator[Converter]:
    async with Converter() as converter:
        yield converter


async def opened(folder: Path, converter: Converter) -> Corpus:
    return await Corpus.open(folder, create=True, embedder=NoEmbedder(), converter=converter)


async def add(corpus: Corpus, *paths: Path) -> list[Outcome]:
    return [outcome async for outcome in corpus.add(paths)]


async def pictures(snapshot: Snapshot, id: str) -> list[tuple[str, bytes]]:
    """Refs and bytes of a document's pictures, as they are kept."""
    lines = [json.loads(line) for line in snapshot.read("items.jsonl", [id])[0].splitlines()]
    found = [snapshot.picture(id, line["self_ref"]) for line in lines if line["label"] == "picture"]
    return [(picture.ref, picture.data) for picture in found if picture is not None]


def blobs(folder: Path) -> int:
    """How many stored files are pictures."""
    with sqlite3.connect(folder / "files.sqlite") as connection:
        (count,) = connection.execute("SELECT count(*) FROM blob WHERE hex(substr(data, 1, 4)) = '89504E47'").fetchone()
    connection.close()
    return count


@pytest.mark.parametrize("name", MAKERS)
async def test_a_picture_is_kept_and_found_by_what_is_said_of_it(
    converter: Converter, tmp_path: Path, name: str
) -> None:
    picture = file()
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a crack.png").write_bytes(picture)
    (tmp_path / name).write_bytes(MAKERS[name](picture))
    async with await opened(tmp_path / "c", converter) as corpus:
        (outcome,) = await add(corpus, tmp_path / name)
        assert outcome.status == "added" and outcome.document_id
        async with await corpus.snapshot() as snapshot:
            ((ref, data),) = await pictures(snapshot, outcome.document_id)
            shown = Image.open(io.BytesIO(data)).convert("RGB")
            corner, middle = shown.getpixel((2, 2)), shown.getpixel((shown.width // 2, shown.height // 2))
            assert (corner, middle) == ((255, 255, 255), (0, 0, 128))
            page = await snapshot.search("crack in the lower gate")
            hit = next(result for result in page.results if "picture" in result.chunk.labels)
            assert hit.picture_refs == (ref,) and hit.as_dict()["picture_refs"] == [ref]
            if name != "a.pptx":  # where the heading says it
                assert hit.chunk.content.split("\n")[0] == CAPTION
                assert BEFORE in hit.chunk.content and AFTER in hit.chunk.content
            line = next(
                line
                for line in map(json.loads, snapshot.read("items.jsonl", [outcome.document_id])[0].splitlines())
                if line["self_ref"] == ref
            )
            assert line["chunk_ids"] == [hit.chunk.id]
            assert line["picture"]["media_type"] == "image/png" and line["picture"]["width"] == shown.width
            assert CAPTION in line["picture"]["caption"] or name == "a.pptx"


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
async def test_pictures_of_pdfs_have_page_and_box_however_they_are_stored(
    converter: Converter, tmp_path: Path, rotation: int
) -> None:
    """In strips, and on a page that is turned: one picture, shown as the page is."""
    image = drawn(300, 200)
    image.paste("red", (0, 0, 40, 40))  # its upper left corner
    (tmp_path / "a.pdf").write_bytes(in_pdf(image, strips=4, rotation=rotation))
    result = await converter.convert(tmp_path / "a.pdf", document_id=ID)
    (line,) = [line for line in map(json.loads, result.items.splitlines()) if line["label"] == "picture"]
    left, top, right, bottom = line["picture"]["box"]
    sides = (round(right - left), round(bottom - top))
    assert line["page_numbers"] == [1] and sides == ((300, 200) if rotation in (0, 180) else (200, 300))
    if rotation == 0:
        assert (round(left), round(top)) == (60, 152)
    seen = Image.open(io.BytesIO(result.pictures[0].data)).convert("RGB")
    corners = [(5, 5), (-6, 5), (-6, -6), (5, -6)]  # clockwise
    across, down = corners[rotation // 90]
    assert seen.getpixel((across % seen.width, down % seen.height)) == (255, 0, 0)


CHART = [(100, 500, 100, 640), (100, 500, 340, 500)] + [
    (110 + 20 * step, 510 + 9 * step, 130 + 20 * step, 519 + 9 * step) for step in range(10)
]
LABELS = [(150, 480, 9, False, "Months of the year"), (70, 560, 9, False, "Tons")]


@pytest.mark.parametrize(
    ("under", "strokes", "count"),
    [
        pytest.param("Figure 2. Cargo by month", CHART, 1, id="a chart"),
        pytest.param("Table 2. Cargo by month", CHART, 0, id="lines above another caption"),
        pytest.param("Cargo grew from month to month.", CHART, 0, id="lines above text"),
        pytest.param("Figure 2. Cargo by month", CHART[:3], 0, id="a few lines"),
        pytest.param("Figure 2. Cargo by month", [(60, 500, 540, 500)] * 9, 0, id="rules"),
        pytest.param("Figure 2. Cargo by month", [(x, y + 130, z, w + 130) for x, y, z, w in CHART], 0, id="far away"),
    ],
)
async def test_figures_that_are_drawn_with_lines_are_told_by_their_captions(
    converter: Converter, tmp_path: Path, under: str, strokes: list[tuple[float, ...]], count: int
) -> None:
    lines = [*body(BEFORE, top=740), *LABELS, (60, 455, 10, False, under), *body(AFTER, top=420)]
    (tmp_path / "a.pdf").write_bytes(pdf(lines, ruled=strokes))
    result = await converter.convert(tmp_path / "a.pdf", document_id=ID)
    assert len(result.pictures) == count
    if count:
        line = next(line for line in map(json.loads, result.items.splitlines()) if line["label"] == "picture")
        left, top, right, bottom = line["picture"]["box"]
        assert line["picture"]["caption"] == under
        assert left < 71 and right > 320 and top < 205 and 360 < bottom < 376  # with the names of its axes
        seen = Image.open(io.BytesIO(result.pictures[0].data)).convert("L")
        assert min(seen.tobytes()) < 60 and seen.getpixel((2, 2)) == 255


async def test_pictures_beside_each_other_share_a_caption(converter: Converter, tmp_path: Path) -> None:
    import pypdfium2

    document = pypdfium2.PdfDocument(
        pdf([*body(BEFORE, top=740), (200, 470, 10, False, CAPTION), *body(AFTER, top=440)])
    )
    page = document[0]
    for left, colour in ((60, "red"), (310, "green")):
        placed = pypdfium2.PdfImage.new(document)
        placed.set_bitmap(pypdfium2.PdfBitmap.from_pil(drawn(200, 150, colour)))
        placed.set_matrix(pypdfium2.PdfMatrix().scale(200, 150).translate(left, 500))
        page.insert_obj(placed)
    page.gen_content()
    out = io.BytesIO()
    document.save(out)
    (tmp_path / "a.pdf").write_bytes(out.getvalue())
    result = await converter.convert(tmp_path / "a.pdf", document_id=ID)
    chunks = [chunk for chunk in result.chunks if "picture" in chunk.labels]
    assert len(chunks) == 2 and all(chunk.content.startswith(CAPTION) for chunk in chunks)


def bomb(width: int = 60_000, height: int = 60_000) -> bytes:
    """A PNG of a few hundred bytes that says it is of billions of pixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(bomb(), id="a bomb"),
        pytest.param(bomb(12_000, 9_000), id="too many pixels to decode"),
        pytest.param(file()[:200], id="truncated"),
        pytest.param(b"<svg xmlns='http://www.w3.org/2000/svg'/>", id="no bitmap"),
        pytest.param(b"", id="nothing"),
        pytest.param(file(drawn(20, 400)), id="a rule or a spacer"),
    ],
)
async def test_what_is_no_picture_costs_nothing_but_itself(converter: Converter, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.html").write_bytes(in_html(data))
    result = await converter.convert(tmp_path / "a.html", document_id=ID)
    assert result.status == "ok" and result.pictures == ()
    assert BEFORE in result.content.decode() and AFTER in result.content.decode()


def frames() -> bytes:
    return file(drawn(), "GIF", save_all=True, append_images=[drawn(colour="red")])


def noise() -> Image.Image:
    return Image.merge("RGB", [Image.effect_noise((900, 900), 90)] * 3)


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        pytest.param(file(), "as it is", id="PNG"),
        pytest.param(file(format="JPEG"), "as it is", id="JPEG"),
        pytest.param(file(format="WEBP"), "as it is", id="WebP"),
        pytest.param(file(format="GIF"), "as it is", id="GIF"),
        pytest.param(file(format="BMP"), "image/png", id="BMP"),
        pytest.param(file(format="TIFF"), "image/png", id="TIFF"),
        pytest.param(file(drawn(mode="CMYK"), "JPEG"), "image/png", id="colours of print"),
        pytest.param(file(Image.new("I;16", (60, 60), 60_000), "PNG"), "image/png", id="sixteen bits"),
        pytest.param(frames(), "image/png", id="animation"),
        pytest.param(file(drawn(9000, 300)), "image/png", id="large"),
        pytest.param(file(noise(), "BMP"), "image/jpeg", id="photograph"),
    ],
)
def test_pictures_are_kept_in_forms_that_models_take(data: bytes, kept: str) -> None:
    picture = picture_of(lambda: data, "#/pictures/0")
    assert picture is not None and picture.media_type in PICTURE_TYPES
    assert picture.data == data if kept == "as it is" else picture.media_type == kept
    seen = Image.open(io.BytesIO(picture.data))
    assert seen.size == (picture.width, picture.height) and max(seen.size) <= MAX_SIDE
    assert getattr(seen, "n_frames", 1) == 1 and seen.mode in ("L", "P", "RGB", "RGBA")


def test_pictures_are_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # stored a quarter turn to the left
    picture = picture_of(lambda: file(drawn(120, 80), "JPEG", exif=exif), "#/pictures/0")
    assert picture is not None and (picture.width, picture.height) == (80, 120)


async def test_a_logo_is_one_picture_and_of_too_many_the_rest_is_named(converter: Converter, tmp_path: Path) -> None:
    logo = file(drawn(60, 60))
    lines = [f"<p>Part {number}.</p><img src='{uri(logo)}'>" for number in range(5)]
    (tmp_path / "logo.html").write_text("".join(lines))
    assert len((await converter.convert(tmp_path / "logo.html", document_id=ID)).pictures) == 1
    many = [
        f"<p>Part {number}.</p><img src='{uri(file(drawn(24 + number % 40, 24 + number // 40)))}'>"
        for number in range(MAX_PICTURES + 3)
    ]
    (tmp_path / "many.html").write_text("".join(many))
    result = await converter.convert(tmp_path / "many.html", document_id=ID)
    assert len(result.pictures) == MAX_PICTURES and result.status == "ok"
    assert result.reason == f"3 pictures left out: {MAX_PICTURES} are kept of one document"


@pytest.mark.parametrize(
    "address",
    ["../outside.png", "link.png", "linked/outside.png", "/etc/hostname", "https://127.0.0.1:9/a.png", "none.png", "."],
)
async def test_markdown_shows_nothing_from_outside_its_folder(
    converter: Converter, tmp_path: Path, address: str
) -> None:
    folder, elsewhere = tmp_path / "inside", tmp_path
    folder.mkdir()
    (elsewhere / "outside.png").write_bytes(file())
    (folder / "link.png").symlink_to(elsewhere / "outside.png")
    (folder / "linked").symlink_to(elsewhere)
    (folder / "here.png").write_bytes(file(drawn(50, 50)))
    (folder / "a.md").write_bytes(in_markdown(address) + in_markdown("./here.png"))
    result = await converter.convert(folder / "a.md", document_id=ID)
    assert [(picture.width, picture.height) for picture in result.pictures] == [(50, 50)]


async def test_a_fifo_beside_a_text_holds_nobody_up(converter: Converter, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "a.md").write_bytes(in_markdown("pipe.png"))
    assert (await converter.convert(tmp_path / "a.md", document_id=ID)).pictures == ()


async def test_bytes_are_stored_once_and_go_with_the_last_document(converter: Converter, tmp_path: Path) -> None:
    picture = file(drawn(200, 150))
    for name in ("a", "b"):
        (tmp_path / f"{name}.docx").write_bytes(in_word(picture))
    async with await opened(tmp_path / "c", converter) as corpus:
        await add(corpus, tmp_path / "a.docx", tmp_path / "b.docx")
        assert blobs(tmp_path / "c") == 1
        await corpus.remove(["a.docx"])
        async with await corpus.snapshot() as snapshot:
            (id,) = snapshot.documents
            assert [data for _, data in await pictures(snapshot, id)] == [picture]
        purged = await corpus.purge(["b.docx"])
        assert any(trace in picture for trace in purged.traces)
        assert blobs(tmp_path / "c") == 0 and traced(tmp_path / "c", purged.traces) == []


async def test_pictures_go_where_their_document_goes(converter: Converter, tmp_path: Path) -> None:
    """Renamed or given other metadata, it is not read again; a backup holds them; an update brings others."""
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "a.docx").write_bytes(in_word(file()))
    async with await opened(tmp_path / "c", converter) as corpus:
        (first,) = [outcome async for outcome in corpus.sync(folder)]
        assert first.document_id
        (folder / "a.docx").rename(folder / "b.docx")
        assert [outcome.status async for outcome in corpus.sync(folder, metadata={"team": "law"})] == ["renamed"]
        await corpus.backup(tmp_path / "c.tar")
        await Corpus.restore(tmp_path / "c.tar", tmp_path / "d")
        async with await opened(tmp_path / "d", converter) as restored, await restored.snapshot() as snapshot:
            assert [data for _, data in await pictures(snapshot, first.document_id)] == [file()]
        async with await corpus.snapshot() as before:
            (folder / "b.docx").write_bytes(in_word(file(drawn(90, 90))))
            assert [outcome.status async for outcome in corpus.sync(folder)] == ["updated"]
            assert [data for _, data in await pictures(before, first.document_id)] == [file()]
        async with await corpus.snapshot() as snapshot:
            assert [data for _, data in await pictures(snapshot, first.document_id)] == [file(drawn(90, 90))]


async def test_a_picture_that_is_a_file_can_be_looked_at_although_nobody_has_read_it(
    converter: Converter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")  # no tesseract
    (tmp_path / "lock gate.png").write_bytes(file())
    async with await opened(tmp_path / "c", converter) as corpus:
        for _ in range(2):
            (outcome,) = await add(corpus, tmp_path / "lock gate.png")
            assert outcome.status == "failed" and "a picture; install tesseract" in (outcome.reason or "")
        assert await corpus.newest() == 2  # the second time changed nothing
        async with await corpus.snapshot() as snapshot:
            assert len(snapshot.documents.unreadable) == 1
            (hit,) = (await snapshot.search("lock gate")).results
            assert hit.chunk.labels == ("picture",) and hit.chunk.content == "Picture 1 of lock gate.png"
            picture = snapshot.picture(hit.document.id, *hit.picture_refs)
            assert picture is not None and picture.data == file()


async def test_a_document_of_pictures_alone_is_empty_and_its_pictures_are_found(
    converter: Converter, tmp_path: Path
) -> None:
    def write(document) -> None:
        document.add_picture(io.BytesIO(file()))

    (tmp_path / "lock.docx").write_bytes(word(write))
    result = await converter.convert(tmp_path / "lock.docx", document_id=ID)
    assert (result.status, result.reason, result.content) == ("empty", "no text, 1 picture", b"")
    assert [chunk.content for chunk in result.chunks] == ["Picture 1 of lock.docx"]


async def test_text_around_pictures_is_cut_as_without_them(converter: Converter, tmp_path: Path) -> None:
    text = "".join(f"<p>Passage {number} tells of the gate and of the lamps.</p>" for number in range(6))
    (tmp_path / "a.html").write_text(text)
    (tmp_path / "b.html").write_text(text.replace("</p>", f"</p><img src='{uri(file())}'>", 2))
    plain, shown = [await converter.convert(tmp_path / name, document_id=ID) for name in ("a.html", "b.html")]
    ids = [chunk.id for chunk in shown.chunks if "picture" not in chunk.labels]
    assert ids == [chunk.id for chunk in plain.chunks] and len(shown.chunks) == len(ids) + 1
    assert plain.content == shown.content


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Figure 3. The wheel", "figure 3"),
        ("FIG. 4 – Efficacité", "fig. 4"),
        ("Abbildung 12: Das Rad", "abbildung 12"),
        ("**Figure 2.1** Wheels", "figure 2.1"),
        ("图 3 水车", "图 3"),
        ("The wheel of figure 3", None),
        ("Figures of speech", None),
    ],
)
def test_captions_name_their_pictures(text: str, label: str | None) -> None:
    assert label_of(text) == label


@pytest.mark.parametrize(
    ("text", "label", "told"),
    [
        ("as Fig. 3 shows", "figure 3", True),
        ("see Figure 3b", "figure 3", True),
        ("see figure 31", "figure 3", False),
        ("see figure 3.1", "figure 3", False),
        ("in Table 3", "figure 3", False),
        ("La figure 4 montre", "fig. 4", True),
    ],
)
def test_texts_speak_of_pictures(text: str, label: str, told: bool) -> None:
    assert mentions(text, label) is told


@pytest.mark.parametrize(
    ("told", "data"),
    [
        ([["#/pictures/0", "image/png", 1, 1, 5]], b"<svg>"),
        ([["#/pictures/0", "image/svg+xml", 1, 1, 5]], b"<svg>"),
        ([["../pictures/0", "image/png", 120, 80, len(file())]], file()),
        ([["#/pictures/0", "image/png", 120, 80, len(file()) + 1]], file()),
        ([], file()),
    ],
)
def test_what_a_child_says_of_pictures_is_checked(told: list[list[object]], data: bytes) -> None:
    with pytest.raises(ValueError, match="pictures"):
        list(_pictures(told, data))
    assert len(list(_pictures([["#/pictures/0", "image/png", 120, 80, len(file())]], file()))) == 1


@pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed")
async def test_a_picture_that_is_read_is_shown_too(converter: Converter, tmp_path: Path) -> None:
    from .test_ocr import page

    (tmp_path / "scan.png").write_bytes(file(page("The ferry leaves at noon")))
    result = await converter.convert(tmp_path / "scan.png", document_id=ID)
    assert len(result.pictures) == 1 and result.status == "ok"
    assert any("ferry leaves" in chunk.content and "picture" in chunk.labels for chunk in result.chunks)
