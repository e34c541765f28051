"""Word documents: headings with their numbers, lists, tables, footnotes, comments, text boxes, headers and footers."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from zipfile import ZipFile

from ..items import Item, Look, Reading, Source, Unreadable, heading
from .archive import member, open_archive, picture, properties
from .docxstyles import Numbering, Styles, W
from .docxtables import table_item
from .docxtext import Notes, Text, text_of
from .xml import parse

_MAX_DEPTH = 40  # content controls, text boxes and cells inside each other
_PART_KINDS = ("styles", "numbering", "comments", "footnotes", "endnotes", "header", "footer")


def read(source: Source) -> Reading:
    with open_archive(source.data) as archive:
        about = properties(archive)
        parts = _Parts(archive)
        body = parts.document.find(f"{W}body")
        if body is None:
            raise Unreadable("broken Word document: no body")
        notes = Notes.of(parts.one("comments"), parts.one("footnotes"), parts.one("endnotes"))
        images = {id: picture(source.data, path) for id, path in parts.images.items()}
        walk = _Walk(Styles(parts.one("styles")), Numbering(parts.one("numbering")), notes, images)
        items = [*_margins(parts), *walk.blocks(body, 0)]
    title = about.pop("title", None)
    return Reading(items, title=title, metadata=about)


class _Parts:
    """The XML parts of the package, found by their relationships to the main document."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        main = self._target("_rels/.rels", "", "officeDocument")
        path = main[0] if main else "word/document.xml"
        self.document = self._parse(path)
        folder, name = posixpath.split(path)
        relations = f"{folder}/_rels/{name}.rels"
        self._paths = {kind: self._target(relations, folder, kind) for kind in _PART_KINDS}
        self.images = self._related(relations, folder, "image")  # paths by the relationship's id

    def one(self, kind: str) -> Any | None:
        return next(self.all(kind), None)

    def all(self, kind: str) -> Iterator[Any]:
        for path in self._paths[kind]:
            if data := member(self._archive, path):
                yield parse(data)

    def _parse(self, path: str) -> Any:
        data = member(self._archive, path)
        if not data:
            raise Unreadable("broken Word document: no text part")
        return parse(data)

    def _target(self, relations: str, folder: str, kind: str) -> list[str]:
        return list(self._related(relations, folder, kind).values())

    def _related(self, relations: str, folder: str, kind: str) -> dict[str, str]:
        """Paths of the parts of one kind, by the id of their relationship; what lies elsewhere is left out."""
        data = member(self._archive, relations)
        if not data:
            return {}
        return {
            relation.get("Id", ""): posixpath.normpath(posixpath.join("/", folder, relation.get("Target", ""))).lstrip(
                "/"
            )
            for relation in parse(data)
            if isinstance(relation.tag, str)
            and relation.get("Type", "").rsplit("/", 1)[-1] == kind
            and relation.get("TargetMode") != "External"
        }


def _margins(parts: _Parts) -> Iterator[Item]:
    """Headers and footers, each text once."""
    seen: set[str] = set()
    for kind in ("header", "footer"):
        for part in parts.all(kind):
            text = " ".join(" ".join(filter(None, (text_of(each).text for each in part.iter(f"{W}p")))).split())
            key = re.sub(r"\d+", "", text)  # page numbers differ from section to section
            if key.strip() and key not in seen:
                seen.add(key)
                yield Item("text", f"{kind.capitalize()}: {text}")


@dataclass(slots=True)
class _Walk:
    styles: Styles
    numbering: Numbering
    notes: Notes
    images: Mapping[str, Look] = field(default_factory=dict)  # by the id of the relationship
    titled: bool = field(default=False)

    def blocks(self, parent: Any, depth: int) -> Iterator[Item]:
        """The items of a body, a cell, a content control or a text box."""
        if depth > _MAX_DEPTH:
            raise Unreadable("nested too deeply")
        for node in parent:
            if node.tag == f"{W}p":
                yield from self.paragraph(node, depth)
            elif node.tag == f"{W}tbl":
                yield from self.table(node, depth)
            elif node.tag == f"{W}sdt":
                yield from self.blocks(
                    node.find(f"{W}sdtContent") if node.find(f"{W}sdtContent") is not None else (), depth + 1
                )
            elif node.tag in (f"{W}ins", f"{W}customXml", f"{W}smartTag"):
                yield from self.blocks(node, depth + 1)

    def paragraph(self, node: Any, depth: int) -> Iterator[Item]:
        content = text_of(node)
        text = content.text.strip()
        if text:
            yield self._labelled(node, text, content)
        for formula in content.formulas:
            yield Item("formula", formula)
        for drawn in content.pictures:
            yield Item("picture", drawn.alternative, look=self.images.get(drawn.relation))
        for box in content.boxes:
            yield from self.blocks(box, depth + 1)
        yield from self.notes.under(content)

    def _labelled(self, node: Any, text: str, content: Text) -> Item:
        style = self.styles.of(node)
        number = self.numbering.next(style.numbered) if style.numbered else None
        line = " ".join(text.split())
        if style.title and not self.titled:
            self.titled = True
            return Item("title", line)
        if style.level:
            marker = f"{number.text} " if number is not None and number.text else ""
            return heading(marker + line, style.level)
        if style.caption:
            return Item("caption", text)
        if number is not None:
            return Item("list_item", text, marker=number.text or "-", depth=number.depth)
        if style.listed is not None:
            return Item("list_item", text, depth=style.listed)
        return Item("text", text)

    def table(self, node: Any, depth: int) -> Iterator[Item]:
        cells = node.findall(f"{W}tr/{W}tc")
        columns = max((len(row.findall(f"{W}tc")) for row in node.findall(f"{W}tr")), default=0)
        if columns <= 1:  # a frame around text
            for cell in cells:
                yield from self.blocks(cell, depth + 1)
            return
        yield from table_item(node, lambda cell: self._cell(cell, depth + 1))
        for paragraph in node.iter(f"{W}p"):
            content = text_of(paragraph)
            for drawn in content.pictures:  # their alternative texts stand in the cells
                if look := self.images.get(drawn.relation):
                    yield Item("picture", caption=drawn.alternative, look=look)
            yield from self.notes.under(content)

    def _cell(self, cell: Any, depth: int) -> str:
        lines = []
        for item in _Walk(self.styles, self.numbering, Notes({}, {}, {}), titled=True).blocks(cell, depth):
            if item.table is not None:
                lines += [" ; ".join(filter(None, row)) for row in (item.table.columns, *item.table.rows)]
            elif item.label == "list_item":
                lines.append(f"{item.marker} {item.text}")
            elif item.text:
                lines.append(f"${item.text}$" if item.label == "formula" else item.text)
        return "\n".join(lines)
