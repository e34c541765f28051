"""A small corpus about a harbour, written for these tests and converted once; a sandbox that the tests share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from glossator.analysis import Analysis, analysis_sandbox
from glossator.corpus import Corpus
from glossator.sandbox import Sandbox

LEASE = """\
# Lease of pier 4

## 1 Rent

The tenant shall pay EUR 1,200 per month in advance, on the third working day.

## 2 Liability

### 2.1 Cap

Aggregate liability of either party shall not exceed EUR 2,000,000 in any year.

### 2.2 Fees

| Item | Amount |
|---|---|
| Water | 120 |
| Power | 80 |
"""
RULES = """\
# Harbour rules

## Berths

The north quay has 14 berths. A berth costs 130 crowns for each night.

## Speed

No vessel may pass the breakwater faster than 4 knots. The limit of liability is set by the lease.

| Vessel | Amount |
|---|---|
| Orca | 40 |
| Tern | 25.5 |
"""
NOTICE = "Notice to mariners. The harbour is closed on 3 May 2026. The term of notice is ninety days.\n"
LIGHT = (
    "The lighthouse on Gull Rock was lit in 1887. Its keeper was Ada Brandt, who kept it for the harbour until 1911.\n"
)
FILES = {"lease.md": LEASE, "rules.md": RULES, "notice.txt": NOTICE, "light.txt": LIGHT}


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"  # for the whole session, since the sandbox below lives that long


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a corpus with the documents above."""
    sources, folder = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("corpus") / "corpus"
    for name, text in FILES.items():
        (sources / name).write_text(text)

    async def fill() -> None:
        async with await Corpus.open(folder, create=True) as corpus:
            outcomes = [outcome async for outcome in corpus.add([sources])]
        assert {outcome.status for outcome in outcomes} == {"added"}, outcomes

    asyncio.run(fill())
    return folder


@pytest.fixture(scope="session")
async def sandbox() -> AsyncIterator[Sandbox]:
    async with analysis_sandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
async def corpus(folder: Path) -> AsyncIterator[Corpus]:
    async with await Corpus.open(folder) as corpus:
        yield corpus


@pytest.fixture
async def analysis(corpus: Corpus, sandbox: Sandbox) -> AsyncIterator[Analysis]:
    async def opened() -> Corpus:
        return corpus

    analysis = Analysis(opened, sandbox)
    await analysis.question("What does the lease say?")
    yield analysis
    await analysis.close()
