# SPDX-License-Identifier: MIT
"""The rows of a report, found by what they are of."""

from collections.abc import Iterable

from plafond.bench.kernel.model import Row


class Figures:
    """All rows of one measurement."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Take the rows."""
        self._rows = {(row.benchmark, row.variant): row for row in rows}

    def has(self, benchmark: str, variant: str) -> bool:
        """Whether the variant can do this."""
        return (benchmark, variant) in self._rows

    def count(self, benchmark: str, variant: str) -> int:
        """Return its instructions."""
        return self._rows[benchmark, variant].instructions

    def calls(self, benchmark: str, variant: str) -> int:
        """Return its system calls."""
        return self._rows[benchmark, variant].system_calls
