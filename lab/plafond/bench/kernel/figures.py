# SPDX-License-Identifier: MIT
"""Find the rows of a report by procedure and variant."""

from collections.abc import Iterable

from plafond.bench.kernel.model import Row


class Figures:
    """All rows of a measurement."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Take the rows."""
        self._rows = {(row.benchmark, row.variant): row for row in rows}

    def has(self, benchmark: str, variant: str) -> bool:
        """Return whether the variant has this procedure."""
        return (benchmark, variant) in self._rows

    def count(self, benchmark: str, variant: str) -> int:
        """Return the number of instructions."""
        return self._rows[benchmark, variant].instructions

    def calls(self, benchmark: str, variant: str) -> int:
        """Return the number of system calls."""
        return self._rows[benchmark, variant].system_calls
