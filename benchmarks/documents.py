"""Programs that read a whole corpus, in a cell and in plain CPython on the same bytes in local files, in one run.

    python benchmarks/documents.py CORPUS [--rounds 3] [--only NAME] [--export FOLDER] [--peer PYTHON]

`benchmarks/scale.py` makes corpora of any size. Cold means: a new service process, whose first session runs the program
as its first cell; the page cache is warm on both sides. The wall time of a cell includes starting its session; CPU is
that of service and worker together. Prints ratios (plain CPython is 1.0) and the machine; the outputs must be equal.

`--peer` (or GLOSSATOR_BENCH_PEER) is the Python of a venv with haiku.rag-slim: it gets the same documents through its
own import (kept in EXPORT.peer, made at the first run), and runs the same programs in its sandbox, once each, within
its own limit of 60 s, on a database that is open already. Its files are its own, and so are its outputs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from glossator.analysis import Analysis
from glossator.corpus import FILE_KINDS, Corpus, NoEmbedder
from glossator.sandbox import Limits, Sandbox

# Plain enough for any interpreter, so that one text runs everywhere.
PROGRAMS = {
    "metadata.json, json.loads": """
years = {}
for folder in ROOT.iterdir():
    year = json.loads((folder / "metadata.json").read_text())["metadata"]["year"]
    years[year] = years.get(year, 0) + 1
print(sorted(years.items()))
""",
    "items.jsonl, tables counted": """
tables = 0
for folder in ROOT.iterdir():
    for line in (folder / "items.jsonl").read_text().splitlines():
        if json.loads(line)["label"] == "table":
            tables += 1
print(tables)
""",
    "content.txt, regex": r"""
total = 0
for folder in ROOT.iterdir():
    for amount in re.findall(r"EUR ([\d,]+)", (folder / "content.txt").read_text()):
        total += int(amount.replace(",", ""))
print(total)
""",
    "chunks.jsonl": """
chunks = pages = 0
for folder in ROOT.iterdir():
    for line in (folder / "chunks.jsonl").read_text().splitlines():
        chunks += 1
        pages += len(json.loads(line)["metadata"]["page_numbers"])
print(chunks, pages)
""",
    "toc.json": """
sections = 0
for folder in ROOT.iterdir():
    sections += len(json.loads((folder / "toc.json").read_text())["tree"])
print(sections)
""",
    "items and content together": """
