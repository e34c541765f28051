"""What cells are handed: mutators, listings, shortcuts, and objects that lead nowhere."""

from __future__ import annotations

import errno
import glob
import inspect
import json
import operator
import os
import pathlib
import re
import subprocess
import sys
import types
from typing import Any

import pytest

from glossator.vfs.guest.copies import Copies
from glossator.vfs.guest.documents import KINDS, Documents
from glossator.vfs.guest.system import System
from glossator.vfs.guest.tree import Tree

from .fakes import Line, MemorySnapshot, Mounted, corpus, identifier, readable

DOC = identifier(0)
FILE = f"/documents/{DOC}/content.txt"

# Every way to change something that a program might try, on what exists, what does not, and outside of /documents.
CHANGES = {
    "open w": "open(FILE, 'w')",
    "open a": "open(FILE, 'a')",
    "open x": "open(FILE, 'x')",
    "open r+": "open(FILE, 'r+')",
    "open rb+": "open(FILE, 'rb+')",
    "open w+": "open(FILE, 'w+')",
    "open new": "open('/documents/new.txt', 'w')",
    "open elsewhere": "open('/tmp/out.csv', 'w')",
    "open here": "open('out.csv', 'w', encoding='utf-8')",
    "open a folder": "open('/documents', 'w')",
    "io.open": "io.open(FILE, 'wb')",
    "Path.open": "Path(FILE).open('w')",
    "write_text": "Path(FILE).write_text('x')",
    "write_bytes": "Path('/tmp/x').write_bytes(b'x')",
    "touch": "Path(FILE).touch()",
    "touch new": "Path('/documents/new').touch()",
    "mkdir": "Path('/documents/new').mkdir()",
    "mkdir parents": "Path('/a/b/c').mkdir(parents=True, exist_ok=True)",
    "mkdir that exists": "Path('/documents').mkdir()",
    "rename": "Path(FILE).rename('/documents/x')",
    "replace": "Path(FILE).replace('/documents/x')",
    "Path.unlink": "Path(FILE).unlink()",
    "Path.unlink missing": "Path('/documents/x').unlink(missing_ok=True)",
    "Path.rmdir": "Path('/documents').rmdir()",
    "Path.chmod": "Path(FILE).chmod(0o777)",
    "symlink_to": "Path('/documents/x').symlink_to(FILE)",
    "hardlink_to": "Path('/documents/x').hardlink_to(FILE)",
    "os.remove": "os.remove(FILE)",
    "os.unlink": "os.unlink(Path(FILE))",
    "os.rename": "os.rename(FILE, '/documents/x')",
    "os.replace": "os.replace(src=FILE, dst='/documents/x')",
    "os.renames": "os.renames(FILE, '/documents/x')",
    "os.mkdir": "os.mkdir('/documents/x')",
    "os.makedirs": "os.makedirs('/documents/x/y')",
    "os.makedirs elsewhere": "os.makedirs('/tmp/out', exist_ok=True)",
    "os.rmdir": "os.rmdir('/documents')",
    "os.removedirs": "os.removedirs('/documents')",
    "os.chmod": "os.chmod(FILE, 0)",
    "os.chown": "os.chown(FILE, 0, 0)",
    "os.symlink": "os.symlink(FILE, '/documents/x')",
    "os.link": "os.link(FILE, '/documents/x')",
    "os.truncate": "os.truncate(FILE, 0)",
    "os.utime": "os.utime(FILE)",
    "os.mkfifo": "os.mkfifo('/documents/x')",
    "shutil.copy": "shutil.copy(FILE, '/documents/x')",
    "shutil.copyfile": "shutil.copyfile(FILE, '/tmp/x')",
    "shutil.copytree": "shutil.copytree('/documents', '/tmp/x')",
    "shutil.move": "shutil.move(FILE, '/tmp/x')",
    "shutil.rmtree": "shutil.rmtree('/documents')",
}


def names(mounted: Mounted) -> dict[str, Any]:
    modules = {name: getattr(mounted, name) for name in ("os", "io", "shutil", "glob", "pathlib")}
    return {**mounted.guest.names, **modules, "FILE": FILE, "DOC": DOC}


@pytest.fixture
def mounted() -> Mounted:
    return Mounted(corpus(5))


@pytest.mark.parametrize("name", CHANGES)
def test_changes_are_refused(mounted: Mounted, name: str) -> None:
    scope = names(mounted)
    before = sorted(map(str, scope["Path"]("/").rglob("*")))
    with pytest.raises(PermissionError) as caught:
        eval(CHANGES[name], scope)
    assert caught.value.errno == errno.EACCES
    assert sorted(map(str, scope["Path"]("/").rglob("*"))) == before
    assert scope["Path"](FILE).read_text() == "some text\nmore text\n"


