"""`glossator collections`: named sets of documents, and what is in them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from .. import console
from ..configuration import Configuration
from ..options import configured, json_option, named, pairs

if TYPE_CHECKING:
    from ...corpus import Collection, Corpus, Document

T = TypeVar("T")

_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=pairs,
    help="Note this of the collection; may be repeated.",
)
_description = click.option("--description", metavar="TEXT", help="What is in it, for people and agents.")
_documents = click.argument("documents", nargs=-1, required=True, metavar="DOC...", callback=named)


@click.group("collections", invoke_without_command=True, short_help="Name sets of documents, to search in them only.")
@json_option
@configured
@click.pass_context
def command(context: click.Context, configuration: Configuration, as_json: bool) -> None:
    """List the collections, or make, change and delete them.

    A document can be in any number of collections and is stored once. Other commands are limited to a collection by
    --collection NAME.
    """
    if context.invoked_subcommand is None:
        _list(configuration, as_json)


@command.command("list")
@json_option
@configured
def list_(configuration: Configuration, as_json: bool) -> None:
    """List the collections."""
    _list(configuration, as_json)


@command.command("create")
@click.argument("name")
@_description
@_option
@json_option
@configured
def create(
    configuration: Configuration, name: str, description: str | None, options: Sequence[tuple[str, str]], as_json: bool
) -> None:
    """Make an empty collection."""
    made = _with(configuration, lambda corpus: corpus.collections.create(name, description or "", options))
    _tell(made, None, as_json)


@command.command("show")
@click.argument("name")
@json_option
@configured
def show(configuration: Configuration, name: str, as_json: bool) -> None:
    """Print what a collection is, and the documents in it."""
    found, documents = _with(configuration, lambda corpus: _shown(corpus, name))
    _tell(found, documents, as_json)


@command.command("describe")
@click.argument("name")
@_description
@_option
@click.option("--rename", metavar="NEW", help="Call it so from now on.")
@json_option
@configured
def describe(
    configuration: Configuration,
    name: str,
    description: str | None,
    options: Sequence[tuple[str, str]],
    rename: str | None,
    as_json: bool,
) -> None:
    """Change a collection's description, options or name.

    An option replaces those of the same name; NAME= without a value removes them.
    """

    async def change(corpus: Corpus) -> Collection:
        collections = corpus.collections
        changed = await collections.describe(name, description, options)
        return changed if rename is None else await collections.rename(changed.name, rename)

    _tell(_with(configuration, change), None, as_json)


@command.command("add")
@click.argument("name")
@_documents
@json_option
@configured
def add(configuration: Configuration, name: str, documents: Sequence[str], as_json: bool) -> None:
    """Put documents of the corpus into a collection.

    DOC is an id or the beginning of one, a path, a file name, a URI or a title.
    """
    _moved("added", _with(configuration, lambda corpus: corpus.collections.add(name, documents)), as_json)


@command.command("remove")
@click.argument("name")
@_documents
@json_option
@configured
def remove(configuration: Configuration, name: str, documents: Sequence[str], as_json: bool) -> None:
    """Take documents out of a collection; they stay in the corpus."""
    _moved("removed", _with(configuration, lambda corpus: corpus.collections.remove(name, documents)), as_json)


@command.command("delete")
@click.argument("name")
@configured
def delete(configuration: Configuration, name: str) -> None:
    """Delete a collection; its documents stay in the corpus."""
    _with(configuration, lambda corpus: corpus.collections.delete(name))
    console.write(f"deleted {name!r}; its documents stay")


def _with(configuration: Configuration, act: Callable[[Corpus], Awaitable[T]]) -> T:
    import asyncio

    from ..corpora import existing

    async def acted() -> T:
        async with existing(configuration) as corpus:
            return await act(corpus)

    return asyncio.run(acted())


async def _shown(corpus: Corpus, name: str) -> tuple[Collection, list[Document]]:
    from ...corpus import Scope

    found = await corpus.collections.get(name)
    async with await corpus.snapshot(Scope(collections=frozenset({found.name}))) as snapshot:
        return found, list(snapshot.documents.values())


def _list(configuration: Configuration, as_json: bool) -> None:
    found = _with(configuration, lambda corpus: corpus.collections.all())
    if as_json:
        console.write_json([collection.as_dict() for collection in found])
    elif found:
        rows = [(each.name, str(each.document_count), each.description) for each in found]
        console.table(("collection", "documents", "description"), rows, cut=("description",))
    else:
        console.message("No collections yet: glossator collections create NAME")


def _tell(collection: Collection, documents: Sequence[Document] | None, as_json: bool) -> None:
    if as_json:
        inside = {} if documents is None else {"documents": [document.id for document in documents]}
        console.write_json(collection.as_dict() | inside)
        return
    console.write(f"{console.one_line(collection.name)}: {collection.document_count} documents")
    if collection.description:
        console.write(collection.description)
    for option in collection.options:
        console.write(f"{option.name} = {console.one_line(option.value)}")
    if documents:
        console.write("")
        console.table(("id", "title"), [(each.id, each.title) for each in documents], cut=("title",))


def _moved(how: str, documents: Sequence[Document], as_json: bool) -> None:
    if as_json:
        console.write_json([{"id": each.id, "title": each.title, "uri": each.uri} for each in documents])
        return
    for each in documents:
        console.write(f"{how} {each.id}  {console.one_line(each.title)}")
    if not documents:
        console.message(f"Nothing to change: none was {how}.")