found = 0
for folder in ROOT.iterdir():
    text = (folder / "content.txt").read_text()
    for line in (folder / "items.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["label"] == "list_item" and row["text"] in text:
            found += 1
print(found)
""",
    "items.jsonl by lines": """
tables = 0
for folder in ROOT.iterdir():
    with open(folder / "items.jsonl") as f:
        for line in f:
            tables += json.loads(line)["label"] == "table"
print(tables)
""",
    "content.txt, sorted glob": r"""
euros = re.compile(r"EUR ([\d,]+)")
print(sum(int(amount.replace(",", "")) for path in sorted(ROOT.glob("*/content.txt"))
          for amount in euros.findall(path.read_text())))
""",
    "toc.json, os.listdir": """
titles = Counter()
for name in sorted(os.listdir(ROOT)):
    with open(os.path.join(ROOT, name, "toc.json")) as f:
        titles.update(node["title"].split()[-1] for node in json.load(f)["tree"])
print(titles.most_common(5))
""",
}
PROGRAMS |= {
    "grep": """
print(len(grep(r"EUR (1|2)")), len(grep("^nothing begins so")))
""",
    "items()": """
print(Counter(item["label"] for name in os.listdir(ROOT) for item in items(name)).most_common())
""",
    "toc()": """
print(sum(len(toc(name)["tree"]) for name in os.listdir(ROOT)))
""",
}
PRELOADED = "import json, os, re\nfrom collections import Counter\nfrom pathlib import Path\n"
IN_CELL = "import os\nROOT = Path('/documents')\n"
IN_FILES = (
    PRELOADED
    + """
import contextlib, io, sys, time
ROOT = Path(sys.argv[1])

def items(doc):
    return [json.loads(line) for line in (ROOT / doc / "items.jsonl").read_text().splitlines()]

def toc(doc):
    return json.loads((ROOT / doc / "toc.json").read_text())

def grep(regex):
    search = re.compile(regex).search
    return [(name, n, line) for name in os.listdir(ROOT)
            for n, line in enumerate(open(ROOT / name / "content.txt"), 1) if search(line)]

program, out = compile(sys.argv[2], "program", "exec"), io.StringIO()
wall, cpu = time.perf_counter(), time.process_time()
with contextlib.redirect_stdout(out):
    exec(program)
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, out.getvalue()]))
"""
)


async def export(corpus: Path, folder: Path) -> int:
    """Write the five files of every document below `folder`; how many documents."""
    async with await Corpus.open(corpus, embedder=NoEmbedder()) as opened, await opened.snapshot() as snapshot:
        ids = list(snapshot.documents)
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            for kind in FILE_KINDS:
                for document, body in zip(part, snapshot.read(kind, part), strict=True):
                    (folder / document).mkdir(exist_ok=True)
                    (folder / document / kind).write_bytes(body)
        return len(ids)


def in_files(folder: Path, program: str) -> list[Any]:
    """Wall and CPU seconds of the program in plain CPython, and what it printed."""
    command = [sys.executable, "-I", "-c", IN_FILES, str(folder), program]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def in_cell(corpus: Path, program: str) -> dict[str, Any]:
    """The same in the first cell of a new service, and more measures of that service."""
    command = [sys.executable, __file__, str(corpus), "--cell", program]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


async def service(corpus: Path, code: str) -> dict[str, Any]:
    """Runs in a process of its own: one service, one session, the cells of a measurement."""
    limits = Limits(wall_s=600)
    async with (
        await Corpus.open(corpus, embedder=NoEmbedder()) as opened,
        Sandbox(limits=limits, guest_modules=[GUEST]) as sandbox,
    ):
        await (await sandbox.session()).close()  # the service is up when its zygote is

        async def corpus_of_the_service() -> Corpus:
            return opened

        memory = _resident()
        analysis = Analysis(corpus_of_the_service, sandbox)
        wall, cpu = time.perf_counter(), time.process_time()
        reply = await analysis.execute_code(IN_CELL + code)
        wall, host = time.perf_counter() - wall, time.process_time() - cpu
        worker = time.clock_gettime(_cpu_clock(_worker(analysis)))
        if reply.result.error:
            raise SystemExit(reply.text)
        grown = _resident() - memory
        await analysis.close()
        return {
            "wall": wall,
            "host": host,
            "worker": worker,
            "printed": reply.result.stdout,
            "host_mb": grown / 2**20,
            "value": reply.result.value,
        }


GUEST = "glossator.vfs.guest"


def _worker(analysis: Any) -> int:
    return analysis._session._worker._process.pid


def _cpu_clock(pid: int) -> int:
    return ~pid << 3 | 2  # what clock_getcpuclockid(3) gives


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    shared = int(Path("/proc/self/statm").read_text().split()[2])  # the page cache that SQLite maps is not ours
    return (pages - shared) * os.sysconf("SC_PAGE_SIZE")


TIMED = """
import time
spent = []
for _ in range({times}):
    started = time.perf_counter()
    {code}
    spent.append(time.perf_counter() - started)
