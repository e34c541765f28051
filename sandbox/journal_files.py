"""Journals as files: one append-only file per session in one folder.

    NAME.journal     a line per record: CRC-32 of the rest, a blank, JSON
    NAME.checkpoint  the newest checkpoint: one such line, then its bytes
    NAME.damaged     what could not be read of the journal
    NAME.lock        held by the process that runs the session, with a line that says which
    hash-seed        PYTHONHASHSEED of all workers

The first record tells the format. A record is written by one call before the cell's result is given to anyone, and not
forced to the disk: it survives the death of every process, and is lost at most when the machine itself goes down, the
last ones first. Closing forces the file to the disk. A line that is cut short, or does not fit its checksum, ends the
journal there: whoever opens the session next puts it aside, with what follows it, as NAME.damaged, and tells the agent.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import orjson

from .errors import BadSessionName, SessionBusy, SessionNotKept, SessionUnreadable
from .journal import Cell, Checkpoint, as_json, from_json, unkept
from .lease import Lease, opened

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
FORMAT = 3  # of the records
DAY_S = 24 * 3600
EXPIRE_S = 30 * DAY_S  # seconds since its last cell after which a session may be deleted
_SPARE_BYTES = 8 << 20  # of a journal that may be records that count no more
_HEAD = orjson.dumps({"journal": FORMAT})
_KINDS = ("journal", "checkpoint", "draft", "damaged", "lock")  # of files of one session


class FileJournals:
    """The journals in `folder`, which is made when it is needed. Sessions silent for `expire_s` seconds are deleted."""

    def __init__(self, folder: str | Path, *, expire_s: float = EXPIRE_S) -> None:
        self.folder = Path(folder)
        self._expire_s = expire_s

    @property
    def hash_seed(self) -> int:
        path = self.folder / "hash-seed"
        try:
            if not path.exists():
                self._draw(path)
            return int(path.read_text())
        except OSError as error:
            raise SessionNotKept(self.folder, error) from error
        except ValueError:
            told = f"{path} holds no number: delete it; sets in sessions that are kept will have another order"
            raise SessionUnreadable(told) from None

    def _draw(self, path: Path) -> None:
        draft = self._made() / f".hash-seed-{secrets.token_hex(8)}"
        with open(opened(draft, os.O_EXCL), "w", encoding="ascii") as file:
            file.write(str(1 + secrets.randbelow(2**32 - 1)))  # 0 would switch randomisation off
        try:
            with contextlib.suppress(FileExistsError):
                os.link(draft, path)  # when complete: no other process reads half of it
        finally:
            draft.unlink()

    def open(self, name: str) -> FileJournal:
        """The session's journal, a new one if there is none.

        Raises `SessionBusy`, `BadSessionName`, `SessionUnreadable`, `SessionNotKept`.
        """
        _check(name)
        try:
            self._made()
            return FileJournal(self.folder, name)
        except OSError as error:
            raise SessionNotKept(self.folder, error) from error

    def __contains__(self, name: str) -> bool:
        return NAME.fullmatch(name) is not None and (self.folder / f"{name}.journal").exists()

    def new_name(self) -> str:
        """A name that no session has, and that nobody guesses."""
        return next(name for name in iter(lambda: f"s{secrets.token_hex(5)}", "") if name not in self)

    def names(self) -> list[str]:
        """Every session that is kept, the one used last first."""
        found = [path.stem for path in self.folder.glob("*.journal")]
        return sorted(found, key=self.used_at, reverse=True)

    def used_at(self, name: str) -> float:
        """When the session's last cell ended, in seconds since 1970; 0 if somebody has just deleted it."""
        try:
            return (self.folder / f"{name}.journal").stat().st_mtime
        except FileNotFoundError:
            return 0.0

    def size(self, name: str) -> int:
        """Bytes that the session takes."""
        files = (self.folder / f"{name}.{kind}" for kind in _KINDS)
        return sum(path.stat().st_size for path in files if path.exists())

    def delete(self, name: str) -> bool:
        """Delete a session; False if there is none. Raises `SessionBusy` while somebody runs it."""
        _check(name)
        if name not in self:
            return False
        with Lease(self.folder, name):
            for kind in _KINDS:
                (self.folder / f"{name}.{kind}").unlink(missing_ok=True)
        return True

    def expire(self) -> list[str]:
        """Delete the sessions that were silent for too long and that nobody runs; gives their names."""
        oldest = time.time() - self._expire_s
        gone = []
        for path in self.folder.glob("*.journal"):
            with contextlib.suppress(SessionBusy, FileNotFoundError):
                if path.stat().st_mtime < oldest and self.delete(path.stem):
                    gone.append(path.stem)
        return gone

    def _made(self) -> Path:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.folder


