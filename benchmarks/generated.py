"""Documents that nobody wrote: headings, lists, tables and running text in eight languages, the same for every seed."""

from __future__ import annotations

import hashlib
import itertools
import random
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from glossator.corpus import render, toc
from glossator.corpus.conversion.job import Confinement
from glossator.corpus.convert import Converted
from glossator.corpus.documents import Chunk
from glossator.corpus.items import Item, Table, heading

WORDS = {
    "en": "the harbour quay vessel shall lease notice liability cargo tonne dredging berth of and to with tide"
    " gate pilot survey harbourmaster invoice payment term annual report safety crane repair breakwater contract",
    "de": "der die Hafen Mole Schiff Vertrag Haftung Frist Zahlung und mit nicht Ladung Tonne Liegeplatz Bericht"
    " jährlich Prüfung Schleuse größer Straße über Rechnung Sicherheit Reparatur",
    "fr": "le la port quai navire bail préavis responsabilité et avec sans cargaison tonne marée écluse rapport annuel"
    " contrat paiement délai sécurité réparation à où déjà",
    "es": "el la puerto muelle buque contrato plazo pago y con sin carga tonelada marea esclusa informe anual seguridad"
    " reparación año señal también",
    "ru": "порт причал судно договор срок оплата и с без груз тонна прилив шлюз отчёт годовой безопасность ремонт счёт",
    "el": "λιμάνι προβλήτα πλοίο σύμβαση προθεσμία πληρωμή και με χωρίς φορτίο τόνος παλίρροια έκθεση ετήσια ασφάλεια",
    "zh": "港口 码头 船舶 合同 责任 期限 付款 货物 吨 潮汐 闸门 年度 报告 安全 维修 发票",
    "ja": "港 岸壁 船舶 契約 責任 期間 支払い 貨物 トン 潮 水門 年次 報告 安全 修理 請求書",
}
LANGUAGES = {language: words.split() for language, words in WORDS.items()}
SHARES = {"en": 10, "de": 3, "fr": 2, "es": 2, "ru": 1, "el": 1, "zh": 1, "ja": 1}  # documents by language
_NAMESPACE = uuid.UUID("a2b3c4d5-0000-5000-8000-000000000000")
_NOT_CONVERTED = Confinement(files=False, sockets=False, programs=False)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is made, beside the text: a document of about `sections` sections."""

    language: str
    year: int
    sections: int


def plan(source: random.Random) -> Plan:
    language = source.choices(list(SHARES), list(SHARES.values()))[0]
    return Plan(language, 2000 + source.randrange(27), min(30, 1 + int(source.expovariate(0.45))))


def converted(number: int, document_id: str, seed: int = 0) -> Converted:
    """Document `number`, as if a file had been converted."""
    source = random.Random(f"{seed}/{number}")
    planned = plan(source)
    title = f"{_sentence(source, planned.language, 4).rstrip('.')} {number}"
    items = list(_items(source, planned, title))
    refs = render.self_refs(items)
    chunks = list(_chunks(document_id, items, refs))
    by_item: dict[str, list[str]] = {ref: [] for ref in refs}
    for chunk in chunks:
        for ref in chunk.doc_item_refs:
            by_item[ref].append(chunk.id)
    chunk_ids = [by_item[ref] for ref in refs]
    content = render.content_file(items)
    return Converted(
        title=title,
        mime_type="text/markdown",
        page_count=1 + planned.sections // 2,
        language=planned.language,
        metadata={"year": planned.year, "kind": source.choice(["contract", "report", "minutes"]), "tags": ["a", "b"]},
        content=content,
        items=render.items_file(items, refs, chunk_ids),
        chunks_file=render.chunks_file(chunks),
        toc=render.toc_file(document_id, title, toc.tree(items, refs, chunk_ids)),
        item_count=len(items),
        chunks=chunks,
        status="ok",
        reason=None,
        source_digest=hashlib.sha256(content).hexdigest(),
        source_size=len(content),
        confinement=_NOT_CONVERTED,
    )


def _items(source: random.Random, planned: Plan, title: str) -> Iterator[Item]:
    yield Item("title", title, pages=(1,))
    for number in range(planned.sections):
        pages = (1 + number // 2,)
        yield heading(f"{number + 1} {_sentence(source, planned.language, 3)}", 1 + number % 3, pages)
        for _ in range(source.randint(1, 3)):
            yield Item("text", _paragraph(source, planned.language), pages=pages)
        if source.random() < 0.3:
            yield from (Item("list_item", _sentence(source, planned.language, 6), pages=pages) for _ in range(3))
        if source.random() < 0.3:
            yield Item("table", pages=pages, table=_table(source, planned.language))


def _table(source: random.Random, language: str) -> Table:
    rows = [(_sentence(source, language, 2), f"{source.randrange(10**6) / 100:,.2f}") for _ in range(4)]
    return Table.of(("Item", "Amount"), rows)


def _paragraph(source: random.Random, language: str) -> str:
    sentences = [_sentence(source, language, source.randint(5, 14)) for _ in range(source.randint(1, 5))]
    return " ".join([*sentences, f"EUR {source.randrange(10**6):,} (ref. GL-{source.randrange(10**5):05d})"])


def _sentence(source: random.Random, language: str, words: int) -> str:
    between = "" if language in ("zh", "ja") else " "
    text = between.join(source.choices(LANGUAGES[language], k=words))
    return text[0].upper() + text[1:] + ("。" if between == "" else ".")


def _chunks(document_id: str, items: list[Item], refs: list[str]) -> Iterator[Chunk]:
    """A chunk for each section: the real chunker is measured elsewhere, and would take most of the time."""
    starts = [0, *(n for n, item in enumerate(items) if item.label == "section_header"), len(items)]
    parts = [range(start, end) for start, end in itertools.pairwise(starts) if start < end]
    for position, part in enumerate(parts):
        own = [items[n] for n in part]
        yield Chunk(
            id=str(uuid.uuid5(_NAMESPACE, f"{document_id}/{position}")),
            document_id=document_id,
            position=position,
            content=render.content_file(own).decode(),
            headings=(own[0].text,),
            page_numbers=tuple(sorted({page for item in own for page in item.pages})),
            doc_item_refs=tuple(refs[n] for n in part),
            labels=tuple(dict.fromkeys(item.label for item in own)),
        )
