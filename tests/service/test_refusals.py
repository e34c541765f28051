"""Full disks, closed files and damaged databases: one line with the way out, as real parts raise them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from glossator.service.failures import explain, for_people


def _full(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA max_page_count=4")
        connection.execute("CREATE TABLE t (data BLOB)")
        connection.execute("INSERT INTO t VALUES (zeroblob(1000000))")


def _closed(path: Path) -> None:
    sqlite3.connect(path).close()
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.execute("CREATE TABLE t (data BLOB)")


def _damaged(path: Path) -> None:
    path.write_bytes(b"no database at all, but long enough to be looked at" * 100)
    with sa.create_engine(f"sqlite:///{path}").connect() as connection:
        connection.exec_driver_sql("SELECT * FROM sqlite_master")


@pytest.mark.parametrize(
    ("fail", "told"), [(_full, "make room"), (_closed, "writable"), (_damaged, "restore a backup")]
)
def test_a_database_says_what_to_do(tmp_path: Path, fail: Callable[[Path], None], told: str) -> None:
    with pytest.raises((sqlite3.Error, DatabaseError)) as caught:
        fail(tmp_path / "d.sqlite")
    line = explain(caught.value)
    assert told in line and "bug" not in line and "\n" not in line


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "lance error: LanceError(IO): No space left on device (os error 28), /x/lance-io-13.0.0/src/a.rs:1",
            "make room",
        ),
        ("lance error: Permission denied (os error 13), /x/lance-io-13.0.0/src/a.rs:1", "writable"),
        ("lance error: LanceError(IO): failed to fill whole buffer, /rustc/x/function.rs:250:5", "index of the corpus"),
        ("lance error: Not found: tokens.lance, /x/lance-io-13.0.0/src/a.rs:1", "index of the corpus is damaged"),
    ],
)
def test_the_index_says_what_to_do(text: str, told: str) -> None:
    assert told in (for_people(RuntimeError(text)) or "")


def test_mistakes_of_ours_stay_bugs(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "d.sqlite")) as connection, pytest.raises(sqlite3.Error) as caught:
        connection.execute("SELECT nothing FROM nowhere")
    assert for_people(caught.value) is None
    assert for_people(RuntimeError("ours")) is None
    assert (
        for_people(ValueError("lance error: Invalid user input: no column named x, /x/lance-13.0.0/src/a.rs:1")) is None
    )
