# SPDX-License-Identifier: MIT
"""Find the section length from which a sleeping waiter costs less than a spinning waiter."""

from plafond.bench.model import HandoverRow, SpinLimit

SPINNING = ("plafond-global-spin", "ticket-spinlock")
SLEEPING = ("plafond-global", "none", "inherit")


def spin_limits(rows: list[HandoverRow]) -> list[SpinLimit]:
    """Compare each spinning lock with each sleeping lock, at the measured lengths."""
    cost = {(row.lock, row.section_ns): row.processor_ns for row in rows}
    lengths = sorted({row.section_ns for row in rows})

    def limit(spinning: str, sleeping: str) -> int | None:
        """Return the shortest length from which sleeping is cheaper at all lengths."""
        longest_first = reversed(lengths)
        cheaper = None
        for length in longest_first:
            if cost[sleeping, length] >= cost[spinning, length]:
                break
            cheaper = length
        return cheaper

    if not rows:
        return []
    return [
        SpinLimit(spinning=spinning, sleeping=sleeping, section_ns=limit(spinning, sleeping))
        for spinning in SPINNING
        for sleeping in SLEEPING
    ]