def test_refusals_name_the_paths(mounted: Mounted) -> None:
    with pytest.raises(PermissionError, match=r"^\[Errno 13\] Permission denied: '/documents/x'$"):
        mounted.open("/documents/x", "w")
    with pytest.raises(PermissionError, match=r"Permission denied: '/a' -> '/b'$"):
        mounted.os.rename("/a", "/b")


def test_refused_change_opens_nothing(mounted: Mounted) -> None:
    with pytest.raises(PermissionError):
        mounted.shutil.copy(FILE, "/tmp/x")
    mounted.cell_ends()
    assert mounted.host.last == frozenset()


def test_root_holds_documents_only(mounted: Mounted) -> None:
    assert mounted.os.listdir("/") == ["documents"]
    assert mounted.os.listdir("/documents") == [identifier(number) for number in range(5)]
    assert mounted.os.listdir(f"/documents/{DOC}") == list(KINDS)
    assert mounted.os.getcwd() == "/"


def test_empty_scope_is_an_empty_folder() -> None:
    mounted = Mounted(corpus(3), document_ids=frozenset({"nowhere"}))
    assert mounted.Path("/documents").is_dir()
    assert list(mounted.Path("/documents").iterdir()) == []
    assert list(mounted.Path("/documents").rglob("*")) == []
    assert mounted.grep("text") == []
    assert list(mounted.guest.names["_unreadable"]) == []  # type: ignore[call-overload]


def test_scope_hides_the_rest() -> None:
    mounted = Mounted(corpus(3), document_ids=frozenset({DOC, "unknown"}))
    assert mounted.os.listdir("/documents") == [DOC]
    with pytest.raises(FileNotFoundError):
        mounted.open(f"/documents/{identifier(1)}/toc.json")


def test_unreadable_documents_have_all_files() -> None:
    files = {key: readable(key, "") for key in (DOC, identifier(1))}
    mounted = Mounted(MemorySnapshot(files, status={DOC: "unreadable"}))
    assert mounted.os.listdir(f"/documents/{DOC}") == list(KINDS)
    assert [mounted.open(f"/documents/{DOC}/{kind}").close() for kind in KINDS] == [None] * 5
    assert mounted.items(DOC) == []
    assert mounted.toc(DOC)["tree"] == []


def test_unreadable_list_asks_when_looked_at() -> None:
    mounted = Mounted(MemorySnapshot({DOC: readable(DOC)}, status={DOC: "unreadable"}))
    listed: Any = mounted.guest.names["_unreadable"]
    assert mounted.line.headers == []
    row = {"id": DOC, "title": f"Title of {DOC}", "reason": "no text layer"}
    assert listed == [row]
    assert (len(listed), listed[0], list(listed), [*listed], repr(listed)) == (1, row, [row], [row], repr([row]))
    assert (operator.add([{}], listed), listed * 2, listed != [row], listed == []) == (
        [{}, row],
        [row, row],
        False,
        False,
    )
    assert isinstance(listed, list)
    assert row in listed


def test_unreadable_list_follows_the_generation() -> None:
    old = MemorySnapshot({DOC: readable(DOC)}, status={DOC: "unreadable"})
    mounted = Mounted(old, corpus(2, generation=2))
    mounted.os.listdir("/documents")
    assert json.dumps(mounted.guest.names["_unreadable"]).startswith('[{"id"')
    mounted.cell_ends()
    assert mounted.guest.names["_unreadable"] == []


def test_nothing_is_asked_before_a_look(mounted: Mounted) -> None:
    mounted.Path("/documents", DOC).with_suffix(".x")
    mounted.cell_ends()
    assert mounted.line.headers == []
    assert mounted.host.coverage() is None


def test_path_can_be_a_base_class(mounted: Mounted) -> None:
    class Document(mounted.Path):
        def title(self) -> str:
            return self.joinpath("metadata.json").read_text()

    document = Document(f"/documents/{DOC}")
    assert type(document / "x") is Document
    assert DOC in document.title()
    assert document == mounted.Path(f"/documents/{DOC}")


def test_str_subclasses_are_read_as_text(mounted: Mounted) -> None:
    class Liar(str):
        def split(self, *_: Any) -> list[str]:  # type: ignore[override]
            return ["", "documents", DOC, "content.txt"]

        def startswith(self, *_: Any) -> bool:
            return False

    with pytest.raises(FileNotFoundError):
        mounted.open(Liar("/etc/passwd"))


def test_an_opener_is_called_for_reading_only(mounted: Mounted) -> None:
    with pytest.raises(PermissionError):
        mounted.open(FILE, "w", opener=lambda *_: pytest.fail("called"))
    with mounted.open(FILE, opener=mounted.os.open) as file:
        assert file.read() == "some text\nmore text\n"


