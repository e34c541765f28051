"""What the model is taught holds: every snippet runs, every module imports, every name exists."""

from __future__ import annotations

import re

import pytest

from glossator.analysis import Analysis
from glossator.analysis.sandboxes import module_table
from glossator.corpus.documents import FILE_KINDS
from glossator.instructions import load

pytestmark = pytest.mark.anyio

TEXT = load("analysis", modules=module_table())
SNIPPETS = re.findall(r"^([^\n]+):?\n\n```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)

# What the snippets print over the harbour, in their order.
EXPECTED = [
    r"^> 4 documents\n> \d ",
    r"\['120', '80'\]|\[120.0, 80.0\][\s\S]*> total 265.5\n",
    r"> Lease of pier 4 2 Liability \['[0-9a-f-]{36}'[\s\S]*> Aggregate liability of either party",
    r"> limit of liability \| [0-9a-f-]{36} \| ",
    r"> Lease of pier 4 Lease of pier 4 > 2 Liability|> Harbour rules Harbour rules > Speed",
    r"> \['[0-9a-f-]{36}'\] The tenant shall pay EUR 1,200",
]


async def test_every_snippet_runs_and_prints(analysis: Analysis) -> None:
    assert len(SNIPPETS) == len(EXPECTED)
    for (purpose, source), expected in zip(SNIPPETS, EXPECTED, strict=True):
        reply = await analysis.execute_code(source)
        assert reply.result.error is None, f"{purpose}\n{reply.text}"
        assert re.search(expected, reply.text), f"{purpose}\n{reply.text}"


async def test_what_a_snippet_prints_can_be_cited(analysis: Analysis) -> None:
    text = ""
    for _, source in SNIPPETS:
        text = (await analysis.execute_code(source)).text
    ids = re.findall(r"[0-9a-f]{8}-[0-9a-f-]{27}", text)
    assert (await analysis.cite(ids)).startswith(f"Cited {len(set(ids))} of {len(set(ids))}.")


async def test_every_module_can_be_imported(analysis: Analysis) -> None:
    modules = module_table().split(", ")
    assert len(modules) > 40
    source = "\n".join(f"import {name}" for name in modules)
    assert (await analysis.execute_code(source)).result.error is None
    assert f"Modules: {module_table()}\n" in TEXT


@pytest.mark.parametrize(
    "name",
    [
        "json",
        "re",
        "math",
        "Path",
        "Counter",
        "defaultdict",
        "datetime",
        "grep",
        "items",
        "toc",
        "_unreadable",
        "open",
        "_out",
    ],
)
async def test_every_name_is_there_without_import(analysis: Analysis, name: str) -> None:
    assert f"`{name}" in TEXT
    assert (await analysis.execute_code(f"{name} is not None")).text.startswith("-> True")


async def test_grep_gives_what_the_text_says(analysis: Analysis) -> None:
    text = (await analysis.execute_code("m = grep('EUR')\nprint(len(m), m[0])")).text
    assert re.match(r"> 2 ", text), text


async def test_every_file_and_key_of_the_text_exists(analysis: Analysis) -> None:
    source = """
for d in Path("/documents").iterdir():
    meta = json.loads((d / "metadata.json").read_text())
    row = items(d.name)[0]
    chunk = json.loads((d / "chunks.jsonl").read_text().split("\\n")[0])
    tree = toc(d.name)
    if tree["tree"]:
        print(*meta, *row, *chunk, *chunk["metadata"], *tree, *tree["tree"][0], *[f.name for f in d.iterdir()])
"""
    words = set(re.findall(r"[\w.]+", (await analysis.execute_code(source)).text))
    told = {
        *FILE_KINDS,
        *"id title uri created_at metadata updated_at mime_type size page_count language item_count".split(),
        *"chunk_count status reason self_ref label text page_numbers chunk_ids heading_level chunk_id".split(),
        *"doc_item_refs headings".split(),
        *"labels content doc_id tree level item_range children".split(),
    }
    assert told <= words, told - words
    assert told <= set(re.findall(r"[\w.]+", TEXT))


async def test_a_long_output_is_cut_and_stays_whole_in_out(analysis: Analysis) -> None:
    text = (await analysis.execute_code("print('x' * 100_000)")).text
    assert "... (output truncated)" in text and len(text) < 20_000
    assert (await analysis.execute_code("len(_out[1])")).text.startswith("-> 10000")


async def test_writing_raises_permission_error(analysis: Analysis) -> None:
    code = "p = next(Path('/documents').iterdir()) / 'content.txt'\np.write_text('x')"
    assert (await analysis.execute_code(code)).text.startswith("PermissionError: ")
