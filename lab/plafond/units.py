# SPDX-License-Identifier: MIT
"""Durations and sizes: written as people write them, kept as whole nanoseconds and bytes."""

import re
from decimal import Decimal
from fractions import Fraction

UNIT_NS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
LONGEST_NS = 3_600 * UNIT_NS["s"]
DURATION = "a duration above 0 and up to an hour, such as 250us, 17ms, 1.5s"
UNIT_BYTES = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
SIZE = "a size above 0, such as 64KiB, 1MiB, 512B"
_WRITTEN_SIZE = re.compile(r"(\d{1,9}) ?(B|KiB|MiB|GiB)", re.ASCII)
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
    """Return a duration in the unit that fits, with up to `digits` significant digits: `1.25us`."""
    # Rounded first, because 999.96ms becomes 1s.
    rounded_ns = Decimal(f"{value_ns:.{digits}g}")
    unit = next((u for u in ("s", "ms", "us") if abs(rounded_ns) >= UNIT_NS[u]), "ns")
    return f"{(rounded_ns / UNIT_NS[unit]).normalize():f}{unit}"


def format_exactly(value_ns: int) -> str:
    """Return all digits of a duration, for comparisons of nearly equal durations."""
    return format_duration(value_ns, digits=15)


def format_above(share: Fraction, limit: Fraction, digits: int = 1) -> str:
    """Return a share in percent, with enough digits to show it above a limit: `100.01%`."""
    while share > limit >= round(share * 100, digits) / 100:
        digits += 1
    parts = round(share * 100 * 10**digits)
    return f"{parts // 10**digits}.{parts % 10**digits:0{digits}d}%"


def parse_size(text: str) -> int:
    """Turn `64KiB` into bytes; ValueError unless above 0."""
    match = _WRITTEN_SIZE.fullmatch(text.strip())
    if not match or not int(match[1]):
        raise ValueError(SIZE)
    return int(match[1]) * UNIT_BYTES[match[2]]


def format_size(size_bytes: int) -> str:
    """Return a size as a whole number of the largest possible unit: `64KiB`."""
    unit = next(u for u in ("GiB", "MiB", "KiB", "B") if size_bytes % UNIT_BYTES[u] == 0)
    return f"{size_bytes // UNIT_BYTES[unit]}{unit}"
