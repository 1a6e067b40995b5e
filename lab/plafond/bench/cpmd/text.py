# SPDX-License-Identifier: MIT
"""How both reports write a figure, and their rows as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence

from plafond.bench.model import Part
from plafond.units import UNIT_NS


def in_us(value_ns: float) -> str:
    """Return a time for a column of microseconds."""
    return f"{value_ns / UNIT_NS['us']:.2f}"


def csv_of(rows: Iterable[Part], columns: Sequence[str]) -> str:
    """Return these fields of each row, below their names."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(row.model_dump(mode="json")[column] for column in columns)
    return file.getvalue()
