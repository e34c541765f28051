"""Pictures: shown to models that see, whether they are found in the corpus or come with the question."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic_ai import BinaryContent, ModelHTTPError, ModelMessage, ModelResponse, UserPromptPart
from pydantic_ai.models.function import AgentInfo

from glossator.analysis import Analysis, ImageUnusable, ModelError, ask
from glossator.analysis.looking import MOST
from glossator.corpus import Corpus, Scope

from ..corpus.drawings import CAPTION, drawn, file, in_html
from .playing import Playing, Step, cite, cite_first, first_id, say, search

pytestmark = pytest.mark.anyio

CRACK = "crack in the lower gate"
PICTURES = [file(drawn(100 + number, 80)) for number in range(MOST + 2)]


@pytest.fixture(scope="module")
def shown_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of documents with a picture each."""
    folder = tmp_path_factory.mktemp("pictures")

    async def fill() -> None:
        async with await Corpus.open(folder / "corpus", create=True) as corpus:
            outcomes = [outcome async for outcome in corpus.add([folder / "sources"])]
        assert {outcome.status for outcome in outcomes} == {"added"}, outcomes

    (folder / "sources").mkdir()
    for number, picture in enumerate(PICTURES):
        name = f"survey {number}"
        (folder / "sources" / f"{name}.html").write_bytes(
            in_html(picture).replace(b"gate<", f"gate {number}<".encode())
        )
    asyncio.run(fill())
    return folder / "corpus"


@pytest.fixture
async def shown(shown_folder: Path) -> AsyncIterator[Corpus]:
    async with await Corpus.open(shown_folder) as corpus:
        yield corpus


class Seeing(Playing):
    """Also keeps the pictures that it was shown in each step; as a server of a model that does not see, it refuses."""

    def __init__(self, *steps: Step, refuses: int | None = None) -> None:
        super().__init__(*steps)
        self.found: list[list[bytes]] = []
        self.asked: list[list[bytes]] = []
        self.refuses = refuses

    async def _play(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        prompts = [part.content for part in messages[-1].parts if isinstance(part, UserPromptPart)]
        seen = [picture for content in prompts for picture in _pictures(content)]
        self.asked.append(seen if len(messages) == 1 else [])
        self.found.append(seen if len(messages) > 1 else [])
        if self.refuses and seen:
            self.read.clear()
            raise ModelHTTPError(self.refuses, "blind", {"message": "this model takes no images"})
        return await super()._play(messages, info)


def _pictures(content: object) -> list[bytes]:
    return [each.data for each in content if isinstance(each, BinaryContent)] if isinstance(content, list) else []


def picture_first(read: str) -> Step:
    """Cite the first hit that is a picture."""
    lines = read.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("Type: picture"))
    return cite(first_id(lines[at - 1]))


async def test_hits_that_are_pictures_come_with_them(shown: Corpus) -> None:
    analysis = Analysis(lambda: _ready(shown), None)
    reply = await analysis.search_and_see(CRACK, limit=20)
    heads = [line for line in reply.text.splitlines() if line.startswith("Type: picture")]
    assert len(heads) == len(PICTURES) and len(reply.pictures) == MOST
    assert [line.partition("Image: ")[2] for line in heads] == [*map(str, range(1, MOST + 1)), "", ""]
    assert {picture.data for picture in reply.pictures} <= set(PICTURES)
    text = await analysis.search(CRACK, limit=20)
    assert "Image:" not in text and "Type: picture" in text
    await analysis.close()


async def test_pictures_outside_the_scope_do_not_exist(shown: Corpus) -> None:
    async with await shown.snapshot() as snapshot:
        (only,) = [id for id, document in snapshot.documents.items() if document.name == "survey 1.html"]
    analysis = Analysis(lambda: _ready(shown), None, scope=Scope(documents=frozenset([only])))
    reply = await analysis.search_and_see(CRACK, limit=20)
    assert [picture.data for picture in reply.pictures] == [PICTURES[1]]
    async with await shown.snapshot(Scope(documents=frozenset([only]))) as narrow, await shown.snapshot() as whole:
        other = next(id for id in whole.documents if id != only)
        with pytest.raises(KeyError):
            narrow.picture(other, "#/pictures/0")
    await analysis.close()


async def test_a_model_that_sees_is_shown_what_is_found_and_cites_it(shown: Corpus) -> None:
    model = Seeing(search(CRACK, limit=3), picture_first, say("The lower gate has a crack."))
    answer = await ask("What is on the picture?", corpus=shown, model=model)
    assert model.found[1] and set(model.found[1]) <= set(PICTURES)
    assert answer.grounded and answer.citations[0].text.startswith(CAPTION) and answer.note == ""


@pytest.mark.parametrize("refuses", [400, 415, 422, 500])
async def test_a_model_that_does_not_see_answers_without_pictures(shown: Corpus, refuses: int) -> None:
    model = Seeing(search(CRACK, limit=3), cite_first, say("The lower gate has a crack."), refuses=refuses)
    answer = await ask("What is on the picture?", corpus=shown, model=model)
    assert answer.grounded and "takes no pictures" in answer.note
    told = Seeing(search(CRACK, limit=3), cite_first, say("The lower gate has a crack."), refuses=refuses)
    answer = await ask("What is on the picture?", corpus=shown, model=told, pictures=False)
    assert answer.note == "" and not any(told.found)


async def test_other_failures_are_not_tried_again(shown: Corpus) -> None:
    model = Seeing(search(CRACK, limit=3), cite_first, say("A crack."), refuses=401)
    with pytest.raises(ModelError, match="401"):
        await ask("What is on the picture?", corpus=shown, model=model)
    assert len(model.found) == 2


async def test_an_image_of_the_question_is_seen_and_is_no_evidence(shown: Corpus, tmp_path: Path) -> None:
    """It has no id, is kept nowhere, and an answer that rests on it alone is an open refusal."""
    image = tmp_path / "mine.bmp"
    image.write_bytes(file(drawn(70, 70, "green"), "BMP"))
    before = len(await _documents(shown))
    model = Seeing(search(CRACK), cite("mine.bmp"), cite(), say("The documents do not answer this question."))
    answer = await ask("Is this allowed?", corpus=shown, model=model, images=[image])
    assert len(model.asked[0]) == 1 and model.asked[0][0].startswith(b"\x89PNG")
    assert model.read[0].startswith("['Is this allowed?'") and "Not accepted" in model.read[2]
    assert not answer.grounded and answer.citations == ()
    assert len(await _documents(shown)) == before
    uncited = Seeing(say("The image shows a green gate, which is allowed."))
    with pytest.raises(Exception, match="cite"):
        await ask("Is this allowed?", corpus=shown, model=uncited, images=[image])


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n", "no picture that can be shown"),
        ("a.txt", b"a text", "no picture that can be shown"),
        ("none.png", None, "is no file"),
    ],
)
async def test_what_is_no_image_is_named(
    shown: Corpus, tmp_path: Path, name: str, data: bytes | None, told: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(ImageUnusable, match=told):
        await ask("Is this allowed?", corpus=shown, model=Seeing(say("x")), images=[tmp_path / name])


async def test_the_built_in_answerer_sees_nothing(shown: Corpus, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(file())
    with pytest.raises(ImageUnusable, match="does not see images: name a language model"):
        await ask("Is this allowed?", corpus=shown, images=[tmp_path / "a.png"])


async def _ready(corpus: Corpus) -> Corpus:
    return corpus


async def _documents(corpus: Corpus) -> list[str]:
    async with await corpus.snapshot() as snapshot:
        return list(snapshot.documents)
