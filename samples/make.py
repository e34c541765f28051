"""Writes the sample documents that are not written by hand: `python samples/make.py [FOLDER]`.

All documents of the folder `documents` are about one invented harbour and agree with each other: what several of them
quote comes from `figures.py`. The files written here are committed; running this again gives the same contents.
"""

from __future__ import annotations

import sys
from pathlib import Path

from books import history_of_the_light, rescue_drill
from office import board_minutes, dues_workbook, lease, winter_plan
from reports import annual_report, breakwater_survey
from tables import tide_gauge, vessel_calls

WRITERS = {
    "annual-report-2025.pdf": annual_report,
    "berth-dues-2025.xlsx": dues_workbook,
    "board-minutes-2026-03.docx": board_minutes,
    "breakwater-survey-2025.pdf": breakwater_survey,
    "history-of-teal-point-light.epub": history_of_the_light,
    "lease-boathouse.docx": lease,
    "rescue-drill-2025-09.odt": rescue_drill,
    "tide-gauge-2025.tsv": tide_gauge,
    "vessel-calls-2025.csv": vessel_calls,
    "winter-plan-2025.pptx": winter_plan,
}


def make(folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    for name, write in WRITERS.items():
        write(folder / name)
    return [folder / name for name in WRITERS]


if __name__ == "__main__":
    for path in make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "documents"):
        print(path)
