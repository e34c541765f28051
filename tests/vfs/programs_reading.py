"""Programs that read /documents as analysts and models write them; none of them fails."""

# ruff: noqa: E501  (programs are as they are written)

READING = {
    "titles by iterdir": r"""
for d in sorted(Path("/documents").iterdir()):
    m = json.loads((d / "metadata.json").read_text())
    print(d.name, m["title"], m["mime_type"])
""",
    "open each kind with": r"""
import os
for name in sorted(os.listdir("/documents"))[:40]:
    for k in sorted(os.listdir(os.path.join("/documents", name))):
        with open(os.path.join("/documents", name, k), encoding="utf-8") as f:
            print(name, k, len(f.read()))
""",
    "tables": r"""
n=0
for p in sorted(Path("/documents").glob("*/items.jsonl")):
    with p.open() as f:
        for line in f:
            r=json.loads(line)
            if r["label"]=="table":
                n+=1
                print(p.parent.name, r["table"]["columns"][:3], len(r["table"]["rows"]))
print(n)
""",
    "rglob sizes": r"""
for p in sorted(Path("/documents").rglob("*.jsonl")):
    print(p, p.stat().st_size, p.suffix, p.stem)
""",
    "os.walk": r"""
import os
for root, dirs, files in os.walk("/documents"):
    dirs.sort()
    print(root, len(dirs), sorted(files))
""",
    "walk bottomup": r"""
import os
print(sorted(r for r,d,f in os.walk("/documents", topdown=False))[-3:])
""",
    "glob include hidden": r"""
import glob
print(len(glob.glob("/documents/*", include_hidden=True)))
""",
    "scandir": r"""
import os
with os.scandir("/documents") as it:
    rows = sorted((e.name, e.is_dir(), e.is_file(), e.is_symlink(), e.path) for e in it)
print(len(rows), rows[:3])
for e in sorted(os.scandir("/documents/"+rows[0][0]), key=lambda e: e.name):
    print(e.name, e.stat().st_size, e.is_file(), e.inode()>0, repr(e))
""",
    "scandir entry types": r"""
import os
e = next(iter(os.scandir("/documents")))
print(type(e).__name__, isinstance(e, os.PathLike), isinstance(e, os.DirEntry), os.fspath(e)==e.path, type(os.scandir("/documents")).__name__)
""",
    "linecache": r"""
import linecache
for p in sorted(Path('/documents').glob('*/content.txt')):
    print(linecache.getlines(str(p))[-1:], linecache.getline(str(p), 1), linecache.getline(str(p), 10**6), linecache.getline(str(p), 0))
print(linecache.getlines('/documents/nope'), linecache.getlines('/documents'))
linecache.clearcache()
""",
    "fileinput": r"""
import fileinput
ps = sorted(Path("/documents").glob("*/content.txt"))[:3]
for line in fileinput.input(ps):
    print(fileinput.filelineno(), line[:20].rstrip())
""",
    "csv dictreader": r"""
import csv
p = sorted(Path("/documents").glob("*/content.txt"))[3]
print([list(r.values())[:2] for r in csv.DictReader(open(p, newline=""))][:4])
""",
    "csv reader from file": r"""
import csv
with open(sorted(Path("/documents").glob("*/content.txt"))[2], newline="") as f:
    rows = list(csv.reader(f))
print(len(rows), rows[:2])
""",
    "json.load": r"""
ms=[json.load(open(p)) for p in sorted(Path("/documents").glob("*/metadata.json"))]
print(sorted(Counter(m["mime_type"] for m in ms).items()))
""",
    "json.load binary": r"""
ms=[json.load(open(p,"rb")) for p in sorted(Path("/documents").glob("*/toc.json"))]
print(sum(len(m["tree"]) for m in ms))
""",
    "io.open": r"""
import io
with io.open(str(sorted(Path("/documents").glob("*/toc.json"))[0]), "r", encoding="utf8") as f: print(f.read()[:80], f.encoding)
""",
    "os.access": r"""
import os
p=sorted(Path("/documents").glob("*/toc.json"))[0]
print(os.access(p, os.R_OK), os.access(p, os.W_OK), os.access(p, os.X_OK), os.access(p.parent, os.X_OK), os.access(p.parent, os.W_OK), os.access(p, os.F_OK), os.access("/documents/nope", os.F_OK), os.access(p, os.R_OK|os.W_OK))
""",
    "stat fields": r"""
import os
p = sorted(Path('/documents').glob('*/toc.json'))[0]
s = os.stat(p)
print(s.st_size, s.st_mtime, s.st_mtime_ns, oct(s.st_mode), s.st_nlink, os.path.getmtime(p), s.st_blksize)
s = p.parent.stat()
print(s.st_mtime, s.st_mtime_ns, oct(s.st_mode))
""",
    "is_relative_to etc": r"""
p=sorted(Path("/documents").glob("*/toc.json"))[0]
print(p.is_relative_to("/documents"), p.relative_to("/documents"), p.samefile(str(p)), p.resolve()==p, p.absolute(), p.is_absolute(), p.is_reserved(), p.drive, p.anchor, p.root)
print(p.match("*/toc.json"), p.match("toc.*"), p.with_suffix(".txt"), p.with_name("a.b"), p.with_stem("z"), p.joinpath("..","x"), p.parts[-2:], p.parents[0], list(p.parents)[-1], p.as_uri(), p.as_posix())
""",
    "fileno": r"""
f = open(sorted(Path('/documents').glob('*/toc.json'))[0])
print(isinstance(f.fileno(), int), f.isatty())
""",
    "bytes paths": r"""
import os
d=sorted(os.listdir(b"/documents"))[0]
print(d, sorted(os.listdir(b"/documents/"+d)), os.path.join(b"/documents", d), open(b"/documents/"+d+b"/toc.json").read()[:20], os.path.exists(b"/documents"), os.fsdecode(d))
""",
    "slashes": r"""
import os
d=sorted(os.listdir("/documents"))[0]
print(open(f"/documents//{d}///toc.json").read()[:20], os.path.isdir("/documents/"), os.path.isdir(f"/documents/{d}/"), Path(f"/documents/{d}/").name, os.path.exists(f"/documents/{d}/toc.json/"))
""",
    "dotdot": r"""
import os
d=sorted(os.listdir("/documents"))[0]
print(open(f"/documents/{d}/../{d}/toc.json").read()[:20], os.path.exists("/documents/nope/../"+d), Path(f"/documents/{d}/..").resolve(), os.path.realpath(f"/documents/{d}/../x"), os.path.normpath(f"/documents/{d}/.."))
""",
    "ospath all": r"""
import os.path as op
p=str(sorted(Path("/documents").glob("*/toc.json"))[0])
print(op.basename(p), op.dirname(p), op.split(p), op.splitext(p), op.splitdrive(p), op.isabs(p), op.isfile(p), op.isdir(p), op.islink(p), op.ismount(p), op.lexists(p), op.samefile(p,p), op.commonpath([p,"/documents"]), op.commonprefix([p,"/documents/"]), op.relpath(p,"/documents"), op.normcase(p), op.expanduser(p), op.expandvars(p), op.getatime(p)>0, op.getctime(p)>0, op.sep, op.pardir, op.curdir, op.extsep, op.altsep, op.pathsep, op.supports_unicode_filenames)
""",
    "expandvars": r"""
import os
print(os.path.expandvars("$NOPE/x"), os.path.expandvars("/a/${b}"))
""",
    "copy path": r"""
import copy
p=sorted(Path("/documents").glob("*/toc.json"))[0]
print(copy.copy(p)==p, copy.deepcopy(p)==p, hash(copy.deepcopy(p))==hash(p), copy.deepcopy({"a":[p]})=={"a":[p]})
""",
    "sort compare": r"""
ps=list(Path("/documents").glob("*/t*"))
print(sorted(ps)==sorted(ps,key=str), min(ps), max(ps), len(set(ps)), ps[0]==ps[0], sorted(ps, key=lambda p:p.parent.name, reverse=True)[0])
""",
    "itertools": r"""
import itertools
p=sorted(Path("/documents").glob("*/content.txt"))[0]
with open(p) as f: print(list(itertools.islice(f, 3)), [*itertools.takewhile(str.strip, f)][:3])
with open(p) as f: print(next(f), next(f, None) is not None, sum(1 for _ in f))
""",
    "iter sentinel": r"""
p=sorted(Path("/documents").glob("*/content.txt"))[0]
with open(p,"rb") as f: print(sum(len(b) for b in iter(lambda: f.read(1000), b"")))
""",
    "seek tell": r"""
p=sorted(Path("/documents").glob("*/content.txt"))[0]
with open(p) as f:
    f.readline(); t=f.tell(); a=f.readline(); f.seek(t); print(a==f.readline(), f.seek(0), f.seek(0,2), f.read())
""",
    "readinto memoryview": r"""
p=sorted(Path("/documents").glob("*/content.txt"))[0]
with open(p,"rb") as f:
    b=bytearray(10); print(f.readinto(b), b, f.peek(3)[:3], f.read1(5), f.readline())
""",
    "detach": r"""
import io
p=sorted(Path("/documents").glob("*/content.txt"))[0]
f=open(p); b=f.detach(); print(type(b).__name__, b.read(5)); t=io.TextIOWrapper(b, encoding="latin-1"); print(t.read(3))
""",
    "newline modes": r"""
p=sorted(Path("/documents").glob("*/content.txt"))[0]
for nl in (None,"","\n","\r","\r\n"):
    with open(p,newline=nl) as f: print(nl, len(f.readlines()), f.newlines)
""",
    "encoding errors": r"""
p=sorted(Path("/documents").glob("*/content.txt"))
for q in p[:60]:
    try: print(len(open(q,encoding="ascii").read()))
    except UnicodeDecodeError as e: print(type(e).__name__, e.start, e.reason, e.encoding)
""",
    "encoding ascii ignore": r"""
for q in sorted(Path("/documents").glob("*/content.txt"))[:60]:
    print(len(open(q,encoding="ascii",errors="ignore").read()), len(q.read_text(encoding="ascii",errors="replace")), len(q.read_text("latin-1")))
""",
    "xmlcharref decode": 'sorted(Path("/documents").glob("*/content.txt"))[0].read_text(encoding="ascii",errors="xmlcharrefreplace")',
    "unbuffered": r"""
p=sorted(Path("/documents").glob("*/content.txt"))[0]
f=open(p,"rb",buffering=0); print(type(f).__name__, f.read(4), f.name==str(p), f.mode); f.close()
""",
    "buffering 1": r"""
p=sorted(Path("/documents").glob("*/content.txt"))[0]
f=open(p,buffering=1); print(f.line_buffering, f.readline()); f.close()
""",
    "attrs": r"""
p=sorted(Path("/documents").glob("*/content.txt"))[0]
f=open(p); print(f.name, f.mode, f.encoding, f.errors, f.newlines, f.closed, f.readable(), f.writable(), f.seekable(), f.line_buffering, f.write_through, repr(f), f.buffer, f.buffer.raw); f.close(); print(repr(f))
""",
    "named args": r"""
p=sorted(Path("/documents").glob("*/content.txt"))[0]
f=open(file=p, mode="r", encoding="utf-8"); print(f.read(3))
""",
    "locale encoding": r"""
p=sorted(Path("/documents").glob("*/content.txt"))[0]
print(open(p, encoding="locale").read(3))
""",
    "Path nul": 'print(Path("/documents/a\\0b").exists())',
    "islink": r"""
import os
p=sorted(Path("/documents").glob("*/content.txt"))[0]
print(p.is_symlink(), p.is_mount(), p.is_file(), p.is_dir(), p.is_block_device(), p.is_char_device(), p.is_fifo(), p.is_socket(), Path("/documents").is_mount())
""",
    "lstat": r"""
p=sorted(Path("/documents").glob("*/content.txt"))[0]
print(p.lstat().st_size==p.stat().st_size, p.stat(follow_symlinks=False).st_size)
""",
    "st fields tuple": r"""
import os
s=os.stat(sorted(Path("/documents").glob("*/content.txt"))[0])
print(len(s), s[6], type(s).__name__, tuple(s)[6], s.st_uid>=0, s.st_blksize>0, s.st_blocks>=0)
""",
    "os misc": r"""
import os
print(os.sep, os.linesep, os.curdir, os.pardir, os.extsep, os.name, os.devnull, os.pathsep, os.SEEK_END, os.strerror(2), os.fspath(Path("a")), os.fsencode("a"))
""",
    "os.environ": r"""
import os
print(os.environ.get("NOPE"), "NOPE" in os.environ, os.getenv("NOPE"), os.getenv("NOPE","x"))
""",
    "Path iteration over lines": r"""
p=sorted(Path("/documents").glob("*/content.txt"))[0]
words=Counter()
for line in p.open(encoding="utf-8"):
    words.update(re.findall(r"\w+", line.lower()))
print(words.most_common(5))
""",
    "dict of docs": r"""
docs={p.name: {k.name: k.stat().st_size for k in sorted(p.iterdir())} for p in sorted(Path("/documents").iterdir())}
print(json.dumps(docs)[:2000])
""",
    "md5": r"""
import hashlib
for p in sorted(Path("/documents").rglob("*.txt")):
    print(hashlib.md5(p.read_bytes()).hexdigest())
""",
    "hash file digest": r"""
import hashlib
with open(sorted(Path("/documents").rglob("*.txt"))[0],"rb") as f: print(hashlib.file_digest(f,"sha256").hexdigest())
""",
    "textwrap exitstack": r"""
from contextlib import ExitStack
ps=sorted(Path("/documents").rglob("toc.json"))[:10]
with ExitStack() as st:
    fs=[st.enter_context(open(p)) for p in ps]
    print([len(f.read()) for f in fs])
print([f.closed for f in fs])
""",
    "closing": r"""
from contextlib import closing, suppress
with closing(open(sorted(Path("/documents").rglob("toc.json"))[0])) as f: print(f.read(10))
with suppress(FileNotFoundError): open("/documents/x")
""",
    "map open": 'print([f.read(5) for f in map(open, sorted(Path("/documents").rglob("toc.json"))[:3])])',
    "zip two files": r"""
d=sorted(Path("/documents").iterdir())[0]
for a,b in zip(open(d/"items.jsonl"), open(d/"chunks.jsonl")): print(len(a),len(b)); break
""",
    "zip longest all": r"""
d=sorted(Path("/documents").iterdir())[0]
print(sum(a==b for a,b in zip((d/"items.jsonl").read_text().split("\n"), (d/"items.jsonl").read_text().splitlines())))
""",
    "generator pipeline": r"""
def lines():
    for p in sorted(Path("/documents").glob("*/items.jsonl")):
        yield from (json.loads(l) for l in open(p))
print(Counter(r["label"] for r in lines()).most_common())
""",
    "except chain": r"""
try: open("/documents/none/x")
except (FileNotFoundError, IsADirectoryError) as e: print(repr(e), str(e))
""",
    "path format": r"""
p=Path("/documents")/"a"
print(f"{p}", f"{p!r}", "%s" % p, str(p)+"x", format(p), p / "b" / "..", Path("a//b/./c"), Path("/")/"x", "x"/Path("y"), Path("a")/"/b")
""",
    "path bool eq": 'print(bool(Path("")), Path("")==Path("."), Path("a")=="a", Path("a")<Path("b"), Path("/documents") in [Path("/documents/")], hash(Path("a"))==hash(Path("a/")))',
    "Path glob variants": r"""
d=Path("/documents")
for pat in ("*","**","*/","**/","**/*.json","*/*","*/[ac]*","*/?oc.json","[!a]*/toc.json","*/{a,b}","./*","*/../*/toc.json","**/toc.json/","*.json", "*/*.JSON", "***"):
    try: print(pat, len(list(d.glob(pat))), sorted(d.glob(pat))[:2])
    except Exception as e: print(pat, type(e).__name__, e)
""",
    "rglob variants": r"""
d=Path("/documents")
for pat in ("*","toc.json","*.txt","*/toc.json","**","","[a-c]*", ".."):
    try: print(pat, len(list(d.rglob(pat))), sorted(d.rglob(pat))[:2])
    except Exception as e: print(pat, type(e).__name__, e)
""",
    "exists on permission": 'print(Path("/documents").exists(), Path("/documents/nope").exists(), Path("").exists(), Path("documents/").is_dir())',
    "os.path.exists types": r"""
import os
print(os.path.exists(b"/documents"), os.path.exists(Path("/documents")), os.path.exists("\0"), os.path.exists(""))
""",
    "os.listdir none": r"""
import os
print(sorted(os.listdir())[:1]==sorted(os.listdir(None))[:1])
""",
    "walk onerror": r"""
import os
errs=[]
print(list(os.walk("/documents/nope", onerror=errs.append)), errs)
""",
    "walk followlinks": r"""
import os
print(len(list(os.walk("/documents", followlinks=True))))
""",
    "TextIOWrapper": r"""
import io
p=sorted(Path("/documents").rglob("content.txt"))[0]
with open(p,"rb") as b:
    for line in io.TextIOWrapper(b, encoding="utf-8", newline=""): print(repr(line[:30])); break
""",
    "BufferedReader over": r"""
import io
p=sorted(Path("/documents").rglob("content.txt"))[0]
with io.BufferedReader(open(p,"rb",buffering=0)) as b: print(b.read(5))
""",
    "codecs getreader": r"""
import codecs
p=sorted(Path("/documents").rglob("content.txt"))[0]
with open(p,"rb") as b: print(codecs.getreader("utf-8")(b).read(5))
""",
    "isinstance": r"""
import io
f=open(sorted(Path("/documents").rglob("content.txt"))[0]); print(isinstance(f, io.TextIOBase), isinstance(f, io.IOBase), type(f), isinstance(f.buffer, io.BufferedReader))
""",
    "typing io": r"""
from typing import IO, TextIO
f: TextIO = open(sorted(Path("/documents").rglob("content.txt"))[0]); print(f.read(2))
""",
    "dataclass with path": r"""
from dataclasses import dataclass
@dataclass(order=True, frozen=True)
class D:
    path: Path
    @property
    def size(self): return sum(p.stat().st_size for p in self.path.iterdir())
ds=sorted(D(p) for p in Path("/documents").iterdir())
print(ds[0], ds[0].size, len({*ds}))
""",
    "subclass Path": r"""
class P(type(Path())):
    def meta(self): return json.loads((self/"metadata.json").read_text())
print(P(sorted(Path("/documents").iterdir())[0]).meta()["id"])
""",
    "lru_cache": r"""
from functools import lru_cache
@lru_cache
def size(p): return p.stat().st_size
print(sum(size(p) for p in Path("/documents").rglob("*.json")))
""",
    "path in json default": 'print(json.dumps({"p": Path("/documents")}, default=str))',
    "os.PathLike": r"""
import os
class X:
    def __fspath__(self): return "/documents"
print(len(os.listdir(X())), Path(X()), os.path.isdir(X()), os.fspath(X()))
""",
    "regex over bytes": r"""
p=sorted(Path("/documents").rglob("content.txt"))
print(sum(len(re.findall(rb"[A-Z]{3,}", q.read_bytes())) for q in p))
""",
    "splitlines": 'print(sum(len(q.read_text().splitlines()) for q in sorted(Path("/documents").rglob("*.jsonl"))), sum(len(q.read_text().split("\\n")) for q in sorted(Path("/documents").rglob("*.jsonl"))))',
    "with multiple": r"""
d=sorted(Path("/documents").iterdir())[0]
with open(d/"toc.json") as a, open(d/"metadata.json") as b: print(json.load(a)["doc_id"]==json.load(b)["id"])
""",
    "async read": r"""
import asyncio
async def one(p):
    await asyncio.sleep(0); return len(p.read_text())
print(await asyncio.gather(*[one(p) for p in sorted(Path("/documents").rglob("content.txt"))[:20]]))
""",
    "datetime of mtime": r"""
for p in sorted(Path("/documents").rglob("toc.json"))[:3]:
    from datetime import timezone
    print(datetime.fromtimestamp(p.stat().st_mtime, timezone.utc).isoformat())
""",
    "statistics": r"""
import statistics
print(statistics.mean(p.stat().st_size for p in Path("/documents").rglob("*.txt")))
""",
    "string io copy": r"""
import io, shutil
b=io.StringIO(); shutil.copyfileobj(open(sorted(Path("/documents").rglob("toc.json"))[0]), b); print(b.getvalue()[:30])
""",
    "os.path.islink loop": r"""
import os
print(os.path.realpath("/documents/"), os.path.realpath("documents"), Path("documents/./x/..").resolve())
""",
    "path from parts": 'print(Path("/", "documents", "a"), Path(*["/documents"]), Path(Path("/documents"), "b"), Path("/documents", Path("c")))',
    "owner group": r"""
p = sorted(Path('/documents').glob('*/toc.json'))[0]
print(len(p.owner()) > 0, len(p.group()) > 0)
""",
    "glob iglob": r"""
import glob
print(sorted(glob.iglob('/documents/**/toc.json', recursive=True))[:5], sorted(glob.glob('*/toc.json', root_dir='/documents'))[:5], len(glob.glob('documents/*')))
print(sorted(glob.glob('/documents/*/*.json*'))[:7], glob.glob('/documents/*/nope'), sorted(glob.glob('**/c*.txt', root_dir='/documents', recursive=True))[:3], glob.glob('docu*'))
""",
    "cwd": r"""
import os
print(Path.cwd() / 'x', Path('documents').resolve(), len(list(Path('documents').iterdir())), Path('documents').exists())
""",
    "chdir": r"""
import os
os.chdir('/documents')
print(os.getcwd(), len(os.listdir()), len(os.listdir('.')), sorted(Path().iterdir())[0], sorted(Path('.').glob('*/toc.json'))[0], os.path.abspath('x'))
os.chdir(sorted(os.listdir())[0])
print(os.getcwd(), sorted(os.listdir()), open('toc.json').read()[:40], sorted(os.listdir('..'))[:2])
""",
    "fnmatch": r"""
import fnmatch, os
print(fnmatch.filter(sorted(os.listdir(sorted(Path('/documents').iterdir())[0])), '*.json'), fnmatch.translate('*.txt'), fnmatch.fnmatch('a.TXT', '*.txt'))
""",
    "errno caught": r"""
import errno
try:
    open('/documents/none/x')
except OSError as e:
    print(e.errno == errno.ENOENT, e.filename, e.strerror, e.filename2, e.args)
try:
    Path('/documents/x').mkdir()
except PermissionError as e:
    print(e.errno, e.filename, e.strerror)
""",
    "shutil destinations": r"""
import shutil
p = sorted(Path('/documents').glob('*/toc.json'))[0]
for call in (shutil.copyfile, shutil.copy, shutil.copy2):
    try:
        call(p, '/documents/copy')
    except PermissionError as e:
        print(e)
""",
    "getenv": r"""
import os
print(os.getenv('NOPE'), os.getenv('NOPE', 'x'), os.environ.get('NOPE'))
""",
    "wrong types": r"""
import os
for call in (os.stat, os.lstat, os.listdir, os.scandir, os.chdir, os.readlink, os.mkdir, os.unlink, os.rmdir, os.remove, os.path.exists, open):
    try:
        call(1.5)
    except TypeError as e:
        print(call.__name__, e)
try:
    os.rename(1.5, 'x')
except TypeError as e:
    print(e)
""",
    "missing arguments": r"""
import os
for call in (os.mkdir, os.unlink, os.remove, os.rmdir, os.rename):
    try:
        call()
    except TypeError as e:
        print(e)
""",
    "to_thread": r"""
import asyncio
p=sorted(Path("/documents").rglob("content.txt"))[0]
print(len(await asyncio.to_thread(p.read_text)))
""",
}
