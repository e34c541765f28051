from __future__ import annotations

import io
import zipfile

import pytest

from glossator.corpus.formats import FORMATS, READERS, detect
from glossator.corpus.items import Unreadable


def archive(**files: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as target:
        for name, text in files.items():
            target.writestr(name.replace("__", "/"), text)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "format"),
    [
        (b"Hello", "a.txt", "text"),
        (b"Hello", "no-ending", "text"),
        (b"Hello", "a.unknown", "text"),
        (b"# Hello", "a.MD", "markdown"),
        (b"<!DOCTYPE html><p>x", "a.txt", "text"),
        (b"<!DOCTYPE html><p>x", "saved-page", "html"),
        (b"<?xml version='1.0'?><us-patent-grant/>", "a.xml", "uspto"),
        (b"<?xml version='1.0'?><article><front></front></article>", "a.nxml", "jats"),
        (b"<?xml version='1.0'?><article/>", "a.xml", "xml"),
        (b"<?xml version='1.0'?><html xmlns='x'/>", "a.xhtml", "html"),
        (b"%PDF-1.4", "wrong.txt", "pdf"),
        (b"junk\r\n%PDF-1.4\n\0\1\2\3", "wrong", "pdf"),
        (b"junk\r\n%PDF-1.4", "a.pdf", "pdf"),
        (b"print('%PDF-1.4 begins a file')", "make.py", "code"),
        (b"text with the wrong ending", "a.pdf", "text"),
        (b"{\\rtf1 x}", "a.doc", "rtf"),
        (b"From: a@b\nTo: c@d\nSubject: x\n\nbody", "mail", "eml"),
        (b"WEBVTT\n\n00:01.000 --> 00:02.000\nx", "captions", "vtt"),
        (archive(word__document="x"), "a.zip", "docx"),
        (archive(xl__workbook="x"), "a.bin", "xlsx"),
        (archive(**{"[Content_Types].xml": "x", "word__main.xml": "x"}), "a.zip", "docx"),
        (archive(readme="x"), "a", "zip"),
        (archive(word__of__honour="x"), "a.docx", "zip"),
        (archive(), "a", "zip"),
        (archive(mimetype="application/epub+zip"), "a", "epub"),
        (archive(mimetype="application/vnd.oasis.opendocument.text"), "a", "odt"),
    ],
)
def test_content_decides_then_the_name(data: bytes, name: str, format: str) -> None:
    assert detect(data, name).name == format


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x1f\x8b" + bytes(40), "archive"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(40), "archive"),
        (archive(readme="x")[:-30], "broken or truncated"),
        (b"\x7fELF" + bytes(40), "program"),
        (b"SQLite format 3\0" + bytes(40), "database"),
        (bytes(range(256)), "unknown binary"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "PowerPoint Document".encode("utf-16-le"), "save it as .pptx"),
    ],
)
def test_what_has_no_reader_is_named(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        detect(data, "file")


def test_every_format_has_a_reader() -> None:
    assert {format.reader for format in FORMATS.values()} == set(READERS)