sorted(spent)[len(spent) // 2] * 1000
"""


def latencies(corpus: Path, documents: int, rounds: int) -> None:
    first = [in_cell(corpus, "print(len(os.listdir('/documents')))")["wall"] * 1e3 for _ in range(rounds)]
    empty = [in_cell(corpus, "print(1)")["wall"] * 1e3 for _ in range(rounds)]
    print(f"first cell of a new session: {statistics.median(empty):.0f} ms")
    print(f"first cell, listing /documents: {statistics.median(first):.0f} ms")
    for name, times in (("first", 1), ("median of 5", 5)):
        code = TIMED.format(times=times, code="rows = await list_documents()")
        spent = statistics.median(float(in_cell(corpus, code)["value"]) for _ in range(rounds))
        print(f"list_documents(), {name}: {spent:.1f} ms")
    picks = f"import random\nfolders = list(ROOT.iterdir())\nrandom.seed({random.randrange(10**6)})\n"
    code = picks + TIMED.format(times=200, code="(random.choice(folders) / 'content.txt').read_text()")
    print(f"one random file: {float(in_cell(corpus, code)['value']):.2f} ms p50 of {min(200, documents)}")


def compare(corpus: Path, folder: Path, rounds: int, only: str, peer: str | None) -> None:
    print(f"{'':30} {'wall':>6} {'CPU':>6}   files s    cell s files CPU  host CPU  work CPU   host MB")
    for name, program in PROGRAMS.items():
        if only not in name:
            continue
        in_files(folder, program)  # the page cache of the files
        pairs = [(in_files(folder, program), in_cell(corpus, program)) for _ in range(rounds)]
        for (_, _, expected), cell in pairs:
            if expected != cell["printed"]:
                raise SystemExit(f"{name}: the cell printed {cell['printed']!r:.200}, not {expected!r:.200}")
        columns = [
            [files[0] for files, _ in pairs],
            [cell["wall"] for _, cell in pairs],
            [files[1] for files, _ in pairs],
            [cell["host"] for _, cell in pairs],
            [cell["worker"] for _, cell in pairs],
            [cell["host_mb"] for _, cell in pairs],
        ]
        wall = statistics.median(cell["wall"] / files[0] for files, cell in pairs)
        cpu = statistics.median((cell["host"] + cell["worker"]) / files[1] for files, cell in pairs)
        numbers = "".join(f"{statistics.median(column):10.3f}" for column in columns)
        print(f"{name:30} {wall:5.2f}x {cpu:5.2f}x{numbers}", flush=True)
        if peer:
            print(f"{'  haiku.rag-slim':30} {beside(peer, folder, [files for files, _ in pairs], program)}", flush=True)


def beside(peer: str, folder: Path, rounds_of_files: list[Any], program: str) -> str:
    """The same program in the peer's sandbox: its ratios, or why there are none."""
    code = f"import json, os, re\nfrom pathlib import Path\nROOT = Path('/documents')\n{program}"
    command = [peer, str(PEER), "run", str(_peer_database(folder)), code]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PEER_S, env=_peer_environment())
    except subprocess.TimeoutExpired:
        return f"not done after {PEER_S} s"
    if done.returncode:
        return f"failed: {_last_line(done.stderr)}"
    found = json.loads(done.stdout.splitlines()[-1])
    if found["failed"]:
        return f"after {found['wall']:.1f} s: {found['failed'][:90]}"
    wall, cpu = (statistics.median(each[n] for each in rounds_of_files) for n in (0, 1))
    return f"{found['wall'] / wall:5.1f}x {found['cpu'] / cpu:5.1f}x"


def prepare_peer(peer: str, folder: Path) -> bool:
    """Give the peer the same documents, unless it has them; whether that went well."""
    database = _peer_database(folder)
    if database.exists():
        return True
    print("importing the documents into haiku.rag-slim", flush=True)
    command = [peer, str(PEER), "import", str(folder), str(database)]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, env=_peer_environment())
    if done.returncode:
        shutil.rmtree(database, ignore_errors=True)
        print(f"haiku.rag-slim cannot run: {_last_line(done.stderr)}", flush=True)
    return not done.returncode


PEER = Path(__file__).with_name("peer.py")
PEER_S = 120  # seconds; its own limit for a cell is 60


def _peer_database(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.peer")


def _peer_environment() -> dict[str, str]:
    return {**os.environ, "LOGFIRE_IGNORE_NO_CONFIG": "1"}


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it said nothing"])[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="programs whose name holds this")
    parser.add_argument("--export", type=Path, help="keep the local files here, and use them again")
    parser.add_argument("--peer", default=os.environ.get("GLOSSATOR_BENCH_PEER"), help="Python with haiku.rag-slim")
    parser.add_argument("--cell", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.cell is not None:
        print(json.dumps(asyncio.run(service(given.corpus, given.cell))))
        return
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{machine}, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.export or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        if not any(folder.iterdir()):
            asyncio.run(export(given.corpus, folder))
        documents = sum(1 for _ in folder.iterdir())
        print(f"{documents:,} documents")
        if not given.only:
            latencies(given.corpus, documents, given.rounds)
        peer = given.peer if given.peer and prepare_peer(given.peer, folder) else None
        compare(given.corpus, folder, given.rounds, given.only, peer)


if __name__ == "__main__":
    main()
