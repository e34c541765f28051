"""Small documents that the tests write for themselves."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

from glossator.corpus import formats, readers
from glossator.corpus.items import Item, Reading, Source


def read(data: bytes | str, name: str) -> Reading:
    """Read a document as the conversion child does, without the child."""
    raw = data.encode() if isinstance(data, str) else data
    return readers.read(Source(raw, name, formats.detect(raw, name).name))


def shown(reading: Reading) -> list[tuple[str, str]]:
    """Labels and texts, a header's label with its level."""
    return [(f"h{item.level}" if item.level else item.label, item.text) for item in reading.items]


def tables(reading: Reading) -> list[list[list[str]]]:
    """Each table as rows, the header first."""
    return [_rows(item) for item in reading.items if item.table is not None]


def _rows(item: Item) -> list[list[str]]:
    assert item.table is not None
    return [list(item.table.columns), *map(list, item.table.rows)]


def pdf(*pages: Sequence[tuple[float, float, float, bool, str]], ruled: Sequence[tuple[float, ...]] = ()) -> bytes:
    """A PDF of lines (x, y from the bottom, size, bold, text) per page; `ruled` are strokes on the first page."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>",
    ]
    kids = []
    for number, lines in enumerate(pages):
        text = b"".join(_line(*line) for line in lines)
        strokes = b"".join(b"%g %g m %g %g l S\n" % tuple(stroke) for stroke in ruled) if number == 0 else b""
        stream = strokes + (b"BT\n" + text + b"ET\n" if text else b"")
        objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream))
        content = len(objects)
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R"
            b"/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>" % content
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(kids))
    return _file(objects)


def _line(x: float, y: float, size: float, bold: bool, text: str) -> bytes:
    escaped = text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return b"/F%d %g Tf 1 0 0 1 %g %g Tm (%s) Tj\n" % (2 if bold else 1, size, x, y, escaped)


def _file(objects: Sequence[bytes]) -> bytes:
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start)
    return bytes(out)


def body(*lines: str, top: float = 800, x: float = 60) -> list[tuple[float, float, float, bool, str]]:
    """Lines of running text, one under the other."""
    return [(x, top - 14 * number, 10, False, text) for number, text in enumerate(lines)]


def workbook(write: Callable[..., None]) -> bytes:
    """An xlsx file; `write` gets xlsxwriter's workbook."""
    import xlsxwriter

    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        write(book)
    return out.getvalue()


def word(write: Callable[..., None]) -> bytes:
    """A docx file; `write` gets python-docx's document."""
    import docx

    document = docx.Document()
    write(document)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()
