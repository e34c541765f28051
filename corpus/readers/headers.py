"""Header rows of tables."""

from __future__ import annotations

from collections.abc import Sequence


def join_headers(rows: Sequence[Sequence[str]]) -> list[str]:
    """Several header rows as one: what stands above is named first ("Risk level / Medium"), repeats once."""
    width = max(map(len, rows))
    columns = []
    for column in range(width):
        parts = [row[column].strip() for row in rows if column < len(row)]
        columns.append(" / ".join(dict.fromkeys(part for part in parts if part)))
    return columns
