"""Programs that end with an error on every read-only file system, each with its own."""

# ruff: noqa: E501  (programs are as they are written)

ERRORS = {
    "codecs.open": r"""
import codecs
for p in sorted(Path('/documents').glob('*/content.txt')):
    with codecs.open(str(p), 'r', 'utf-8') as f:
        print(f.readline(), f.read(10), f.encoding, f.readlines()[-1:])
    with codecs.open(str(p)) as f:
        print(f.read(5))
codecs.open('/documents/x', 'w', 'utf-8')
""",
    "expanduser unknown": 'print(Path("~nobodyxx/a").expanduser())',
    "chdir missing": r"""
import os
os.chdir("/documents/nope")
""",
    "open dir": 'open("/documents")',
    "open missing": 'open("/documents/nope/content.txt")',
    "open empty": 'open("")',
    "read dir": 'Path("/documents").read_text()',
    "read missing": 'Path("/documents/zzz").read_text()',
    "read below file": '(sorted(Path("/documents").glob("*/toc.json"))[0] / "x").read_text()',
    "iterdir missing": 'list(Path("/documents/nope").iterdir())',
    "iterdir file": 'list(sorted(Path("/documents").glob("*/toc.json"))[0].iterdir())',
    "listdir file": r"""
import os
os.listdir(sorted(Path("/documents").glob("*/toc.json"))[0])
""",
    "stat missing": 'Path("/documents/nope").stat()',
    "write w": 'open("/documents/new.txt","w")',
    "write existing w": 'open(sorted(Path("/documents").glob("*/toc.json"))[0],"w")',
    "append existing": 'open(sorted(Path("/documents").glob("*/toc.json"))[0],"a")',
    "r+ existing": 'open(sorted(Path("/documents").glob("*/toc.json"))[0],"r+")',
    "x new": 'open("/documents/new.txt","x")',
    "write_text": 'Path("/documents/new.txt").write_text("x")',
    "write_bytes": 'Path("/documents/new.txt").write_bytes(b"x")',
    "touch new": 'Path("/documents/new.txt").touch()',
    "mkdir": 'Path("/documents/new").mkdir()',
    "unlink": 'sorted(Path("/documents").glob("*/toc.json"))[0].unlink()',
    "remove": r"""
import os
os.remove(sorted(Path("/documents").glob("*/toc.json"))[0])
""",
    "rmdir": 'sorted(Path("/documents").glob("*"))[0].rmdir()',
    "rename": r"""
p=sorted(Path("/documents").glob("*/toc.json"))[0]
p.rename(p.with_name("x"))
""",
    "replace": r"""
import os
p=sorted(Path("/documents").glob("*/toc.json"))[0]
os.replace(p, str(p)+"x")
""",
    "symlink": 'Path("/documents/l").symlink_to("/documents")',
    "truncate": r"""
import os
os.truncate(sorted(Path("/documents").glob("*/toc.json"))[0], 0)
""",
    "os.open write": r"""
import os
os.open("/documents/n", os.O_WRONLY|os.O_CREAT)
""",
    "os.mkdir": r"""
import os
os.mkdir("/documents/n")
""",
    "os.rename": r"""
import os
os.rename("/documents", "/documents2")
""",
    "file write": r"""
p=sorted(Path("/documents").glob("*/toc.json"))[0]
with open(p) as f:
    f.write("x")
""",
    "file truncate": r"""
with open(sorted(Path("/documents").glob("*/toc.json"))[0]) as f:
    f.truncate()
""",
    "closed": 'f=open(sorted(Path("/documents").glob("*/toc.json"))[0]); f.close(); f.read()',
    "closed iter": 'f=open(sorted(Path("/documents").glob("*/toc.json"))[0]); f.close(); next(f)',
    "closed with": r"""
f=open(sorted(Path("/documents").glob("*/toc.json"))[0]); f.close()
with f: pass
""",
    "open fd0": r"""
import os
os.fdopen(57)
""",
    "os.read": r"""
import os
os.read(57, 10)
""",
    "bytes Path": 'Path(b"/documents")',
    "readlines hint": r"""
p=sorted(Path("/documents").glob("*/content.txt"))[0]
with open(p) as f: print(len(f.readlines(100)), f.tell()>0)
""",
    "tell in iteration": r"""
p=sorted(Path("/documents").glob("*/content.txt"))[0]
with open(p) as f:
    for line in f: f.tell()
""",
    "bad newline": 'open(sorted(Path("/documents").glob("*/content.txt"))[0], newline="x")',
    "utf16": 'sorted(Path("/documents").glob("*/content.txt"))[0].read_text(encoding="utf-16")',
    "binary text mix": 'open(sorted(Path("/documents").glob("*/content.txt"))[0],"rb",encoding="utf-8")',
    "closefd": 'open(sorted(Path("/documents").glob("*/content.txt"))[0], closefd=False)',
    "nul": 'open("/documents/a\\0b")',
    "long": 'open("/documents/"+"x"*300)',
    "readlink": r"""
p=sorted(Path("/documents").glob("*/content.txt"))[0]
p.readlink()
""",
    "os.readlink": r"""
import os
os.readlink("/documents")
""",
    "path div type": 'Path("a")/1',
    "path lt str": 'Path("a")<"a"',
    "Path glob empty": 'list(Path("/documents").glob(""))',
    "Path glob abs": 'list(Path("/documents").glob("/x"))',
    "os.path.exists none": r"""
import os
os.path.exists(None)
""",
    "stat on float": r"""
import os
os.stat(1.5)
""",
    "join types": r"""
import os
os.path.join("a", b"b")
""",
    "join none": r"""
import os
os.path.join("a", None)
""",
    "print file": r"""
p=sorted(Path("/documents").rglob("toc.json"))[0]
print("x", file=open(p))
""",
    "path in json": 'json.dumps({"p": Path("/documents")})',
    "bad fspath": r"""
import os
class X:
    def __fspath__(self): return 1
open(X())
""",
    "tomllib": r"""
import tomllib
with open(sorted(Path("/documents").rglob("toc.json"))[0],"rb") as f: tomllib.load(f)
""",
    "resolve strict": 'Path("/documents/nope").resolve(strict=True)',
    "path none": "Path(None)",
    "path int": "Path(3)",
    "descriptors": r"""
import os
p = sorted(Path('/documents').glob('*/content.txt'))[0]
fd = os.open(p, os.O_RDONLY)
print(os.read(fd, 5), os.lseek(fd, 0, os.SEEK_CUR), os.pread(fd, 4, 1), os.fstat(fd).st_size == p.stat().st_size, os.stat(fd).st_size)
with os.fdopen(fd) as f:
    print(f.read(4))
os.read(fd, 1)
""",
    "fstat of a file": r"""
import os
p = sorted(Path('/documents').glob('*/content.txt'))[0]
with open(p) as f:
    print(os.fstat(f.fileno()).st_size == os.path.getsize(p), os.path.sameopenfile(f.fileno(), f.fileno()), os.path.exists(f.fileno()))
f.fileno()
""",
    "open by number": r"""
import os
p = sorted(Path('/documents').glob('*/content.txt'))[0]
fd = os.open(p, os.O_RDONLY)
with open(fd, 'rb', closefd=False) as f:
    print(f.read(3), isinstance(f.name, int))
os.close(fd)
open(fd)
""",
    "os.close twice": r"""
import os
fd = os.open(sorted(Path('/documents').glob('*/content.txt'))[0], os.O_RDONLY)
os.close(fd)
os.close(fd)
""",
    "opener of one's own": r"""
import os
p = sorted(Path('/documents').glob('*/content.txt'))[0]
with open(p, opener=lambda path, flags: os.open(path, flags)) as f:
    print(f.read(10), f.name == p or f.name == str(p))
open(p, opener=lambda path, flags: -1)
""",
    "opener of nonsense": "open(sorted(Path('/documents').glob('*/content.txt'))[0], opener=lambda path, flags: 'x')",
    "fileinput with": r"""
import fileinput
with fileinput.input(sorted(Path('/documents').glob('*/content.txt')), encoding='utf-8') as f:
    print([(fileinput.lineno(), f.filelineno(), f.isfirstline(), line[:9]) for line in f][-4:])
list(fileinput.input('/documents/nope'))
""",
    "fileinput in place": r"""
import fileinput
for line in fileinput.input(sorted(Path('/documents').glob('*/content.txt'))[0], inplace=True):
    pass
""",
    "codecs unknown": r"""
import codecs
codecs.open(str(sorted(Path('/documents').glob('*/content.txt'))[0]), encoding='klingon')
""",
}
