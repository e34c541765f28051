"""Formats that docling's backends parse: its document tree becomes our flat list of items.

Levels, order and layers are docling's own ways and differ by format; what is said of each below was seen in its output.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from docling.backend.latex_backend import LatexDocumentBackend
from docling.backend.mspowerpoint_backend import MsPowerpointDocumentBackend
from docling.backend.opendocument_backend import OdpDocumentBackend, OdtDocumentBackend
from docling.backend.xml.uspto_backend import PatentUsptoDocumentBackend
from docling.datamodel.base_models import InputFormat
from docling.datamodel.document import InputDocument
from docling_core.types.doc.common.content_layer import ContentLayer
from docling_core.types.doc.document import DoclingDocument
from docling_core.types.doc.items.code import CodeItem
from docling_core.types.doc.items.group import GroupItem, InlineGroup, ListGroup
from docling_core.types.doc.items.node import DocItem
from docling_core.types.doc.items.picture.picture import PictureItem
from docling_core.types.doc.items.table.table import TableItem
from docling_core.types.doc.items.table.table_data import TableData
from docling_core.types.doc.items.text import FormulaItem, ListItem, SectionHeaderItem, TextItem, TitleItem
from docling_core.types.doc.labels import DocItemLabel, GroupLabel

from ..items import Item, Look, Table, Unreadable, heading
from .headers import join_headers

BACKENDS: dict[str, tuple[InputFormat, Any]] = {
    "latex": (InputFormat.LATEX, LatexDocumentBackend),
    "pptx": (InputFormat.PPTX, MsPowerpointDocumentBackend),
    "odt": (InputFormat.ODT, OdtDocumentBackend),
    "odp": (InputFormat.ODP, OdpDocumentBackend),
    "uspto": (InputFormat.XML_USPTO, PatentUsptoDocumentBackend),
}
_SKIPPED_LAYERS = (ContentLayer.BACKGROUND, ContentLayer.INVISIBLE)
_LABELS = {DocItemLabel.CAPTION: "caption", DocItemLabel.FOOTNOTE: "footnote"}


def parse(data: bytes, name: str, format: str) -> DoclingDocument:
    """docling's document; raises `Unreadable` when its backend finds the file invalid."""
    kind, backend = BACKENDS[format]
    document = InputDocument(path_or_stream=io.BytesIO(data), format=kind, backend=backend, filename=name)
    if not document.valid:
        raise Unreadable(f"broken or not {format}")
    return document._backend.convert()  # pyright: ignore[reportAttributeAccessIssue]  # a declarative backend


def items_of(document: DoclingDocument) -> list[Item]:
    """All items in reading order, notes and comments included."""
    return list(Tree(document).below(document.body))


