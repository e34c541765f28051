"""The three tools on a real corpus and a real sandbox: what is shown can be cited, and nothing else."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from glossator.analysis import Analysis, AnswerRejected
from glossator.corpus import Corpus, Scope
from glossator.sandbox import Sandbox

pytestmark = pytest.mark.anyio

FIND = """
def find(words):
    for document in sorted(Path("/documents").iterdir()):
        for item in items(document.name):
            if words in item["text"]:
                return document.name, item
"""
CAP = "Aggregate liability"


async def found(analysis: Analysis, words: str) -> tuple[str, str, str]:
    """Document id, self_ref and chunk id of an item, printed: the item is then shown by its id."""
    code = f"{FIND}\nd, item = find({words!r})\nprint(d, item['self_ref'], item['chunk_ids'][0])"
    document, self_ref, chunk_id = (await analysis.execute_code(code)).text.splitlines()[0].removeprefix("> ").split()
    return document, self_ref, chunk_id


async def test_a_hit_is_shown_and_can_be_cited_by_its_prefix_or_its_whole_id(analysis: Analysis) -> None:
    text = await analysis.search("cap of aggregate liability")
    first, place, *_ = text.splitlines()
    assert re.fullmatch(r"\d of \d+ passages, \d documents; scope 4 documents, 0 unreadable", first)
    assert re.fullmatch(
        r"\[[0-9a-f]{8}\] Lease of pier 4 \([a-z2-7]{10}\) \| Lease of pier 4 > 2 Liability > 2\.1 Cap", place
    )
    prefix = place[1:9]
    assert await analysis.cite([prefix]) == "Cited 1 of 1. Now write the answer."
    answer = await analysis.check("The cap is EUR 2,000,000.")
    assert answer.grounded and answer.text == "The cap is EUR 2,000,000 [1]."
    (citation,) = answer.citations
    assert citation.chunk_id.startswith(prefix) and citation.headings[-1] == "2.1 Cap" and CAP in citation.text
    assert await analysis.cite([citation.chunk_id]) == "Cited 1 of 1. Now write the answer."


async def test_a_search_keeps_to_a_condition_and_a_mode(analysis: Analysis) -> None:
    text = await analysis.search("liability", limit=50, where={"title": "Lease of pier 4"}, mode="fulltext")
    assert re.findall(r"^\[\w{8}\] (.*?) \(", text, re.MULTILINE)
    assert set(re.findall(r"^\[\w{8}\] (.*?) \(", text, re.MULTILINE)) == {"Lease of pier 4"}
    assert "0 of 0 passages" in await analysis.search("liability", where={"title": "x' OR '1'='1"})
    assert "no document has 'yaer'; keys of the metadata" in await analysis.search("liability", where={"yaer": 1})
    cell = """