class FileJournal:
    """The journal of one session, held from the beginning until `close`."""

    def __init__(self, folder: Path, name: str) -> None:
        self._lease = Lease(folder, name)
        self._path = folder / f"{name}.journal"
        self._checkpoint_path = folder / f"{name}.checkpoint"
        self._cells: list[Cell] = []
        self._unwritten: list[bytes] = []  # records that must come before the next one
        self.notes: list[Any] = []
        self.last_number = 0
        self.damage = ""
        try:
            self._file = opened(self._path, os.O_APPEND)
            self._load()
            self.checkpoint = self._load_checkpoint()
        except BaseException:
            self._lease.release()
            raise

    @property
    def cells(self) -> Sequence[Cell]:
        return self._cells

    def append(self, cell: Cell) -> None:
        try:
            self._write(as_json(cell))
        except OSError as error:
            cell = unkept(cell, f"it could not be kept ({error.strerror})")
            self._unwritten.append(as_json(cell))  # or cells after this gap would be run without it
            raise
        finally:
            self._take(cell)

    def note(self, *notes: Any, anew: bool = False) -> None:
        record = orjson.dumps({"notes": notes, "anew": anew})
        try:
            self._write(record)
        except OSError:
            record = b'{"notes":[],"anew":true}'
            self._unwritten.append(record)
            raise
        finally:
            self._take_notes(orjson.loads(record))
        if anew and os.fstat(self._file).st_size > _SPARE_BYTES + 2 * sum(cell.bytes for cell in self._cells):
            with contextlib.suppress(OSError):  # it stays as long as it is
                self._rewrite()

    def forget_after(self, number: int) -> None:
        record = {"forget_after": number}
        try:
            self._write(orjson.dumps(record))
        except OSError:
            self._unwritten.append(orjson.dumps(record))
        self._forget(record)
        if self.checkpoint is not None and self.checkpoint.number > number:
            self.checkpoint = None
            self._checkpoint_path.unlink(missing_ok=True)

    def keep(self, checkpoint: Checkpoint) -> None:
        draft = self._checkpoint_path.with_suffix(".draft")
        about = {"number": checkpoint.number, "left": checkpoint.left, "reordered": checkpoint.reordered}
        head = _line(orjson.dumps({**about, "crc": zlib.crc32(checkpoint.data)}))
        draft.unlink(missing_ok=True)
        with open(opened(draft, os.O_EXCL), "wb") as file:
            file.write(head)
            file.write(checkpoint.data)
        draft.replace(self._checkpoint_path)
        self.checkpoint = checkpoint

    def close(self) -> None:
        if self._file >= 0:
            with contextlib.suppress(OSError):  # a full disk, a file system without it: what is written is written
                os.fdatasync(self._file)
            os.close(self._file)
            self._file = -1
            self._lease.release()

    def _write(self, record: bytes) -> None:
        before = os.fstat(self._file).st_size
        records = [_HEAD, *self._unwritten, record] if before == 0 else [*self._unwritten, record]
        rest = memoryview(b"".join(map(_line, records)))
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError:  # a full disk: half a line would end the journal for good
            os.ftruncate(self._file, before)
            raise
        self._unwritten.clear()

    def _rewrite(self) -> None:
        """Leave out what was forgotten, whole or not at all."""
        draft = self._path.with_suffix(".draft")
        draft.unlink(missing_ok=True)
        file = opened(draft, os.O_EXCL | os.O_APPEND)
        try:
            notes = orjson.dumps({"notes": self.notes, "anew": True})
            records = [_HEAD, *map(as_json, self._cells), orjson.dumps({"last": self.last_number}), notes]
            with open(file, "wb", closefd=False) as writing:
                writing.writelines(map(_line, records))
            draft.replace(self._path)
        except OSError:
            os.close(file)
            raise
        os.close(self._file)
        self._file = file

    # ---- reading ----------------------------------------------------------------------------------------------------

    def _load(self) -> None:
        with open(self._file, "rb", closefd=False) as file:
            data = file.read()
        records = Records(data)
        first = next(records, None)
        if data.count(b"\n"):  # else it is new, or was cut short within its first line
            self._check_format(first)
        whole = records.end
        for record in records:
            if not self._taken(record):
                break
            whole = records.end
        if whole < len(data):
            self._cut(data, whole)

    def _check_format(self, first: Mapping[str, Any] | None) -> None:
        what = f"{self._path} is not a journal of this version of Glossator"
        if first is None or first.get("journal") != FORMAT:
            newer = first is not None and type(first.get("journal")) is int and first["journal"] > FORMAT
            way = "use the newer version that wrote it" if newer else "begin a session of another name"
            raise SessionUnreadable(f"{what}: {way}, or delete it (`glossator sessions --delete {self._path.stem}`)")

    def _taken(self, record: Mapping[str, Any]) -> bool:
        """Go on from a record; False if it is none that this version writes."""
        take = next((take for name, take in self._takes.items() if name in record), None)
        if take is None:
            return False
        try:
            take(self, record)
        except (TypeError, ValueError, LookupError, AttributeError):
            return False
        return True

    def _take_cell(self, record: Mapping[str, Any]) -> None:
        self._take(from_json(record, self._cells))

    def _take(self, cell: Cell) -> None:
        self._cells.append(cell)
        self.last_number = max(self.last_number, cell.number)

    def _take_notes(self, record: Mapping[str, Any]) -> None:
        self.notes = [*([] if record["anew"] else self.notes), *record["notes"]]

    def _forget(self, record: Mapping[str, Any]) -> None:
        self._cells = [cell for cell in self._cells if cell.number <= record["forget_after"]]

    def _take_last(self, record: Mapping[str, Any]) -> None:
        self.last_number = record["last"]

    _takes: ClassVar = {"number": _take_cell, "notes": _take_notes, "forget_after": _forget, "last": _take_last}

    def _cut(self, data: bytes, whole: int) -> None:
        """What cannot be read is put aside: a person may make something of it."""
        aside = self._path.with_suffix(".damaged")
        aside.unlink(missing_ok=True)
        with open(opened(aside, os.O_EXCL), "wb") as file:
            file.write(data[whole:])
        os.ftruncate(self._file, whole)
        self.damage = f"The session's journal is damaged: whatever came after cell {self.last_number} is gone."

    def _load_checkpoint(self) -> Checkpoint | None:
        try:
            line, _, data = self._checkpoint_path.read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        head = _record(line)
        try:
            # Written before the cells that it stands for were lost: it belongs to another past.
            if head is None or zlib.crc32(data) != head["crc"] or head["number"] not in {c.number for c in self._cells}:
                return None
            return Checkpoint(head["number"], tuple(head["left"]), data, tuple(head["reordered"]))
        except (TypeError, LookupError):  # of another version
            return None


class Records(Iterator[dict[str, Any]]):
    """The whole records of a journal from its beginning; `end` is the position behind the last one that was given."""

    def __init__(self, data: bytes) -> None:
        self.end = 0
        self._data = data

    def __next__(self) -> dict[str, Any]:
        end = self._data.find(b"\n", self.end)
        record = _record(self._data[self.end : end]) if end >= 0 else None
        if record is None:
            raise StopIteration
        self.end = end + 1
        return record


def _line(record: bytes) -> bytes:
    return b"%08x %b\n" % (zlib.crc32(record), record)


def _record(line: bytes) -> dict[str, Any] | None:
    checksum, _, record = line.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(record):
        return None
    try:
        found = orjson.loads(record)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _check(name: str) -> None:
    if NAME.fullmatch(name) is None:
        raise BadSessionName(name)
