"""`--document` and `--where` on every command that reads, and `glossator export`."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from glossator.service.commands import ask, exec, export, ls, mcp, search
from glossator.service.scoping import Choice, scoped

from .conftest import Glossator


@pytest.fixture
def at(corpus: Path) -> tuple[str, str]:
    return ("--corpus", str(corpus))


def titles(ran) -> list[str]:
    assert (ran.code, ran.err) == (0, "")
    return [each["title"] for each in ran.json]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), ["fees.csv", "Harbour rules", "lighthouse.txt"]),
        (("--where", "year=2031"), ["Harbour rules"]),
        (("--where", "year>=2000", "--where", "year<2031"), []),
        (("--where", "year>2000", "--where", "year<=2031"), ["Harbour rules"]),
        (("--where", '{"year": {">=": 2000}}'), ["Harbour rules"]),
        (("--where", "origin = harbour office"), ["fees.csv", "Harbour rules", "lighthouse.txt"]),
        (("--where", "title=fees.csv", "--where", "title=lighthouse.txt"), ["fees.csv", "lighthouse.txt"]),
        (("--where", "title!=fees.csv", "--where", "title!=lighthouse.txt"), ["Harbour rules"]),
        (("--document", "fees.csv"), ["fees.csv"]),
        (("--document", "fees.csv", "--document", "Harbour rules"), ["fees.csv", "Harbour rules"]),
        (("--document", "fees.csv", "--document", "Harbour rules", "--where", "year=2031"), ["Harbour rules"]),
    ],
    ids=str,
)
def test_what_is_chosen(
    glossator_here: Glossator, at: tuple[str, str], options: tuple[str, ...], expected: list[str]
) -> None:
    ran = glossator_here("ls", "--json", *options, *at)
    assert (ran.code, [each["title"] for each in ran.json]) == (0, expected)
    assert ran.err == ("" if expected else "No document meets the conditions: nothing is in scope.\n")


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("year", "write KEY=VALUE"),
        ("=2031", "write KEY=VALUE"),
        ("", "write KEY=VALUE"),
        ("{year: 3}", "is no condition"),
        ('{"year": {"~": 3}}', "the comparisons are = !="),
        ("[1]", "write KEY=VALUE"),
    ],
)
def test_what_is_no_condition_is_wrong_usage(
    glossator_here: Glossator, at: tuple[str, str], condition: str, told: str
) -> None:
    ran = glossator_here("ls", "--where", condition, *at)
    assert ran.code == 2 and told in ran.err and ran.out == ""


def test_bounds_of_the_same_kind_contradict_each_other(glossator_here: Glossator, at: tuple[str, str]) -> None:
    ran = glossator_here("ls", "--where", "year>1", "--where", "year>2", *at)
    assert ran.code == 2 and "'year' is compared by > twice" in ran.err


@pytest.mark.parametrize("command", [ask, exec, export, ls, mcp, search], ids=lambda module: module.__name__)
def test_every_reading_command_can_be_limited(command) -> None:
    names = {option for each in command.command.params for option in each.opts}
    assert {"--document", "--where"} <= names


def test_an_unknown_document_is_an_error_that_names_the_nearest(glossator_here: Glossator, at: tuple[str, str]) -> None:
    ran = glossator_here("search", "--document", "lighthouse.tx", "keeper", *at)
    assert ran.code == 1 and "did you mean lighthouse.txt?" in ran.err


def test_search_and_ask_keep_to_the_scope(glossator_here: Glossator, at: tuple[str, str]) -> None:
    narrow = ("--document", "fees.csv", *at)
    found = glossator_here("search", "--json", "keeper of the lighthouse", *narrow)
    assert {each["document_title"] for each in found.json} <= {"fees.csv"}
    assert "scope 1 document, 0 unreadable" in glossator_here("search", "keeper", *narrow).out
    whole = glossator_here("ask", "--json", "Who was the keeper of the lighthouse?", *at).json
    assert whole["grounded"] and "Brandt" in whole["text"]
    answer = glossator_here("ask", "--json", "Who was the keeper of the lighthouse?", *narrow).json
    assert not answer["grounded"] and "Brandt" not in json.dumps(answer)


def test_cells_keep_to_the_scope_and_a_session_to_its_own(glossator: Glossator, own_corpus: Path) -> None:
    at = ("--corpus", str(own_corpus), "--session", "s")
    code = "found = {r['document_title'] for r in await search('keeper')}; len(await list_documents()), sorted(found)"
    every = "(3, ['Harbour rules', 'fees.csv', 'lighthouse.txt'])\n"
    assert glossator("exec", "-c", code, *at).out == every
    narrow = ("--document", "fees.csv", *at)
    ran = glossator("exec", "-c", "found", *narrow)
    assert ran.code == 1 and "NameError" in ran.err and "lighthouse" not in ran.out + ran.err
    assert glossator("exec", "-c", code, *narrow).out == "(1, ['fees.csv'])\n"
    assert "lighthouse" in glossator("exec", "-c", "found", *at).out  # and the session of the whole corpus goes on
    assert glossator("exec", "-c", "found", *narrow).out == "{'fees.csv'}\n"


def test_export_writes_what_show_prints(glossator_here: Glossator, at: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = glossator_here("export", str(out), "--json", *at)
    assert (ran.code, ran.json["folder"], ran.json["documents"]) == (0, str(out), 3)
    for document in glossator_here("ls", "--json", *at).json:
        for kind in export.FILES:
            shown = glossator_here("show", document["id"], kind, *at).out
            assert (out / document["id"] / kind).read_bytes().decode() == shown
    again = glossator_here("export", str(out), *at)
    assert (again.code, again.out) == (1, "") and "is not empty: an export overwrites nothing" in again.err


def test_export_of_some_files_of_some_documents(glossator_here: Glossator, at: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    chosen = ("--only", "content.txt", "--only", "toc.json", "--where", "year=2031")
    ran = glossator_here("export", str(out), *chosen, *at)
    assert (ran.code, ran.err) == (0, "") and ran.out.startswith("exported 1 document, ")
    assert sorted(path.name for path in out.glob("*/*")) == ["content.txt", "toc.json"]
    assert glossator_here("export", "", *at).code == 2


def test_nothing_chosen_is_the_whole_corpus() -> None:
    seen: list[Choice] = []
    command = click.command()(scoped(lambda choice: seen.append(choice)))
    command.main([], standalone_mode=False)
    assert seen == [Choice()] and not seen[0]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", ["fees.csv", "Harbour rules", "lighthouse.txt"]),
        ('{"documents": ["fees.csv"]}', ["fees.csv"]),
        ('{"where": {"year": {">=": 2000}}}', ["Harbour rules"]),
        ('{"documents": ["fees.csv"], "where": {"year": 2031}}', []),
    ],
)
def test_the_environment_chooses_where_no_option_does(
    glossator_here: Glossator, at: tuple[str, str], given: str, expected: list[str]
) -> None:
    env = {"GLOSSATOR_SCOPE": given}
    assert [each["title"] for each in glossator_here("ls", "--json", *at, env=env).json] == expected
    assert len(glossator_here("ls", "--json", "--document", "lighthouse.txt", *at, env=env).json) == 1


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("leases", "Expecting value"),
        ("{}", "not empty"),
        ("[]", "must be an object"),
        ('{"document": ["fees.csv"]}', "unknown key 'document'"),
        ('{"documents": "fees.csv"}', "documents must be a list of names"),
        ('{"documents": []}', "documents must be a list of names"),
        ('{"where": {"year": {"~": 1}}}', "the comparisons are"),
        ('{"where": 3}', "where must be a dict"),
    ],
)
def test_a_scope_of_the_environment_that_is_none_is_refused(
    glossator_here: Glossator, at: tuple[str, str], given: str, told: str
) -> None:
    """A scope that is misread would be too wide."""
    ran = glossator_here("ls", *at, env={"GLOSSATOR_SCOPE": given})
    assert (ran.code, ran.out) == (1, "") and "GLOSSATOR_SCOPE is " in ran.err and told in ran.err
