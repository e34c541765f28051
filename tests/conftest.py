"""Fixtures for every room: where the shared material lies, and asyncio as the only event loop."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# A job in the background of a script inherits an ignored Ctrl-C, and so would every program that the tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with real documents, attacks and programs; tests that need it are skipped without it."""
    folder = Path(os.environ.get("GLOSSATOR_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no shared material at {folder} (set GLOSSATOR_SHARED)")
    return folder
