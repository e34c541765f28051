"""The text of a Word paragraph, and the notes and comments that belong to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from docling.backend.docx.latex.omml import oMath2Latex

from ..items import Item
from .docxstyles import W, attribute

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_VML = "{urn:schemas-microsoft-com:vml}"
_OFFICE = "{urn:schemas-microsoft-com:office:office}"
_CHARACTERS = {f"{W}tab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-", f"{W}ptab": "\t"}
# Text that is not shown: deleted, moved away, codes of fields, properties.
_SKIPPED = frozenset(
    f"{W}{name}" for name in "del moveFrom instrText delText pPr rPr sdtPr rubyPr rt delInstrText".split()
)
_MAX_DEPTH = 100


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture that is anchored in a paragraph."""

    alternative: str  # text
    relation: str = ""  # id of the relationship to its file; empty for a chart or a shape


@dataclass(slots=True)
class Text:
    """A paragraph's text and what is anchored in it."""

    words: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)  # that stand alone
    pictures: list[Drawn] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)  # contents of text boxes
    notes: list[tuple[str, str]] = field(default_factory=list)  # ("footnotes" …, id)

    @property
    def text(self) -> str:
        return "".join(self.words)


def text_of(paragraph: Any) -> Text:
    text = Text()
    _inside(paragraph, text, 0)
    return text


def _inside(parent: Any, text: Text, depth: int) -> None:
    if depth < _MAX_DEPTH:
        for node in parent:
            if isinstance(node.tag, str) and node.tag not in _SKIPPED:
                _node(node, text, depth + 1)


def _node(node: Any, text: Text, depth: int) -> None:
    tag = node.tag
    if tag == f"{W}t":
        text.words.append(node.text or "")
    elif tag in _CHARACTERS:
        if tag != f"{W}br" or attribute(node, "type") in (None, "textWrapping"):
            text.words.append(_CHARACTERS[tag])
    elif tag == f"{W}sym":
        code = attribute(node, "char") or ""
        if code and int(code, 16) < 0xE000:  # others are glyphs of a symbol font
            text.words.append(chr(int(code, 16)))
    elif tag in _NOTES:
        kind, identity = _NOTES[tag], attribute(node, "id") or ""
        text.notes.append((kind, identity))
        if kind != "comments":
            text.words.append(f"[{identity}]")
    elif tag == f"{_M}oMathPara":
        text.formulas.extend(_latex(formula) for formula in node.iter(f"{_M}oMath"))
    elif tag == f"{_M}oMath":
        text.words.append(f"${_latex(node)}$")
    elif tag == f"{_MC}AlternateContent":
        choice = node.find(f"{_MC}Choice")
        _inside(choice if choice is not None else node.find(f"{_MC}Fallback") or (), text, depth)
    elif tag == f"{W}txbxContent":
        text.boxes.append(node)
    elif tag == f"{_WP}docPr":
        if not any(True for _ in node.getparent().iter(f"{W}txbxContent")):
            text.pictures.extend(_drawn(node))
    elif tag == f"{_VML}imagedata":
        text.pictures.append(Drawn(_line(node.get(f"{_OFFICE}title")), node.get(f"{_R}id") or ""))
    else:
        _inside(node, text, depth)


def _drawn(properties: Any) -> Iterator[Drawn]:
    """The pictures of a drawing with these properties; one without a file is told by its alternative text."""
    alternative = _line(properties.get("descr"))
    files = [file for blip in properties.getparent().iter(f"{_A}blip") if (file := blip.get(f"{_R}embed"))]
    for file in files or [""]:
        yield Drawn(alternative, file)
        alternative = ""


def _line(text: str | None) -> str:
    return " ".join((text or "").split())


def _latex(formula: Any) -> str:
    try:
        return str(oMath2Latex(formula)).strip()
    except (KeyError, ValueError, AttributeError, TypeError, IndexError, NotImplementedError):
        return "".join(formula.itertext()).strip()  # the converter does not know every construct


_NOTES = {
    f"{W}footnoteReference": "footnotes",
    f"{W}endnoteReference": "endnotes",
    f"{W}commentReference": "comments",
}


@dataclass(slots=True)
class Notes:
    """Footnotes, endnotes and comments by id."""

    footnotes: dict[str, str]
    endnotes: dict[str, str]
    comments: dict[str, str]

    @classmethod
    def of(cls, comments: Any | None, footnotes: Any | None, endnotes: Any | None) -> Notes:
        return cls(_texts(footnotes, "footnote"), _texts(endnotes, "endnote"), _comments(comments))

    def under(self, content: Text) -> Iterator[Item]:
        """The notes that a paragraph refers to."""
        for kind, identity in dict.fromkeys(content.notes):
            text = getattr(self, kind).get(identity)
            if not text:
                continue
            if kind == "comments":
                yield Item("text", text)
            else:
                yield Item("footnote", f"[{identity}] {text}")


def _texts(part: Any | None, tag: str) -> dict[str, str]:
    nodes = [] if part is None else part.findall(f"{W}{tag}")
    return {attribute(node, "id") or "": _lines(node) for node in nodes if attribute(node, "type") in (None, "normal")}


def _lines(node: Any) -> str:
    return "\n".join(filter(None, (text_of(paragraph).text.strip() for paragraph in node.iter(f"{W}p"))))


def _comments(part: Any | None) -> dict[str, str]:
    found = {}
    for node in [] if part is None else part.findall(f"{W}comment"):
        author, date = attribute(node, "author"), (attribute(node, "date") or "")[:10]
        who = f" by {author}" if author else ""
        when = f" ({date})" if date else ""
        if text := _lines(node):
            found[attribute(node, "id") or ""] = f"Comment{who}{when}: {text}"
    return found
