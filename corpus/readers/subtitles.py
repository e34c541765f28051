"""WebVTT and SubRip subtitles: one item per cue, with its time, and the speaker where one is named."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from ..encodings import decode
from ..items import Item, Reading, Source

_TIMES = re.compile(r"((?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{3})\s*-->\s*((?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{3})")
_SPEAKER = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_TAG = re.compile(r"</?[^<>]*>")
_NOTE = re.compile(r"NOTE\b\s*")


def read(source: Source) -> Reading:
    text = decode(source.data).replace("\r\n", "\n").replace("\r", "\n")
    blocks = [block for block in re.split(r"\n[^\S\n]*\n", text) if block.strip()]
    return Reading([item for block in blocks for item in _block(block.strip("\n").split("\n"))])


def _block(lines: list[str]) -> Iterator[Item]:
    for number, line in enumerate(lines[:2]):
        if times := _TIMES.search(line):
            if words := _words(lines[number + 1 :]):
                yield Item("text", f"[{times[1]} --> {times[2]}] {words}")
            return
    if lines[0].startswith("WEBVTT"):
        header = [lines[0].removeprefix("WEBVTT").strip(" -\t"), *lines[1:]]
        if text := "\n".join(line for line in header if line.strip()):
            yield Item("text", text)
    elif note := _NOTE.match(lines[0]):
        yield Item("text", "\n".join([lines[0][note.end() :], *lines[1:]]))
    elif not lines[0].startswith(("STYLE", "REGION")):
        yield Item("text", "\n".join(lines))


def _words(lines: list[str]) -> str:
    text = " ".join(line.strip() for line in lines)
    text = _SPEAKER.sub(lambda match: f"{match[1].strip()}: ", text)
    return " ".join(html.unescape(_TAG.sub("", text)).split())
