"""`glossator ask`: an answer with its citations, the computation behind it, or an open refusal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from .. import console
from ..configuration import Configuration
from ..failures import Failure
from ..options import configured, json_option, named, pictures_option
from ..scoping import Choice, scoped

if TYPE_CHECKING:
    from ...analysis import Answer, CitationMissing
    from ...analysis.results import Cell, Citation, Computation

UNGROUNDED = "No evidence in the corpus"
HEAD_LINES = 3  # of an earlier cell's code and output, for people
HEAD_CHARS = 100  # of such a line


@click.command("ask", short_help="Answer a question, with citations.")
@click.argument("words", nargs=-1, required=True, metavar="QUESTION...")
@click.option(
    "--model",
    metavar="PROVIDER:NAME",
    help="Language model that answers, such as openai:gpt-5 (also GLOSSATOR_MODEL) [default: none, passages by rule].",
)
@click.option(
    "--image",
    "images",
    multiple=True,
    metavar="FILE",
    callback=named,
    help="A picture that the question is about; may be repeated. It needs a model that sees.",
)
@pictures_option
@scoped
@json_option
@configured
def command(
    configuration: Configuration, words: Sequence[str], model: str | None, choice: Choice, as_json: bool, **looks: Any
) -> None:
    """Answer a question from the documents, with citations.

    Without a language model the built-in answerer quotes the best passage, or counts and lists by code. A refusal for
    lack of evidence is an answer too (exit code 0).
    """
    import asyncio

    question = " ".join(words).strip()
    if not question:
        raise click.UsageError("the question is empty")
    from ...analysis import CitationMissing

    try:
        answer = asyncio.run(_ask(configuration, choice, question, model=model or configuration.model, **looks))
    except CitationMissing as error:
        raise Failure(_uncited(error)) from error
    if as_json:
        console.write_json(answer.as_dict())
    else:
        console.write("\n".join(_page(answer)))


async def _ask(configuration: Configuration, choice: Choice, question: str, **options: Any) -> Answer:
    from ...analysis import ask
    from ..corpora import existing

    async with existing(configuration) as corpus:
        scope = await choice.scope(corpus)
        return await ask(question, corpus=corpus, scope=scope, files=configuration.files, **options)


def _uncited(error: CitationMissing) -> str:
    from ...analysis.text import quoted

    return f"{error}\nThe draft, which is not an answer:\n{quoted(error.draft)}"


def _page(answer: Answer) -> Iterator[str]:
    if not answer.grounded:
        yield f"{UNGROUNDED}\n"
    yield answer.text
    for number, citation in enumerate(answer.citations, 1):
        yield from _citation(number, citation)
    for computation in answer.computations:
        yield from _aside(computation) if answer.citations else _computation(computation)
    yield f"\nModel: {answer.model}"
    if answer.note:
        yield answer.note


def _citation(number: int, citation: Citation) -> Iterator[str]:
    from ...analysis.text import place_text, quoted

    place = place_text(citation.title, citation.document_id, citation.page_numbers, citation.headings)
    yield f"\n[{number}] {place}\n{quoted(citation.text)}"


def _computation(computation: Computation) -> Iterator[str]:
    """The cell that gave the answer first and whole; those that led to it are cut to what tells them apart."""
    *earlier, last = computation.cells
    yield f"\nComputed from {_coverage(computation)}."
    yield from _cell(last, last.code.strip().splitlines(), last.output.splitlines())
    if earlier:
        yield "\nBefore it, shortened (--json shows all):"
    for cell in earlier:
        yield from _cell(cell, _head(cell.code.strip()), _head(cell.output))


def _cell(cell: Cell, code: Sequence[str], output: Sequence[str]) -> Iterator[str]:
    from ...analysis.text import quoted

    yield f"\nCell {cell.number}:"
    yield from (f"    {line}" for line in code)
    yield quoted("\n".join(output)) if cell.output.strip() else "(no output)"


def _head(text: str) -> list[str]:
    lines = text.splitlines()
    head = [line if len(line) <= HEAD_CHARS else f"{line[: HEAD_CHARS - 1]}…" for line in lines[:HEAD_LINES]]
    more = len(lines) - len(head)
    return [*head, f"… {more} more {'line' if more == 1 else 'lines'}"] if more else head


def _aside(computation: Computation) -> Iterator[str]:
    """The answer rests on passages; code that ran on the way is named, not shown."""
    yield f"\nCode read {_coverage(computation)}; --json shows it."


def _coverage(computation: Computation) -> str:
    count = f"{computation.documents_in_scope} {'document' if computation.documents_in_scope == 1 else 'documents'}"
    if not computation.documents_read:  # a computation that opened no file asked which documents there are
        return f"the list of {count}"
    unreadable = f", {computation.unreadable} unreadable" if computation.unreadable else ""
    return f"{computation.documents_read} of {count}{unreadable}"