def test_numbers_of_files_are_given_out_again(mounted: Mounted) -> None:
    first = mounted.os.open(FILE, os.O_RDONLY)
    second = mounted.os.open(FILE, os.O_RDONLY)
    mounted.os.close(first)
    with mounted.open(FILE) as file:
        assert file.fileno() == file.fileno() == first != second
    assert mounted.os.open(FILE, 0) == first
    for number in (0, 1, 2, 99, -1):
        with pytest.raises(OSError, match="Bad file descriptor"):
            mounted.os.fstat(number)


def test_files_that_are_never_closed_run_out_of_numbers(mounted: Mounted) -> None:
    numbers: list[int] = []
    with pytest.raises(OSError, match="Too many open files"):
        while len(numbers) < 5_000:
            numbers.append(mounted.os.open(FILE, 0))
    mounted.cell_ends()  # variables stay, so do the files that they number
    assert len(numbers) == 1_021 and mounted.os.read(numbers[0], 4) == b"some"
    with mounted.open(FILE) as file, pytest.raises(OSError, match="Too many open files"):
        file.fileno()
    mounted.os.close(numbers[7])
    assert mounted.os.open(FILE, 0) == numbers[7]


def test_files_that_nobody_holds_are_closed(mounted: Mounted) -> None:
    numbers = {mounted.open(FILE).fileno() for _ in range(3_000)}
    assert len(numbers) < 5


@pytest.mark.parametrize("flags", ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"])
def test_flags_that_change_something_are_refused(mounted: Mounted, flags: str) -> None:
    with pytest.raises(PermissionError):
        mounted.os.open(FILE, getattr(os, flags))


def test_files_read_by_number_are_evidence(mounted: Mounted) -> None:
    mounted.os.read(mounted.os.open(FILE, 0), 1)
    mounted.linecache.getline(f"/documents/{identifier(1)}/toc.json", 1)
    mounted.cell_ends()
    assert mounted.host.last == {DOC, identifier(1)}


HINTS = {
    "open(FILE, 'w')": "read-only and nothing else can be written",
    "os.mkdir('/tmp/x')": "read-only and nothing else can be written",
    "open('/etc/passwd')": "there is nothing but /documents here",
    "open('notes.txt')": "there is nothing but /documents here",
    "open('/documents/The lease/content.txt')": "named by document ids; titles and uris are in `await list",
    "open(f'/documents/{DOC[:-1]}/content.txt')": f"did you mean '{DOC}'?",
    "open(f'/documents/{DOC}/contents.txt')": "did you mean 'content.txt'?",
    "open(f'documents/{DOC}/x')": "a document's files are metadata.json, content.txt",
    "open(f'/documents/{DOC}')": "it is a folder with metadata.json, content.txt",
    "open('/documents')": "",
    "open(FILE, 'q')": "",
    "open(99)": "",
}


@pytest.mark.parametrize("program", HINTS)
def test_errors_come_with_what_to_do(mounted: Mounted, program: str) -> None:
    with pytest.raises((OSError, ValueError)) as caught:
        eval(program, names(mounted))
    hint = mounted.guest.hint(caught.value)
    assert HINTS[program] in hint and bool(HINTS[program]) == bool(hint)


def test_hints_know_the_scope_only() -> None:
    narrow = Mounted(corpus(3), document_ids=frozenset({identifier(1)}))
    for id in (DOC, DOC[:-1], "qqqqqqqqqq"):
        with pytest.raises(FileNotFoundError) as caught:
            narrow.open(f"/documents/{id}/toc.json")
        assert narrow.guest.hint(caught.value).startswith("folders are named by document ids")


def test_memory_of_a_file_is_not_the_cache(mounted: Mounted) -> None:
    raw = mounted.open(FILE, "rb", buffering=0)
    raw.getbuffer()[:4] = b"evil"
    assert mounted.open(FILE, "rb").read() == b"some text\nmore text\n"


# ---- shortcuts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        lambda path: DOC,
        lambda path: {"id": DOC, "title": "x"},
        lambda path: {"document_id": DOC, "id": "something else"},
        lambda path: path("/documents") / DOC,
        lambda path: path("documents", DOC, "content.txt"),
        lambda path: f"/documents/{DOC}/",
    ],
    ids=["id", "dict", "result", "folder", "file", "text"],
)
def test_documents_are_named_in_many_ways(mounted: Mounted, name: Any) -> None:
    doc = name(mounted.Path)
    assert [item["text"] for item in mounted.items(doc)] == ["some text", "more text"]
    assert mounted.toc(doc)["doc_id"] == DOC
    assert [match["line_number"] for match in mounted.grep("more", doc)] == [2]


