# SPDX-License-Identifier: MIT
"""From which section length on a sleeping waiter costs less than a spinning one."""

from plafond.bench.model import HandoverRow, SpinLimit

SPINNING = ("plafond-global-spin", "ticket-spinlock")
SLEEPING = ("plafond-global", "none", "inherit")


def spin_limits(rows: list[HandoverRow]) -> list[SpinLimit]:
    """Compare each lock that spins with each that sleeps, at the lengths that were measured."""
    cost = {(row.lock, row.section_ns): row.processor_ns for row in rows}
    lengths = sorted({row.section_ns for row in rows})

    def limit(spinning: str, sleeping: str) -> int | None:
        """The shortest from which on sleeping is cheaper at every length."""
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
