"""Readers: one module per family of formats, each with `read(source) -> Reading`. They run in the jailed child."""

from __future__ import annotations

from importlib import import_module

from ..formats import FORMATS
from ..items import Reading, Source


def read(source: Source) -> Reading:
    """Read a file of a known format; raises `Unreadable` when it is broken, encrypted or without a reader."""
    return import_module(f".{FORMATS[source.format].reader}", __name__).read(source)
