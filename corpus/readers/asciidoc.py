"""AsciiDoc: sections, lists, tables, delimited blocks, admonitions; attributes are put in, nothing is included."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..encodings import decode
from ..items import Item, Reading, Source, heading
from .asciidoctables import loose_table, table_of

_TITLE = re.compile(r"(={1,6}|#{1,6})\s+(\S.*?)(?:\s+=+)?\s*\Z")
_UNDERLINES = {"=": 1, "-": 2, "~": 3, "^": 4, "+": 5}
_ATTRIBUTE = re.compile(r":(!?[\w-]+!?):(?:\s+(.*))?\Z")
_ABOUT = re.compile(r"\[(?!\[)(.*)\]\s*\Z")
_ANCHOR = re.compile(r"\[\[.*\]\]\s*\Z")
_CAPTION = re.compile(r"\.([^\s.].*)\Z")
_FENCE = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}\w*|[|,:!]={3,})\s*\Z")
_BULLET = re.compile(r"\s*(\*{1,9}|-|\.{1,9}|\d+\.|[a-zA-Z]\.|<(?:\d+|\.)>)\s+(\S.*)\Z")
_TERM = re.compile(r"\s*(\S.*?)(:{2,4}|;;)(?:\s+(\S.*))?\s*\Z")
_IMAGE = re.compile(r"image::([^\[]*)\[(.*)\]\s*\Z")
_DROPPED = re.compile(r"//(?!/)|(?:ifdef|ifndef|ifeval|endif|include|toc|video|audio)::|'{3,}\s*\Z|<{3,}\s*\Z")
_REFERENCE = re.compile(r"\{([\w-]+)\}")
# Every repetition has an end: a text of nothing but brackets must not take the square of its length.
_INLINE = (
    (re.compile(r"(?<![\\\w])(?:link:|(?=https?://|mailto:))([^\s\[\]]{1,500})\[([^\[\]]{0,300})\]"), "link"),
    (re.compile(r"<<(?:[^<>,]{0,200},)?\s?([^<>]{1,300})>>"), r"\1"),
    (re.compile(r"\bxref:[^\s\[]{0,300}\[([^\[\]]{0,300})\]"), r"\1"),
    (re.compile(r"\b(?:btn|kbd|footnote|stem|(?:latex|ascii)math|pass|indexterm2):\w{0,9}\[([^\[\]]{0,500})\]"), r"\1"),
    (re.compile(r"\bmenu:([^\[\]\n]{1,200})\[([^\[\]]{0,300})\]"), r"\1 > \2"),
    (re.compile(r"\bimage:(?!:)[^\s\[]{0,300}\[([^\[\],]{0,300})[^\[\]]{0,300}\]"), r"\1"),
    (re.compile(r"\[\[[^\[\]]{0,200}\]\]|\[#[\w-]{1,100}\]|\(\(\([^()]{0,300}\)\)\)"), ""),
)  # fmt: skip
_ADMONITIONS = ("NOTE", "TIP", "IMPORTANT", "CAUTION", "WARNING")
_KEPT = ("author", "email", "revnumber", "revdate", "description", "keywords")
_MAX_DEPTH = 20  # blocks inside blocks
_MAX_LINE = 5_000  # characters; a longer line goes on as another one


def read(source: Source) -> Reading:
    lines = decode(source.data).replace("\r\n", "\n").replace("\r", "\n").expandtabs(4).split("\n")
    reader = _Reader()
    items = list(reader.blocks([part for line in lines for part in _parts(line)], 0))
    title = next((item.text for item in items if item.label == "title"), None)
    metadata = {name: reader.inline(value) for name in _KEPT if (value := reader.attributes.get(name))}
    return Reading(items, title=title, metadata=metadata, language=reader.attributes.get("lang"))


def _parts(line: str) -> Iterator[str]:
    while len(line) > _MAX_LINE:
        cut = line.rfind(" ", _MAX_LINE // 2, _MAX_LINE) + 1 or _MAX_LINE
        yield line[:cut]
        line = line[cut:]
    yield line


@dataclass(slots=True)
class _Reader:
    attributes: dict[str, str] = field(default_factory=dict)
    titled: bool = False
    markers: list[str] = field(default_factory=list)  # of the lists that are open, the outermost first
    numbers: list[int] = field(default_factory=list)  # of the last entry of each

    def blocks(self, lines: list[str], depth: int) -> Iterator[Item]:
        """The items of some lines; what is told of a block stands on the lines above it."""
        at = 0
        about: dict[str, str] = {}
        caption = ""
        while at < len(lines):
            line = lines[at].rstrip()
            if not line or line == "+" or _DROPPED.match(line) or _ANCHOR.match(line):
                if not line and at + 1 < len(lines) and not self._goes_on(lines[at + 1]):
                    self.markers.clear()
                at += 1
            elif match := _ATTRIBUTE.match(line):
                self.attributes[match[1].strip("!")] = "" if "!" in match[1] else (match[2] or "").strip()
                at += 1
            elif match := _ABOUT.match(line):
                about |= _options(match[1])
                at += 1
            elif (match := _CAPTION.match(line)) and not _BULLET.match(line):
                caption, at = self.inline(match[1]), at + 1
            else:
                end, found = self._block(lines, at, about, caption, depth)
                yield from found
                at, about, caption = end, {}, ""

    def _block(
        self, lines: list[str], at: int, about: dict[str, str], caption: str, depth: int
    ) -> tuple[int, list[Item]]:
        """Where the block that begins at `at` ends, and its items."""
        line = lines[at].rstrip()
        above = [Item("caption" if _is_shown(line) else "text", caption)] if caption else []
        if fence := _FENCE.match(line):
            end = next((at for at in range(at + 1, len(lines)) if lines[at].rstrip() == _closing(fence[1])), len(lines))
            return end + 1, [*above, *self._fenced(fence[1], lines[at + 1 : end], about, depth)]
        if match := _IMAGE.match(line):
            return at + 1, [Item("picture", caption or _options(match[2]).get("style", ""))]
        if (found := self._header(lines, at)) is not None:
            return found
        if _BULLET.match(line) or _is_term(line):
            end, entry = self._entry(lines, at)
            return end, [*above, entry]
        end = at + 1
        while end < len(lines) and not _ends_paragraph(lines[end]):
            end += 1
        return end, [*above, *self._paragraph(lines[at:end], about)]

    def _header(self, lines: list[str], at: int) -> tuple[int, list[Item]] | None:
        line = lines[at].rstrip()
        if match := _TITLE.match(line):
            level, text, end = len(match[1]), match[2], at + 1
        elif at + 1 < len(lines) and _is_underlined(line, lines[at + 1].rstrip()):
            level, text, end = _UNDERLINES[lines[at + 1][0]], line, at + 2
        else:
            return None
        self.markers.clear()
        text = self.inline(text)
        if level > 1 or self.titled:
            return end, [heading(text, level)]
        self.titled = True
        end, authors = self._authors(lines, end)
        return end, [Item("title", text), *authors]

    def _authors(self, lines: list[str], at: int) -> tuple[int, list[Item]]:
        """The lines of author and revision right under a document's title: metadata, and text as well."""
        found = []
        for name in ("author", "revdate"):
            if at < len(lines) and (line := lines[at].strip()) and not _ends_paragraph(line) and line[0] not in ":/[":
                self.attributes.setdefault(name, line)
                found.append(line)
                at += 1
        return at, [Item("text", "\n".join(found))] if found else []

    def _fenced(self, fence: str, lines: list[str], about: dict[str, str], depth: int) -> Iterator[Item]:
        style = about.get("style", "")
        if fence[0] == "/" or style == "comment":
            return
        if fence[0] in "|,:!":
            if (table := table_of(fence, [self.inline(line) for line in lines], about)) is not None:
                yield Item("table", table=table)
        elif (fence[:2] in ("--", "..", "``") and fence != "--") or style in ("source", "listing", "literal"):
            language = fence.strip("`-.") or (about.get("second", "") if style == "source" else "")
            yield Item("code", "\n".join(lines).strip("\n"), language=language)
        elif style in ("stem", "latexmath", "asciimath"):
            yield Item("formula", "\n".join(lines).strip())
        elif style == "verse" or depth >= _MAX_DEPTH:
            yield Item("text", self.inline("\n".join(lines).strip("\n")))
        else:
            open_lists, self.markers = self.markers, []
            found = list(self.blocks(lines, depth + 1))
            self.markers = open_lists
            yield from _labelled(found, style)
            if style == "quote" and (by := ", ".join(filter(None, (about.get("second"), about.get("third"))))):
                yield Item("text", f"— {by}")

    def _entry(self, lines: list[str], at: int) -> tuple[int, Item]:
        """An entry of a list with the lines that go on with it."""
        match = _BULLET.match(lines[at].rstrip())
        term = None if match else _TERM.match(lines[at].rstrip())
        end = at + 1
        while end < len(lines) and not _ends_paragraph(lines[end]) and not self._goes_on(lines[end]):
            end += 1
        if match is None:
            assert term is not None
            if not term[3] and end == at + 1 and end + 1 < len(lines) and _is_plain(lines[end + 1]):
                end += 2  # its text after an empty line
                while end < len(lines) and not _ends_paragraph(lines[end]) and not self._goes_on(lines[end]):
                    end += 1
            texts = [term[3] or "", *lines[at + 1 : end]]
            text = " ".join(part.strip() for part in texts if part.strip())
            depth, _ = self._place(term[2])
            return end, Item("list_item", self.inline(f"{term[1]}: {text}" if text else term[1]), depth=depth)
        text = "\n".join([match[2], *(line.strip() for line in lines[at + 1 : end])])
        kind = "0." if match[1][0].isdigit() else match[1]
        depth, number = self._place(kind)
        marker = "-" if kind[0] in "*-" else match[1] if match[1][0] not in "." else f"{number}."
        return end, Item("list_item", self._flowing(text), marker=marker, depth=depth)

    def _place(self, kind: str) -> tuple[int, int]:
        """The depth of an entry with this kind of marker, and its number."""
        if kind not in self.markers:
            self.numbers = [*self.numbers[: len(self.markers)], 0]
            self.markers.append(kind)
        depth = self.markers.index(kind)
        del self.markers[depth + 1 :], self.numbers[depth + 1 :]
        self.numbers[depth] += 1
        return depth, self.numbers[depth]

    def _goes_on(self, line: str) -> bool:
        """Whether a line goes on with the lists that are open."""
        return not line.strip() or bool(_BULLET.match(line)) or _is_term(line) or line.startswith(("+", "[", "."))

    def _paragraph(self, lines: list[str], about: dict[str, str]) -> Iterator[Item]:
        style = about.get("style", "")
        if all(line.startswith("|") for line in lines) and len(lines) > 1:
            if (table := loose_table([self.inline(line) for line in lines])) is not None:
                yield Item("table", table=table)
        elif lines[0].startswith(" ") or style in ("source", "listing", "literal"):
            yield Item("code", "\n".join(lines), language=about.get("second", "") if style == "source" else "")
        elif style == "verse":
            yield Item("text", self.inline("\n".join(lines)))
        else:
            yield from _labelled([Item("text", self._flowing("\n".join(lines)))], style)

    def _flowing(self, text: str) -> str:
        """Lines as one, but for those that end with a plus sign."""
        return self.inline(re.sub(r"(?<!\s\+)\n", " ", text).replace(" +\n", "\n"))

    def inline(self, text: str) -> str:
        text = _REFERENCE.sub(lambda match: self.attributes.get(match[1], match[0]), text)
        for pattern, shown in _INLINE:
            text = pattern.sub(_link if shown == "link" else shown, text)
        return text


