from __future__ import annotations

from pathlib import Path

import pytest

from .child import attempts


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for folder in ("shelf", "desk", "cellar"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "page").write_text(folder)
    return tmp_path


def test_paths_that_are_named_and_all_others(tree: Path) -> None:
    ended = attempts(
        """
        shelf, desk, cellar = (Path(sys.argv[1]) / name for name in ("shelf", "desk", "cellar"))
        attempt("abi", landlock.restrict, [shelf], [desk])
        attempt("read shelf", (shelf / "page").read_text)
        attempt("list shelf", lambda: sorted(os.listdir(shelf)))
        attempt("write shelf", (shelf / "page").write_text, "x")
        attempt("add to shelf", (shelf / "new").touch)
        attempt("remove from shelf", (shelf / "page").unlink)
        attempt("write desk", (desk / "page").write_text, "written")
        attempt("read desk", (desk / "page").read_text)
        attempt("make folder", (desk / "folder").mkdir)
        attempt("move within desk", (desk / "page").rename, desk / "folder" / "page")
        attempt("remove", (desk / "folder" / "page").unlink)
        attempt("link out of desk", (desk / "link").symlink_to, cellar)
        attempt("move into shelf", (desk / "folder").rename, shelf / "folder")
        attempt("read cellar", (cellar / "page").read_text)
        attempt("list cellar", os.listdir, cellar)
        attempt("list above", os.listdir, sys.argv[1])
        attempt("through dots", (shelf / ".." / "cellar" / "page").read_text)
        attempt("execute", os.execv, "/bin/true", ["true"])
        """,
        tree,
    )
    assert isinstance(ended["abi"], int) and ended["abi"] > 0
    allowed = {
        "read shelf": "shelf",
        "list shelf": ["page"],
        "write desk": 7,
        "read desk": "written",
        "make folder": "done",
        "move within desk": "done",
        "remove": "done",
    }
    assert {name: ended[name] for name in allowed} == allowed
    denied = ended.keys() - allowed.keys() - {"abi"}
    assert {name: ended[name] for name in denied if ended[name] not in ("EACCES", "EXDEV")} == {}
    assert len(denied) == 10


def test_one_file_may_be_named(tree: Path) -> None:
    ended = attempts(
        """
        page, other = Path(sys.argv[1]), Path(sys.argv[2])
        landlock.restrict([page])
        attempt("named", page.read_text)
        attempt("other", other.read_text)
        """,
        tree / "shelf" / "page",
        tree / "desk" / "page",
    )
    assert ended == {"named": "shelf", "other": "EACCES"}


def test_nothing_named_leaves_nothing_but_open_descriptors(tree: Path) -> None:
    ended = attempts(
        """
        held = open(sys.argv[1])
        attempt("abi", landlock.restrict)
        attempt("held", held.read)
        attempt("again", open, sys.argv[1])
        attempt("root", os.listdir, "/")
        attempt("tcp", socket.socket().connect, ("127.0.0.1", 9))
        attempt("signal to outside", os.kill, os.getppid(), 0)
        attempt("signal to itself", os.kill, os.getpid(), 0)
        """,
        tree / "shelf" / "page",
    )
    abi, tcp = ended.pop("abi"), ended.pop("tcp")
    assert isinstance(abi, int)
    assert tcp == "EACCES" if abi >= 4 else tcp in ("ECONNREFUSED", "ENETUNREACH")
    assert ended == {
        "held": "shelf",
        "again": "EACCES",
        "root": "EACCES",
        "signal to outside": "EPERM" if abi >= 6 else "done",
        "signal to itself": "done",
    }


def test_a_missing_path_is_said_and_nothing_is_restricted(tmp_path: Path) -> None:
    ended = attempts(
        """
        attempt("missing", landlock.restrict, [Path(sys.argv[1])])
        attempt("root", lambda: len(os.listdir("/")) > 0)
        """,
        tmp_path / "missing",
    )
    assert ended == {"missing": "ENOENT", "root": "done"}


def test_without_landlock_the_answer_is_zero(tree: Path) -> None:
    ended = attempts(
        """
        seccomp.install([Rule("landlock_create_ruleset", refuse(errno.ENOSYS))], default=ALLOW)
        attempt("abi", landlock.abi)
        attempt("restrict", landlock.restrict)
        attempt("read", Path(sys.argv[1]).read_text)
        """,
        tree / "shelf" / "page",
    )
    assert ended == {"abi": 0, "restrict": 0, "read": "shelf"}