class Tree:
    """A walk over docling's tree; handlers are named after what they read."""

    def __init__(self, document: DoclingDocument) -> None:
        self.document = document
        self.captions: set[str] = set()  # of tables and pictures, which come with them
        for node in [*document.tables, *document.pictures]:
            self.captions.update(ref.cref for ref in node.captions)

    def nodes(self) -> list[Any]:
        """The groups right under the body."""
        nodes = [ref.resolve(self.document) for ref in self.document.body.children]
        return [node for node in nodes if isinstance(node, GroupItem)]

    def below(self, node: Any) -> Iterator[Item]:
        """Items of all that hangs under a node."""
        yield from self._children(node, -1)

    def _children(self, node: Any, depth: int) -> Iterator[Item]:
        for ref in node.children:
            child = ref.resolve(self.document)
            if child.self_ref not in self.captions and child.content_layer not in _SKIPPED_LAYERS:
                yield from self._node(child, depth)

    def _node(self, node: Any, depth: int) -> Iterator[Item]:
        for kind, handler in _HANDLERS:
            if isinstance(node, kind):
                for item in handler(self, node, depth):
                    yield item if item.ref else replace(item, ref=node.self_ref)
                return

    def inline(self, node: Any, depth: int) -> Iterator[Item]:
        if text := self._joined(node):
            yield Item("text", text, pages=_pages(node, self.document))

    def _joined(self, node: Any) -> str:
        """The texts of an inline group. Some backends keep the spaces between them, some do not."""
        parts = [part for ref in node.children if (part := self._part(ref.resolve(self.document)))]
        spaced = any(part[:1].isspace() or part[-1:].isspace() for part in parts)
        return ("" if spaced else " ").join(parts).strip()

    def _part(self, node: Any) -> str:
        if isinstance(node, FormulaItem):
            return f"${node.text}$"
        if isinstance(node, TextItem):
            return node.text
        return self._joined(node) if isinstance(node, GroupItem) else ""

    def group(self, node: Any, depth: int) -> Iterator[Item]:
        if node.label == GroupLabel.COMMENT_SECTION:
            for item in self._children(node, -1):
                yield Item("text", f"Comment: {item.text}", pages=item.pages)
        else:
            yield from self._children(node, depth)

    def list(self, node: Any, depth: int) -> Iterator[Item]:
        yield from self._children(node, depth + 1)

    def entry(self, node: ListItem, depth: int) -> Iterator[Item]:
        text, children = node.text.strip(), list(node.children)
        if not text and children and isinstance(first := children[0].resolve(self.document), InlineGroup):
            text = self._joined(first)
            children = children[1:]
        marker = node.marker if node.enumerated and node.marker else "-"
        if text:
            yield Item("list_item", text, pages=_pages(node), marker=marker, depth=max(depth, 0))
        for ref in children:
            yield from self._node(ref.resolve(self.document), depth)

    def header(self, node: Any, depth: int) -> Iterator[Item]:
        text = node.text.strip()
        children = list(node.children)
        if not text and children and isinstance(first := children[0].resolve(self.document), InlineGroup):
            text = self._joined(first)
            children = children[1:]
        text = " ".join(text.split())
        if isinstance(node, TitleItem):
            yield Item("title", text, pages=_pages(node))
        else:
            yield heading(text, node.level, _pages(node))
        for ref in children:
            child = ref.resolve(self.document)
            if child.self_ref not in self.captions and child.content_layer not in _SKIPPED_LAYERS:
                yield from self._node(child, -1)

    def code(self, node: CodeItem, depth: int) -> Iterator[Item]:
        yield Item("code", node.text, pages=_pages(node))
        yield from self._children(node, depth)

    def formula(self, node: FormulaItem, depth: int) -> Iterator[Item]:
        yield Item("formula", node.text or node.orig, pages=_pages(node))

    def text(self, node: TextItem, depth: int) -> Iterator[Item]:
        label = _LABELS.get(node.label, "text")
        text = node.text.strip()
        if node.content_layer == ContentLayer.NOTES and node.label != DocItemLabel.FOOTNOTE:
            parent = node.parent.resolve(self.document) if node.parent else None
            if getattr(parent, "label", None) != GroupLabel.COMMENT_SECTION:
                text = f"Notes: {text}" if text else ""
        if text:
            yield Item(label, text, pages=_pages(node))  # type: ignore[arg-type]
        yield from self._children(node, depth)

    def table(self, node: TableItem, depth: int) -> Iterator[Item]:
        yield from self._captions(node)
        if (table := table_of(node.data, self._cell)) is not None:
            yield Item("table", pages=_pages(node), table=table)

    def picture(self, node: PictureItem, depth: int) -> Iterator[Item]:
        captions = list(self._captions(node))
        yield Item("picture", captions[0].text if captions else "", pages=_pages(node), look=_look(node))
        meta = getattr(node, "meta", None)
        chart = getattr(meta, "tabular_chart", None)
        if chart is not None and (table := table_of(chart.chart_data, self._cell)) is not None:
            yield Item("table", pages=_pages(node), table=table)
        yield from self._children(node, depth)

    def _captions(self, node: Any) -> Iterator[Item]:
        for ref in node.captions:
            if text := getattr(ref.resolve(self.document), "text", "").strip():
                yield Item("caption", text, pages=_pages(node))

    def _cell(self, cell: Any) -> str:
        """A cell's text; one that holds a list of one entry is not shown as a list."""
        text = cell._get_text(doc=self.document).strip()
        return text.removeprefix("- ") if "\n" not in text else text


_HANDLERS: tuple[tuple[Any, Callable[[Tree, Any, int], Iterator[Item]]], ...] = (
    (InlineGroup, Tree.inline),
    (ListGroup, Tree.list),
    (ListItem, Tree.entry),
    ((TitleItem, SectionHeaderItem), Tree.header),
    (CodeItem, Tree.code),
    (FormulaItem, Tree.formula),
    (TextItem, Tree.text),
    (TableItem, Tree.table),
    (PictureItem, Tree.picture),
    ((GroupItem, DocItem), Tree.group),
)


def table_of(data: TableData, text: Callable[[Any], str]) -> Table | None:
    """docling's cells as rows with spans filled; its header rows joined."""
    grid = [["" for _ in range(data.num_cols)] for _ in range(data.num_rows)]
    headers: set[int] = set()
    for cell in data.table_cells:
        shown = text(cell)
        for row in range(cell.start_row_offset_idx, min(cell.end_row_offset_idx, data.num_rows)):
            for column in range(cell.start_col_offset_idx, min(cell.end_col_offset_idx, data.num_cols)):
                grid[row][column] = shown
            if cell.column_header:
                headers.add(row)
    if not any(cell for row in grid for cell in row):
        return None
    count = next((row for row in range(len(grid)) if row not in headers), len(grid))
    count = max(1, min(count, len(grid)))
    return Table.of(join_headers(grid[:count]), grid[count:])


def _look(node: PictureItem) -> Look | None:
    """The picture, if the document holds it: what a document from elsewhere only names is not opened."""
    image = node.image
    return (lambda: image.pil_image) if image is not None and str(image.uri).startswith("data:") else None  # type: ignore[return-value]


def _pages(node: Any, document: DoclingDocument | None = None) -> tuple[int, ...]:
    pages: Sequence[int] = [place.page_no for place in getattr(node, "prov", ())]
    if not pages and document is not None:
        pages = [place.page_no for ref in node.children for place in getattr(ref.resolve(document), "prov", ())]
    return tuple(sorted(set(pages)))