def test_unknown_document_gets_a_hint(mounted: Mounted) -> None:
    with pytest.raises(LookupError, match=f"did you mean '{DOC}'"):
        mounted.items(DOC[:-1])
    with pytest.raises(LookupError, match=r"by their ids, not by titles or files: .*list_documents"):
        mounted.toc("The title of something")
    with pytest.raises(LookupError, match=r"did you mean 'content.txt'"):
        mounted.grep("x", where="contents.txt")
    with pytest.raises(TypeError, match="not int"):
        mounted.items(3)
    with pytest.raises(TypeError, match="not NoneType"):
        mounted.toc({"title": "x"})


def test_grep(mounted: Mounted) -> None:
    first = {"document_id": DOC, "file": "content.txt", "line_number": 2, "line": "more text"}
    assert mounted.grep("^more")[0] == first
    assert len(mounted.grep("^more")) == 5
    assert len(mounted.grep(r"MORE|some(?= )", [DOC, {"id": identifier(1)}])) == 2
    assert [match["file"] for match in mounted.grep('"label": "text"', "items.jsonl")] == ["items.jsonl"] * 10
    assert [match["file"] for match in mounted.grep("tree", mounted.Path("/documents", DOC, "toc.json"))] == [
        "toc.json"
    ]
    assert mounted.grep("text", mounted.Path("/documents").glob("*/toc.json")) == []
    assert mounted.grep("^more", None) == mounted.grep("^more")
    assert len(mounted.grep(re.compile("MORE", re.IGNORECASE))) == len(mounted.grep("MORE", flags=re.I)) == 5


def test_shortcuts_are_shown_as_plain_functions(mounted: Mounted) -> None:
    for name in ("grep", "items", "toc"):
        function = getattr(mounted, name)
        assert repr(function).startswith(f"<function {name} at ")
        with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'nonsense'"):
            function("x", nonsense=1)
    assert str(inspect.signature(mounted.grep)) == "(regex, where='content.txt', *, flags=0)"


def test_grep_counts_lines_as_files_do() -> None:
    text = "one\u2028one\x0cone\r\ntwo\rthree\n\nlast two"
    mounted = Mounted(MemorySnapshot({DOC: readable(DOC, text)}))
    by_file = [(n, line.rstrip("\n")) for n, line in enumerate(mounted.open(FILE), 1)]
    assert [(match["line_number"], match["line"]) for match in mounted.grep("")] == by_file
    assert [match["line_number"] for match in mounted.grep("two$")] == [2, 5]


def test_items_keep_separators_inside_text() -> None:
    body = b'{"text": "a\\nb, \\u2028"}\n{"text": "[]"}\n'
    mounted = Mounted(MemorySnapshot({DOC: {**readable(DOC), "items.jsonl": body}}))
    assert mounted.items(DOC) == [{"text": "a\nb, \u2028"}, {"text": "[]"}]


# ---- nothing that is handed out leads anywhere ----------------------------------------------------------------------


def test_no_public_attribute_leads_out(mounted: Mounted) -> None:
    """Every object reachable by public names from what cells get; dunder and private names are the policy's."""
    file = mounted.open(FILE)
    entry = next(mounted.os.scandir("/documents"))
    start = [file, entry, mounted.os.scandir("/"), mounted.os.stat(FILE), mounted.Path(FILE)]
    waiting = [*start, *mounted.guest.names.values()]
    waiting += [value for module in mounted.guest.modules.values() for value in module.values()]
    seen: dict[int, object] = {}
    forbidden = (types.ModuleType, Line, Documents, Tree, System, Copies)
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, (str, bytes, int, float)):
            continue
        seen[id(each)] = each
        assert not isinstance(each, forbidden), each
        for name in dir(each):
            if not name.startswith("_"):
                try:
                    waiting.append(getattr(each, name))
                except (AttributeError, OSError, ValueError, NotImplementedError):
                    continue  # an attribute that cells cannot read either
    assert len(seen) > 500


def test_copies_do_not_touch_the_real_modules() -> None:
    mounted = Mounted(corpus(1))
    assert mounted.pathlib.Path is not pathlib.Path
    assert pathlib.Path(__file__).exists()
    assert not mounted.Path(__file__).exists()
    assert glob.glob(__file__) == [__file__]
    assert mounted.glob.glob(__file__) == []
    assert sys.modules["os.path"] is os.path


def test_guest_is_standard_library_only() -> None:
    """The zygote imports it: nothing heavy, and nothing of the corpus."""
    code = "import sys, glossator.vfs.guest; print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-P", "-s", "-c", code], capture_output=True, text=True, check=True
    ).stdout
    ours = {name for name in modules.split() if name.startswith("glossator")}
    assert not any(name.startswith(("glossator.corpus", "glossator.sandbox")) for name in ours)
    tops = {name.partition(".")[0] for name in modules.split()} - {"glossator", "__main__", "__mp_main__"}
    assert not tops & {"lancedb", "pyarrow", "pydantic", "orjson", "sqlalchemy", "numpy"}