def _link(match: re.Match[str]) -> str:
    text = match[2].split(",")[0].rstrip("^").strip('"')
    return f"[{text}]({match[1]})" if text else match[1]


def _labelled(items: list[Item], style: str) -> list[Item]:
    """The text of an admonition begins with its kind."""
    if style.upper() in _ADMONITIONS and items and items[0].label in ("text", "list_item"):
        return [replace(items[0], text=f"{style.upper()}: {items[0].text}"), *items[1:]]
    return items


def _options(text: str) -> dict[str, str]:
    """What stands in brackets: `style` and other words by place, `name=value`; each of `options` by its own name."""
    found: dict[str, str] = {}
    for number, part in enumerate(re.findall(r'(?:[^,"]|"[^"]*")+', text)):
        name, equals, value = part.partition("=")
        if equals and re.fullmatch(r"\s*[\w-]+\s*", name):
            found[name.strip()] = value.strip().strip('"')
        elif number < 3:
            style, *flags = re.split(r"%", part.strip().strip('"'))
            found[("style", "second", "third")[number]] = re.split(r"[#.](?=[\w-]+\Z)", style)[0]
            found |= dict.fromkeys(flags, "")
    return found | dict.fromkeys(filter(None, re.split(r"[,\s]+", found.get("options", found.get("opts", "")))), "")


def _closing(fence: str) -> str:
    return "```" if fence.startswith("```") else fence


def _is_shown(line: str) -> bool:
    """Whether what a block's title stands above is a table, or code: things that have captions."""
    return line.startswith(("|===", "!===", ",===", ":===", "----", "....", "```"))


def _is_term(line: str) -> bool:
    return not line.startswith(("http", "image::", "|")) and bool(_TERM.match(line)) and "::" not in line[:1]


def _is_plain(line: str) -> bool:
    return bool(line.strip()) and not _ends_paragraph(line) and not _BULLET.match(line) and not _is_term(line)


def _is_underlined(line: str, below: str) -> bool:
    return (
        len(below) > 2
        and below[0] in _UNDERLINES
        and below == below[0] * len(below)
        and abs(len(line) - len(below)) <= 2
        and line[:1].isalnum()
    )


def _ends_paragraph(line: str) -> bool:
    line = line.rstrip()
    return not line or line == "+" or bool(_FENCE.match(line) or _ANCHOR.match(line) or _IMAGE.match(line))
