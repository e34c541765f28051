"""The README and the pages of `docs/`: every block that can be run is run on the sample documents, and says the truth.

Blocks of "console" hold commands behind `$ ` with their output; ids, times, scores, counts and paths may differ,
and a line `…` stands for any lines. With "fails" after "console" the commands exit with 1. Blocks of "python" are whole
programs; the built-in answerer takes the place of the language model that they name. Other blocks are not run.

GLOSSATOR_UPDATE_DOCS=1 writes what the commands print now into the pages (blocks with `…` are left alone).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest

from glossator.sandbox import Limits
from glossator.sandbox.modules import ALLOWED
from glossator.service.program import COMMANDS, cli
from glossator.vfs.guest import install

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md")))
UPDATE = bool(os.environ.get("GLOSSATOR_UPDATE_DOCS"))
HOME = "/home/you"  # what stands in the pages for the folder in which they are run
ANYTHING = "…"

_BLOCK = re.compile(r"^```(\w+)( fails)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_END_OF_COMMAND = re.compile(r"\n@@ (\d+)\n")

# What may differ between two runs, or two machines: pattern -> what stands for it when texts are compared.
_VARIABLE = (
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"), "UUID"),
    (re.compile(r"\[[0-9a-f]{8}\]"), "[ID]"),
    (re.compile(r"\([a-z2-7]{10}\)"), "(DOCUMENT)"),
    (re.compile(r"(?<=/documents/)[a-z2-7]{10}\b"), "DOCUMENT"),
    (re.compile(r"^(removed )?[a-z2-7]{10}(?=  )", re.MULTILINE), r"\1DOCUMENT"),
    (re.compile(r"(['\"])[a-z2-7]{10}\1"), r"\1DOCUMENT\1"),
    (re.compile(r"\b\d+ passages, \d+ documents"), "N passages, N documents"),  # how search ranks may still change
    (re.compile(r"\bsession \w+"), "session ID"),
    (re.compile(r"\d+(\.\d+)?(?= s\b)"), "N"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)?"), "TIME"),
    (re.compile(r'("score"|"wall_s"): [\d.e-]+'), r"\1: N"),
    (re.compile(r" +$", re.MULTILINE), ""),
)  # fmt: skip


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    language: str
    exit_code: int
    text: str

    @property
    def commands(self) -> list[tuple[str, str]]:
        """Pairs of command and output."""
        parts = re.split(r"^\$ (.*(?:\\\n.*)*)\n", self.text, flags=re.MULTILINE)
        return list(zip(parts[1::2], parts[2::2], strict=True))


def blocks(page: str) -> Iterator[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    for match in _BLOCK.finditer(text):
        yield Block(page, text.count("\n", 0, match.start()) + 1, match[1], int(bool(match[2])), match[3])


def normal(text: str) -> str:
    for pattern, stand_in in _VARIABLE:
        text = pattern.sub(stand_in, text)
    return text.strip()


def matches(documented: str, printed: str) -> bool:
    parts = [re.escape(part.strip("\n")) for part in re.split(rf"^{ANYTHING}$", normal(documented), flags=re.MULTILINE)]
    return re.fullmatch(".*".join(parts), normal(printed), re.DOTALL) is not None


def environment(folder: Path) -> dict[str, str]:
    keep = {key: value for key, value in os.environ.items() if not key.startswith(("GLOSSATOR_", "PYTEST_", "COV_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**keep, "PATH": path, "HOME": str(folder), "COLUMNS": "100", "NO_COLOR": "1"}


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample documents, and a corpus `harbour` of them."""
    folder = tmp_path_factory.mktemp("desk")
    shutil.copytree(ROOT / "samples" / "documents", folder / "samples" / "documents")
    command = [Path(sys.executable).with_name("glossator"), "--corpus", "harbour", "add", "samples/documents"]
    subprocess.run(command, cwd=folder, env=environment(folder), check=True, capture_output=True)
    return folder


@pytest.fixture
def place(request: pytest.FixtureRequest, desk: Path, tmp_path: Path) -> Path:
    """Where a page is run: the README makes its own corpus, the others find one."""
    if request.node.callspec.params["page"] != "README.md":
        return desk
    shutil.copytree(ROOT / "samples" / "documents", tmp_path / "samples" / "documents")
    return tmp_path


