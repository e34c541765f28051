"""Coverage: what each cell and each computation says of documents in scope, read and unreadable."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from glossator.analysis import Analysis, CellReply
from glossator.corpus import Corpus, Scope
from glossator.sandbox import Sandbox

from ..corpus.plain import add
from ..corpus.plain import corpus as plain_corpus

pytestmark = pytest.mark.anyio

DOCUMENTS = 40
READ_ALL = "n = sum(len(p.read_text()) for p in Path('/documents').glob('*/content.txt'))"


@pytest.fixture
async def harbour(tmp_path: Path) -> AsyncIterator[Corpus]:
    """Forty documents, of which one is empty and two cannot be read."""
    texts = {f"{n:02}.txt": f"Berth {n} is free." for n in range(DOCUMENTS - 3)}
    texts |= {"blank.txt": "", "scan-1.txt": "! no text layer", "scan-2.txt": "! encrypted"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(await plain_corpus(tmp_path / "c"))
        await add(opened, *(tmp_path / name for name in texts))
        yield opened


@pytest.fixture
async def analysis(harbour: Corpus, sandbox: Sandbox) -> AsyncIterator[Analysis]:
    analysis = of(harbour, sandbox)
    yield analysis
    await analysis.close()


def of(opened: Corpus, sandbox: Sandbox, scope: Scope | None = None) -> Analysis:
    async def open_corpus() -> Corpus:
        return opened

    return Analysis(open_corpus, sandbox, scope=scope)


def footer(reply: CellReply) -> str:
    """What the last line says of the corpus."""
    found = re.search(r"read \d+ of [^;\]]*", reply.text.splitlines()[-1])
    return found[0] if found else ""


TWO = ", 2 unreadable: _unreadable"
CELLS = {
    "one file": ("next(Path('/documents').glob('*/toc.json')).read_text()", 1),
    "five files of one document": ("[p.read_text() for p in next(Path('/documents').iterdir()).iterdir()]", 1),
    "all": (READ_ALL, DOCUMENTS),
    "a part, while more was read ahead": (
        f"[p.read_text() for p in sorted(Path('/documents').glob('*/*.txt'))[:{33}]]",
        33,
    ),
    "grep": ("grep('Berth')", DOCUMENTS),
    "grep in one": ("grep('Berth', next(Path('/documents').iterdir()))", 1),
    "items and toc of one": ("d = (await list_documents())[0]; items(d), toc(d)", 1),
    "open and no read": ("open(next(Path('/documents').glob('*/toc.json'))).close()", 1),
    "a listing": ("len(list(Path('/documents').iterdir())), len(await list_documents())", 0),
    "sizes": ("sum(p.stat().st_size for p in Path('/documents').rglob('*.*'))", 0),
    "a search": ("len(await search('berth'))", 0),
    "an error on the way": (
        "for n, p in enumerate(Path('/documents').glob('*/content.txt')):\n    p.read_text()\n    1 / (n - 4)",
        5,
    ),
    "an error that is caught": ("try:\n    open('/documents/x/toc.json')\nexcept OSError:\n    pass", 0),
}


@pytest.mark.parametrize("name", CELLS)
async def test_a_footer_counts_documents_whose_files_were_opened(analysis: Analysis, name: str) -> None:
    code, read = CELLS[name]
    assert footer(await analysis.execute_code(code)) == f"read {read} of {DOCUMENTS} documents{TWO}"


async def test_nothing_is_said_before_anything_has_looked(analysis: Analysis) -> None:
    assert footer(await analysis.execute_code("1 + 1")) == ""
    await analysis.search("berth")
    assert footer(await analysis.execute_code("1 + 1")) == f"read 0 of {DOCUMENTS} documents{TWO}"


async def test_a_cell_counts_what_it_read_itself_and_a_question_what_its_cells_read(analysis: Analysis) -> None:
    await analysis.question("How many berths are free?")
    paths = "paths = sorted(Path('/documents').glob('*/content.txt'))"
    assert footer(await analysis.execute_code(f"{paths}\ntexts = [p.read_text() for p in paths[:10]]")).startswith(
        "read 10 "
    )
    assert footer(await analysis.execute_code("texts += [p.read_text() for p in paths[5:30]]")).startswith("read 25 ")
    assert footer(await analysis.execute_code("print(sum('free' in t for t in texts))")).startswith("read 0 ")
    reply = await analysis.cite([])
    assert f"a computation (cells 1, 2, 3; 30 of {DOCUMENTS} documents read, 2 unreadable)" in reply
    answer = await analysis.check("Of those that were read, 30 or more say so.", lenient=True)
    (computation,) = answer.computations
    assert (computation.documents_read, computation.documents_in_scope, computation.unreadable) == (30, DOCUMENTS, 2)
    assert f"Coverage: {DOCUMENTS} documents in scope, 30 read by code, 2 unreadable." in answer.note
    await analysis.question("And which are taken?")
    assert footer(await analysis.execute_code("len(texts)")).startswith("read 0 ")
    assert "a refusal" in await analysis.cite([])  # what was read for an earlier question is no evidence for this one


async def test_a_scope_is_what_is_counted(harbour: Corpus, sandbox: Sandbox) -> None:
    narrow = of(harbour, sandbox, Scope(where={"title": [f"{n:02}.txt" for n in range(5)]}))
    assert footer(await narrow.execute_code(READ_ALL)) == "read 5 of 5 documents"
    await narrow.close()
    one = of(harbour, sandbox, Scope(where={"title": "scan-1.txt"}))
    assert footer(await one.execute_code(READ_ALL)) == "read 1 of 1 document, 1 unreadable: _unreadable"
    await one.close()


async def test_unreadable_ones_are_listed_with_their_reasons(analysis: Analysis) -> None:
    code = "sorted((each['title'], each['reason'], sorted(each)) for each in _unreadable)"
    keys = ["id", "reason", "title"]
    expected = [("scan-1.txt", "no text layer", keys), ("scan-2.txt", "encrypted", keys)]
    assert (await analysis.execute_code(code)).result.value == repr(expected)
    code = "{json.loads((Path('/documents') / u['id'] / 'metadata.json').read_text())['status'] for u in _unreadable}"
    assert (await analysis.execute_code(code)).result.value == "{'unreadable'}"


async def test_what_is_read_again_to_rebuild_a_session_is_not_this_cells(analysis: Analysis) -> None:
    assert footer(await analysis.execute_code(READ_ALL)).startswith(f"read {DOCUMENTS} ")
    assert analysis._session is not None
    analysis._session.evict()
    reply = await analysis.execute_code("p = next(Path('/documents').glob('*/toc.json')).read_text()\nprint(n)")
    assert "ran again" in reply.text
    assert footer(reply) == f"read 1 of {DOCUMENTS} documents{TWO}"


async def test_an_update_is_counted_in_the_next_question(analysis: Analysis, harbour: Corpus, tmp_path: Path) -> None:
    assert footer(await analysis.execute_code(READ_ALL)).startswith(f"read {DOCUMENTS} of {DOCUMENTS} ")
    (tmp_path / "new.txt").write_text("Berth 99 is free.")
    (tmp_path / "scan-1.txt").write_text("Now it has text.")
    await add(harbour, tmp_path / "new.txt", tmp_path / "scan-1.txt")
    assert footer(await analysis.execute_code(READ_ALL)).startswith(f"read {DOCUMENTS} of {DOCUMENTS} ")
    await analysis.question("And now?")
    reply = await analysis.execute_code(READ_ALL)
    assert "read 41 of 41 documents, 1 unreadable: _unreadable" in reply.text
    assert "1 changed (scan-1.txt), 1 new (new.txt)" in reply.text
