"""reStructuredText through docutils: sections, lists, tables, code, footnotes; headers and field lists as metadata.

A directive or role that docutils does not know (Sphinx has hundreds) is read as its plain content: text is never lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives, roles
from docutils.utils import SystemMessage

from ..encodings import decode
from ..items import Item, Reading, Source, heading
from .rstinline import inline
from .rsttables import table_item
from .text import paragraphs

_SETTINGS = {
    "_disable_config": True,
    "doctitle_xform": False,  # the first title stays a section, so that levels are those of the source
    "docinfo_xform": False,
    "sectsubtitle_xform": False,
    "file_insertion_enabled": False,  # include and csv-table would read files, raw could smuggle markup
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 5,
    "warning_stream": False,
    "syntax_highlight": "none",
    "smart_quotes": False,
    "line_length_limit": 10_000_000,
    "input_encoding": "unicode",
}
# The head of a PEP or of a mail: "Name: value" lines up to the first empty one.
_HEADERS = re.compile(r"\A(?:[A-Z][\w-]*:(?:[ \t].*)?\n(?:[ \t]+\S.*\n)*){2,}(?=\s*\n|\Z)")
_HEADER = re.compile(r"^([A-Z][\w-]*):[ \t]*(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)


class _AnyOptions(dict[str, Callable[[str | None], str | None]]):
    """Takes every option name."""

    def __missing__(self, name: str) -> Callable[[str | None], str | None]:
        return directives.unchanged

    def __bool__(self) -> bool:
        return True


class _AnyDirective(Directive):
    """A directive that nobody knows: its argument and its body are read as text."""

    option_spec = _AnyOptions()  # type: ignore[assignment]
    optional_arguments = 100
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        node = nodes.container()
        argument = " ".join(self.arguments)
        if argument and not self.name.startswith(("highlight", "canonical", "index", "default-")):
            node += nodes.paragraph(argument, "", nodes.Text(argument))
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


def _any_role(
    name: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None, content: Any = None
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """An unknown role: what it shows, `title <target>` as the title."""
    shown = re.sub(r"\s*<[^<>]*>\Z", "", text, flags=re.DOTALL) or text
    return [nodes.literal(rawtext, shown.lstrip("~!"))], []


def _known_directive(name: str, module: Any, document: Any) -> Any:
    directive, messages = _directive(name, module, document)
    return (directive, messages) if directive is not None else (_AnyDirective, [])


def _known_role(name: str, module: Any, lineno: int, reporter: Any) -> Any:
    role, messages = _role(name, module, lineno, reporter)
    return (role, messages) if role is not None else (_any_role, [])


_directive, _role = directives.directive, roles.role
directives.directive = _known_directive
roles.role = _known_role


def read(source: Source) -> Reading:
    text = decode(source.data).replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    metadata, items = {}, []
    if head := _HEADERS.match(text):
        metadata = {match[1]: " ".join(match[2].split()) for match in _HEADER.finditer(head[0])}
        items.append(Item("text", "\n".join(f"{name}: {value}".rstrip() for name, value in metadata.items())))
        text = text[head.end() :]
    try:
        document = publish_doctree(text, settings_overrides=_SETTINGS)
    except (SystemMessage, RecursionError, AssertionError):  # docutils' own ways to give up
        return Reading([*items, *paragraphs(text)], metadata=metadata)
    metadata |= _fields(document)
    items += _items(document, 0)
    titles = [value for name, value in metadata.items() if name.lower() == "title" and value]
    return Reading(items, title=titles[0] if titles else None, metadata=metadata)


def _fields(document: nodes.document) -> dict[str, str]:
    """The field list at the head of a document, or right under its title."""
    head: Sequence[nodes.Node] = document.children
    if head and isinstance(head[0], nodes.section):
        head = head[0].children[1:]
    for node in head[:1]:
        if isinstance(node, nodes.field_list):
            return {field[0].astext(): " ".join(field[1].astext().split()) for field in node.children}  # type: ignore[index]
    return {}


def _items(node: nodes.Element, level: int, depth: int = -1) -> Iterator[Item]:
    for child in node.children:
        if isinstance(child, nodes.Element):
            yield from _item(child, level, depth)


def _item(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    for kind, handler in _HANDLERS.items():
        if isinstance(node, kind):
            yield from handler(node, level, depth)
            return
    if any(isinstance(child, nodes.Text | nodes.Inline) for child in node.children):
        yield Item("text", inline(node))
    else:
        yield from _items(node, level, depth)


def _section(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    yield from _items(node, level + 1, depth)


def _title(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    if isinstance(node.parent, nodes.section):
        yield heading(node.astext().strip(), level)
    else:  # of a topic, an admonition, a sidebar
        yield Item("text", inline(node))


def _list(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    number = node.get("start", 1)
    for entry in node.children:
        marker = "-"
        if isinstance(node, nodes.enumerated_list):
            marker = f"{node['prefix']}{_ordinal(number, node['enumtype'])}{node['suffix']}"
            number += 1
        yield from _entry(entry, level, depth + 1, marker)


def _entry(entry: Any, level: int, depth: int, marker: str) -> Iterator[Item]:
    """A list item: its first paragraph carries the marker, what follows are items of their own."""
    inner = list(_items(entry, level, depth))
    if inner and inner[0].label == "text":
        yield Item("list_item", inner[0].text, marker=marker, depth=depth)
        inner = inner[1:]
    yield from inner


def _ordinal(number: int, kind: str) -> str:
    if kind.endswith("alpha"):
        letter = chr(ord("a") + (number - 1) % 26)
        return letter.upper() if kind.startswith("upper") else letter
    if kind.endswith("roman"):
        numeral = "".join(("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[number % 10 :][:1])
        numeral = "x" * (number // 10) + numeral
        return numeral.upper() if kind.startswith("upper") else numeral
    return str(number)


def _definition(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    names = [inline(part) for part in node.children if isinstance(part, nodes.term | nodes.classifier)]
    yield Item("list_item", " : ".join(names), depth=depth + 1)
    for part in node.children:
        if isinstance(part, nodes.definition):
            yield from _items(part, level, depth + 1)


def _field(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    name, body = node.children
    yield from _labelled(f"{name.astext()}: ", body, level, depth)


def _labelled(label: str, body: Any, level: int, depth: int) -> Iterator[Item]:
    """A body whose first text begins with a label."""
    inner = list(_items(body, level, depth))
    if inner and inner[0].label == "text":
        yield Item("text", label + inner[0].text)
        yield from inner[1:]
    else:
        yield Item("text", label.strip())
        yield from inner


def _option(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    names, description = node.children
    yield from _labelled(f"``{names.astext()}`` ", description, level, depth)


def _admonition(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    yield from _labelled(f"{node.tagname.capitalize()}: ", node, level, depth)


def _note(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    """A footnote or a citation."""
    label = next((part.astext() for part in node.children if isinstance(part, nodes.label)), "")
    for item in _labelled(f"[{label}] ", _without_label(node), level, depth):
        yield Item("footnote", item.text) if item.label == "text" else item


def _without_label(node: nodes.Element) -> nodes.Element:
    return nodes.container("", *(child for child in node.children if not isinstance(child, nodes.label)))


def _code(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    language = next((name for name in node.get("classes", ()) if name != "code"), "")
    yield Item("code", node.astext(), language=language)


def _formula(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    yield Item("formula", node.astext())


def _image(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    yield Item("picture", node.get("alt", ""))


def _caption(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    yield Item("caption", inline(node))


def _lines(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    yield Item("text", "\n".join(inline(line) for line in node.findall(nodes.line)))


def _topic(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    """A topic; but a table of contents, which docutils makes itself, is not the document's text."""
    return iter(()) if "contents" in node.get("classes", ()) else _items(node, level, depth)


