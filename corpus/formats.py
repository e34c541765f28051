"""What a file is: by its content first, by its name where content cannot tell."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import PurePath

from .encodings import decode, is_text
from .items import Unreadable


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    mime_type: str
    reader: str  # module of corpus.readers


_OFFICE = "application/vnd.openxmlformats-officedocument"
_OPEN = "application/vnd.oasis.opendocument"
FORMATS = {
    format.name: format
    for format in (
        Format("text", "text/plain", "text"),
        Format("markdown", "text/markdown", "markdown"),
        Format("rst", "text/x-rst", "rst"),
        Format("asciidoc", "text/asciidoc", "asciidoc"),
        Format("latex", "application/x-latex", "latex"),
        Format("org", "text/x-org", "org"),
        Format("html", "text/html", "html"),
        Format("csv", "text/csv", "csv"),
        Format("tsv", "text/tab-separated-values", "csv"),
        Format("json", "application/json", "data"),
        Format("jsonl", "application/jsonl", "data"),
        Format("yaml", "application/yaml", "data"),
        Format("toml", "application/toml", "data"),
        Format("code", "text/x-source", "code"),
        Format("xml", "application/xml", "xml"),
        Format("jats", "application/jats+xml", "article"),
        Format("uspto", "application/xml", "article"),
        Format("eml", "message/rfc822", "mail"),
        Format("msg", "application/vnd.ms-outlook", "outlook"),
        Format("vtt", "text/vtt", "subtitles"),
        Format("srt", "application/x-subrip", "subtitles"),
        Format("rtf", "application/rtf", "rtf"),
        Format("pdf", "application/pdf", "pdf"),
        Format("docx", f"{_OFFICE}.wordprocessingml.document", "docx"),
        Format("pptx", f"{_OFFICE}.presentationml.presentation", "slides"),
        Format("xlsx", f"{_OFFICE}.spreadsheetml.sheet", "workbook"),
        Format("xlsb", "application/vnd.ms-excel.sheet.binary.macroEnabled.12", "workbook"),
        Format("xls", "application/vnd.ms-excel", "workbook"),
        Format("odt", f"{_OPEN}.text", "odt"),
        Format("odp", f"{_OPEN}.presentation", "slides"),
        Format("ods", f"{_OPEN}.spreadsheet", "workbook"),
        Format("docling", "application/json", "imported"),
        Format("zip", "application/zip", "zipped"),
        Format("epub", "application/epub+zip", "epub"),
        Format("png", "image/png", "image"),
        Format("jpeg", "image/jpeg", "image"),
        Format("gif", "image/gif", "image"),
        Format("tiff", "image/tiff", "image"),
        Format("bmp", "image/bmp", "image"),
        Format("webp", "image/webp", "image"),
    )
}
READERS = tuple(sorted({format.reader for format in FORMATS.values()}))

_ENDINGS = {
    ending: name
    for name, endings in {
        "text": "txt text log",
        "markdown": "md markdown mdown mkd mdx qmd rmd",
        "rst": "rst rest",
        "asciidoc": "adoc asciidoc asc",
        "latex": "tex latex ltx",
        "org": "org",
        "html": "html htm xhtml",
        "csv": "csv",
        "tsv": "tsv tab",
        "json": "json geojson ipynb",
        "jsonl": "jsonl ndjson",
        "yaml": "yaml yml",
        "toml": "toml",
        "xml": "xml nxml rss atom xsd xsl kml gpx",
        "eml": "eml mht mhtml",
        "vtt": "vtt",
        "srt": "srt",
        "code": "py pyi js mjs ts jsx tsx java c h cc cpp hpp cs go rs rb php pl sh bash zsh ps1 sql r jl lua kt swift "
        "scala clj hs ml ex erl css scss ini cfg conf properties env dockerfile make mk cmake gradle vue proto tf",
    }.items()
    for ending in endings.split()
}
_IMAGES = (  # magic bytes, where they stand, and the format
    (b"\x89PNG\r\n", 0, "png"), (b"\xff\xd8\xff", 0, "jpeg"), (b"GIF8", 0, "gif"), (b"II*\0", 0, "tiff"),
    (b"MM\0*", 0, "tiff"), (b"BM", 0, "bmp"), (b"WEBP", 8, "webp"),
)  # fmt: skip
# Binary formats without a reader: magic bytes, where they stand, and what is said to the person.
_ARCHIVE = "an archive; unpack it and add what is in it"
_MEDIA = "audio or video; speech is not transcribed"
_PROGRAM = "a program, not a document"
_REFUSED = (
    (b"\x1f\x8b", 0, _ARCHIVE), (b"7z\xbc\xaf", 0, _ARCHIVE),
    (b"Rar!", 0, _ARCHIVE), (b"BZh", 0, _ARCHIVE), (b"\xfd7zXZ", 0, _ARCHIVE), (b"ustar", 257, _ARCHIVE),
    (b"ID3", 0, _MEDIA), (b"OggS", 0, _MEDIA), (b"fLaC", 0, _MEDIA), (b"WAVE", 8, _MEDIA), (b"ftyp", 4, _MEDIA),
    (b"\x1aE\xdf\xa3", 0, _MEDIA), (b"\x7fELF", 0, _PROGRAM), (b"MZ", 0, _PROGRAM), (b"\xca\xfe\xba\xbe", 0, _PROGRAM),
    (b"SQLite format 3", 0, "a database; export its tables as CSV"), (b"PAR1", 0, "a Parquet file; export it as CSV"),
    (b"\x00asm", 0, _PROGRAM), (b"wOFF", 0, "a font"), (b"wOF2", 0, "a font"), (b"\x00\x01\x00\x00\x00", 0, "a font"),
)  # fmt: skip
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # OLE: old Office, Outlook, encrypted new Office
_STREAMS = (  # a stream's name in the directory, and what it shows; the first that is there decides
    ("EncryptedPackage", "encrypted: a password is needed"),
    ("WordDocument", "an old Word file (.doc); save it as .docx"),
    ("PowerPoint Document", "an old PowerPoint file (.ppt); save it as .pptx"),
    ("__properties_version1.0", "msg"),
    ("Workbook", "xls"),
    ("Book", "xls"),
)
_PART_LIST = "[Content_Types].xml"
_PARTS = (  # a document's main part, the folder of its parts, and the format
    ("word/document", "word/", "docx"),
    ("ppt/presentation", "ppt/", "pptx"),
    ("xl/workbook.bin", "xl/workbook.bin", "xlsb"),
    ("xl/workbook", "xl/", "xlsx"),
)
_DOCLING = re.compile(r'"schema_name"\s*:\s*"DoclingDocument"')
_HTML = re.compile(r"\A\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)
_ROOT = re.compile(r"<(?!\?|!)(?:[\w.-]+:)?([\w.-]+)")
_ROOTS = {
    "html": "html",
    "us-patent-grant": "uspto",
    "us-patent-application": "uspto",
    "patent-application-publication": "uspto",
}
_MAIL = re.compile(
    r"\A(?:(?:From|Received|Return-Path|Delivered-To|Message-ID|MIME-Version|Date|To|Subject):.*\n(?:[ \t].*\n)*){3,}",
    re.IGNORECASE,
)


def by_name(name: str) -> str | None:
    """The format that a file's name tells; None if it tells none."""
    return _ENDINGS.get(PurePath(name).suffix.lower().removeprefix("."))


