"""The guest against CPython on a real read-only directory: the same programs, the same outcome, error for error."""

# ruff: noqa: E501  (one program, one line)

from __future__ import annotations

import csv
import fnmatch
import glob
import io
import itertools
import json
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path, PosixPath, PurePath, PurePosixPath
from typing import Any

import pytest

from .fakes import MemorySnapshot, Mounted, random_files, write

FILES = random_files(7)
FIRST, SECOND = sorted(FILES)[:2]

# Each prints with `show`, and names files by D (/documents), A and B (two document folders) and F (a file of A).
# Listings are sorted: a real directory has no order.
PROGRAMS = {
    "iterdir": "show(sorted(p.name for p in D.iterdir()), sorted(A.iterdir()))",
    "iterdir of a file": "list(F.iterdir())",
    "iterdir of nothing": "list((D / 'nope').iterdir())",
    "glob one level": "show(sorted(D.glob('*/toc.json')))",
    "glob a class": "show(sorted(p.name for p in A.glob('[ct]*.*')))",
    "glob a question mark": "show(sorted(A.glob('toc.jso?')), sorted(A.glob('toc.json?')))",
    "glob recursive": "show(sorted(D.glob('**/*.jsonl')), sorted(D.glob('**')))",
    "glob a fixed name": "show(list(A.glob('toc.json')), list(A.glob('nope')), list(D.glob(A.name + '/toc.json')))",
    "glob through a file": "show(list(A.glob('*/x')), list(A.glob('toc.json/x')), list(D.glob('*/*/x')))",
    "glob up": "show(sorted(p.name for p in A.glob('../*'))[:1], list(A.glob('..')))",
    "glob empty": "list(D.glob(''))",
    "glob absolute": "list(D.glob('/x'))",
    "glob half a star": "list(D.glob('a**'))",
    "glob folders only": "show(sorted(D.glob('*/')), sorted(A.glob('*/')))",
    "rglob": "show(sorted(D.rglob('metadata.json')), sorted(D.rglob('*')), sorted(A.rglob('[!c]*')))",
    "rglob twice": "show(sorted(D.rglob('*/*.txt')))",
    "read_text": "show(F.read_text('latin-1'), F.read_text(encoding='cp1252', errors='replace'))",
    "read_text strict": "show([try_(lambda: (d / k).read_text()) for d in sorted(D.iterdir()) for k in KINDS])",
    "read_text utf-8": "show([try_(lambda: (d / k).read_text('utf-8')) for d in sorted(D.iterdir()) for k in KINDS])",
    "read_text ignore": "show([(d / k).read_text(errors='ignore') for d in sorted(D.iterdir()) for k in KINDS])",
    "read_text utf-8-sig": "show([try_(lambda: (d / k).read_text('utf-8-sig')) for d in sorted(D.iterdir()) for k in KINDS])",
    "read_text ascii": "show([try_(lambda: (d / k).read_text('ascii')) for d in sorted(D.iterdir()) for k in KINDS])",
    "read_text surrogateescape": "show(*[ascii((d / k).read_text('utf-8', 'surrogateescape')) for d in D.iterdir() if d == A for k in KINDS])",
    "read_text unknown encoding": "F.read_text('klingon')",
    "read_text unknown handler": "F.read_text('ascii', 'klingon')",
    "read_text of a folder": "A.read_text()",
    "read_text of nothing": "(A / 'nope.txt').read_text()",
    "read_text below a file": "(F / 'x').read_text()",
    "read_text too many": "F.read_text('utf-8', 'strict', None, None)",
    "read_bytes": "show([(d / k).read_bytes() for d in sorted(D.iterdir()) for k in KINDS])",
    "read_bytes of a folder": "A.read_bytes()",
    "exists": "show(D.exists(), A.exists(), F.exists(), (A / 'x').exists(), (F / 'x').exists(), (D / 'a\\0b').exists())",
    "is_dir": "show(D.is_dir(), A.is_dir(), F.is_dir(), (A / 'x').is_dir(), (F / 'x').is_dir())",
    "is_file": "show(D.is_file(), A.is_file(), F.is_file(), (A / 'x').is_file(), (F / 'x').is_file())",
    "is other": "show(F.is_symlink(), F.is_fifo(), F.is_socket(), F.is_block_device(), F.is_char_device(), A.is_mount())",
    "stat": "show(F.stat().st_size, stat.filemode(F.stat().st_mode), stat.S_ISDIR(A.stat().st_mode), A.lstat().st_nlink > 0)",
    "stat of nothing": "(A / 'nope').stat()",
    "stat types": "s = F.stat(); show(type(s).__name__, *[type(getattr(s, n)).__name__ for n in ('st_mtime', 'st_mtime_ns', 'st_ino')])",
    "stat index": "s = F.stat(); show(s[6] == s.st_size, s[8] == int(s.st_mtime), len(s))",
    "samefile": "show(F.samefile(A / '..' / A.name / F.name), F.samefile(str(F)), F.samefile(B / F.name))",
    "samefile of nothing": "F.samefile(A / 'nope')",
    "resolve": "show((A / '..' / B.name / '.' / F.name).resolve(), (A / 'nope' / '..' / 'x').resolve())",
    "resolve strict": "(A / 'nope').resolve(strict=True)",
    "resolve relative": "show(Path('documents').resolve(), Path('documents', A.name, '..').resolve())",
    "relative": "show(Path('documents').exists(), sorted(Path('documents').iterdir()), Path('documents', A.name, F.name).read_bytes())",
    "cwd": "show(Path.cwd(), os.path.join(os.getcwd(), 'x'), Path('x').absolute(), Path('.').resolve())",
    "parts": "show(F.parts[-2:], F.name, F.stem, F.suffix, F.suffixes, F.parent, F.parents[1], F.anchor, F.root)",
    "with": "show(F.with_name('b'), F.with_suffix('.md'), F.with_stem('x'), F.joinpath('a', '/b'))",
    "with bad name": "F.with_name('a/b')",
    "relative_to": "show(F.relative_to(D), F.is_relative_to(A), F.is_relative_to(B))",
    "relative_to another": "F.relative_to(B)",
    "match": "show(F.match('*.json'), F.match('*/*.json'), F.match('documents/*/*.json'), PurePath('a/b.py').match('*.py'))",
    "order": "show(A < B, sorted([B, A]) == [A, B], max(A, B), A == Path(str(A)), A == str(A))",
    "order with text": "A < 'x'",
    "hash": "show(len({A, Path(str(A)), B}), {A: 1}[Path(str(A))])",
    "division": "show(D / A.name / F.name, str(D) / Path('x'), Path(D, A.name), Path(), bool(Path('')))",
    "division by a number": "D / 1",
    "text forms": "show(repr(F), str(F), F.as_posix(), F.as_uri().split('/')[-1], bytes(F), os.fspath(F))",
    "types": "show(type(D).__name__, type(Path('x')) is PosixPath, isinstance(D, PurePath), isinstance(D, PurePosixPath), isinstance(D, os.PathLike))",
    "pure": "show(PurePath('a') / 'b', type(PurePath('a')).__name__, hasattr(PurePath('a'), 'exists'))",
    "subclass": "class P(Path if sys.version_info >= (3, 12) else type(D)):\n    pass\nshow(type(P(str(A)) / 'x').__name__, P(str(A)).exists())",
    "nul": "F.with_name('a\\0b').read_text()",
    "nul in open": "open(str(A) + '/\\0')",
    "surrogate": "show(try_(lambda: open(str(A) + '/\\ud800')).split(' in position')[0])",
    "escaped surrogate": "open(str(A) + '/\\udcff')",
    "long name": "open(str(A) + '/' + 'x' * 300)",
    "long path": "open(str(A) + '/' + 'x/' * 3000)",
    "empty name": "open('')",
    "double slashes": "show(open(str(A) + '//' + F.name, 'rb').read(), os.path.exists(str(D) + '///' + A.name + '//'))",
    "dots": "show(open(f'{A}/./../{A.name}/{F.name}', 'rb').read(), os.path.exists(f'{A}/nope/../{F.name}'))",
    "file with a slash": "open(str(F) + '/')",
    "file with a dot": "os.stat(str(F) + '/.')",
    "file and up": "os.stat(str(F) + '/..')",
    "folder with a slash": "show(os.path.isdir(str(A) + '/'), Path(str(A) + '/').is_dir())",
    "open a folder": "open(A)",
    "open nothing": "open(A / 'nope')",
    "open bytes": "show(open(bytes(F), 'rb').read(), open(bytes(F), 'rb').name)",
    "open a float": "open(1.5)",
    "open None": "open(None)",
    "open a closed descriptor": "open(987)",
    "bad mode": "open(F, 'q')",
    "mode twice": "open(F, 'rr')",
    "no mode": "open(F, '')",
    "two modes": "open(F, 'rw')",
    "newline is a number": "open(F, newline=3)",
    "errors is a number": "open(F, errors=3)",
    "plus alone": "open(F, '+')",
    "text and binary": "open(F, 'rbt')",
    "mode is a number": "open(F, 1)",
    "binary encoding": "open(F, 'rb', encoding='utf-8')",
    "binary errors": "open(F, 'rb', errors='strict')",
    "binary newline": "open(F, 'rb', newline='')",
    "unbuffered text": "open(F, buffering=0)",
    "closefd": "open(F, closefd=False)",
    "bad newline": "open(F, newline='x')",
    "bad encoding": "open(F, encoding='klingon')",
    "encoding is a number": "open(F, encoding=3)",
    "NUL in encoding": "open(F, encoding='a\\0')",
    "iterate": "show([list(open(p, encoding='utf-8', errors='replace')) for p in all_files()])",
    "iterate untranslated": "show([list(open(p, errors='replace', newline='')) for p in all_files()])",
    "iterate by CR": "show([list(open(p, errors='replace', newline='\\r')) for p in all_files()])",
    "iterate binary": "show([list(open(p, 'rb')) for p in all_files()])",
    "newlines seen": "for p in all_files():\n    f = open(p, errors='replace'); f.read(); show(f.newlines)",
    "enumerate": "show([(n, len(line)) for p in all_files() for n, line in enumerate(open(p, errors='ignore'), 1)])",
    "islice": "show([list(itertools.islice(open(p, errors='ignore'), 2)) for p in all_files()])",
    "read by pieces": "f = open(F, errors='replace'); show(f.read(3), f.read(0), f.readline(4), f.readline(), f.readlines(20), f.read())",
    "readlines": "show([open(p, errors='ignore').readlines() for p in all_files()])",
    "seek and tell": "f = open(F, errors='replace'); f.readline(); at = f.tell(); a = f.read(); f.seek(at); show(a == f.read(), f.seek(0, 2))",
    "seek from here": "open(F).seek(1, 1)",
    "seek from the end": "open(F).seek(-1, 2)",
    "seek before the start": "open(F).seek(-1)",
    "seek binary": "f = open(F, 'rb'); show(f.seek(-5, 2) >= 0 and f.read(), f.seek(2), f.seek(1, 1), f.tell(), f.seek(10**9), f.read())",
    "seek binary before the start": "open(F, 'rb').seek(-1)",
    "seek unbuffered before the start": "open(F, 'rb', 0).seek(-1)",
    "seek oddly": "open(F, 'rb', 0).seek(0, 9)",
    "tell while iterating": "f = open(F, errors='replace'); next(f); f.tell()",
    "unbuffered": "f = open(F, 'rb', 0); show(f, f.read(3), f.readall(), f.read(), f.tell(), f.mode, f.closefd)",
    "buffered": "f = open(F, 'rb', 16); show(type(f).__name__, f.peek(1) != b'', f.read1(4), f.readinto(bytearray(3)), f.raw, f.name, f.mode)",
    "attributes": "f = open(F); show(f, f.name, f.mode, f.encoding, f.errors, f.closed, f.readable(), f.writable(), f.seekable(), f.isatty(), f.line_buffering)",
    "attributes told": "f = open(F, 'rt', 1, 'latin-1', 'replace'); show(f, f.encoding, f.errors, f.line_buffering, f.buffer)",
    "context": "with open(F) as f:\n    pass\nshow(f.closed, f, try_(f.read), try_(lambda: list(f)), try_(lambda: f.seek(0)), try_(lambda: f.__enter__()))",
    "closed binary": "f = open(F, 'rb'); f.close(); f.close(); show(f.closed, try_(f.read), kind(try_(f.tell)))",
    "closed unbuffered": "f = open(F, 'rb', 0); f.close(); show(f, f.closed, kind(try_(f.read)))",
    "next at the end": "f = open(F, 'rb'); f.read(); next(f)",
    "write text": "open(F).write('x')",
    "write bytes": "open(F, 'rb').write(b'x')",
    "write raw": "open(F, 'rb', 0).write(b'x')",
    "writelines": "open(F).writelines(['x'])",
    "truncate": "show(try_(open(F).truncate), try_(open(F, 'rb').truncate), try_(open(F, 'rb', 0).truncate))",
    "detach": "f = open(F, 'rb'); show(f.detach().read(2)); f.read()",
    "reconfigure": "f = open(F); f.reconfigure(errors='replace', encoding='latin-1'); show(f.read(5), f.encoding)",
    "isinstance": "f = open(F); show(isinstance(f, io.TextIOBase), isinstance(f, io.TextIOWrapper), isinstance(f.buffer, io.BufferedIOBase), isinstance(f.buffer.raw, io.IOBase))",
    "io.open": "show(io.open(F, 'rb').read(2), io.open is open)",
    "csv": "show([list(csv.reader(open(p, errors='ignore', newline='').read().replace('\\0', '').splitlines())) for p in all_files()])",
    "csv of a file": "show(sum(1 for p in all_files() for row in csv.reader(line.replace('\\0', '') for line in open(p, errors='ignore', newline=''))))",
    "json.load": "json.load(open(F, errors='replace'))",
    "Path.open": "with F.open('rb') as f: show(f.read(3))\nwith F.open(encoding='latin-1') as f: show(f.readline())",
    "Path.open missing": "(A / 'x').open()",
    "listdir": "show(sorted(os.listdir(D)), sorted(os.listdir(str(A))), sorted(os.listdir(bytes(A))))",
    "listdir here": "show(os.listdir(), os.listdir('.'), os.listdir(None))",
    "listdir of a file": "os.listdir(F)",
    "listdir of nothing": "os.listdir('nope')",
    "listdir of a float": "show(kind(try_(lambda: os.listdir(1.5))))",
    "scandir": "with os.scandir(A) as it:\n    show(sorted((e.name, e.path, e.is_file(), e.is_dir(), e.is_symlink(), e.stat().st_size, repr(e), os.fspath(e)) for e in it))",
    "scandir bytes": "show(sorted((e.name, e.path) for e in os.scandir(bytes(A))))",
    "scandir here": "show([(e.name, e.path, e.is_dir(), e.inode() > 0) for e in os.scandir()])",
    "scandir closed": "it = os.scandir(A); next(it); it.close(); show(list(it))",
    "scandir of a file": "os.scandir(F)",
    "walk": "show(sorted((p, sorted(d), sorted(f)) for p, d, f in os.walk(D)))",
    "walk bottom up": "show([(p, sorted(f)) for p, d, f in os.walk(A, topdown=False)])",
    "walk pruned": "for p, d, f in os.walk(D):\n    show(p); d.clear()",
    "walk of nothing": "errors = []; show(list(os.walk('nope', onerror=errors.append)), errors)",
    "Path.walk": "show(sorted((p, sorted(d), sorted(f)) for p, d, f in D.walk())) if sys.version_info >= (3, 12) else None",
    "access": "show([os.access(p, m) for p in (D, A, F, A / 'x') for m in (os.F_OK, os.R_OK)], os.access(F, os.X_OK), os.access(A, os.X_OK))",
    "readlink": "os.readlink(F)",
    "os.path tests": "show([(os.path.exists(p), os.path.isfile(p), os.path.isdir(p), os.path.islink(p), os.path.lexists(p)) for p in (D, A, F, A / 'x')])",
    "os.path sizes": "show(os.path.getsize(F), os.path.getmtime(F) > 0, os.path.samefile(F, F))",
    "os.path size of nothing": "os.path.getsize(A / 'x')",
    "os.path text": "p = os.path; show(p.join('a', 'b'), p.split(F), p.splitext(F), p.basename(F), p.dirname(F), p.normpath('a/../b'), p.commonpath([A, F]))",
    "os.path resolved": "p = os.path; show(p.abspath('documents/../x'), p.relpath(F, B), p.realpath(f'{A}/../{B.name}'), p.realpath('x'))",
    "os.path real strict": "os.path.realpath(A / 'nope', strict=True)",
    "chdir": "os.chdir(A); show(os.getcwd(), sorted(os.listdir()), open(F.name, 'rb').read(), Path('..').resolve(), os.path.exists('toc.json')); os.chdir(D.parent)",
    "chdir to a file": "os.chdir(F)",
    "chdir to nothing": "os.chdir('nope')",
    "glob.glob": "show(sorted(glob.glob(f'{D}/*/toc.json')), sorted(glob.glob('documents/*')), glob.glob('nope/*'), glob.glob(''))",
    "glob.glob recursive": "show(sorted(glob.glob(f'{D}/**', recursive=True)), sorted(glob.glob('**/*.txt', recursive=True)))",
    "glob.glob recursive nowhere": "show(glob.glob('nope/**', recursive=True), glob.glob(f'{F}/**', recursive=True))",
    "glob.glob rooted": "show(sorted(glob.glob('*/c*', root_dir=D)), sorted(glob.iglob('*', root_dir=str(A))), glob.escape('a[b]*'))",
    "glob.glob bytes": "show(sorted(glob.glob(bytes(A) + b'/*')))",
    "fnmatch": "show(fnmatch.filter(sorted(os.listdir(A)), '*.json'), fnmatch.fnmatch(F.name, 'M*'), fnmatch.fnmatchcase(F.name, 'm*'))",
    "Path.readlink": "F.readlink()",
    "copyfileobj": "to = io.BytesIO(); shutil.copyfileobj(open(F, 'rb'), to); show(to.getvalue())",
    "StringIO over it": "show(io.StringIO(F.read_text(errors='replace')).readlines(), io.TextIOWrapper(io.BytesIO(F.read_bytes()), 'latin-1').read())",
    "chain": "show(sum(len(line) for line in itertools.chain.from_iterable(open(p, 'rb') for p in all_files())))",
    "print to a file": "print('x', file=open(F))",
    "mkdir that exists": "show(A.mkdir(exist_ok=True), os.makedirs(A, exist_ok=True))",
}  # fmt: skip


