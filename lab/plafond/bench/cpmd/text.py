# SPDX-License-Identifier: MIT
"""Common texts of both reports: times, and counts of dropped samples."""

from collections.abc import Iterable
from typing import Any

from plafond.rows import Change
from plafond.units import UNIT_NS


def in_us(value_ns: float) -> str:
    """Return a time for a column of microseconds."""
    return f"{value_ns / UNIT_NS['us']:.2f}"


def dropped(rows: Iterable[Any]) -> Change:
    """Return the change of `dropped`: a column for each reason that any of the rows has."""
    reasons = list(dict.fromkeys(why for row in rows for why in row.dropped))
    return {"dropped": {"of": lambda row: {why: row.dropped.get(why, 0) for why in reasons}}}
