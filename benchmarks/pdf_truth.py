"""Documents of which everything is known, for measuring what becomes of them once they are PDFs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

WORDS = {
    "en": "harbour quay vessel lease notice liability cargo tonne dredging berth tide gate pilot survey invoice payment"
    " term annual report safety crane repair breakwater contract owner budget inspection season storm signal",
    "de": "Hafen Mole Schiff Vertrag Haftung Frist Zahlung Ladung Tonne Liegeplatz Bericht Prüfung Schleuse Straße"
    " Rechnung Sicherheit Reparatur Kran Jahr Kosten",
    "ar": "ميناء رصيف سفينة عقد مسؤولية إشعار حمولة طن مد بوابة تقرير سنوي سلامة إصلاح فاتورة دفعة مدة رافعة",
    "zh": "港口 码头 船舶 合同 责任 期限 付款 货物 潮汐 闸门 年度 报告 安全 维修 发票 费用 检查 季节 风暴 信号",
}
Kind = Literal["title", "head", "text", "item", "table"]


@dataclass(frozen=True, slots=True)
class Block:
    kind: Kind
    text: str = ""
    level: int = 0  # of a head, from 1
    rows: tuple[tuple[str, ...], ...] = ()  # of a table, the header first


@dataclass(frozen=True, slots=True)
class Look:
    """How a document is laid out; a maker does what it can."""

    columns: int = 1
    rules: Literal["all", "horizontal", "none"] = "all"  # of tables
    heads: Literal["large", "bold", "centred"] = "large"
    running: bool = False  # a header and a page number on each page
    landscape: bool = False
    rotated: bool = False  # pages are stored turned, and turned back for the reader
    rtl: bool = False
    font: str = ""  # of a script that needs one


@dataclass(frozen=True, slots=True)
class Truth:
    name: str
    blocks: tuple[Block, ...]
    look: Look = Look()
    language: str = "en"


def truths() -> list[Truth]:
    """Every kind of document once; the same text each time."""
    arabic, chinese = Look(rtl=True, font="Amiri"), Look(font="WenQuanYi Micro Hei")
    return [
        Truth("report", _sections("report", numbered=True)),
        Truth("headings-bold", _sections("bold"), Look(heads="bold")),
        Truth("headings-centred", _sections("centred"), Look(heads="centred")),
        Truth("running-lines", _sections("running", numbered=True, parts=6), Look(running=True)),
        Truth("two-columns", _sections("columns", numbered=True, parts=5), Look(columns=2)),
        Truth("three-columns", _sections("news", parts=6), Look(columns=3)),
        Truth("slides", _sections("slides", parts=4), Look(landscape=True)),
        Truth("rotated", _sections("rotated", parts=3), Look(landscape=True, rotated=True)),
        Truth("contract", _contract("contract")),
        Truth("lists", _lists("lists")),
        Truth("form", _form("form")),
        Truth("table-ruled", _tables("ruled")),
        Truth("table-horizontal", _tables("horizontal"), Look(rules="horizontal")),
        Truth("table-unruled", _tables("unruled"), Look(rules="none")),
        Truth("table-of-words", _tables("words", words=True), Look(rules="horizontal")),
        Truth("table-long", _long_table("long"), Look(running=True)),
        Truth("german", _sections("german", language="de", numbered=True), language="de"),
        Truth("arabic", _sections("arabic", language="ar"), arabic, "ar"),
        Truth("arabic-table", _tables("arabic", language="ar"), arabic, "ar"),
        Truth("chinese", _sections("chinese", language="zh", numbered=True), chinese, "zh"),
    ]


class _Writer:
    """Sentences that occur once, so that each can be found again."""

    def __init__(self, seed: str, language: str = "en"):
        self._random = random.Random(seed)
        self._words = WORDS[language].split()
        self._language = language
        self._count = 0

    def phrase(self, words: int) -> str:
        chosen = self._random.choices(self._words, k=words)
        if self._language == "zh":
            return "".join(chosen)
        text = " ".join(chosen)
        return text[0].upper() + text[1:]

    def sentence(self) -> str:
        self._count += 1
        end = "。" if self._language == "zh" else "."
        return f"{self.phrase(self._random.randint(8, 16))} {self._count + 100}{end}"

    def paragraph(self, sentences: int = 4) -> Block:
        glue = "" if self._language == "zh" else " "
        return Block("text", glue.join(self.sentence() for _ in range(sentences)))

    def head(self, level: int, number: str = "") -> Block:
        return Block("head", f"{number} {self.phrase(3)}".strip(), level)

    def item(self) -> Block:
        return Block("item", self.sentence())

    def figure(self) -> str:
        return f"{self._random.randint(10, 99_999):,}"

    def table(self, columns: int, rows: int, *, words: bool = False) -> Block:
        header = tuple(self.phrase(1) + f" {number}" for number in range(1, columns + 1))
        body = [
            (self.phrase(2), *(self.phrase(2) if words else self.figure() for _ in range(columns - 1)))
            for _ in range(rows)
        ]
        return Block("table", rows=(header, *body))


def _sections(seed: str, *, language: str = "en", numbered: bool = False, parts: int = 4) -> tuple[Block, ...]:
    writer = _Writer(seed, language)
    blocks = [Block("title", writer.phrase(4))]
    for part in range(1, parts + 1):
        blocks += [writer.head(1, f"{part}" if numbered else ""), writer.paragraph(5)]
        for sub in range(1, 3):
            blocks += [writer.head(2, f"{part}.{sub}" if numbered else ""), writer.paragraph(), writer.paragraph(3)]
    return tuple(blocks)


def _contract(seed: str) -> tuple[Block, ...]:
    writer = _Writer(seed)
    blocks = [Block("title", writer.phrase(3)), writer.paragraph(3)]
    for part in range(1, 6):
        blocks.append(writer.head(1, f"§ {part}"))
        blocks += [Block("item", f"({clause}) {writer.sentence()}") for clause in range(1, 4)]
    return tuple(blocks)


def _lists(seed: str) -> tuple[Block, ...]:
    writer = _Writer(seed)
    blocks = [Block("title", writer.phrase(4))]
    for _ in range(4):
        blocks += [writer.head(1), writer.paragraph(2), *(writer.item() for _ in range(5)), writer.paragraph(2)]
    return tuple(blocks)


def _form(seed: str) -> tuple[Block, ...]:
    writer = _Writer(seed)
    rows = tuple((f"{writer.phrase(2)}:", writer.phrase(3)) for _ in range(8))
    return (Block("title", writer.phrase(3)), writer.head(1), Block("table", rows=rows), writer.paragraph(2))


def _tables(seed: str, *, language: str = "en", words: bool = False) -> tuple[Block, ...]:
    writer = _Writer(seed, language)
    blocks = [Block("title", writer.phrase(4))]
    for columns, rows in ((3, 5), (5, 8), (4, 6)):
        blocks += [writer.head(1), writer.paragraph(3), writer.table(columns, rows, words=words), writer.paragraph(2)]
    return tuple(blocks)


def _long_table(seed: str) -> tuple[Block, ...]:
    writer = _Writer(seed)
    return (Block("title", writer.phrase(4)), writer.paragraph(2), writer.table(4, 90), writer.paragraph(2))


Maker = Callable[[Truth], bytes]


def heads(blocks: Sequence[Block]) -> list[Block]:
    return [block for block in blocks if block.kind in ("title", "head")]
