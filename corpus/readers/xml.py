"""XML of no known vocabulary: every element's text under the names of the elements around it.

Elements that repeat with simple children (records) are a table; all else are lines of "name: text".
"""

from __future__ import annotations

import html.entities
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import lxml.etree

from ..encodings import decode
from ..items import Item, Reading, Source, Table, Unreadable, heading
from .xmltables import xml_table

# Numbers of libxml2's errors.
_NO_MEMORY = 2
_MENDABLE = (9, 26, 32, 65, 68, 81)  # control characters, entities, an encoding that is unknown or not the declared one
_PREFIX = 201  # one that is not declared: the tree is whole
_DECLARATION = re.compile(rb"""\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)["'][^>]*\?>""")
_NAMED = re.compile(r"&(?:(\w+);|(?!#))")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_XML_NAMES = ("amp", "lt", "gt", "quot", "apos")
_FLAT = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}document"
_MAX_COLUMNS = 60  # records with more different fields are written out one by one
_MAX_DEPTH = 100


def parse(data: bytes) -> Any:
    """The root element. Entities are not expanded and nothing is fetched: no XML bomb, no file is included."""
    try:
        return lxml.etree.fromstring(data, _parser())
    except lxml.etree.XMLSyntaxError as error:
        message = error.msg or ""
        if error.code == _NO_MEMORY or message in ("", "unknown error"):  # what it says when it gets no more memory
            raise MemoryError from error
        mended = _mended(data, error.code)
        if mended != data:
            return parse(mended)
        if error.code == _PREFIX:
            return _without_prefixes(lxml.etree.fromstring(data, _parser(recover=True)))
        raise Unreadable(reason(message)) from error


def _parser(recover: bool = False) -> lxml.etree.XMLParser:
    return lxml.etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )


def _without_prefixes(root: Any) -> Any:
    """Undeclared prefixes stay in the names, where nothing expects them."""
    for node in root.iter("*"):
        if ":" in node.tag.rpartition("}")[2]:
            node.tag = node.tag.rpartition(":")[2]
        for name in [name for name in node.attrib if ":" in name.rpartition("}")[2]]:
            node.set(name.rpartition(":")[2], node.attrib.pop(name))
    return root


def _mended(data: bytes, error: int) -> bytes:
    """The file with what is easily mended: another encoding than it declares, control characters, entities of HTML
    and loose ampersands.

    The parser's own way to recover is to drop every entity that follows, `&amp;` too.
    """
    if error not in _MENDABLE:
        return data
    match = _DECLARATION.match(data)
    text = decode(data[match.end() :] if match else data, match[1].decode("ascii", "replace") if match else None)
    return _NAMED.sub(_character, _CONTROLS.sub(" ", text)).encode("utf-8", "replace")


def _character(match: re.Match[str]) -> str:
    """What HTML has under this name; what XML knows stays as it is; of anything else the ampersand is text."""
    if match[1] is None:
        return "&amp;"
    return match[0] if match[1] in _XML_NAMES else html.entities.html5.get(f"{match[1]};", f"&amp;{match[1]};")


def reason(message: str) -> str:
    """What a parser's message means for the person who added the file."""
    if "depth" in message:
        return "nested too deeply"
    if "amplification" in message or ("entity" in message and "loop" in message):
        return "an XML bomb: its entities unfold to too much"
    if "Resource limit" in message:
        return "XML with more than 10 MB in one element: too much"
    return f"broken XML: {message}"


def read(source: Source) -> Reading:
    if not source.data.strip():
        return Reading([])
    root = parse(source.data)
    if root.tag == _FLAT:
        raise Unreadable("a flat OpenDocument file; save it as .odt, .ods or .odp")
    return Reading(list(_element(root, 1)))


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
