"""The two tables that are plain text: vessel calls (CSV) and the tide gauge (TSV)."""

from __future__ import annotations

import calendar
import csv
from pathlib import Path

import figures


def vessel_calls(path: Path) -> None:
    header = ["call", "arrived", "vessel", "class", "length_m", "home port", "nights", "berth", "landed_t"]
    rows = [
        [
            call.number,
            call.arrived.isoformat(),
            call.vessel.name,
            call.vessel.kind,
            call.vessel.length,
            call.vessel.home,
            call.nights,
            call.berth,
            call.landed,
        ]
        for call in figures.calls()
    ]
    _write(path, header, rows, ",")


def tide_gauge(path: Path) -> None:
    header = ["month", "mean high water (mm)", "mean low water (mm)", "highest reading (mm)"]
    rows = [[calendar.month_name[month], *readings] for month, readings in enumerate(figures.TIDES, 1)]
    _write(path, header, rows, "\t")


def _write(path: Path, header: list[str], rows: list[list[object]], delimiter: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
