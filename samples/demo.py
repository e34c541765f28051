"""`make demo`: the sample documents into a new corpus, then three questions, through the command line as anyone would.

Every command is printed before it runs and timed. No language model is used: the built-in answerer drives the three
tools by rule. `GLOSSATOR_MODEL=provider:name make demo` asks a language model instead.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = Path(".demo") / "corpus"  # unless another folder is given; relative to ROOT, where every command runs
DOCUMENTS = Path("samples") / "documents"
PROGRAM = Path(sys.executable).with_name("glossator")

QUESTIONS = (
    ("A lookup", "How large is the cavity that the divers measured in the Grey Wall?"),
    (
        "An aggregation: code reads the workbook",
        "What is the total of the dues of fishing vessels in berth-dues-2025.xlsx?",
    ),
    ("A question that the documents do not answer", "What is the salary of the harbour master?"),
)


def main(corpus: Path = CORPUS) -> int:
    shutil.rmtree(ROOT / corpus, ignore_errors=True)
    begun = time.monotonic()
    _headline("Documents of many formats about one invented harbour go into a new corpus")
    codes = [_run(corpus, "add", str(DOCUMENTS))]
    for what, question in QUESTIONS:
        _headline(what)
        codes.append(_run(corpus, "ask", question))
    print(f"\nDone in {time.monotonic() - begun:.1f} s. The corpus stays in {corpus}; for example:")
    print(f"  {PROGRAM.relative_to(ROOT) if PROGRAM.is_relative_to(ROOT) else PROGRAM} --corpus {corpus} search crane")
    return max(codes)


def _headline(text: str) -> None:
    print(f"\n== {text} ==", flush=True)


def _run(corpus: Path, *arguments: str) -> int:
    command = ["glossator", "--corpus", str(corpus), *arguments]
    print(f"$ {shlex.join(command)}", flush=True)
    begun = time.monotonic()
    code = subprocess.run([PROGRAM, *command[1:]], cwd=ROOT, check=False).returncode
    print(f"[{time.monotonic() - begun:.1f} s, exit code {code}]", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:2])))
