"""Workbooks (xlsx, xlsm, xlsb, xls, ods): a section per sheet, its tables and the text around them.

Values are read as they are stored, by calamine: a literal "NA" stays text, dates are ISO 8601, 1.0 is 1.
"""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterator, Sequence
from typing import Any

from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from ..items import Item, Reading, Source, Unreadable, heading
from .sheetnotes import notes
from .sheets import Grid, sheet_items

_MAX_CELLS = 20_000_000  # a sheet may claim 16 billion


def read(source: Source) -> Reading:
    beside = notes(source.data)
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(source.data))
    except CalamineError as error:
        reason = str(error)
        if "password" in reason.lower() or "encrypt" in reason.lower():
            raise Unreadable("encrypted: a password is needed") from error
        raise Unreadable(f"broken workbook: {reason}") from error
    items = [
        item
        for number, sheet in enumerate(book.sheets_metadata)
        for item in _sheet(book, number, sheet, beside.texts.get(sheet.name, ()))
    ]
    about = dict(beside.properties)
    return Reading(items, title=about.pop("title", None), metadata=about)


def _sheet(book: CalamineWorkbook, number: int, about: Any, beside: Sequence[str]) -> Iterator[Item]:
    if about.typ != SheetTypeEnum.WorkSheet:
        return
    try:
        sheet = book.get_sheet_by_index(number)
        if sheet.total_height * sheet.total_width > _MAX_CELLS:
            raise Unreadable(f"sheet {about.name!r} has {sheet.total_height} rows of {sheet.total_width} columns")
        rows = sheet.to_python(skip_empty_area=False)
    except CalamineError as error:
        raise Unreadable(f"broken sheet {about.name!r}: {error}") from error
    grid = Grid([[written(value) for value in row] for row in rows], list(sheet.merged_cell_ranges or ()))
    found = [*sheet_items(grid), *(Item("text", text) for text in beside)]
    if found:
        hidden = "" if about.visible == SheetVisibleEnum.Visible else " (hidden sheet)"
        yield heading(about.name + hidden, 1)
        yield from found


def written(value: Any) -> str:
    """A cell's value as text."""
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            return f"{value:.15g}" if abs(value) < 1e15 or value != int(value) else str(int(value))
        case datetime.datetime():
            whole = value.time() == datetime.time()
            return (
                value.date().isoformat() if whole else value.isoformat(" ", "auto" if value.microsecond else "seconds")
            )
        case datetime.timedelta():
            seconds = int(value.total_seconds())
            return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        case datetime.date() | datetime.time():
            return value.isoformat()
    return str(value)
