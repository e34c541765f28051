"""Run by tests in processes of their own: adders that are killed, and adders that meet."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from .plain import WordHashes, add, corpus


async def main(folder: Path, *sources: Path) -> None:
    async with await corpus(folder, embedder=WordHashes()) as opened:
        print("open", flush=True)
        for source in sources:
            await add(opened, source)
        print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(main(*map(Path, sys.argv[1:])))