titles = {r["document_title"] for r in await search("liability", where={"title": "Lease of pier 4"}, mode="fulltext")}
titles, len(await list_documents(where={"title": "Lease of pier 4"}))
"""
    assert "-> ({'Lease of pier 4'}, 1)" in (await analysis.execute_code(cell)).text


async def test_a_cell_shows_its_output_and_says_what_it_read(analysis: Analysis) -> None:
    reply = await analysis.execute_code(
        "n = 0\nfor p in Path('/documents').glob('*/content.txt'):\n    n += len(p.read_text())\nn > 0"
    )
    lines = reply.text.splitlines()
    assert lines[0] == "-> True"
    assert re.fullmatch(
        rf"\[cell 1, session {analysis.id}, \d+\.\d s; isolation level [23] of 3; "
        r"read 4 of 4 documents; new: n int.*\]",
        lines[1],
    ), lines
    assert len(reply.documents_read) == 4 and reply.result.error is None


async def test_variables_stay_and_errors_name_the_line(analysis: Analysis) -> None:
    await analysis.execute_code("def share(a, n):\n    return a / n")
    text = (await analysis.execute_code("x = 5\nshare(x, 0)")).text
    assert text.splitlines()[:3] == [
        "ZeroDivisionError: division by zero (cell 2, line 2)",
        "2| share(x, 0)",
        "in share, cell 1, line 2| return a / n",
    ]
    assert (await analysis.execute_code("x")).text.startswith("-> 5\n")


async def test_search_in_code_delivers_and_printing_shows(analysis: Analysis) -> None:
    code = "r = (await search('aggregate liability cap', limit=1))[0]\nprint(r['chunk_id'][:3], sorted(r))"
    text = (await analysis.execute_code(code)).text
    assert "'annotations', 'chunk_id', 'chunk_meta', 'content', 'doc_item_refs', 'document_id'" in text
    shown = (await analysis.execute_code("print(r['content'])")).text
    assert CAP in shown
    passage = (await analysis.execute_code("print(r['chunk_id'])")).text.splitlines()[0][2:]
    assert (await analysis.cite([passage])).startswith("Cited 1 of 1.")


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("await search(1)", "TypeError: search(query, limit=10): query must be a str, not int"),
        ("await search('x', limit='3')", "TypeError: search(query, limit=10): limit must be an int, not str"),
        ("await search('x', limit=0)", "ValueError: search(query, limit=10): limit must be from 1 to 200, not 0"),
        ("await search('x', top=3)", "TypeError: "),
        (
            "await search('x', mode='bm25')",
            "ValueError: search(…, mode='bm25'): the modes are hybrid, fulltext, semantic",
        ),
        ("await search('x', where={'yaer': 1})", "ValueError: where: no document has 'yaer'; keys of the metadata"),
        ("await search('x', where=['year'])", "ValueError: where must be a dict"),
        ("await list_documents(where={'yaer': 1})", "ValueError: where: no document has 'yaer'"),
    ],
)
async def test_wrong_arguments_are_errors_of_the_cell(analysis: Analysis, call: str, error: str) -> None:
    assert (await analysis.execute_code(call)).text.startswith(error)


async def test_list_documents_has_the_five_keys(analysis: Analysis) -> None:
    text = (await analysis.execute_code("docs = await list_documents()\nlen(docs), sorted(docs[0])")).text
    assert text.startswith("-> (4, ['created_at', 'id', 'metadata', 'title', 'uri'])")


# What is wrong with an id, and what to do instead: one case per mistake that models make.


async def test_read_but_never_shown_is_refused_until_it_is_printed(analysis: Analysis) -> None:
    await analysis.execute_code(f"{FIND}\nd, item = find({CAP!r})")
    half = (await analysis.execute_code("print(item['chunk_ids'][0][:6])")).text.splitlines()[0][2:]
    rest = (await analysis.execute_code("print(item['chunk_ids'][0][6:])")).text.splitlines()[0][2:]
    chunk_id = half + rest
    assert await analysis.cite([chunk_id]) == (
        f"Cited 0 of 1. Not accepted:\n{chunk_id}: read by code but never shown; print the passage first"
    )
    with pytest.raises(AnswerRejected):
        await analysis.check("The cap is EUR 2,000,000.")
    await analysis.execute_code("print(item['text'])")
    assert (await analysis.cite([chunk_id])).startswith("Cited 1 of 1.")


async def test_never_delivered_is_refused_even_when_it_is_printed(
    analysis: Analysis, corpus: Corpus, sandbox: Sandbox
) -> None:
    _, _, chunk_id = await found(analysis, CAP)
    other = Analysis(as_opened(corpus), sandbox)
    await other.execute_code(f"print({chunk_id!r})")
    assert "never delivered for this question; find it with analysis_search" in await other.cite([chunk_id])
    await other.close()


async def test_a_self_ref_is_answered_with_its_chunk(analysis: Analysis) -> None:
    _, self_ref, chunk_id = await found(analysis, CAP)
    await analysis.execute_code("1")
    reply = await analysis.cite([self_ref])
    assert reply == (
        f"Cited 0 of 1. Not accepted:\n{self_ref}: a self_ref; its chunk is {chunk_id[:8]}\n"
        f'Next: analysis_cite(["{chunk_id[:8]}"])'
    )


async def test_a_self_ref_of_a_passage_that_was_never_shown_is_not_suggested(analysis: Analysis) -> None:
    self_ref = (await analysis.execute_code(f"{FIND}\nd, item = find({CAP!r})\nprint(item['self_ref'])")).text
    reply = await analysis.cite([self_ref.splitlines()[0][2:]])
    assert "never shown; print the passage first" in reply and "Next:" not in reply


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("12", "a position or number, not a chunk id; pass chunk_ids"),
        ("ab12", "too short; give at least the first 8 characters"),
        ("", "empty; copy a chunk id"),
        ("deadbeef", "unknown; copy an id from analysis_search or from chunk_ids of items.jsonl"),
        ("00000000-0000-4000-8000-000000000000", "unknown; copy an id"),
        ("the lease", "unknown; copy an id"),
        ("#/texts/99", "a self_ref, not a chunk id; pass the chunk_ids of its row in items.jsonl"),
        ("Lease of pier 4", "a document; cite passages of it; find one with analysis_search"),
    ],
)
async def test_other_mistakes_are_named(analysis: Analysis, given: str, problem: str) -> None:
    reply = await analysis.cite([given])
    assert reply.startswith("Cited 0 of 1. Not accepted:\n") and problem in reply


async def test_a_document_is_answered_with_its_shown_passages(analysis: Analysis) -> None:
    place = (await analysis.search("cap of aggregate liability", limit=1)).splitlines()[1]
    document = place[place.index("(") + 1 : place.index(")")]
    reply = await analysis.cite([document])
    assert "a document; cite passages of it\n" in reply and f'Next: analysis_cite(["{place[1:9]}"])' in reply


@pytest.mark.parametrize(
    "damage",
    [
        lambda key: key[:3] + ("0" if key[3] != "0" else "1") + key[4:],
        lambda key: key[:4] + key[5:],
        lambda key: key[:4] + "f" + key[4:],
        lambda key: key[:3] + key[4] + key[3] + key[5:],
        lambda key: key[:3] + "o" + key[4:],
    ],
    ids=["wrong", "missing", "added", "swapped", "not-hex"],
)
async def test_an_id_damaged_by_a_character_is_answered_with_the_nearest_that_was_shown(
    analysis: Analysis, damage: Callable[[str], str]
) -> None:
    whole = (await analysis.search("cap of aggregate liability", limit=1)).splitlines()[1][1:9]
    _, _, chunk_id = await found(analysis, CAP)
    assert chunk_id.startswith(whole)
    given = damage(chunk_id)
    if given == chunk_id:
        pytest.skip("the swapped characters are equal")
    reply = await analysis.cite([given])
    assert f"{whole} was, which differs a little" in reply and f'Next: analysis_cite(["{whole}"])' in reply


async def test_a_whole_id_that_goes_on_wrongly_is_answered_with_the_one_that_was_shown(analysis: Analysis) -> None:
    _, _, chunk_id = await found(analysis, CAP)
    reply = await analysis.cite([chunk_id[:24] + "000000000000"])
    assert f'Next: analysis_cite(["{chunk_id[:8]}"])' in reply


async def test_a_search_in_code_is_no_computation(analysis: Analysis) -> None:
    await analysis.execute_code("print(len(await search('rent')))")
    assert (await analysis.cite([])).startswith("Cited no passage: a refusal.")


async def test_out_of_scope_is_refused_and_files_and_search_keep_to_the_scope(
    analysis: Analysis, corpus: Corpus, sandbox: Sandbox
) -> None:
    lease, _, cap = await found(analysis, CAP)
    light = next(d.id for d in (await analysis.snapshot()).documents.values() if d.title == "light.txt")
    narrow = Analysis(as_opened(corpus), sandbox, scope=Scope(frozenset({light})))
    text = await narrow.search("aggregate liability")
    assert "scope 1 document" in text and lease not in text
    assert (await narrow.execute_code("[p.name for p in Path('/documents').iterdir()]")).text.startswith(
        f"-> ['{light}']"
    )
    assert "unknown; copy an id" in await narrow.cite([cap])
    assert (await narrow.execute_code("len(await list_documents())")).text.startswith("-> 1")
    await narrow.close()


async def test_several_ids_and_a_refusal_do_not_make_each_other_evidence(analysis: Analysis) -> None:
    await analysis.execute_code(f"{FIND}\nd, item = find({CAP!r})")
    snapshot = await analysis.snapshot()
    page = await snapshot.search("aggregate liability cap", limit=1)
    chunk_id = page.results[0].chunk.id
    assert "never shown" in await analysis.cite([chunk_id])
    assert "never shown" in await analysis.cite([chunk_id])  # the refusal itself named the id


# The rule: no answer without a cite call after the last evidence.


async def test_an_answer_needs_a_cite_after_the_last_evidence(analysis: Analysis) -> None:
    with pytest.raises(AnswerRejected, match="Call analysis_cite before the final answer"):
        await analysis.check("The cap is EUR 2,000,000.")
    prefix = (await analysis.search("cap of aggregate liability")).splitlines()[1][1:9]
    await analysis.cite([prefix])
    await analysis.search("rent")
    with pytest.raises(AnswerRejected, match="after your last analysis_cite"):
        await analysis.check("The cap is EUR 2,000,000.")
    await analysis.cite([prefix])
    assert (await analysis.check("The cap is EUR 2,000,000.")).grounded


async def test_an_empty_cite_after_reading_is_a_computation_that_tells_its_coverage(analysis: Analysis) -> None:
    await analysis.question("How many documents mention the harbour?")
    code = "n = 0\nfor p in Path('/documents').glob('*/content.txt'):\n    n += 'arbour' in p.read_text()\nprint(n)"
    await analysis.execute_code(code)
    assert (await analysis.cite([])).startswith(
        "Cited no passage: a computation (cells 1; 4 of 4 documents read, 0 unreadable)."
    )
    answer = await analysis.check("There are 3; 4 of 4 documents were read.")
    (computation,) = answer.computations
    assert answer.grounded and not answer.citations
    assert (computation.documents_read, computation.documents_in_scope, computation.unreadable) == (4, 4, 0)
    assert computation.cells[0].code == code and computation.cells[0].output == "3"
    assert answer.note == "Coverage: 4 documents in scope, 4 read by code, 0 unreadable."


@pytest.mark.parametrize(
    "code",
    [
        "len(await list_documents())",
        "len(list(Path('/documents').iterdir()))",
        "import os\nlen(os.listdir('/documents'))",
    ],
)
async def test_listing_the_documents_is_reading_the_corpus(analysis: Analysis, code: str) -> None:
    await analysis.execute_code(code)
    listed = "Cited no passage: a computation (cells 1; 4 documents listed, 0 unreadable)."
    assert (await analysis.cite([])).startswith(listed)
    assert (await analysis.check("There are 4 documents.")).grounded


async def test_an_answer_that_cites_also_carries_the_code_that_read_documents(analysis: Analysis) -> None:
    for code, carried in (("len(await list_documents())", 0), ("len(items((await list_documents())[0]))", 1)):
        await analysis.execute_code(code)
        prefix = (await analysis.search("cap of aggregate liability")).splitlines()[1][1:9]
        await analysis.cite([prefix])
        assert len((await analysis.check("The cap is EUR 2,000,000.")).computations) == carried


async def test_code_that_found_nothing_leaves_a_refusal(analysis: Analysis) -> None:
    await analysis.question("How many zeppelins were moored here?")
    await analysis.execute_code("print([hit['line'] for hit in grep('(?i)zeppelin')], len(await list_documents()))")
    await analysis.cite([])
    refusal = await analysis.check("The documents do not say how many zeppelins were moored here.")
    assert not refusal.grounded and not refusal.computations
    assert (await analysis.check("No, 4 documents were read and none names one.")).grounded


async def test_a_number_that_looks_like_an_id_stays_and_an_id_that_code_printed_goes(analysis: Analysis) -> None:
    await analysis.question("What is written on the lamp?")
    reply = await analysis.execute_code("print(f'{len(await list_documents())}0642890')")
    assert "40642890" in reply.text
    printed = await analysis.execute_code("first = (await list_documents())[0]\nprint(items(first)[0]['chunk_ids'][0])")
    chunk_id = next(line[2:] for line in printed.text.splitlines() if line.startswith("> "))
    await analysis.cite([])
    answer = await analysis.check(f"It is 40642890 (see {chunk_id[:8]}).", lenient=True)
    assert answer.text.startswith("It is 40642890") and chunk_id[:8] not in answer.text


async def test_an_empty_cite_without_reading_is_a_refusal(analysis: Analysis) -> None:
    await analysis.search("zeppelins")
    await analysis.execute_code("print(6 * 7)")
    assert (await analysis.cite([])).startswith("Cited no passage: a refusal.")
    answer = await analysis.check("The corpus says nothing about zeppelins.")
    assert not answer.grounded and not answer.citations and not answer.computations


async def test_what_is_unsupported_is_sent_back_once_and_then_reported(analysis: Analysis) -> None:
    prefix = (await analysis.search("cap of aggregate liability")).splitlines()[1][1:9]
    await analysis.cite([prefix])
    with pytest.raises(AnswerRejected, match='"2,100,000" \\(number\\)'):
        await analysis.check("The cap is EUR 2,100,000.")
    answer = await analysis.check("The cap is EUR 2,100,000.")
    assert answer.unsupported == ("2,100,000",) and "Not found in the evidence" in answer.note


async def test_a_number_that_a_cell_only_wrote_itself_is_unsupported(analysis: Analysis) -> None:
    await analysis.execute_code("t = Path('/documents').glob('*/content.txt')\ns = ''.join(p.read_text() for p in t)")
    await analysis.execute_code("print(777, 1887)")
    await analysis.cite([])
    with pytest.raises(AnswerRejected, match='"777"'):
        await analysis.check("It was 777.")
    assert (await analysis.check("It was in 1887.")).unsupported == ()  # a file that was read says so


async def test_a_new_question_needs_new_evidence_but_cited_chunks_stay_citable(analysis: Analysis) -> None:
    text = await analysis.search("cap of aggregate liability")
    first, second = re.findall(r"^\[([0-9a-f]{8})\]", text, re.MULTILINE)[:2]
    await analysis.cite([first])
    await analysis.question("And again?")
    assert (await analysis.cite([first])).startswith("Cited 1 of 1.")
    assert "never delivered for this question" in await analysis.cite([second])


async def test_cite_with_an_answer_checks_the_draft_and_ends_the_question(analysis: Analysis) -> None:
    prefix = (await analysis.search("cap of aggregate liability")).splitlines()[1][1:9]
    rejected = await analysis.cite([prefix], answer="The cap is EUR 2,100,000.")
    assert "Answer not accepted yet: Not found in the cited passages" in rejected
    reply = await analysis.cite([prefix], answer="The cap is EUR 2,000,000 [7].")
    assert reply.splitlines()[:3] == [
        "Cited 1 of 1. Now write the answer.",
        "Answer checked. Send this:",
        "> The cap is EUR 2,000,000 [1].",
    ]
    assert reply.splitlines()[3].startswith("[1] Lease of pier 4 (")
    with pytest.raises(AnswerRejected):
        await analysis.check("And more.")


async def test_cite_with_a_refused_id_does_not_check_the_draft(analysis: Analysis) -> None:
    prefix = (await analysis.search("cap of aggregate liability")).splitlines()[1][1:9]
    assert "Answer" not in await analysis.cite([prefix, "deadbeef"], answer="It is so.")


async def test_an_empty_cite_withdraws(analysis: Analysis) -> None:
    prefix = (await analysis.search("cap of aggregate liability")).splitlines()[1][1:9]
    await analysis.cite([prefix])
    assert "Earlier citations of this question are withdrawn." in await analysis.cite([])
    assert not (await analysis.check("Nothing.")).grounded


# The corpus may change under a conversation: never within a question.


@pytest.fixture
async def changing(tmp_path: Path) -> AsyncIterator[tuple[Corpus, Path]]:
    source = tmp_path / "tide.txt"
    source.write_text("High water is at noon, as the harbour master has always said.\n")
    async with await Corpus.open(tmp_path / "corpus", create=True) as corpus:
        async for _ in corpus.add([source]):
            pass
        yield corpus, source


async def test_new_vectors_are_no_change_of_the_corpus(changing: tuple[Corpus, Path]) -> None:
    corpus, source = changing
    source.write_text("High water is at midnight, as the harbour master now says.\n")
    adding = corpus.add([source])
    await anext(adding)  # published, and still without its vector
    analysis = Analysis(as_opened(corpus), None)
    await analysis.question("When is high water?")
    await analysis.search("high water")
    before = (await analysis.snapshot()).generation
    async for _ in adding:
        pass
    await analysis.question("And now?")
    assert "has changed" not in await analysis.search("high water")
    assert (await analysis.snapshot()).generation > before
    await analysis.close()


async def test_a_question_keeps_its_generation_and_the_next_sees_the_change(
    changing: tuple[Corpus, Path], sandbox: Sandbox
) -> None:
    corpus, source = changing
    analysis = Analysis(as_opened(corpus), sandbox)
    await analysis.question("When is high water?")
    noon = (await analysis.search("high water")).splitlines()[1][1:9]
    await analysis.cite([noon])
    source.write_text("High water is at midnight, as the harbour master now says.\n")
    async for _ in corpus.add([source]):
        pass
    assert "noon" in await analysis.search("high water")
    assert (
        await analysis.execute_code("[p.read_text() for p in Path('/documents').glob('*/content.txt')]")
    ).text.count("noon")
    await analysis.question("And now?")
    text = await analysis.search("high water")
    assert "midnight" in text and "noon" not in text
    assert text.endswith(
        "The corpus has changed since the last question: 1 changed (tide.txt); variables may hold older data."
    )
    assert "deleted or changed since it was shown" in await analysis.cite([noon])
    assert (
        "midnight"
        in (
            await analysis.execute_code("print(*(p.read_text() for p in Path('/documents').glob('*/content.txt')))")
        ).text
    )
    await analysis.close()


async def test_a_lease_is_renewed_before_it_ends(corpus: Corpus) -> None:
    now = start = time.time()
    analysis = Analysis(as_opened(corpus), None, clock=lambda: now)
    first = await analysis.snapshot()
    now = start + 19 * 3600.0
    assert await analysis.snapshot() is first
    now = start + 21 * 3600.0
    assert await analysis.snapshot() is not first
    assert "changed" not in await analysis.search("rent")
    await analysis.close()


async def test_without_a_sandbox_search_and_cite_go_on(corpus: Corpus) -> None:
    analysis = Analysis(as_opened(corpus), None)
    assert await analysis.code_problem() == "this service runs without a code sandbox"
    prefix = (await analysis.search("cap of aggregate liability")).splitlines()[1][1:9]
    assert (await analysis.cite([prefix])).startswith("Cited 1 of 1.")
    await analysis.close()


async def test_a_missing_corpus_is_an_error_of_the_cell(tmp_path: Path, sandbox: Sandbox) -> None:
    analysis = Analysis(lambda: Corpus.open(tmp_path / "nowhere"), sandbox)
    for code in ("await list_documents()", "await search('x')", "list(Path('/documents').iterdir())"):
        text = (await analysis.execute_code(code)).text
        assert re.match(r"RuntimeError: .*nowhere", text), text
    assert (await analysis.execute_code("1 + 1")).text.startswith("-> 2")
    await analysis.close()


def as_opened(corpus: Corpus) -> Callable[[], Awaitable[Corpus]]:
    async def opened() -> Corpus:
        return corpus

    return opened


async def test_documents_are_listed_in_part_and_by_condition(analysis: Analysis) -> None:
    code = "rows = await list_documents()\nlen(rows), sorted(rows[0]), rows[1:3] == await list_documents(2, offset=1)"
    keys = ["created_at", "id", "metadata", "title", "uri"]
    assert (await analysis.execute_code(code)).result.value == repr((4, keys, True))
    code = "[len(await list_documents(**o)) for o in ({'limit': 0}, {'offset': 9}, {'where': {'title': 'light.txt'}})]"
    assert (await analysis.execute_code(code)).result.value == "[0, 0, 1]"
    for wrong, kind in (("limit=-1", "TypeError"), ("where={'a': {'~': 1}}", "ValueError"), ("where=3", "ValueError")):
        error = (await analysis.execute_code(f"await list_documents({wrong})")).result.error
        assert error is not None and error.type == kind


async def test_a_condition_is_the_scope_of_everything(corpus: Corpus, sandbox: Sandbox) -> None:
    narrow = Analysis(as_opened(corpus), sandbox, scope=Scope(where={"title": "light.txt"}))
    assert "scope 1 document" in await narrow.search("aggregate liability")
    code = "len(await list_documents()), len(list(Path('/documents').iterdir()))"
    assert (await narrow.execute_code(code)).result.value == "(1, 1)"
    await narrow.close()
