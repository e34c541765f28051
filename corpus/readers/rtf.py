"""Rich Text Format: text, outline headings, tables and properties from its control words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..items import Item, Reading, Source, Table, Unreadable, heading

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)",
    re.DOTALL,
)
# Groups that hold no text of the document.
_SKIPPED = frozenset(
    "fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator xmlnstbl mmathPr themedata "
    "colorschememapping datastore latentstyles pict object objdata fldinst bkmkstart bkmkend filetbl revtbl header "
    "headerl headerr headerf footer footerl footerr footerf background pntext listtext nonshppict shppict".split()
)
_CHARACTERS = {
    "tab": "\t", "line": "\n", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " ",
}  # fmt: skip
_SYMBOLS = {b"~": "\u00a0", b"_": "-", b"-": "", b"\\": "\\", b"{": "{", b"}": "}", b"\n": "\n", b"\r": "\n"}
_CODE_PAGES = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850", "ansi": "cp1252"}
_CHARSETS = {  # \fcharset of a font
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_INFO = {
    "title": "title",
    "author": "author",
    "subject": "subject",
    "keywords": "keywords",
    "doccomm": "description",
}
_MAX_DEPTH = 1000


@dataclass(slots=True)
class _State:
    skipped: bool = False
    target: str | None = None  # a property that the text belongs to
    uc: int = 1  # bytes that stand in for a Unicode character
    font: int = 0
    outline: int | None = None
    in_table: bool = False
    in_fonts: bool = False
    hidden: bool = False


@dataclass(slots=True)
class _Reader:
    items: list[Item] = field(default_factory=list)
    info: dict[str, str] = field(default_factory=dict)
    fonts: dict[int, str] = field(default_factory=dict)
    encoding: str = "cp1252"
    stack: list[_State] = field(default_factory=list)
    state: _State = field(default_factory=_State)
    pending: bytearray = field(default_factory=bytearray)  # bytes of the code page, decoded together
    text: list[str] = field(default_factory=list)
    row: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    ignore: int = 0  # characters to leave out after \u
    starred: bool = False
    in_info: bool = False  # the group of properties has been met

    def read(self, data: bytes) -> None:
        for token in _TOKEN.finditer(data):
            word, number, code, symbol, brace, plain = token.groups()
            if code or plain:
                self.bytes(bytes([int(code, 16)]) if code else plain)
                continue
            self.decode()
            if word:
                self.word(word.decode(), int(number) if number else None)
            elif symbol is not None:
                self.symbol(symbol)
            elif brace == b"{":
                self.open()
            elif brace == b"}" and self.stack:
                self.state = self.stack.pop()
        self.decode()
        self.end_paragraph()
        self.end_table()

    def open(self) -> None:
        if len(self.stack) >= _MAX_DEPTH:
            raise Unreadable("nested too deeply")
        state = self.state
        self.stack.append(state)
        self.state = replace(state)

    def bytes(self, data: bytes) -> None:
        skip = min(self.ignore, len(data))
        self.ignore -= skip
        self.pending += data[skip:]

    def decode(self) -> None:
        if self.pending:
            encoding = self.fonts.get(self.state.font, self.encoding)
            self.write(self.pending.decode(encoding, "replace"))
            self.pending.clear()

    def write(self, text: str) -> None:
        state = self.state
        if state.target:
            self.info[state.target] = self.info.get(state.target, "") + text
        elif not state.skipped and not state.hidden:
            self.text.append(text)

    def symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self.starred = True
        elif symbol in (b"\n", b"\r"):
            self.end_paragraph()
        elif symbol in _SYMBOLS:
            self.write(_SYMBOLS[symbol])

    def word(self, word: str, number: int | None) -> None:
        state = self.state
        starred, self.starred = self.starred, False
        if word in _SKIPPED or starred:
            state.skipped = True
            state.in_fonts = word == "fonttbl"
        elif word in _INFO and self.in_info:
            state.target = _INFO[word]
        elif word in _CHARACTERS:
            self.write(_CHARACTERS[word])
        elif word == "u" and number is not None:
            self.write(chr(number % 65536))
            self.ignore = state.uc
        elif word in ("par", "sect", "page"):
            self.end_paragraph()
        elif word == "cell":
            self.row.append(self.take())
        elif word == "row":
            self.rows.append(self.row)
            self.row = []
        else:
            self.setting(word, number)

    def setting(self, word: str, number: int | None) -> None:
        state = self.state
        match word:
            case "ansi" | "mac" | "pc" | "pca":
                self.encoding = _CODE_PAGES[word]
            case "ansicpg" if number:
                self.encoding = _encoding(f"cp{number}")
            case "uc" if number is not None:
                state.uc = number
            case "f" if number is not None:
                state.font = number
            case "fcharset" if number is not None and state.in_fonts:
                self.fonts[state.font] = _CHARSETS.get(number, self.encoding)
            case "outlinelevel":
                state.outline = number
            case "pard":
                state.outline, state.in_table = None, False
            case "intbl":
                state.in_table = True
            case "v":
                state.hidden = number != 0
            case "info":
                state.skipped = False
                self.in_info = True

    def take(self) -> str:
        text = "".join(self.text)
        self.text.clear()
        # Halves of characters beyond U+FFFF come as two \u.
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip()

    def end_paragraph(self) -> None:
        if self.state.in_table:
            self.text.append("\n")
            return
        text = self.take()
        if text:
            self.end_table()
            level = self.state.outline
            self.items.append(Item("text", text) if level is None else heading(text, level + 1))

    def end_table(self) -> None:
        if self.rows:
            self.items.append(Item("table", table=Table.of(self.rows[0], self.rows[1:])))
            self.rows = []


def _encoding(name: str) -> str:
    try:
        return ("".encode(name) and name) or name
    except LookupError:
        return "cp1252"


def read(source: Source) -> Reading:
    if not source.data.lstrip().startswith(b"{\\rtf"):
        raise Unreadable("not RTF")
    reader = _Reader()
    reader.read(source.data)
    info = {key: value.strip() for key, value in reader.info.items() if value.strip()}
    return Reading(list(_not_empty(reader.items)), title=info.get("title"), metadata=info)


def _not_empty(items: list[Item]) -> Iterator[Item]:
    return (item for item in items if item.table is not None or item.text)
