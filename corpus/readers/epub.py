"""EPUB: the chapters of its spine in order, read as HTML."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from urllib.parse import unquote

from lxml.etree import QName

from ..items import Item, Look, Reading, Source, Unreadable
from ..pictures import data_of
from .archive import member, open_archive, picture
from .html import read as read_html
from .xml import parse

_KEPT = {name: name for name in "title language publisher date subject description identifier rights".split()}
_KEPT["creator"] = "author"
_CHAPTERS = ("application/xhtml+xml", "text/html")


def read(source: Source) -> Reading:
    with open_archive(source.data) as archive:
        package = _package(member(archive, "META-INF/container.xml"))
        root = parse(member(archive, package))
        metadata: dict[str, str] = {}
        chapters: dict[str, str] = {}
        spine: list[str] = []
        for element in root.iter():
            name = QName(element).localname if isinstance(element.tag, str) else ""
            if name in _KEPT and (text := " ".join((element.text or "").split())):
                key = _KEPT[name]
                metadata[key] = f"{metadata[key]}, {text}" if key in metadata else text
            elif (
                name == "item"
                and element.get("media-type") in _CHAPTERS
                and "nav" not in (element.get("properties") or "")
            ):
                chapters[element.get("id", "")] = unquote(element.get("href", "").split("#")[0])
            elif name == "itemref":
                spine.append(element.get("idref", ""))
        folder, names = posixpath.dirname(package), frozenset(archive.namelist())
        items: list[Item] = []
        for path in dict.fromkeys(chapters[id] for id in spine if id in chapters):
            place = posixpath.normpath(posixpath.join(folder, path))
            items += read_html(Source(member(archive, place), path), _Images(source.data, names, place)).items
    return Reading(items, title=metadata.get("title"), metadata=metadata, language=metadata.get("language"))


@dataclass(frozen=True, slots=True)
class _Images:
    """The pictures of a book by the addresses that a chapter gives them."""

    data: bytes
    names: frozenset[str]
    chapter: str

    def __call__(self, address: str) -> Look | None:
        name = posixpath.normpath(posixpath.join(posixpath.dirname(self.chapter), unquote(address.split("#")[0])))
        return picture(self.data, name) if name in self.names else data_of(address)


def _package(container: bytes) -> str:
    if container:
        for element in parse(container).iter("{*}rootfile"):
            return element.get("full-path", "")
    raise Unreadable("broken EPUB: no package document")