def outcome(code: str, root: str, names: dict[str, Any]) -> list[str]:
    """What a program shows, then its error, with the root cut out."""
    lines: list[str] = []
    path: Callable[..., Any] = names["Path"]
    documents = path(f"{root}/documents")
    first, second = documents / FIRST, documents / SECOND

    def attempt(call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Exception as error:  # whatever it is, it must be the same on both sides
            return f"{type(error).__name__}: {error}"

    def all_files() -> Iterator[Any]:
        yield from sorted(documents.glob("*/*"))

    scope = {
        **names,
        "__name__": "program",
        "D": documents,
        "A": first,
        "B": second,
        "F": first / "metadata.json",
        "KINDS": ("metadata.json", "content.txt", "items.jsonl", "chunks.jsonl", "toc.json"),
        "all_files": all_files,
        "try_": attempt,
        "kind": lambda outcome: outcome.split(":")[0],
        "show": lambda *values: lines.append(" ".join(map(repr, values))),
    }
    scope |= {"csv": csv, "json": json, "itertools": itertools, "sys": sys}
    try:
        exec(code, scope)
    except Exception as error:  # as above
        lines.append(f"{type(error).__name__}: {error}, {getattr(error, 'errno', None)}")
    shown = [line.replace(root, "") if root else line for line in lines]
    return [line.replace("PosixPath('')", "PosixPath('/')") for line in shown]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("mirror")
    write(FILES, folder)
    return str(folder)


def real_names() -> dict[str, Any]:
    modules = {"os": os, "glob": glob, "io": io, "fnmatch": fnmatch, "shutil": shutil, "stat": stat}
    paths = {"Path": Path, "PosixPath": PosixPath, "PurePath": PurePath, "PurePosixPath": PurePosixPath}
    return {"open": open, **modules, **paths}


def guest_names() -> dict[str, Any]:
    mounted = Mounted(MemorySnapshot(FILES))
    modules = {name: getattr(mounted, name) for name in ("os", "glob", "io", "fnmatch", "shutil", "stat")}
    return {"open": mounted.open, **modules, **mounted.guest.modules["pathlib"]}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # files that programs leave open, as programs do
def test_same_as_a_real_directory(name: str, root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    assert outcome(PROGRAMS[name], "", guest_names()) == outcome(PROGRAMS[name], root, real_names())


def test_enough_programs() -> None:
    assert len(PROGRAMS) >= 80
