"""Text in pictures: tesseract, where it is installed, run inside the jail of the conversion that asks for it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from lxml import html

from ..kernel import landlock, process

ADVICE = "install tesseract (Debian and Ubuntu: apt-get install tesseract-ocr) and add it again"
MAX_PAGES = 500  # of one document; a scanned book has as many, and takes an hour
_LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1")  # fmt: skip
_DATA = ("/usr/share/tesseract-ocr", "/usr/share/tessdata", "/usr/local/share/tessdata")
_MAX_LANGUAGES = 4  # each costs its time on every page
_NO_LANGUAGES = ("osd", "equ")
_MIN_CONFIDENCE = 30  # of 100: below, it is a stain that looks like a letter
_SAME_SIZE = 0.12  # part of the usual size by which a line's own may differ for reasons of reading alone


@dataclass(frozen=True, slots=True)
class Seen:
    """A line of text in a picture; pixels from its top left corner."""

    left: float
    top: float
    right: float
    bottom: float
    size: float  # of the font, as far as the picture tells
    words: tuple[tuple[float, float, str], ...]  # left, right, text

    @property
    def text(self) -> str:
        return " ".join(word for _, _, word in self.words)


def program() -> str:
    """The path of tesseract; empty where it is missing or where it could not be kept in the jail."""
    found = shutil.which("tesseract")
    return str(Path(found).resolve()) if found and landlock.abi() else ""


def data() -> list[Path]:
    """Folders with what tesseract has learnt."""
    named = os.environ.get("TESSDATA_PREFIX", "")
    return [path for entry in (*_DATA, named) if entry and (path := Path(entry)).is_dir()]


def loaders() -> list[Path]:
    """The system's programs that start a program."""
    return [path for entry in _LOADERS if (path := Path(entry)).exists()]


def seen(tesseract: str, picture: Path) -> list[Seen]:
    """The lines of text in a picture, in reading order; nothing where there are none."""
    output = _run(tesseract, str(picture), "stdout", "-l", _languages(tesseract), "hocr")
    lines = list(_lines(output))
    sizes = sorted(line.size for line in lines for _ in line.text)
    usual = sizes[len(sizes) // 2] if sizes else 0.0
    return [_sized(line, usual) for line in lines]


def _sized(line: Seen, usual: float) -> Seen:
    """A line whose letters are about as large as most is as large: its size is guessed from the letters that it has."""
    size = usual if abs(line.size - usual) < _SAME_SIZE * usual else line.size
    return replace(line, size=size)


@cache
def _languages(tesseract: str) -> str:
    """What is installed, English first."""
    names = _run(tesseract, "--list-langs").decode("utf-8", "replace").splitlines()[1:]
    known = {name for name in names if "/" not in name} - {*_NO_LANGUAGES}
    return "+".join(sorted(known, key=lambda name: (name != "eng", name))[:_MAX_LANGUAGES]) or "eng"


def _run(tesseract: str, *arguments: str) -> bytes:
    done = subprocess.run(
        [tesseract, *arguments],
        input=b"",  # not the null device: the jail does not let it be opened for writing
        capture_output=True,
        env={"OMP_THREAD_LIMIT": "1", "LC_ALL": "C", **_prefix()},
        preexec_fn=process.die_with_parent,  # one thread: a child of the conversion server
    )
    return done.stdout if done.returncode == 0 else b""


def _prefix() -> dict[str, str]:
    named = os.environ.get("TESSDATA_PREFIX")
    return {"TESSDATA_PREFIX": named} if named else {}


def _lines(output: bytes) -> Iterator[Seen]:
    """From hOCR: a line has its box and the size of its font, a word its confidence."""
    if not output.strip():
        return
    for line in html.document_fromstring(output).iter("span"):
        if not (line.get("class") or "").startswith(("ocr_line", "ocr_header", "ocr_caption", "ocr_textfloat")):
            continue
        words = tuple(filter(None, map(_word, line.iter("span"))))
        told = _values(line)
        if words and len(told.get("bbox", ())) == 4:
            left, top, right, bottom = told["bbox"]
            yield Seen(left, top, right, bottom, told.get("x_size", [bottom - top])[0], words)


def _word(span: Any) -> tuple[float, float, str] | None:
    """A word that tesseract is sure of; a line between two columns of a table is none."""
    told, text = _values(span), span.text_content().strip()
    if span.get("class") != "ocrx_word" or told.get("x_wconf", [0.0])[0] < _MIN_CONFIDENCE or not text.strip("|_"):
        return None
    box = told.get("bbox", [])
    return (box[0], box[2], text) if len(box) == 4 else None


def _values(span: Any) -> dict[str, list[float]]:
    """hOCR's properties: "bbox 36 92 618 116; x_size 24.4" and so on; those that are no numbers are left out."""
    found: dict[str, list[float]] = {}
    for part in (span.get("title") or "").split(";"):
        name, *values = part.split() or [""]
        try:
            found[name] = [float(value) for value in values]
        except ValueError:
            continue
    return found
