"""Search: what is found, in which order, and what is said about what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from glossator.corpus import Corpus, EmbedderMissing, MiniLM, index
from glossator.corpus.query import query_language

from .plain import WordHashes, add, corpus, documents, found

pytestmark = pytest.mark.anyio

TEXTS = {
    "gates.txt": "# Gates\n\nGate 44 closes at noon.\n\nGate 45 stays open all night.",
    "symbols.txt": "Use of R&D part X-17/b, see health.base v2.0.1, week:3 and grammar::fa.\n\nThe 50% setting.",
    "dam.txt": "lang:en A dam was built in 1931.\n\nGross negligence is excluded from the cap.",
    "haus.txt": "lang:de Die Häuser am See.\n\nEin Haus aus Stein.",
    "plotina.txt": "lang:ru Плотины на реке.\n\nСклады на проспекте. Мария Ежова.",
    "zh.txt": "lang:zh 我们的退款政策如下。温度记录仪 由 陈岚 保管。",
    "ja.txt": "lang:ja 国際標準化 と 灯台守 と 返金 の ご案内。",
    "cafe.txt": "lang:fr Un cafe\u0301 au lait.",
}


@pytest.fixture
async def stored(tmp_path: Path):
    folder = tmp_path / "sources"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
        await add(opened, folder)
        yield opened


@pytest.mark.parametrize(
    ("query", "start"),
    [
        ("R&D", "Use of"),
        ("X-17/b", "Use of"),
        ("X-17", "Use of"),
        ("health.base", "Use of"),
        ("v2.0.1", "Use of"),
        ("week:3", "Use of"),
        ("grammar::fa", "Use of"),
        ("don't use the 50% setting", "The 50%"),
        ("dams", "A dam"),
        ("Haus Häuser", "Die Häuser"),
        ("плотина", "Плотины"),
        ("проспекте", "Склады"),
        ("мария ежова", "Склады"),
        ("退款政策", "我们"),
        ("温度记录仪", "我们"),
        ("陈岚", "我们"),
        ("国際標準化", "国際"),
        ("灯台守", "国際"),
        ("返金", "国際"),
        ("café", "Un caf"),
        ("CAFE\u0301", "Un caf"),
        ('"gross negligence"', "Gross"),
        ("gates.txt 44", "Gate 44"),
    ],
)
async def test_full_text_finds(stored: Corpus, query: str, start: str) -> None:
    contents = await found(stored, query, mode="fulltext")
    assert any(content.startswith(start) for content in contents[:2])


@pytest.mark.parametrize(
    "query",
    ["", " ", "*", "??", '"', '""', "(see", "AND", "OR NOT", "don't use agents", "a' OR '1'='1", "\x00", "\\", "%",
     '"open quote', "col(id)", "x" * 5000, "word " * 3000, "🦆", "-", "+must -not", "terms:dam", "dam~2 ^3", "\ud800"],
)  # fmt: skip
@pytest.mark.parametrize("mode", ["hybrid", "fulltext", "semantic"])
async def test_any_text_is_a_query(stored: Corpus, query: str, mode: str) -> None:
    assert len(await found(stored, query, mode=mode)) <= 10


async def test_quotes_are_phrases(stored: Corpus) -> None:
    assert await found(stored, '"closes at noon"') == ["Gate 44 closes at noon."]
    assert await found(stored, '"at closes noon"') == []
    assert await found(stored, '"gate 44" open') == ["Gate 44 closes at noon."]


async def test_missing_words_and_phrases_are_named(stored: Corpus) -> None:
    async with await stored.snapshot() as snapshot:
        page = await snapshot.search('dam zebra "wilful misconduct" "gross negligence"')
        assert page.missing_terms == ('"wilful misconduct"', "zebra")
        assert [result.chunk.content[:5] for result in page.results] == ["Gross"]
        page = await snapshot.search('dam "wilful misconduct"', mode="fulltext")
        assert page.missing_terms == ('"wilful misconduct"',) and page.results[0].chunk.content.startswith("A dam")
        dam = [id for id, document in snapshot.documents.items() if document.title == "dam.txt"]
        assert (await snapshot.search("gate dam", document_ids=dam)).missing_terms == ("gate",)


async def test_scope_narrows_results_counts_and_missing_terms(stored: Corpus) -> None:
    ids = {document.title: id for id, document in (await documents(stored)).items()}
    for mode in ("hybrid", "fulltext", "semantic"):
        async with await stored.snapshot() as snapshot:
            page = await snapshot.search("gate dam night", mode=mode, document_ids=[ids["gates.txt"]])
            assert {result.document.title for result in page.results} == {"gates.txt"}
            assert (page.total, page.documents) == (2, 1)
            assert (await snapshot.search("gate", document_ids=[])).total == 0
            assert (await snapshot.search("gate", document_ids=["unknown"])).total == 0


async def test_pages_follow_each_other(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("\n\n".join(["the same words"] * 25 + ["the same words twice, the same words"]))
    async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
        await add(opened, path)
        async with await opened.snapshot() as snapshot:
            for mode in ("hybrid", "fulltext", "semantic"):
                whole = await snapshot.search("same words", limit=26, mode=mode)
                assert (whole.total, whole.documents) == (26, 1)
                pages = [await snapshot.search("same words", limit=4, offset=at, mode=mode) for at in range(0, 28, 4)]
                assert [result for page in pages for result in page.results] == list(whole.results)
            equal = [r.chunk.id for r in (await snapshot.search("same words", limit=26, mode="fulltext")).results]
            scores = [r.score for r in (await snapshot.search("same words", limit=26, mode="fulltext")).results]
            assert [id for _, id in sorted(zip([-score for score in scores], equal, strict=True))] == equal


async def test_vectors_are_left_out_where_they_only_harm(tmp_path: Path) -> None:
    class Counting(WordHashes):
        queries = 0

        def embed(self, texts):
            self.queries += len(texts) == 1
            return super().embed(texts)

    embedder = Counting()
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    async with await corpus(tmp_path / "c", embedder=embedder) as opened:
        await add(opened, tmp_path / "dam.txt", tmp_path / "zh.txt", tmp_path / "haus.txt")
        embedder.queries = 0
        for query in ("退款政策", "плотина на реке", "wie ist das Haus"):
            await found(opened, query)
        assert embedder.queries == 0
        await found(opened, "when was the dam built")
        assert embedder.queries == 1
    assert embedder.texts - embedder.queries == 2  # neither the Chinese nor the German chunks have vectors


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("退款政策", "und"),
        ("GDPR 退款", "und"),
        ("плотина на реке", "ru"),
        ("what is the cap of liability", "en"),
        ("Was ist nach Artikel 1 unantastbar?", "de"),
        ("X-17/b", None),
        ("", None),
    ],
)
def test_query_language(query: str, language: str | None) -> None:
    assert query_language(query) == language


async def test_semantic_without_vectors_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "dam.txt").write_text(TEXTS["dam.txt"])
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, tmp_path / "dam.txt")
        with pytest.raises(EmbedderMissing, match="no vectors"):
            await found(opened, "dam", mode="semantic")
        assert await found(opened, "when in 1931") == ["A dam was built in 1931."]


async def test_the_built_in_embedder_finds_by_meaning(tmp_path: Path) -> None:
    (tmp_path / "pets.txt").write_text("The cat sat on the mat.\n\nInterest rates rose last year.")
    async with await corpus(tmp_path / "c", embedder=MiniLM()) as opened:
        await add(opened, tmp_path / "pets.txt")
        assert await found(opened, "kitten on a rug", limit=1) == ["The cat sat on the mat."]
        assert await found(opened, "monetary policy", limit=1) == ["Interest rates rose last year."]


async def test_chunks_by_id_and_by_prefix(stored: Corpus) -> None:
    async with await stored.snapshot() as snapshot:
        result = (await snapshot.search('"gate 44"')).results[0]
        id = result.chunk.id
        assert await snapshot.chunks([id, "nothing", "' OR 1=1"]) == {id: result.chunk}
        assert await snapshot.chunks([]) == {}
        for prefix in (id[:8], id[:8].upper(), id[:20], id):
            assert await snapshot.chunks_by_prefix(prefix) == [result.chunk]
        for prefix in (id[:7], "zzzzzzzz", "00000000", id + "0", "' OR 1=1 -", "%%%%%%%%", ""):
            assert await snapshot.chunks_by_prefix(prefix) == []
        assert result.chunk.headings == ("Gates",) and result.as_dict()["document_title"] == "gates.txt"


IDENTIFIERS = {
    "v2.0.1": "Release v2.0.1 mends the pump.",
    "X-17": "The valve X-17 leaks.",
    "§ 12": "By § 12 the harbour may refuse a ship.",
    "ISO 9001": "The yard is certified to ISO 9001 since spring.",
    "C++": "The control is written in C++ by hand.",
    "3.5 %": "The levy is 3.5 % of the dues.",
    "€ 1,200": "A mooring costs € 1,200 in winter.",
}
# The same words and numbers, more often, and nowhere together.
DECOYS = (
    "Version v2: 0 faults, 1 warning; before v2 there were 1 or 0 faults, 0 or 1 warning.",
    "X marks 17 spots. X again, 17 again; 17 letters X, 17 of 17.",
    "12 ships, 12 berths, 12 months: the § of the 12.",
    "9001 photographs at ISO 100, 9001 more at ISO 200; 9001 times the ISO of 1970.",
    "C is a letter. C, c, + and + make nothing of C.",
    "3 of 5, 3.5 metres, 5 % of 3, 5 % of 3.5 metres, 3.5 tonnes.",
    "1 boat, 200 nets, 1,200 hooks, 1,200 floats; € 1 for 200 of 1,200.",
)


async def test_identifiers_rank_by_exact_match(tmp_path: Path) -> None:
    filler = "The tide turns at noon and the pilot waits."
    for number, text in enumerate([*IDENTIFIERS.values(), *DECOYS]):
        (tmp_path / f"note-{'abcdefghijklmnop'[number]}.txt").write_text(f"{text} {filler}")
    async with await corpus(tmp_path / "c", embedder=MiniLM()) as opened:
        await add(opened, tmp_path)
        for mode in ("hybrid", "fulltext"):
            first = [(await found(opened, query, mode=mode, limit=1))[0] for query in IDENTIFIERS]
            assert first == [f"{text} {filler}" for text in IDENTIFIERS.values()]


async def test_copies_are_folded_with_a_note_of_where_else(tmp_path: Path) -> None:
    text = "The board approved the repair of the breakwater in March."
    for name in ("minutes.txt", "minutes-copy.txt"):
        (tmp_path / name).write_text(text)
    (tmp_path / "appendix.txt").write_text(f"{text}\n\nThe breakwater is old, and its repair will cost a lot of money.")
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, tmp_path)
        async with await opened.snapshot() as snapshot:
            page = await snapshot.search("who approved the repair of the breakwater")
            ids = {document.name: id for id, document in snapshot.documents.items()}
            assert [result.document.name for result in page.results] == ["minutes-copy.txt", "appendix.txt"]
            note = f"the same in minutes.txt ({ids['minutes.txt']}), appendix.txt ({ids['appendix.txt']})"
            assert page.results[0].annotations == (note,) and not page.results[1].annotations
            assert page.total == 2
            named = await snapshot.search("minutes approved the repair of the breakwater appendix")
            assert named.results[0].document.name == "appendix.txt"


async def test_what_is_ranked_is_bounded_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text("\n\n".join(f"quay number {number}" for number in range(1100)))
    async with await corpus(tmp_path / "c") as opened:
        await add(opened, tmp_path / "many.txt")
        async with await opened.snapshot() as snapshot:
            page = await snapshot.search("quay", limit=5)
            assert (page.total, page.is_cut, len(page.results)) == (1000, True, 5)
            assert not (await snapshot.search("quay", offset=1000)).results
            assert not (await snapshot.search("1099")).is_cut


async def test_the_vector_index_comes_and_grows_unasked_and_narrow_scopes_are_exact(tmp_path: Path) -> None:
    """The sizes are made small, so that the index itself is the real one."""
    folder = tmp_path / "sources"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "BY_EACH", 300)
        async with await corpus(tmp_path / "c", embedder=WordHashes()) as opened:
            for round, sizes in enumerate([(40, 200), (400,), (300,), (1800,)]):
                for size in sizes:
                    lines = [
                        f"paragraph {number} of {round} about {'abcdefgh'[number % 8]}{size}" for number in range(size)
                    ]
                    (folder / f"{round}-{size}.txt").write_text("\n\n".join(lines))
                await add(opened, folder)
                names = await vector_indices(opened)
                assert names == [[], ["vectors_640"], ["vectors_640"], ["vectors_2740"]][round]
            few = next(id for id, each in (await documents(opened)).items() if each.title == "0-40.txt")
            async with await opened.snapshot() as snapshot:
                page = await snapshot.search("paragraph about a200", mode="semantic", document_ids=[few])
                assert page.total == 40 and {result.document.id for result in page.results} == {few}
                page = await snapshot.search("paragraph about a1800", mode="semantic")
                assert "a1800" in page.results[0].chunk.content


async def vector_indices(opened: Corpus) -> list[str]:
    async with await opened.snapshot() as snapshot:
        table = await snapshot._chunks()
        return [each.name for each in await table.list_indices() if each.columns == ["vector"]]
