"""Fixtures for every room: where the shared material lies, and asyncio as the only event loop."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


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
