"""The example package, installed as anybody would install it, in every command that opens the corpus."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from glossator.analysis import ask
from glossator.corpus import Corpus, Hook, SearchRequest

from .conftest import Glossator, run, write

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "glossary"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment with the example installed beside everything else."""
    folder = tmp_path_factory.mktemp("site")
    source = write(tmp_path_factory.mktemp("glossary"), {path.name: path.read_bytes() for path in EXAMPLE.iterdir()})
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--target", folder, source], check=True, capture_output=True)
    return {"PYTHONPATH": str(folder), "GLOSSATOR_HOOKS": "glossary, definitions"}


def test_the_example_works_in_every_command(installed: dict[str, str], tmp_path: Path) -> None:
    write(tmp_path / "docs", {"radio.md": "Ships use the very high frequency radio on channel 12.\n"})
    place = ("--corpus", str(tmp_path / "c"))
    assert run("add", str(tmp_path / "docs"), *place).code == 0  # before there were hooks
    write(tmp_path / "docs", {"terms.md": "Cap means the limit of liability.\n\nEvery VHF set is tested in May.\n"})
    assert run("add", str(tmp_path / "docs"), *place, env=installed).code == 0
    found = run("search", "VHF", "--mode", "fulltext", *place, env=installed)
    assert "channel 12" in found.out and "Note: VHF: very high frequency radio" in found.out
    assert "channel 12" not in run("search", "VHF", "--mode", "fulltext", *place).out
    code = "[r['annotations'] for r in await search('VHF set') if 'VHF' in r['content']]"
    assert run("exec", "-c", code, *place, env=installed).out == "[['VHF: very high frequency radio']]\n"
    write(tmp_path / "docs", {"radio.md": "Draught means the depth under water.\n"})
    run("add", str(tmp_path / "docs"), *place)  # without hooks: the table is behind
    filled = [sys.executable, "-m", "glossator_glossary", str(tmp_path / "c")]
    from .conftest import environment

    told = subprocess.run(filled, capture_output=True, text=True, env=environment(installed), check=True)
    assert told.stdout == "Cap: the limit of liability\nDraught: the depth under water\n"
    assert run("rm", "--purge", "terms.md", *place, env=installed).code == 0
    told = subprocess.run(filled, capture_output=True, text=True, env=environment(installed), check=True)
    assert told.stdout == "Draught: the depth under water\n"


def test_a_hook_that_is_not_installed_is_an_error_at_the_start(glossator_here: Glossator, corpus: Path) -> None:
    told = glossator_here("ls", "--corpus", str(corpus), env={"GLOSSATOR_HOOKS": "glossary"})
    assert (told.code, told.out) == (1, "") and "no hook 'glossary' is installed" in told.err


@pytest.mark.anyio
async def test_a_question_to_a_folder_goes_through_hooks(corpus: Path) -> None:
    asked: list[str] = []

    class Listening(Hook):
        async def before_search(self, client: Corpus, request: SearchRequest) -> SearchRequest:
            asked.append(request.query)
            return request

    answer = await ask("When was the lighthouse on Gull Rock lit?", corpus=corpus, hooks=[Listening()])
    assert asked and "1887" in answer.text
