# SPDX-License-Identifier: MIT
"""What a reservation lets its thread take of a run."""

from plafond.bench.irqs.model import DriverRow


def supplied_percent(row: DriverRow, run_ns: int) -> tuple[float, float]:
    """Return the least, where the thread always has work, and the most, in percent of the run.

    The run may begin and end at any instant of a period: a budget less, or a budget more. The
    kernel's timer is 1 % of a budget late at most.
    """
    assert row.period_ns is not None
    assert row.budget_ns is not None
    budget_percent = 100 * row.budget_ns / run_ns
    periods = run_ns / row.period_ns
    return 0.99 * budget_percent * (periods - 1), 1.01 * budget_percent * (periods + 1)