def detect(data: bytes, name: str) -> Format:
    """The format of a file; raises `Unreadable`, with what it seems to be, where there is no reader for it."""
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):  # the second: an archive without files
        return FORMATS[_zipped(data)]
    if data.startswith(_COMPOUND):
        return FORMATS[_compound(data)]
    if _is_pdf(data, name):
        return FORMATS["pdf"]
    if data.lstrip()[:5] == b"{\\rtf":
        return FORMATS["rtf"]
    if not is_text(data):
        if image := next((name for magic, at, name in _IMAGES if data.startswith(magic, at)), None):
            return FORMATS[image]
        raise Unreadable(_refusal(data))
    return FORMATS[_textual(decode(data[:65536]), name)]


def _is_pdf(data: bytes, name: str) -> bool:
    """A PDF may begin with up to 1024 bytes of anything; a text may show how a PDF begins."""
    start = data[:1024].find(b"%PDF-")
    return start >= 0 and (
        not data[:start].strip(b"\xef\xbb\xbf \t\r\n") or name.lower().endswith(".pdf") or not is_text(data)
    )


def _zipped(data: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            kind = archive.read("mimetype").decode("ascii", "replace").strip() if "mimetype" in names else ""
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, ValueError) as error:
        raise Unreadable(f"a broken or truncated archive: {error}") from error
    for format in FORMATS.values():
        if kind and kind.removesuffix("-template") == format.mime_type:
            return format.name
    for main, folder, format in _PARTS:
        # Any main part is enough; where it has an odd name, the list of parts that other archives do not have.
        if any(name.startswith(folder if _PART_LIST in names else main) for name in names):
            return format
    return "zip"


def _compound(data: bytes) -> str:
    for stream, meaning in _STREAMS:
        if stream.encode("utf-16-le") in data:
            if meaning in FORMATS:
                return meaning
            raise Unreadable(meaning)
    raise Unreadable("an unknown OLE file")


def _refusal(data: bytes) -> str:
    for magic, offset, meaning in _REFUSED:
        if data[offset : offset + len(magic)] == magic:
            return meaning
    return "an unknown binary format"


def _textual(text: str, name: str) -> str:
    if text.lstrip()[:1] == "{" and _DOCLING.search(text):
        return "docling"
    ending = by_name(name)
    if ending in (None, "xml", "html") and text.lstrip()[:1] == "<" and (found := _tagged(text)):
        return found
    if ending is None:
        if text.startswith("WEBVTT"):
            return "vtt"
        if _MAIL.match(text):
            return "eml"
    return ending or "text"


def _tagged(text: str) -> str | None:
    """Which markup a text that begins with a tag is."""
    if _HTML.match(text):
        return "html"
    if not text.lstrip().startswith(("<?xml", "<!DOCTYPE")):
        return None
    root = _ROOT.search(text)
    if root is None:
        return None
    if root[1] == "article" and ("JATS" in text or "NLM" in text or "<front>" in text):
        return "jats"
    return _ROOTS.get(root[1], "xml")
