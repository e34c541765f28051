"""Runs programs in plain CPython over an export, for comparison with cells: a script, with its orders on stdin.

In: {"root", "programs", "documents", "found"}. `root` holds the folder `documents`; programs say /documents for it.
Out: {name: [what it printed, its error or null]}, with the root cut out. As root it changes its user first: nobody else
meets a permission error.
"""

from __future__ import annotations

import ast
import asyncio
import codecs
import contextlib
import importlib
import inspect
import io
import json
import math
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

# What programs import: another user may not be able to read the library.
LIBRARY = (
    "concurrent.futures.thread copy csv dataclasses errno fileinput fnmatch functools glob grp hashlib itertools "
    "linecache pwd shutil stat statistics tokenize tomllib typing"
)
NOBODY = 65534
OUT = 200  # a number that no program closes: some close what they were never given


def reference(root: str, documents: list[dict[str, Any]], found: dict[str, Any]) -> dict[str, Any]:
    """What cells have besides Python, written anew from its description."""
    home = Path(root, "documents")

    async def list_documents(limit: int | None = None, offset: int = 0) -> list[dict[str, Any]]:
        return documents[offset : None if limit is None else offset + limit]

    async def search(query: str, limit: int = 10) -> list[dict[str, Any]]:
        return found[query][:limit]

    def identifier(doc: Any) -> str:
        return doc["id"] if isinstance(doc, dict) else Path(doc).name

    def items(doc: Any) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (home / identifier(doc) / "items.jsonl").read_text().split("\n") if line]

    def toc(doc: Any) -> dict[str, Any]:
        return json.loads((home / identifier(doc) / "toc.json").read_text())

    def grep(regex: str, where: Any = "content.txt", *, flags: int = 0) -> list[dict[str, Any]]:
        named = [each["id"] for each in documents] if where in os.listdir(home / documents[0]["id"]) else [where]
        kind = where if where in os.listdir(home / documents[0]["id"]) else "content.txt"
        return [
            {"document_id": id, "file": kind, "line_number": number, "line": line.rstrip("\n")}
            for id in map(identifier, named)
            for number, line in enumerate(open(home / id / kind), 1)
            if re.search(regex, line.rstrip("\n"), flags)
        ]

    return {"list_documents": list_documents, "search": search, "items": items, "toc": toc, "grep": grep}


def outcome(program: str, names: dict[str, Any], wait: Callable[[Any], Any]) -> list[Any]:
    """What a program prints, and the type and text of the error that ends it."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            code = compile(program, "<program>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            running = eval(code, names)
            if inspect.iscoroutine(running):
                wait(running)
    except Exception as error:  # whatever it is, a cell must end with the same
        return [printed.getvalue(), [type(error).__name__, str(error)]]
    return [printed.getvalue(), None]


def outcomes(orders: dict[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    root = orders["root"]
    ready = {"json": json, "re": re, "math": math, "Path": Path, "Counter": Counter, "defaultdict": defaultdict}
    ready |= {"datetime": datetime, "__name__": "__main__", **reference(root, orders["documents"], orders["found"])}
    loop = asyncio.new_event_loop()
    names: dict[str, Any] = dict(ready)
    for name, program in orders["programs"].items():
        os.chdir(root)
        names |= ready
        program = program.replace("/documents", f"{root}/documents")
        yield name, outcome(program, names, loop.run_until_complete)


def main() -> None:
    orders = json.load(sys.stdin)
    for module in LIBRARY.split():
        importlib.import_module(module)
    for encoding in ("latin-1", "ascii", "utf-16", "utf-8-sig", "cp1252", "idna"):
        codecs.lookup(encoding)
    os.dup2(1, OUT)
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    told = json.dumps(dict(outcomes(orders))).replace(orders["root"], "")
    with open(OUT, "w") as out:
        out.write(told)


if __name__ == "__main__":
    main()
