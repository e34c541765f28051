"""Pictures that the tests draw, and documents that hold them."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Callable

from PIL import Image, ImageDraw

from .writers import body, pdf, word

BEFORE = "The survey of the lock was made in May by the two divers of the port."
AFTER = "The damage was mended within a week, and the gate was opened again."
CAPTION = "Figure 1. The crack in the lower gate"


def drawn(width: int = 120, height: int = 80, colour: str = "navy", mode: str = "RGB") -> Image.Image:
    image = Image.new("RGB", (width, height), "white")
    ImageDraw.Draw(image).ellipse((width // 4, height // 4, 3 * width // 4, 3 * height // 4), fill=colour)
    return image.convert(mode)


def file(image: Image.Image | None = None, format: str = "PNG", **options: object) -> bytes:
    out = io.BytesIO()
    (image or drawn()).save(out, format, **options)
    return out.getvalue()


def uri(data: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def in_word(picture: bytes) -> bytes:
    def write(document) -> None:
        document.add_paragraph(BEFORE)
        document.add_picture(io.BytesIO(picture))
        document.add_paragraph(CAPTION, style="Caption")
        document.add_paragraph(AFTER)

    return word(write)


def in_slides(picture: bytes) -> bytes:
    import pptx.util

    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[5])
    assert slide.shapes.title is not None
    slide.shapes.title.text = CAPTION
    slide.shapes.add_picture(io.BytesIO(picture), pptx.util.Inches(1), pptx.util.Inches(3))
    out = io.BytesIO()
    show.save(out)
    return out.getvalue()


def in_html(picture: bytes) -> bytes:
    figure = f'<figure><img alt="a crack" src="{uri(picture)}"><figcaption>{CAPTION}</figcaption></figure>'
    return f"<html><body><p>{BEFORE}</p>{figure}<p>{AFTER}</p></body></html>".encode()


def in_markdown(address: str) -> bytes:
    return f"{BEFORE}\n\n![{CAPTION}]({address})\n\n{AFTER}\n".encode()


def in_epub(picture: bytes) -> bytes:
    container = '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    package = (
        "<package><metadata><title>Locks</title></metadata><manifest>"
        '<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="one"/></spine></package>'
    )
    figure = f'<figure><img src="../images/a%20crack.png"/><figcaption>{CAPTION}</figcaption></figure>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr("META-INF/container.xml", container)
        book.writestr("OEBPS/book.opf", package)
        book.writestr("OEBPS/text/one.xhtml", f"<html><body><p>{BEFORE}</p>{figure}<p>{AFTER}</p></body></html>")
        book.writestr("OEBPS/images/a crack.png", picture)
    return out.getvalue()


def in_pdf(picture: Image.Image | None = None, strips: int = 1, rotation: int = 0) -> bytes:
    """A page with a picture of 300 x 200 points, which may be stored as strips; its page may be turned."""
    import pypdfium2

    caption = [(60, 470, 10, False, CAPTION)]
    document = pypdfium2.PdfDocument(pdf([*body(BEFORE, top=740), *caption, *body(AFTER, top=440)]))
    page = document[0]
    image = picture or drawn(300, 200)
    for strip in range(strips):
        height = image.height / strips
        part = image.crop((0, round(strip * height), image.width, round((strip + 1) * height)))
        placed = pypdfium2.PdfImage.new(document)
        placed.set_bitmap(pypdfium2.PdfBitmap.from_pil(part))
        size = 200 / strips
        placed.set_matrix(pypdfium2.PdfMatrix().scale(300, size).translate(60, 490 + 200 - (strip + 1) * size))
        page.insert_obj(placed)
    page.gen_content()
    if rotation:
        page.set_rotation(rotation)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


MAKERS: dict[str, Callable[[bytes], bytes]] = {
    "a.docx": in_word,
    "a.pptx": in_slides,
    "a.html": in_html,
    "a.epub": in_epub,
    "a.md": lambda _: in_markdown("images/a%20crack.png"),
    "a.pdf": lambda _: in_pdf(),
}
