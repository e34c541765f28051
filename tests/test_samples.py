"""The sample documents: many formats, written again with the same contents, agreeing with each other; and the demo."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
DOCUMENTS = SAMPLES / "documents"


# The parts of Office files that hold what a reader sees; the rest comes from the libraries' templates.
OFFICE = {
    ".docx": ("word/document.xml",),
    ".pptx": ("ppt/slides/slide", "ppt/notesSlides/notesSlide"),
    ".xlsx": ("xl/sharedStrings.xml", "xl/worksheets/sheet"),
}


def members(path: Path) -> dict[str, bytes]:
    """The parts of a zip file, or a file's bytes. (Compressed forms differ between versions of zlib.)"""
    if not zipfile.is_zipfile(path):
        return {"": path.read_bytes()}
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.startswith(OFFICE.get(path.suffix, ("",)))]
        return {name: archive.read(name) for name in names}


def text(path: Path) -> str:
    from pdfminer.high_level import extract_text

    return " ".join(extract_text(str(path)).split())


def test_there_are_many_documents_in_many_formats() -> None:
    paths = list(DOCUMENTS.iterdir())
    assert len(paths) >= 15
    assert len({path.suffix for path in paths}) >= 7
    assert {".docx", ".html", ".md", ".pdf", ".pptx", ".txt", ".xlsx"} <= {path.suffix for path in paths}


def test_the_generated_ones_are_written_again_with_the_same_contents(tmp_path: Path) -> None:
    command = [sys.executable, str(SAMPLES / "make.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    written = [Path(line) for line in done.stdout.splitlines()]
    assert {path.name for path in written} == {path.name for path in tmp_path.iterdir()}
    for path in written:
        committed, fresh = members(DOCUMENTS / path.name), members(path)
        assert fresh == committed, path.name


def test_the_annual_report_agrees_with_the_tables() -> None:
    report = text(DOCUMENTS / "annual-report-2025.pdf")
    lines = (DOCUMENTS / "vessel-calls-2025.csv").read_text(encoding="utf-8").splitlines()
    calls = list(csv.DictReader(lines))
    fish = sum(float(call["landed_t"]) for call in calls if call["class"] == "fishing")
    assert f"{len(calls)} vessels called" in report
    assert f"{fish:,.1f} tonnes of fish" in report


def test_the_annual_report_agrees_with_the_incidents() -> None:
    lines = (DOCUMENTS / "incidents-2025.jsonl").read_text(encoding="utf-8").splitlines()
    classes = Counter(json.loads(line)["class"] for line in lines)
    assert classes == {1: 8, 2: 5, 3: 2}
    said = "Fifteen incidents were reported: eight of class 1, five of class 2 and two of class 3"
    assert said in text(DOCUMENTS / "annual-report-2025.pdf")


@pytest.mark.slow
def test_the_demo_answers_its_three_questions(tmp_path: Path) -> None:
    command = [sys.executable, str(SAMPLES / "demo.py"), str(tmp_path / "corpus")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    added, lookup, aggregation, refusal = done.stdout.split("\n$ ")[1:]
    assert "14 cubic metres" in lookup
    assert " p.3 | Breakwater Survey 2025 > 4 Grey Wall > 4.2 Armour > 4.2.2 Cavity\n> " in lookup
    assert "2025.9" in aggregation.replace(",", "")
    assert "Computed from" in aggregation
    assert "No evidence in the corpus" in refusal
    assert len(added.splitlines()) > 2
