"""Non-interference: a conversation that is limited to a part of a corpus answers as one whose corpus is that part."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from glossator.analysis import Analysis, AnswerRejected, analysis_sandbox
from glossator.corpus import Corpus, Scope
from glossator.sandbox import FileJournals, Sandbox

from ..corpus.plain import WordHashes, add
from ..corpus.plain import corpus as plain_corpus

pytestmark = pytest.mark.anyio

SHARED = "The pilot boat leaves at six and returns at nine from the outer buoy."  # in documents of both kinds
OPEN = {
    "tides.txt": f"# Tides\n\nHigh water stands at noon over the harbour bar.\n\n{SHARED}",
    "lights.txt": "# Lights\n\nThe green light burns from dusk and the red light from midnight.",
    "open-scan.txt": "! no text layer",
    "blank.txt": "",
}
SECRET = {
    "verdict.txt": f"# Verdict\n\nThe zebra smuggled quinine through the harbour bar at noon.\n\n{SHARED}",
    "tides-old.txt": "# Tides\n\nHigh water stood at noon, wrote the zebra, over the harbour bar.",
    "secret-scan.txt": "! zebra stripes",
}
WORDS = ("zebra", "quinine", "smuggled", "verdict", "secret", "stripes", "tides-old")


@dataclass(frozen=True)
class Outside:
    """What a hostile model may know of the documents outside."""

    documents: tuple[str, ...]
    chunks: tuple[str, ...]
    uris: tuple[str, ...]


async def filled(folder: Path, sources: dict[str, str], *, kind: str, opened: Corpus) -> Corpus:
    os.makedirs(folder, exist_ok=True)
    for name, text in sources.items():
        (folder / name).write_text(text)
    await add(opened, *(folder / name for name in sources), metadata={"kind": kind})
    return opened


@pytest.fixture
async def corpora(tmp_path: Path) -> AsyncIterator[tuple[Corpus, Corpus, Outside]]:
    """A corpus of what is open, another with what is secret besides, and what can be known of the latter."""
    async with AsyncExitStack() as stack:
        part = await stack.enter_async_context(await plain_corpus(tmp_path / "part", embedder=WordHashes()))
        whole = await stack.enter_async_context(await plain_corpus(tmp_path / "whole", embedder=WordHashes()))
        await filled(tmp_path / "s", SECRET, kind="secret", opened=whole)
        for opened in (part, whole):
            await filled(tmp_path / "o", OPEN, kind="open", opened=opened)
            await opened.collections.create("harbour")
            await opened.collections.add("harbour", [str(tmp_path / "o" / name) for name in OPEN])
        await whole.collections.create("zebras")
        await whole.collections.add("zebras", [str(tmp_path / "s" / name) for name in SECRET])
        async with await whole.snapshot(Scope(where={"kind": "secret"})) as snapshot:
            found = await snapshot.search("zebra harbour pilot", limit=50)
            outside = Outside(
                tuple(snapshot.documents),
                tuple(result.chunk.id for result in found.results),
                tuple(document.uri for document in snapshot.documents.values()),
            )
        yield part, whole, outside


async def scopes(whole: Corpus) -> dict[str, Scope]:
    """Three ways to say what is open."""
    async with await whole.snapshot(Scope(where={"kind": "open"})) as snapshot:
        ids = frozenset(snapshot.documents)
    return {
        "condition": Scope(where={"kind": "open"}),
        "documents": Scope(ids),
        "collection": Scope(collections=frozenset({"harbour"})),
        "all three": Scope(ids, {"kind": ["open", "x"]}, frozenset({"harbour"})),
    }


def cells(outside: Outside) -> list[str]:
    """Programs that look for what must not exist."""
    one, *_ = outside.documents
    near = [f"{document[:-1]}{'a' if document[-1] != 'a' else 'b'}" for document in outside.documents]
    attempts = [
        call
        for document in (*outside.documents, *near, *outside.uris, "Verdict", "verdict.txt", "aaaaaaaaaa")
        for call in (
            f"open('/documents/{document}/content.txt').read()",
            f"items({document!r})",
            f"toc({{'id': {document!r}}})",
            f"grep('zebra', {document!r})",
            f"grep('zebra', Path('/documents') / {document!r})",
            f"os.stat('/documents/{document}')",
            f"os.listdir('/documents/{document}')",
            f"Path('/documents/{document}').exists()",
            f"os.path.realpath('/documents/x/../{document}')",
            f"await list_documents(where={{'id': {document!r}}})",
        )
    ]
    programs = [
        "sorted(os.listdir('/documents'))",
        "[(p.name, p.stat().st_size) for p in sorted(Path('/').rglob('*.json'))]",
        "sorted(os.stat(p).st_ino for p in Path('/documents').iterdir())",
        "await list_documents()",
        "await list_documents(where={'kind': 'secret'})",
        "await list_documents(where={'collection': 'harbour'})",
        "await list_documents(where={'collection': 'zebras'})",
        "await list_documents(where={'collection': 'zebra'})",
        "await list_documents(offset=4)",
        "_unreadable",
        "[len(grep(w)) for w in ('zebra', 'harbour', '.')]",
        "sorted((r['document_title'], r['content']) for r in await search('zebra quinine harbour pilot', limit=50))",
        f"[r['document_uri'] for r in await search('{one}', limit=50)]",
        "sorted(r['chunk_id'] for r in await search('smuggled \"outer buoy\"', limit=200))",
    ]
    return [*programs, *attempts]


async def transcript(analysis: Analysis, outside: Outside) -> list[str]:
    """Every message that a model is sent when it tries all that it can."""
    await analysis.question("What did the zebra do?")
    seen = [await analysis.search(query) for query in ("zebra quinine", "harbour bar", "pilot boat", '"smuggled"', "x")]
    await analysis.execute_code("import os")
    for cell in cells(outside):
        result = await analysis.execute_code(cell)
        seen.append(result.text)
    given = [*outside.chunks, *(chunk[:8] for chunk in outside.chunks), *outside.documents, *outside.uris]
    mistyped = [f"{chunk[:7]}{'0' if chunk[7] != '0' else '1'}" for chunk in outside.chunks]
    for key in (*given, *mistyped, "Verdict", "verdict.txt", "#/texts/0", "#/texts/1"):
        seen.append(await analysis.cite([key]))
    seen.append(await analysis.cite([]))
    for draft in ("The zebra smuggled 12 boxes.", f"It stands in {outside.chunks[0]}.", "Nothing was found."):
        try:
            answer = await analysis.check(draft)
            seen.append(f"{answer.text} {answer.note} {answer.computations and answer.computations[0].documents_read}")
        except AnswerRejected as rejected:
            seen.append(rejected.reason)
    return [masked(text, analysis) for text in seen]


def masked(text: str, analysis: Analysis) -> str:
    """What differs between two runs of anything; and times of ingestion, which differ between two corpora."""
    text = text.replace(analysis.id, "SESSION")
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", "TIME", text)
    return re.sub(r"SESSION, \d+\.\d s", "SESSION, N s", text)


def with_corpus(opened: Corpus) -> Callable[[], Awaitable[Corpus]]:
    async def open_corpus() -> Corpus:
        return opened

    return open_corpus


async def test_what_is_outside_makes_no_difference(
    corpora: tuple[Corpus, Corpus, Outside], sandbox: Sandbox, tmp_path: Path
) -> None:
    part, whole, outside = corpora
    alone = Analysis(with_corpus(part), sandbox)
    expected = await transcript(alone, outside)
    await alone.close()
    narrow = {name: Analysis(with_corpus(whole), sandbox, scope=scope) for name, scope in (await scopes(whole)).items()}
    for name, analysis in narrow.items():
        assert await transcript(analysis, outside) == expected, name
    # Changes outside are no news, and bring nothing in.
    await filled(
        tmp_path / "s", {"verdict.txt": "The zebra was acquitted.", "more.txt": "zebra"}, kind="s", opened=whole
    )
    await whole.remove([str(tmp_path / "s" / "tides-old.txt")])
    for name, analysis in narrow.items():
        await analysis.question("And now?")
        assert "changed" not in await analysis.search("harbour"), name
        assert (await transcript(analysis, outside))[:4] == expected[:4], name
        await analysis.close()


async def test_no_message_holds_a_word_from_outside(corpora: tuple[Corpus, Corpus, Outside], sandbox: Sandbox) -> None:
    _, whole, outside = corpora
    analysis = Analysis(with_corpus(whole), sandbox, scope=Scope(where={"kind": "open"}))
    own = {*outside.documents, *outside.uris}  # what the model itself has typed comes back in messages
    for query in ("harbour bar", "pilot boat", "light"):
        text = (await analysis.search(query)).lower()
        assert not any(word in text for word in (*WORDS, *own)), text
    await analysis.execute_code("import os")
    for cell in ("await list_documents()", "[grep('.', k) for k in os.listdir(next(Path('/documents').iterdir()))]"):
        text = (await analysis.execute_code(cell)).text.lower()
        assert not any(word in text for word in (*WORDS, *own)), text
    await analysis.close()


async def test_a_document_that_leaves_the_scope_is_gone(
    corpora: tuple[Corpus, Corpus, Outside], sandbox: Sandbox, tmp_path: Path
) -> None:
    _, whole, _ = corpora
    analysis = Analysis(with_corpus(whole), sandbox, scope=Scope(where={"kind": "open"}))
    shown = await analysis.search("green light")
    chunk = re.findall(r"\[([0-9a-f]{8})\]", shown)[0]
    assert "Cited 1 of 1" in await analysis.cite([chunk])
    await filled(tmp_path / "o", {"lights.txt": OPEN["lights.txt"] + "\n\nMore."}, kind="secret", opened=whole)
    await analysis.question("And now?")
    after = await analysis.search("green light")
    assert "1 gone (lights.txt)" in after and "lights.txt (" not in after
    assert "deleted or changed since it was shown" in await analysis.cite([chunk])
    await analysis.close()


async def test_a_kept_session_goes_on_in_its_own_scope_only(
    corpora: tuple[Corpus, Corpus, Outside], tmp_path: Path
) -> None:
    """Its journal holds whole search results: replayed in a narrower scope they would lead out of it."""
    _, whole, _ = corpora
    narrow = Scope(where={"kind": "open"})
    async with analysis_sandbox(journals=FileJournals(tmp_path / "sessions")) as sandbox:

        async def run(code: str, scope: Scope | None) -> str:
            analysis = Analysis(with_corpus(whole), sandbox, scope=scope, session="s1")
            text = (await analysis.execute_code(code)).text
            await analysis.close()
            return text

        assert "zebra" in await run("hits = await search('zebra')\nhits", None)
        assert "NameError" in await run("hits", narrow)
        assert "-> []" in await run(
            "hits = [r for r in await search('zebra') if 'zebra' in r['content']]\nhits", narrow
        )
        assert "-> []" in await run("hits", narrow)
        assert "zebra" in await run("hits", None)


async def test_an_empty_scope_is_an_empty_corpus(corpora: tuple[Corpus, Corpus, Outside], sandbox: Sandbox) -> None:
    _, whole, _ = corpora
    analysis = Analysis(with_corpus(whole), sandbox, scope=Scope(where={"kind": "none"}))
    assert "0 of 0 passages, 0 documents; scope 0 documents, 0 unreadable" in await analysis.search("harbour")
    code = "import os\n(os.listdir('/documents'), await list_documents(), grep('.'), list(_unreadable))"
    assert (await analysis.execute_code(code)).result.value == "([], [], [], [])"
    await analysis.close()
