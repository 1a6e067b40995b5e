# SPDX-License-Identifier: MIT
"""The share of a run that a reservation allows its thread."""

from plafond.bench.irqs.model import DriverRow


def supplied_percent(row: DriverRow, run_ns: int) -> tuple[float, float]:
    """Return the least share, if the thread always has work, and the greatest share, in percent.

    The run may begin and end at any instant of a period, so it may have a budget less or more. The
    kernel's timer is at most 1 % of a budget late.
    """
    assert row.period_ns is not None
    assert row.budget_ns is not None
    budget_percent = 100 * row.budget_ns / run_ns
    periods = run_ns / row.period_ns
    return 0.99 * budget_percent * (periods - 1), 1.01 * budget_percent * (periods + 1)