def run_commands(found: list[Block], folder: Path) -> list[tuple[int, str]]:
    """Run every command of a page in one shell; exit code and output of each."""
    commands = [command for block in found for command, _ in block.commands]
    script = "exec 2>&1\n" + "".join(f"{{ {command}\n}} </dev/null; printf '\\n@@ %s\\n' $?\n" for command in commands)
    corpus = {"GLOSSATOR_CORPUS": "harbour"} if (folder / "harbour").is_dir() else {}
    variables = {**environment(folder), **corpus}
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=variables, capture_output=True, text=True, check=False
    )
    parts = _END_OF_COMMAND.split(done.stdout.replace(str(folder), HOME))
    return [(int(code), output) for output, code in zip(parts[0::2], parts[1::2], strict=False)]


def update(page: str, block: Block, outputs: list[str]) -> None:
    if ANYTHING in block.text.splitlines():
        return
    pairs = zip(block.commands, outputs, strict=True)
    fresh = "".join(f"$ {command}\n{output}" for (command, _), output in pairs)
    path = ROOT / page
    path.write_text(path.read_text(encoding="utf-8").replace(block.text, fresh, 1), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_commands_print_what_the_page_says(page: str, place: Path) -> None:
    found = [block for block in blocks(page) if block.language == "console"]
    results = iter(run_commands(found, place))
    wrong = []
    for block in found:
        outputs = []
        for command, documented in block.commands:
            code, printed = next(results)
            outputs.append(printed)
            if code != block.exit_code or not (UPDATE or matches(documented, printed)):
                wrong.append(f"{page}:{block.line}: $ {command}\n[exit code {code}]\n{printed}")
        if UPDATE:
            update(page, block, outputs)
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if any(b.language == "python" for b in blocks(page))])
def test_programs_run(page: str, desk: Path) -> None:
    for block in blocks(page):
        if block.language == "python":
            source = re.sub(r'"openai:[\w.-]+"', "ExtractiveModel()", block.text)
            if source != block.text:
                source = f"from glossator.analysis.extractive import ExtractiveModel\n{source}"
            command = [sys.executable, "-W", "error", "-c", source]
            done = subprocess.run(command, cwd=desk, env=environment(desk), capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{page}:{block.line}\n{done.stderr}"
            assert done.stdout, f"{page}:{block.line} prints nothing"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_in_the_reference(name: str) -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## glossator {name}\n")[2].partition("\n## ")[0]
    assert section, f"no section for glossator {name}"
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            for spelling in (*parameter.opts, *parameter.secondary_opts):
                assert re.search(rf"(?<![\w-]){re.escape(spelling)}(?![\w-])", section), f"{name} {spelling}"


def test_the_reference_has_no_command_that_is_gone() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert re.findall(r"^## glossator (\w+)$", page, re.MULTILINE) == list(COMMANDS)


def test_the_reference_names_every_variable_of_the_environment() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    read = {
        name for path in (ROOT / "service").rglob("*.py") for name in re.findall(r"GLOSSATOR_[A-Z_]+", path.read_text())
    }
    assert {name for name in read if name not in page} == set()


def test_the_sandbox_page_names_the_limits() -> None:
    page = (ROOT / "docs" / "sandbox.md").read_text(encoding="utf-8")
    limits = Limits()
    section = page.partition("\n## Limits\n")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|", section, re.MULTILINE))
    assert rows["time of a cell"] == f"{limits.wall_s:g} s"
    assert rows["memory"] == f"{limits.memory_mb} MiB"
    assert rows["output shown"] == f"{limits.output_chars:,} characters"
    assert rows["host calls"] == f"{limits.host_calls:,} per cell"
    assert rows["bytes read"] == f"{limits.read_bytes >> 30} GiB per cell"


def test_the_sandbox_page_names_the_modules_that_cells_may_import() -> None:
    page = (ROOT / "docs" / "sandbox.md").read_text(encoding="utf-8")
    table = page.partition("\n## Modules\n")[2].partition("\n## ")[0].partition("|---|---|")[2]
    named = set(re.findall(r"`([\w.]+)`", table)) - {"ast.literal_eval"}
    assert named == {*ALLOWED, *_modules_of_the_file_system()}


def _modules_of_the_file_system() -> set[str]:
    class Nobody:
        def request(self, header: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
            raise AssertionError(header)

        def ask(self, header: dict[str, Any]) -> int:
            raise AssertionError(header)

        def answer(self, number: int) -> tuple[dict[str, Any], list[bytes]]:
            raise AssertionError(number)

        def forget(self, number: int) -> None:
            raise AssertionError(number)

    return set(install(Nobody()).modules)


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = [target.partition("#")[0] for target in re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", text)]
    missing = [target for target in targets if target and not ((ROOT / page).parent / target).exists()]
    assert not missing


def test_the_readme_begins_with_the_two_commands() -> None:
    first = next(blocks("README.md"))
    assert [line.split("#")[0].strip() for line in first.text.splitlines()] == ["make demo", "make test"]