def _table(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    for child in node.children:
        if isinstance(child, nodes.title):
            yield Item("caption", inline(child))
    yield from table_item(node, lambda entry: "\n".join(item.text for item in _items(entry, level)))


def _problem(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    """What docutils could not read, it quotes; its complaints are not the document's text."""
    for child in node.children:
        if isinstance(child, nodes.literal_block):
            yield Item("text", child.astext())


def _nothing(node: nodes.Element, level: int, depth: int) -> Iterator[Item]:
    return iter(())


_HANDLERS: dict[Any, Callable[[Any, int, int], Iterator[Item]]] = {
    nodes.section: _section,
    nodes.title: _title,
    nodes.topic: _topic,
    nodes.bullet_list: _list,
    nodes.enumerated_list: _list,
    nodes.definition_list_item: _definition,
    nodes.field: _field,
    nodes.option_list_item: _option,
    nodes.footnote: _note,
    nodes.citation: _note,
    (nodes.math_block): _formula,
    (nodes.literal_block, nodes.doctest_block): _code,
    nodes.line_block: _lines,
    nodes.image: _image,
    nodes.caption: _caption,
    nodes.table: _table,
    nodes.system_message: _problem,
    (nodes.comment, nodes.substitution_definition, nodes.target, nodes.decoration): _nothing,
    (nodes.attention, nodes.caution, nodes.danger, nodes.error, nodes.hint): _admonition,
    (nodes.important, nodes.note, nodes.tip, nodes.warning): _admonition,
}
