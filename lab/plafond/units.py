# SPDX-License-Identifier: MIT
"""Durations: written as people write them, kept as whole nanoseconds."""

import re
from decimal import Decimal
from fractions import Fraction

UNIT_NS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
LONGEST_NS = 3_600 * UNIT_NS["s"]
DURATION = "a duration above 0 and up to an hour, such as 250us, 17ms, 1.5s"
_WRITTEN = re.compile(r"(\d{1,15}(?:\.\d{1,9})?) ?(ns|us|ms|s)", re.ASCII)


def parse_duration(text: str) -> int:
    """Turn `17ms` into nanoseconds; ValueError unless whole, above 0 and up to an hour."""
    match = _WRITTEN.fullmatch(text.strip())
    if not match:
        raise ValueError(DURATION)
    value = Fraction(match[1]) * UNIT_NS[match[2]]
    if value.denominator != 1 or not 0 < value <= LONGEST_NS:
        raise ValueError(DURATION)
    return int(value)


def format_duration(value_ns: float, digits: int = 4) -> str:
    """Return at most so many digits that matter, in the unit that fits: `17ms`, `1.25us`."""
    # Rounded first: 999.96ms is 1s.
    rounded_ns = Decimal(f"{value_ns:.{digits}g}")
    unit = next((u for u in ("s", "ms", "us") if abs(rounded_ns) >= UNIT_NS[u]), "ns")
    return f"{(rounded_ns / UNIT_NS[unit]).normalize():f}{unit}"


def format_exactly(value_ns: int) -> str:
    """Return all digits of a duration: where two are compared, and may be nearly equal."""
    return format_duration(value_ns, digits=15)
