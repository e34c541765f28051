"""Files that are broken in ways that storage, mail and malice break them."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable, Sequence

from .compound import message
from .drawings import file, in_html, in_pdf, in_word
from .packing import mail, packed

_TOKENS = (b"0", b"1", b"<", b">", b"/", b'"', b"\n", b"|", b"{", b"}", b"9" * 12, b"-1", b"&#0;")
_MAX_MEMBER = 1 << 20  # bytes of a file in an archive that is changed
SEEDS = [
    ("tide.org", b"#+TITLE: Tides\n* High\n| port | m |\n|------+---|\n| Alnes | 2.4 |\n** Low\n- one\n"),
    ("mill.tex", rb"\documentclass{article}\title{Mill}\begin{document}\section{Wheel}It turns $x^2$."
     rb"\begin{tabular}{ll}a & b\\c & d\end{tabular}\end{document}"),
    ("crew.json", b'{"ship": "Ada", "crew": [{"name": "Ines", "years": 4}, {"name": "Omar", "years": 9}]}'),
    ("crew.yaml", b"ship: Ada\ncrew:\n  - {name: Ines, years: 4}\n  - &omar {name: Omar}\n  - *omar\n"),
    ("crew.toml", b'ship = "Ada"\n[[crew]]\nname = "Ines"\nyears = 4\n'),
    ("article.xml", b'<?xml version="1.0"?><article><front><article-meta><title-group><article-title>Wind'
     b"</article-title></title-group></article-meta></front><body><sec><title>One</title><p>Text &amp; more.</p>"
     b"<table-wrap><table><tr><td>1</td></tr></table></table-wrap></sec></body></article>"),
    ("talk.vtt", b"WEBVTT\n\n00:01.000 --> 00:02.000\nHello there\n\n00:03.000 --> 00:04.000\nAgain\n"),
    ("talk.srt", b"1\n00:00:01,000 --> 00:00:02,000\nHello there\n\n2\n00:00:03,000 --> 00:00:04,000\nAgain\n"),
    ("note.rtf", rb"{\rtf1\ansi{\fonttbl\f0 Arial;}\f0 Old {\b note} with \'e9 and \u8364? sign.\par Two.\par}"),
    ("code.py", b'def tide(hour):\n    """The height."""\n    return hour * 2\n\n\nclass Mill:\n    pass\n'),
    ("box.zip", packed({"in/a.txt": b"A lamp.", "b.csv": b"a,b\n1,2\n", "in.zip": packed({"c.md": b"# C\n\nText."})})),
    ("mail.eml", mail({"a.txt": b"A lamp.", "b.png": file()})),
    ("mail.msg", message("The gate", "See below.", {"fees.csv": b"a,b\n1,2\n"})),
    ("lock.html", in_html(file())),
    ("lock.docx", in_word(file())),
    ("lock.pdf", in_pdf()),
    ("lock.gif", file(format="GIF")),
    ("book.ipynb", b'{"cells": [{"cell_type": "markdown", "source": ["# One\\n"]}], "metadata": {}, "nbformat": 4}'),
]  # fmt: skip


def mutant(source: random.Random, files: Sequence[tuple[str, bytes]]) -> tuple[str, bytes]:
    """One of `files`, broken: its name and bytes."""
    name, data = source.choice(files)
    if zipfile.is_zipfile(io.BytesIO(data)) and source.random() < 0.7:
        return name, source.choice((_member_broken, _members_swapped, _directory_broken))(source, data, files)
    for _ in range(source.choice((1, 1, 1, 2, 4))):
        data = source.choice(_CHANGES)(source, data, files)
    return name, data


Change = Callable[[random.Random, bytes, Sequence[tuple[str, bytes]]], bytes]


def _flipped(source: random.Random, data: bytes, _files: Sequence[tuple[str, bytes]]) -> bytes:
    changed = bytearray(data)
    for _ in range(source.choice((1, 2, 8, 64)) if data else 0):
        changed[source.randrange(len(changed))] ^= 1 << source.randrange(8)
    return bytes(changed)


def _cut(source: random.Random, data: bytes, _files: Sequence[tuple[str, bytes]]) -> bytes:
    return data[: source.randrange(len(data) + 1)]


def _hole(source: random.Random, data: bytes, _files: Sequence[tuple[str, bytes]]) -> bytes:
    start = source.randrange(len(data) + 1)
    return data[:start] + data[start + source.randrange(1, 2000) :]


def _repeated(source: random.Random, data: bytes, _files: Sequence[tuple[str, bytes]]) -> bytes:
    start = source.randrange(len(data) + 1)
    piece = data[start : start + source.randrange(1, 400)]
    return data[:start] + piece * source.choice((2, 50, 2000)) + data[start:]


def _spliced(source: random.Random, data: bytes, files: Sequence[tuple[str, bytes]]) -> bytes:
    other = source.choice(files)[1]
    return data[: source.randrange(len(data) + 1)] + other[source.randrange(len(other) + 1) :]


def _filled(source: random.Random, data: bytes, _files: Sequence[tuple[str, bytes]]) -> bytes:
    start = source.randrange(len(data) + 1)
    length = source.randrange(1, 500)
    return data[:start] + source.choice((b"\0" * length, b"\xff" * length, source.randbytes(length))) + data[start:]


def _words_swapped(source: random.Random, data: bytes, _files: Sequence[tuple[str, bytes]]) -> bytes:
    """Numbers and marks that mean something to a parser, in place of others."""
    old, new = source.sample(
        (b"0", b"1", b"<", b">", b"/", b'"', b"\n", b"|", b"{", b"}", b"9" * 12, b"-1", b"&#0;"), 2
    )
    return data.replace(old, new, source.choice((1, 3, 100)))


_CHANGES: tuple[Change, ...] = (_flipped, _flipped, _cut, _hole, _repeated, _spliced, _filled, _words_swapped)


def _member_broken(source: random.Random, data: bytes, files: Sequence[tuple[str, bytes]]) -> bytes:
    """An archive that is whole, with one of its files broken."""
    members = _members(data)
    name = source.choice(list(members)) if members else ""
    return _archive({**members, name: source.choice(_CHANGES)(source, members.get(name, b"")[:_MAX_MEMBER], files)})


def _members_swapped(source: random.Random, data: bytes, files: Sequence[tuple[str, bytes]]) -> bytes:
    """An archive with files of another one, or without some of its own."""
    members = _members(data)
    others = _members(source.choice(files)[1]) or members
    for name in source.sample(sorted(members), min(len(members), source.choice((1, 2, 5)))):
        if source.random() < 0.5:
            del members[name]
        else:
            members[name] = source.choice(list(others.values()))
    return _archive(members)


def _directory_broken(source: random.Random, data: bytes, files: Sequence[tuple[str, bytes]]) -> bytes:
    """An archive whose list of files, at its end, is not what it was."""
    end = max(0, len(data) - source.choice((22, 300, 2000)))
    return data[:end] + _flipped(source, data[end:], files)


def _members(data: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {info.filename: archive.read(info) for info in archive.infolist() if info.file_size < _MAX_MEMBER}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError):
        return {}


def _archive(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name or "empty", data)
    return out.getvalue()
