"""Pictures on the command line and over MCP."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastmcp import Client
from mcp_types import ImageContent, TextContent

from glossator.analysis import Analysis
from glossator.service.configuration import configure
from glossator.service.conversations import Conversations
from glossator.service.corpora import LateCorpus
from glossator.service.mcp import build

from ..corpus.drawings import CAPTION, drawn, file, in_html
from .conftest import Glossator, run_here
from .scripted import Message, calls, says, serving

pytestmark = pytest.mark.anyio

PICTURE = file(drawn(200, 100))


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("shown")
    (folder / "survey.html").write_bytes(in_html(PICTURE))
    ran = run_here("add", str(folder / "survey.html"), "--corpus", str(folder / "corpus"))
    assert (ran.code, ran.err) == (0, "")
    yield folder / "corpus"


@pytest.mark.parametrize("pictures", [True, False])
async def test_search_results_carry_their_pictures(shown: Path, pictures: bool) -> None:
    async with (
        LateCorpus(configure(str(shown), {})) as late,
        Conversations(lambda: Analysis(late.open, None)) as conversations,
        Client(build(conversations, code=False, pictures=pictures)) as connected,
    ):
        result = await connected.call_tool("analysis_search", {"query": "crack in the gate"})
        text, *images = result.content
        assert isinstance(text, TextContent) and CAPTION in text.text and "New session" in text.text
        assert "Type: picture" in text.text and ("Type: picture   Image: 1" in text.text) is pictures
        assert result.structured_content is None
        if pictures:
            (image,) = images
            assert isinstance(image, ImageContent) and image.mime_type == "image/png"
            assert base64.b64decode(image.data) == PICTURE
        else:
            assert not images


def test_show_writes_a_picture(shown: Path, glossator: Glossator, glossator_here: Glossator, tmp_path: Path) -> None:
    told = glossator_here("show", "survey.html", "#/pictures/0", "--json", "--corpus", str(shown)).json
    assert base64.b64decode(told.pop("data")) == PICTURE
    assert told == {"ref": "#/pictures/0", "media_type": "image/png", "width": 200, "height": 100}
    ran = glossator_here("show", "survey.html", "#/pictures/7", "--corpus", str(shown))
    assert ran.code == 1 and "keeps no picture #/pictures/7; `glossator show" in ran.err
    ran = glossator_here("show", "survey.html", "pictures", "--corpus", str(shown))
    assert ran.code == 2


def test_an_image_comes_with_a_question(shown: Path, glossator_here: Glossator, tmp_path: Path) -> None:
    mine = file(drawn(90, 90, "green"))
    (tmp_path / "mine.png").write_bytes(mine)
    refusal = [calls("analysis_cite", chunk_ids=[]), says("The documents do not answer this question.")]
    with serving(calls("analysis_search", query="crack in the gate"), *refusal) as script:
        env = {"OPENAI_BASE_URL": script.url, "OPENAI_API_KEY": "unused"}
        question = ("ask", "Is this allowed?", "--image", str(tmp_path / "mine.png"), "--model", "openai:scripted")
        ran = glossator_here(*question, "--corpus", str(shown), env=env)
    assert (ran.code, ran.err) == (0, "") and ran.out.startswith("No evidence in the corpus")
    assert images(script.requests[0]["messages"]) == [mine]
    assert images(script.requests[1]["messages"]) == [mine, PICTURE]
    (text,) = [message["content"] for message in script.requests[1]["messages"] if message["role"] == "tool"]
    assert text.startswith("2 of 2 passages, 1 document")


def images(messages: list[Message]) -> list[bytes]:
    contents = [message["content"] for message in messages if isinstance(message["content"], list)]
    uris = [part["image_url"]["url"] for content in contents for part in content if part["type"] == "image_url"]
    return [base64.b64decode(uri.partition(",")[2]) for uri in uris]


def test_an_image_needs_a_model(shown: Path, glossator_here: Glossator, tmp_path: Path) -> None:
    (tmp_path / "mine.png").write_bytes(PICTURE)
    ran = glossator_here("ask", "Is this allowed?", "--image", str(tmp_path / "mine.png"), "--corpus", str(shown))
    assert ran.code == 1 and "does not see images: name a language model" in ran.err and "Traceback" not in ran.err
