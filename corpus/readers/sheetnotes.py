"""What a workbook says beside its cells: text boxes and comments, by sheet; and the properties of the file."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml.etree import QName

from ..items import Unreadable
from .archive import member, open_archive, properties
from .xml import parse

_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


@dataclass(frozen=True, slots=True)
class Notes:
    """Texts by the name of their sheet."""

    properties: dict[str, str] = field(default_factory=dict)
    texts: dict[str, list[str]] = field(default_factory=dict)


def notes(data: bytes) -> Notes:
    """The notes of a zipped workbook; none of an old one. Broken ones are no reason to refuse the cells."""
    if not data.startswith(b"PK"):
        return Notes()
    with open_archive(data) as archive:
        try:
            found = _spreadsheet(archive) if "content.xml" in archive.namelist() else _workbook(archive)
            return Notes(
                properties(archive), {name: kept for name, texts in found if (kept := list(filter(None, texts)))}
            )
        except Unreadable:
            return Notes()


def _workbook(archive: zipfile.ZipFile) -> Iterator[tuple[str, list[str]]]:
    book = member(archive, "xl/workbook.xml")
    targets = _related(archive, "xl/workbook.xml")
    for sheet in parse(book).iter("{*}sheet") if book else ():
        _, path = targets.get(sheet.get(_ID, ""), ("", ""))
        parts = _related(archive, path).values() if path else ()
        yield sheet.get("name", ""), [text for kind, part in parts for text in _part(archive, kind, part)]


def _related(archive: zipfile.ZipFile, path: str) -> dict[str, tuple[str, str]]:
    """What a part of the package refers to: id -> (kind, path)."""
    folder, name = posixpath.split(path)
    data = member(archive, f"{folder}/_rels/{name}.rels")
    found = {}
    for each in parse(data).iter("{*}Relationship") if data else ():
        target = posixpath.normpath(posixpath.join("/", folder, each.get("Target", "")))
        found[each.get("Id", "")] = (each.get("Type", "").rpartition("/")[2], target.lstrip("/"))
    return found


def _part(archive: zipfile.ZipFile, kind: str, path: str) -> Iterator[str]:
    """The text boxes of a drawing, the comments of a sheet."""
    data = member(archive, path) if kind in ("drawing", "comments") else b""
    if not data:
        return
    for body in parse(data).iter("{*}txBody", "{*}comment"):
        if QName(body).localname == "txBody":
            yield _joined("".join(run.text or "" for run in each.iter("{*}t")) for each in body.iter("{*}p"))
        else:
            yield f"Comment on {body.get('ref')}: {_joined(run.text or '' for run in body.iter('{*}t'))}"


def _spreadsheet(archive: zipfile.ZipFile) -> Iterator[tuple[str, list[str]]]:
    """The same of OpenDocument, where boxes and annotations stand inside the cells."""
    for sheet in parse(member(archive, "content.xml")).iter("{*}table"):
        name = next((value for key, value in sheet.attrib.items() if QName(key).localname == "name"), "")
        yield name, list(_boxes(sheet))


def _boxes(sheet: Any) -> Iterator[str]:
    for box in sheet.iter("{*}annotation", "{*}text-box", "{*}custom-shape"):
        text = _joined("".join(each.itertext()) for each in box.iterfind("{*}p"))
        yield f"Comment: {text}" if QName(box).localname == "annotation" and text else text


def _joined(texts: Any) -> str:
    return "\n".join(text for text in texts if text.strip())
