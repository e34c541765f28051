"""XML of no known vocabulary: every element's text under the names of the elements around it.

Elements that repeat with simple children (records) are a table; all else are lines of "name: text".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import lxml.etree

from ..items import Item, Reading, Source, Table, Unreadable, heading
from .xmltables import xml_table

_MAX_COLUMNS = 60  # records with more different fields are written out one by one
_MAX_DEPTH = 100


def parse(data: bytes) -> Any:
    """The root element. Entities are not expanded and nothing is fetched: no XML bomb, no file is included."""
    parser = lxml.etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        return lxml.etree.fromstring(data, parser)
    except lxml.etree.XMLSyntaxError as error:
        raise Unreadable(_reason(error.msg or "")) from error


def _reason(message: str) -> str:
    if "depth" in message:
        return "nested too deeply"
    if "amplification" in message or ("entity" in message and "loop" in message):
        return "an XML bomb: its entities unfold to too much"
    if message in ("", "unknown error"):  # what the parser says when it gets no more memory
        return "XML that is broken, or larger than the memory limit allows"
    return f"broken XML: {message}"


def read(source: Source) -> Reading:
    return Reading(list(_element(parse(source.data), 1)))


def _element(node: Any, level: int) -> Iterator[Item]:
    if _name(node) == "table" and (table := xml_table(node)) is not None:
        yield Item("table", table=table)
        return
    children = [child for child in node if isinstance(child.tag, str)]
    if not children or _is_mixed(node) or level > _MAX_DEPTH:
        if text := _text(node):
            yield Item("text", f"{_name(node)}: {text}")
        return
    yield heading(_title(node), level)
    if attributes := _attributes(node):
        yield Item("text", attributes)
    if (table := _records(children)) is not None:
        yield Item("table", table=table)
        return
    for child in children:
        yield from _element(child, level + 1)


def _is_mixed(node: Any) -> bool:
    """Whether text stands between the children, as in prose with markup."""
    return bool((node.text or "").strip()) or any((child.tail or "").strip() for child in node)


def _records(children: list[Any]) -> Table | None:
    if len(children) < 2 or len({child.tag for child in children}) > 1:
        return None
    rows = [_fields(child) for child in children]
    if any(row is None for row in rows):
        return None
    columns = list(dict.fromkeys(name for row in rows if row for name in row))
    if not columns or len(columns) > _MAX_COLUMNS:
        return None
    return Table.of(columns, [[(row or {}).get(name, "") for name in columns] for row in rows])


def _fields(record: Any) -> dict[str, str] | None:
    """A record's attributes and children by name; None when it is deeper than that."""
    fields = {str(lxml.etree.QName(name).localname): value for name, value in record.attrib.items()}
    names = Counter(child.tag for child in record)
    if any(len(child) or count > 1 for child in record for count in (names[child.tag],)) or (
        _is_mixed(record) and len(record)
    ):
        return None
    for child in record:
        fields[_name(child)] = _text(child)
    if not len(record) and (text := _text(record)):
        fields[_name(record)] = text
    return fields


def _title(node: Any) -> str:
    """The element's name, and what names this one among its like."""
    for key in ("name", "title", "label", "id"):
        if value := (node.get(key) or "").strip():
            return f"{_name(node)} {value}"
    return _name(node)


def _attributes(node: Any) -> str:
    return "\n".join(f"{lxml.etree.QName(name).localname}: {value}" for name, value in node.attrib.items())


def _name(node: Any) -> str:
    return str(lxml.etree.QName(node).localname)


def _text(node: Any) -> str:
    return " ".join("".join(node.itertext()).split())
