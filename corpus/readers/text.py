"""Plain text: paragraphs, and nothing invented."""

from __future__ import annotations

import re
import textwrap

from ..encodings import decode
from ..items import Item, Reading, Source

_GAP = re.compile(r"\n(?:[^\S\n]*\n)+")


def read(source: Source) -> Reading:
    return Reading(paragraphs(decode(source.data)))


def paragraphs(text: str) -> list[Item]:
    """One item per paragraph; line breaks inside are kept, since they may be verse, an address or a list."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n").expandtabs(4)
    return [Item("text", textwrap.dedent(part).strip("\n")) for part in _GAP.split(lines) if part.strip()]
