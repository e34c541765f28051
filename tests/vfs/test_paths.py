"""Properties of paths: whatever is asked for, only /documents answers."""

from __future__ import annotations

import posixpath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from glossator.vfs.guest.documents import KINDS

from .fakes import Mounted, corpus, identifier

DOC, OTHER = identifier(0), identifier(1)
MOUNTED = Mounted(corpus(2))
EVERYTHING = {
    "/",
    "/documents",
    *(f"/documents/{each}" for each in (DOC, OTHER)),
    *(f"/documents/{each}/{kind}" for each in (DOC, OTHER) for kind in KINDS),
}

parts = st.sampled_from(
    ["", ".", "..", "...", "/", "documents", DOC, OTHER, *KINDS, "etc", "passwd", "\0", "\udc80", "~", "x" * 300]
)
glob_parts = st.sampled_from(["*", "**", "..", ".", "documents", DOC, "[a-z]*", "?oc*", "toc.json"])
spelled = st.lists(parts, max_size=8).map("/".join)
anything = st.text(st.characters() | st.sampled_from("/.\0\udcff\ud800"), max_size=30)


@given(path=spelled | anything)
@example(path="/documents/../../etc/passwd")
@example(path="../" * 50 + "etc/passwd")
@example(path=f"//documents//{DOC}/.//toc.json")
@example(path=f"/documents/{DOC}/toc.json/")
@example(path=f"/documents/{DOC}/toc.json/../toc.json")
@example(path="/documents/\N{FULLWIDTH FULL STOP}\N{FULLWIDTH FULL STOP}/etc")
@example(path="/proc/self/environ")
@example(path="file:///etc/passwd")
@example(path="~/x")
def test_paths_lead_to_documents_or_nowhere(path: str) -> None:
    meant = posixpath.normpath(posixpath.join("/", path)).replace("//", "/", 1)
    try:
        found = MOUNTED.os.stat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError, OSError) as error:
        assert isinstance(error, (ValueError, OSError))
        with pytest.raises(type(error)):
            MOUNTED.open(path)
        return
    assert meant in EVERYTHING
    assert found == MOUNTED.os.stat(meant)
    assert MOUNTED.os.path.realpath(path) == meant


@given(path=spelled | anything)
def test_every_spelling_reads_the_same_file(path: str) -> None:
    """Path, os and open agree about what exists."""
    exists = MOUNTED.os.path.exists(path)
    assert MOUNTED.os.access(path, 0) == exists if "\0" not in path and path.isprintable() else True
    try:
        body = MOUNTED.open(path, "rb").read()
    except (OSError, ValueError):
        assert not MOUNTED.os.path.isfile(path)
    else:
        assert exists
        assert MOUNTED.Path(path).read_bytes() == body


@given(pattern=st.lists(glob_parts, min_size=1, max_size=5).filter(lambda pattern: set(pattern) != {"."}))
def test_globs_find_documents_only(pattern: list[str]) -> None:
    text = "/".join(pattern)
    found = {*map(str, MOUNTED.Path("/documents").glob(text)), *MOUNTED.glob.glob("/" + text, recursive=True)}
    # `glob` itself adds "nowhere/" to what "nowhere/**" finds
    assert {MOUNTED.os.path.realpath(path) for path in found if MOUNTED.os.path.exists(path)} <= EVERYTHING


@pytest.mark.parametrize("path", [f"documents/{DOC}/toc.json", f"./documents/../documents/{DOC}/toc.json"])
def test_relative_paths_start_at_the_root(path: str) -> None:
    assert DOC in MOUNTED.open(path).read()
